import { html, LitElement, nothing, svg, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { builtInTexts } from '../../../texts/index.js';
import type { Direction } from '../roundabout/walk.js';
import { linesInRound, shownWords, sources, Writers, type Line, type Source } from './round.js';
import { scoreInWords, sourceHints, sourceNames, verdict } from './sentences.js';
import { whichWayStyles } from './which-way.styles.js';
import { wordsOf } from './words.js';

/** A round of ten lines, and the guesses so far. */
interface Round {
  readonly lines: readonly Line[];
  readonly guesses: readonly Direction[];
}

const rightOf = ({ lines, guesses }: Round): number =>
  guesses.filter((guess, at) => guess === lines[at]!.direction).length;

const isOver = ({ guesses }: Round): boolean => guesses.length === linesInRound;

/**
 * `<article-which-way>`: lines of the story and of two chains of its words, each shown as it was written or in reverse, as a coin
 * decides. The reader guesses which, and the score stands beside the coin's.
 */
export class WhichWay extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, controlStyles, whichWayStyles];

  @state() private source: Source = 'story';
  @state() private rounds: Readonly<Partial<Record<Source, Round>>> = {};
  #writers: Writers | null = null;
  readonly #seeds: Record<Source, number> = { story: 1, pairs: 1, symmetric: 1 };

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#writers !== null) return;
    void builtInTexts[0]!.load().then((text) => {
      this.#writers = new Writers(wordsOf(text));
      this.#deal('story');
    });
  }

  /** New lines of a source. */
  #deal(source: Source): void {
    if (this.#writers === null) return;
    const lines = this.#writers.round(source, this.#seeds[source]);
    this.#seeds[source] += 1;
    this.rounds = { ...this.rounds, [source]: { lines, guesses: [] } };
  }

  #choose(source: Source): void {
    this.source = source;
    if (this.rounds[source] === undefined) this.#deal(source);
  }

  #guess(guess: Direction): void {
    const round = this.rounds[this.source];
    if (round === undefined || isOver(round)) return;
    const guessed = { ...round, guesses: [...round.guesses, guess] };
    this.rounds = { ...this.rounds, [this.source]: guessed };
    // The buttons are replaced by the next round's.
    if (isOver(guessed))
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.next')?.focus());
  }

  /** The first source that has not been played, or this one again. */
  get #next(): Source {
    return sources.find((source) => this.rounds[source] === undefined) ?? this.source;
  }

  #goOn(): void {
    const next = this.#next;
    if (next === this.source) this.#deal(next);
    else this.#choose(next);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.guess')?.focus());
  }

  #verdict({ lines, guesses }: Round): string {
    const last = guesses.length - 1;
    return last < 0 ? '' : verdict(lines[last]!, guesses[last]!);
  }

  #table(round: Round): TemplateResult {
    const at = round.guesses.length;
    const line = round.lines[at];
    const words = line === undefined ? scoreInWords(rightOf(round)) : shownWords(line).join(' ');
    const title =
      line === undefined
        ? `Ten lines ${sourceHints[this.source]}`
        : `Line ${at + 1} of ${linesInRound}, ${sourceHints[this.source]}`;
    const next = this.#next;
    const onward = next === this.source ? 'Ten new lines' : `Next: ${sourceNames[next]}`;
    const guessButton = (direction: Direction, label: string): TemplateResult =>
      html`<button type="button" class="button guess" aria-describedby="line" @click=${() => this.#guess(direction)}>
        ${label}
      </button>`;
    return html`
      <p class="which">${title}</p>
      <p class="line ${line === undefined ? 'score' : ''}" id="line">${words}</p>
      <div class="row" role="group" aria-label="Your guess">
        ${
          line === undefined
            ? html`<button type="button" class="button primary next" @click=${() => this.#goOn()}>${onward}</button>`
            : html`${guessButton('backward', '← Backward')} ${guessButton('forward', 'Forward →')}`
        }
      </div>
      <p class="verdict" role="status">
        ${this.#verdict(round)}<span class="visually-hidden"> ${title}: ${words}</span>
      </p>
    `;
  }

  /** Right guesses from the left, wrong ones from the right; a coin's mean is in the middle. */
  #row(source: Source): TemplateResult {
    const round = this.rounds[source];
    const made = round?.guesses.length ?? 0;
    const right = round === undefined ? 0 : rightOf(round);
    const cell = (at: number): string =>
      at < right ? 'right' : at >= linesInRound - (made - right) ? 'wrong' : 'open';
    const written = made === 0 ? 'not played' : `${right} of ${made}`;
    return html`<label class="scored">
      <input type="radio" name="source" .checked=${source === this.source} @change=${() => this.#choose(source)} />
      <span class="name">${sourceNames[source]}</span>
      <svg viewBox="0 0 200 20" aria-hidden="true">
        ${Array.from({ length: linesInRound }, (_, at) => {
          const [look, x] = [cell(at), 20 * at + 10];
          return look === 'wrong'
            ? svg`<path class="wrong" d="M${x - 5} 5l10 10m0 -10l-10 10"></path>`
            : svg`<circle class=${look} cx=${x} cy="10" r="6.5"></circle>`;
        })}
        <path class="coin" d="M100 0V20"></path>
      </svg>
      <span class="result">${written}</span>
    </label>`;
  }

  protected override render(): TemplateResult {
    const round = this.rounds[this.source];
    return html`
      <div class="live">
        <div class="play">${round === undefined ? nothing : this.#table(round)}</div>
        <div class="scores" role="radiogroup" aria-label="Lines from">
          ${sources.map((source) => this.#row(source))}
          <p class="half" aria-hidden="true"><span>5 of 10: a coin</span></p>
        </div>
      </div>
      <slot></slot>
    `;
  }
}
