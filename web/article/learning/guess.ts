import { make, makeSvg } from './dom.js';
import { isEmpty, keepGuess, onProgress, progress } from './progress.js';

/** A scale as the page states it. */
interface Scale {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly unit: string;
  readonly truth: number;
  readonly marks: readonly { readonly at: number; readonly text: string }[];
}

function scaleOf({ from, to, step, unit = '', truth, marks = '' }: DOMStringMap): Scale {
  return {
    from: Number(from),
    to: Number(to),
    step: Number(step),
    unit,
    truth: Number(truth),
    marks: marks
      .split('; ')
      .filter((mark) => mark !== '')
      .map((mark) => ({ at: Number.parseFloat(mark), text: mark.slice(mark.indexOf(' ') + 1) })),
  };
}

/**
 * A question before its answer: the reader moves a slider or takes a choice, then sees the guess beside the truth. The page holds
 * question and answer; scripts hide the answer until then, in its place, so that nothing moves.
 */
export class ArticleGuess extends HTMLElement {
  #ended = new AbortController();
  #status = make('p', { className: 'visually-hidden' });

  connectedCallback(): void {
    if (this.querySelector('.visually-hidden') !== null) return;
    this.#status.setAttribute('role', 'status');
    this.setAttribute('role', 'group');
    this.setAttribute('aria-label', 'A guess before the answer');
    // Who comes to its controls by Tab hears what is asked.
    const ask = this.querySelector('.ask');
    if (ask !== null) {
      ask.id = `guess-${this.#name}`;
      this.setAttribute('aria-describedby', ask.id);
    }
    this.append(this.#status);
    this.#ended = new AbortController();
    onProgress(() => {
      // Only when everything is forgotten: an answer that was shown without a guess is not kept, but stays while the reader goes on.
      if (isEmpty(progress()) && this.hasAttribute('data-shown')) this.#ask();
    }, this.#ended.signal);
    if (this.#kept === undefined) this.#ask();
    else this.#show(this.#kept);
  }

  disconnectedCallback(): void {
    this.#ended.abort();
  }

  get #name(): string {
    return this.getAttribute('name') ?? '';
  }

  get #kept(): number | undefined {
    return progress().guesses[this.#name];
  }

  /** `null`: the reader wants to see the answer without guessing. */
  #take(guess: number | null): void {
    if (guess !== null) keepGuess(this.#name, guess);
    this.#show(guess);
    this.#status.textContent = `${guess === null ? '' : `Your guess: ${this.#inWords(guess)}. `}${this.querySelector('.answer')?.textContent ?? ''}`;
    // The control that had the focus is gone.
    const answer = this.querySelector<HTMLElement>('.answer');
    if (answer === null) return;
    answer.tabIndex = -1;
    answer.focus({ preventScroll: true });
  }

  #inWords(guess: number): string {
    const choice = this.querySelectorAll('li')[guess];
    return this.dataset['right'] === undefined
      ? `${guess}${this.dataset['unit'] ?? ''}`
      : (choice?.querySelector('.text')?.textContent ?? '');
  }

  #ask(): void {
    this.removeAttribute('data-shown');
    this.#clear();
    if (this.dataset['right'] === undefined) this.#askScale();
    else this.#askChoice();
  }

