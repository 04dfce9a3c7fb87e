import { percent, shareOf, type Arm, type HeroRun, type Moment, type Shares, type WordPair } from './run.js';

const svgNamespace = 'http://www.w3.org/2000/svg';

export type ShownMap = 'story' | Arm;

const mapTitles: Readonly<Record<ShownMap, string>> = {
  story: 'What the story says',
  tied: 'What one shared table says',
  untied: 'What two tables say',
};

/** What the figure shows. */
export interface HeroState {
  readonly pair: WordPair;
  readonly map: ShownMap;
  /** Null before the first training. */
  readonly moment: Moment | null;
  /** In percent; kept as a mark once there is something to compare it with. */
  readonly guess: number;
}

/** The rectangles of one map, whose markup is in the page. */
class HeatMap {
  readonly #svg: SVGSVGElement;
  readonly #cells: SVGRectElement[];
  readonly #outlines: SVGRectElement[];
  readonly #left: number;
  readonly #top: number;
  readonly #cell: number;

  constructor(svg: SVGSVGElement, words: number, choose: (pair: WordPair) => void) {
    this.#svg = svg;
    this.#outlines = [...svg.querySelectorAll<SVGRectElement>('.outline')];
    const sample = svg.querySelector('.heat')!;
    this.#cell = Number(sample.getAttribute('width'));
    // From the path, since a panel that is not shown has no box.
    const [left, top] = /^M(\d+) (\d+)/.exec(svg.querySelector('.grid')!.getAttribute('d')!)!.slice(1).map(Number);
    [this.#left, this.#top] = [left!, top!];
    // Cells of a share near zero were left out.
    for (const one of svg.querySelectorAll('.heat')) one.remove();
    this.#cells = Array.from({ length: words * words }, (_, i) => {
      const cell = document.createElementNS(svgNamespace, 'rect');
      const pair = { from: Math.floor(i / words), to: i % words };
      cell.setAttribute('class', 'heat');
      this.#place(cell, pair);
      cell.addEventListener('click', () => choose(pair));
      return cell;
    });
    svg.querySelector('.grid')!.before(...this.#cells);
  }

  #place(rect: SVGRectElement, { from, to }: WordPair): void {
    const size = String(this.#cell);
    rect.setAttribute('x', String(this.#left + to * this.#cell));
    rect.setAttribute('y', String(this.#top + from * this.#cell));
    rect.setAttribute('width', size);
    rect.setAttribute('height', size);
  }

  draw(shares: Shares | null, { from, to }: WordPair, label: string): void {
    this.#cells.forEach((cell, i) =>
      // The square root, so a tenth is as visible as a whole.
      cell.setAttribute('fill-opacity', Math.sqrt(shares?.[i] ?? 0).toFixed(2)),
    );
    this.#place(this.#outlines[0]!, { from, to });
    this.#place(this.#outlines[1]!, { from: to, to: from });
    this.#svg.setAttribute('aria-label', label);
  }
}

/** A share and its bar, in a cell of the table. */
function drawShare(cell: Element, share: number | null, guess: number | null): void {
  cell.querySelector('b')!.textContent = share === null ? '?' : percent(share);
  cell.querySelector('.bar')!.setAttribute('d', `M0 4H${(100 * (share ?? 0)).toFixed(1)}`);
  const svg = cell.querySelector('svg')!;
  const mark = svg.querySelector('.guess') ?? svg.appendChild(document.createElementNS(svgNamespace, 'path'));
  mark.setAttribute('class', 'guess');
  mark.setAttribute('d', guess === null ? '' : `M${guess} 0V8`);
}

/** Draws the figure's state into the markup of the page. */
export class HeroView {
  readonly #figure: HTMLElement;
  readonly #run: HeroRun;
  readonly #story: HeatMap;
  readonly #models: HeatMap;

  constructor(figure: HTMLElement, run: HeroRun, choose: (pair: WordPair) => void) {
    this.#figure = figure;
    this.#run = run;
    const map = (panel: string): HeatMap =>
      new HeatMap(figure.querySelector<SVGSVGElement>(`.${panel} svg`)!, run.words.length, choose);
    this.#story = map('free');
    this.#models = map('shared');
  }

  draw({ pair, map, moment, guess }: HeroState): void {
    const { story, words } = this.#run;
    const of = { story, tied: moment?.tied ?? null, untied: moment?.untied ?? null };
    const label = (shown: ShownMap): string =>
      `${mapTitles[shown]}${shown === 'story' ? '' : moment === null ? ', before training' : ` at step ${moment.step}`}. ` +
      `Probabilities of the next word (columns) after the current word (rows), ${words.length} words.`;
    this.#story.draw(story, pair, label('story'));
    this.#models.draw(of[map], pair, label(map));
    this.#figure.dataset['map'] = map;
    this.#figure.querySelector('.hero-ask .share')!.textContent = percent(shareOf(story, pair));
    const ways: Readonly<Record<string, WordPair>> = {
      forward: pair,
      backward: { from: pair.to, to: pair.from },
      repeat: { from: pair.from, to: pair.from },
    };
    for (const row of this.#figure.querySelectorAll<HTMLElement>('.hero-shares tbody tr')) {
      const way = ways[row.dataset['of']!]!;
      row.querySelector('.before')!.textContent = words[way.from]!;
      row.querySelector('.after')!.textContent = words[way.to]!;
      for (const [kind, shares] of Object.entries(of)) {
        const isGuessed = kind === 'tied' && row.dataset['of'] === 'forward';
        drawShare(row.querySelector(`.${kind}`)!, shares && shareOf(shares, way), isGuessed ? guess : null);
      }
    }
  }
}
