import type { Lab } from '../../core/types.js';
import { momentAt, sentenceOf, type HeroRun, type Moment, type WordPair } from './run.js';
import { HeroView, type HeroState, type ShownMap } from './view.js';

/** How long the recorded run plays. */
const playMs = 2400;

/** The next frame, or soon if the page is hidden. */
const frame = (): Promise<number> =>
  new Promise((resolve) =>
    document.hidden ? setTimeout(() => resolve(performance.now())) : requestAnimationFrame(resolve),
  );

/**
 * The experiment at the top: the reader chooses a pair of words and guesses, then two models learn the story. The first run is
 * recorded, so it needs no worker; each further one is trained in `openLab`'s, from another start.
 */
class Hero {
  readonly #figure: HTMLElement;
  readonly #run: HeroRun;
  readonly #view: HeroView;
  readonly #openLab: () => Promise<Lab>;
  readonly #button: HTMLButtonElement;
  #state: HeroState;
  #runs = 0;
  #isTraining = false;

  constructor(figure: HTMLElement, run: HeroRun, openLab: () => Promise<Lab>) {
    this.#figure = figure;
    this.#run = run;
    this.#openLab = openLab;
    this.#button = this.#find<HTMLButtonElement>('.train');
    this.#state = {
      pair: { from: Number(this.#select('from').value), to: Number(this.#select('to').value) },
      // A browser may remember choices of an earlier visit.
      map: this.#find<HTMLInputElement>('.hero-maps input:checked').value as ShownMap,
      moment: null,
      guess: this.#range.valueAsNumber,
    };
    this.#view = new HeroView(figure, run, (pair) => this.#choose(pair));
    this.#listen();
    this.#show({});
    for (const control of figure.querySelectorAll<HTMLInputElement>('[disabled]')) control.disabled = false;
    figure.dataset['ready'] = '';
  }

  #find<Found extends Element>(selector: string): Found {
    return this.#figure.querySelector<Found>(selector)!;
  }

  #select(name: 'from' | 'to'): HTMLSelectElement {
    return this.#find(`select.${name}`);
  }

  get #range(): HTMLInputElement {
    return this.#find('.hero-guess input');
  }

  #listen(): void {
    for (const name of ['from', 'to'] as const) {
      const select = this.#select(name);
      select.addEventListener('change', () => this.#choose({ ...this.#state.pair, [name]: Number(select.value) }));
    }
    this.#range.addEventListener('input', () => this.#show({ guess: this.#range.valueAsNumber }));
    for (const radio of this.#figure.querySelectorAll<HTMLInputElement>('.hero-maps input')) {
      radio.addEventListener('change', () => this.#show({ map: radio.value as ShownMap }));
    }
    this.#button.addEventListener('click', () => void this.#train());
    // On paper it is the drawing of pages without scripts, whose text names this pair.
    const first = (name: 'from' | 'to'): number =>
      Number(this.#select(name).querySelector<HTMLOptionElement>('option[selected]')!.value);
    const pair = { from: first('from'), to: first('to') };
    const moment = momentAt(this.#run, this.#run.steps.length);
    addEventListener('beforeprint', () => this.#view.draw({ pair, map: 'tied', moment, guess: 0 }));
    addEventListener('afterprint', () => this.#show({}));
  }

  #choose(pair: WordPair): void {
    this.#select('from').value = String(pair.from);
    this.#select('to').value = String(pair.to);
    this.#show({ pair });
  }

  #show(change: Partial<HeroState>): void {
    this.#state = { ...this.#state, ...change };
    const { pair, moment, guess } = this.#state;
    this.#view.draw(this.#state);
    this.#find('.hero-guess output').textContent = `${guess}%`;
    const isDone = moment !== null && !this.#isTraining;
    // It takes the place of the words on how to read a map.
    this.#figure.toggleAttribute('data-found', isDone);
    this.#find('.hero-sentence').textContent = isDone ? sentenceOf(this.#run, moment, pair, guess) : '';
  }

  async #train(): Promise<void> {
    if (this.#isTraining) return;
    this.#isTraining = true;
    this.#button.setAttribute('aria-disabled', 'true');
    this.#show({});
    try {
      for await (const moment of this.#runs === 0 ? this.#recorded() : this.#live()) {
        this.#show({ moment });
        this.#button.textContent = `Step ${moment.step} of ${this.#run.steps.at(-1)!}`;
      }
      this.#runs += 1;
      this.#button.textContent = 'Train again, from another start';
    } catch (error) {
      console.warn(error);
      this.#button.textContent = 'Training failed; try again';
    } finally {
      this.#isTraining = false;
      this.#button.removeAttribute('aria-disabled');
      this.#show({});
    }
  }

  async *#recorded(): AsyncGenerator<Moment> {
    const last = this.#run.steps.length - 1;
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const began = await frame();
      for (let now = began; now < began + playMs; now = await frame()) {
        yield momentAt(this.#run, (last * (now - began)) / playMs);
      }
    }
    yield momentAt(this.#run, last);
  }

  async *#live(): AsyncGenerator<Moment> {
    this.#button.textContent = 'Starting …';
    const [{ trainAgain }, lab] = await Promise.all([import('./live.js'), this.#openLab()]);
    // The recorded run had the first seed.
    yield* trainAgain(lab, this.#run, this.#runs + 1);
  }
}

/** Makes the drawing at the top an experiment; without its recorded run it becomes the drawing of pages without scripts. */
export async function setUpHero(openLab: () => Promise<Lab>): Promise<void> {
  const figure = document.querySelector<HTMLElement>('.hero');
  if (figure === null) return;
  try {
    const response = await fetch(new URL('hero.json', document.baseURI));
    if (!response.ok) throw new Error(`hero.json: status ${response.status}`);
    new Hero(figure, (await response.json()) as HeroRun, openLab);
  } catch (error) {
    console.warn(error);
    figure.dataset['still'] = '';
  }
}