  #clear(): void {
    for (const part of this.querySelectorAll('.controls, .buttons, .verdict')) part.remove();
  }

  #skip(): HTMLButtonElement {
    const skip = make('button', { type: 'button', className: 'skip' }, 'Just show it');
    skip.addEventListener('click', () => this.#take(null));
    return skip;
  }

  #askScale(): void {
    const { from, to, step, unit } = scaleOf(this.dataset);
    const middle = from + Math.round((to - from) / 2 / step) * step;
    const first = this.dataset['start'] === undefined ? middle : Number(this.dataset['start']);
    const range = make('input', {
      type: 'range',
      min: String(from),
      max: String(to),
      step: String(step),
      value: String(first),
    });
    range.setAttribute('aria-label', 'Your guess');
    // The slider says its value.
    const output = make('output', { ariaLive: 'off' });
    const write = (): void => {
      output.textContent = `${range.valueAsNumber}${unit}`;
      range.setAttribute('aria-valuetext', output.textContent);
    };
    range.addEventListener('input', write);
    write();
    const show = make('button', { type: 'button', className: 'show' }, 'Show');
    show.addEventListener('click', () => this.#take(range.valueAsNumber));
    this.#put('controls', range, output);
    this.#put('buttons', show, this.#skip());
  }

  /** The text of each choice, and the value that belongs to it, if there is one. */
  #choices(): { item: HTMLLIElement; parts: (HTMLElement | string)[] }[] {
    return [...this.querySelectorAll('li')].map((item) => {
      const value = item.querySelector('b');
      const written = item.querySelector<HTMLElement>('.text');
      const text = written ?? make('span', { className: 'text' }, (item.firstChild?.textContent ?? '').trim());
      // The space is not seen, but heard.
      return { item, parts: value === null ? [text] : [text, ' ', value] };
    });
  }

  /** The choices of the page become buttons. Their values are in them, but cannot be seen yet, so that nothing moves later. */
  #askChoice(): void {
    this.#choices().forEach(({ item, parts }, index) => {
      const button = make('button', { type: 'button' }, ...parts);
      button.addEventListener('click', () => this.#take(index));
      item.removeAttribute('data-is');
      item.replaceChildren(button);
    });
    this.#judge('');
    this.#put('buttons', this.#skip());
  }

  #put(className: string, ...parts: Node[]): HTMLElement {
    const place = make('div', { className }, ...parts);
    this.querySelector('.answer')?.before(place);
    return place;
  }

  #show(guess: number | null): void {
    this.toggleAttribute('data-shown', true);
    this.#clear();
    if (this.dataset['right'] === undefined) {
      const place = this.#put('controls');
      place.append(this.#drawScale(guess, place.clientWidth));
    } else this.#showChoice(guess);
  }

  #showChoice(guess: number | null): void {
    const right = Number(this.dataset['right']);
    this.#choices().forEach(({ item, parts }, index) => {
      const notes = [index === right ? 'right' : '', index === guess ? 'guess' : ''];
      item.dataset['is'] = notes.filter((note) => note !== '').join(' ');
      item.replaceChildren(...parts);
    });
    this.#judge(guess === null ? 'Answer:' : guess === right ? 'Right.' : 'Wrong.');
  }

  /** The first word of the answer. All have the same width, so that its lines break alike. */
  #judge(verdict: string): void {
    this.querySelector('.answer')?.prepend(make('strong', { className: 'verdict' }, `${verdict} `));
  }

  /** The guess above the line, the truth below it, and marks that say what would be what. */
  #drawScale(guess: number | null, width: number): SVGElement {
    const { from, to, unit, truth, marks } = scaleOf(this.dataset);
    const share = (value: number): number => Math.min(100, Math.max(0, (100 * (value - from)) / (to - from)));
    const at = (value: number): string => `${share(value).toFixed(2)}%`;
    const anchor = (value: number): string => (share(value) < 14 ? 'start' : share(value) > 86 ? 'end' : 'middle');
    // On narrow screens, names of marks have lines of their own (guesses.css reserves the height).
    const isNarrow = matchMedia('(max-width: 520px)').matches;
    const line = isNarrow && marks.length > 0 ? 56 : 26;
    const svg = makeSvg('svg', { class: 'guess-scale', width: '100%', height: line + 26, role: 'img' });
    const label = (value: number, y: number, className: string, text: string): SVGElement =>
      makeSvg('text', { x: at(value), y, class: className, 'text-anchor': anchor(value) }, text);
    svg.append(makeSvg('line', { class: 'rail', x1: 0, x2: '100%', y1: line, y2: line }));
    const mine = guess === null ? '' : `your guess, ${guess}${unit}`;
    // About the width of the letters; names that would overlap are left out.
    const span = (value: number, text: string): [number, number] => {
      const [middle, half] = [(share(value) / 100) * width, 3.6 * text.length];
      const shift = anchor(value) === 'start' ? half : anchor(value) === 'end' ? -half : 0;
      return [middle + shift - half, middle + shift + half];
    };
    /** What is written in each line above the scale. */
    const lines: { readonly y: number; readonly taken: [number, number][] }[] = (isNarrow ? [12, 27] : [13]).map(
      (y) => ({
        y,
        taken: guess === null || isNarrow ? [] : [span(guess, mine)],
      }),
    );
    for (const mark of marks) {
      svg.append(makeSvg('line', { class: 'mark', x1: at(mark.at), x2: at(mark.at), y1: line - 8, y2: line + 8 }));
      const [start, end] = span(mark.at, mark.text);
      const free = lines.find(({ taken }) => taken.every(([low, high]) => start >= high + 6 || low >= end + 6));
      if (free === undefined) continue;
      free.taken.push([start, end]);
      svg.append(label(mark.at, free.y, 'mark-name', mark.text));
    }
    if (guess !== null) {
      svg.append(
        makeSvg('line', { class: 'miss', x1: at(guess), x2: at(truth), y1: line, y2: line }),
        makeSvg('circle', { class: 'mine', cx: at(guess), cy: line, r: 7 }),
        label(guess, line - 13, 'mine-name', mine),
      );
    }
    svg.append(
      makeSvg('circle', { class: 'truth', cx: at(truth), cy: line, r: 6 }),
      label(truth, line + 21, 'truth-name', `${truth}${unit}`),
    );
    svg.setAttribute(
      'aria-label',
      `${guess === null ? '' : `Your guess: ${guess}${unit}. `}The answer: ${truth}${unit}.`,
    );
    return svg;
  }
}
