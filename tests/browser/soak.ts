// A long visit in a seeded random order: actions on a dozen figures of a page, and what the figures may leave behind.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../tools/lib/root.mjs';
import { tinyModel, tinyTokenizer } from './llama2c-files.js';
import { mostDeaths } from '../../web/elements/shared/lab-lease.js';
import type { TrainingLab } from '../../web/elements/training-lab/training-lab.js';
import { openFixture, type OpenedPage } from './harness.js';

const script = `
import { watched } from './tests/browser/soak-page.ts';
window.watched = watched;
const [{ configureLabs }] = await Promise.all([
  import('./web/elements/shared/page-labs.ts'),
  import('./web/elements/index.ts'),
]);
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.dataset.ready = '';
`;

/** By index; the attributes keep each model small. */
const figures: readonly [tag: string, attributes: Readonly<Record<string, string>>][] = [
  ['tied-symmetry-explorer', {}],
  ['tied-symmetry-explorer', { mode: 'random' }],
  ['tied-bigrams', { 'null-runs': '2' }],
  ['tied-training-lab', { 'text-source': 'markov-chain', steps: '200', 'd-model': '8' }],
  ['tied-training-lab', { 'text-source': 'markov-chain', states: '5', steps: '50', 'batch-size': '16' }],
  [
    'tied-training-lab',
    { model: 'transformer', 'text-source': 'markov-chain', steps: '20', 'd-model': '16', 'context-length': '16' },
  ],
  // Two workers for each model; one of any of them is killed now and then, also in the middle of a step.
  [
    'tied-training-lab',
    {
      model: 'transformer',
      'text-source': 'markov-chain',
      steps: '60',
      'd-model': '16',
      'context-length': '16',
      shards: '4',
    },
  ],
  ['tied-checkpoint', { tokens: '40' }],
  ['tied-advisor', {}],
  ['tied-compute-calculator', {}],
  ['tied-model-table', {}],
  ['tied-parameter-calculator', {}],
  ['tied-alignment', { weights: 'models.safetensors' }],
  ['tied-hidden-states', { weights: 'models.safetensors' }],
  ['tied-lens', { weights: 'models.safetensors' }],
  ['tied-gradient-ledger', {}],
  ['tied-direct-path', {}],
  ['tied-experiment', {}],
  ['tied-heads', { steps: '20', 'vocab-size': '300', 'd-model': '16' }],
  ['tied-seq2seq', {}],
  ['tied-parameter-map', {}],
];
const indexesOf = (tag: string): number[] => [...figures.keys()].filter((at) => figures[at]![0] === tag);
const labs = indexesOf('tied-training-lab');
const [checkpoint = -1] = indexesOf('tied-checkpoint');
const [alignment = -1] = indexesOf('tied-alignment');
const models = join(root, 'web/article/assets/finished-transformers.safetensors');

export interface Left {
  readonly live: Readonly<Record<string, number>>;
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** Random numbers in [0, 1), the same for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const files = {
  text: { name: 'mine.txt', bytes: [...new TextEncoder().encode('New York, New York! '.repeat(40))] },
  short: { name: 'short.txt', bytes: [...new TextEncoder().encode('a')] },
  picture: { name: 'picture.png', bytes: [0x89, 0x50, 0x4e, 0x47, 0, 0, 0] },
  model: { name: 'tiny.bin', bytes: [...tinyModel({ tied: true })] },
  untied: { name: 'two.bin', bytes: [...tinyModel({ tied: false })] },
  tokenizer: { name: 'tokens.bin', bytes: [...tinyTokenizer()] },
  config: {
    name: 'config.json',
    bytes: [...new TextEncoder().encode('{"model_type":"gpt2","vocab_size":900,"n_embd":32,"n_layer":2,"n_head":2}')],
  },
} as const;

export class Soak {
  readonly log: string[] = [];
  readonly #page: Page;
  readonly #draw: () => number;
  /** The number of worker deaths since the page was filled. */
  #kills = 0;

  private constructor(
    readonly opened: OpenedPage,
    seed: number,
  ) {
    this.#page = opened.page;
    this.#draw = random(seed);
  }

  static async open(seed: number): Promise<Soak> {
    const places = Array.from(
      { length: figures.length },
      (_, at) => `<div class="place" id="place-${String(at)}"></div>`,
    );
    const opened = await openFixture(
      { title: 'Soak', script, body: places.join(''), asksEarly: true },
      { width: 900, height: 900, cores: 4 },
    );
    await opened.page.route('**/models.safetensors', (route) => route.fulfill({ path: models }));
    await opened.page.locator('html[data-ready]').waitFor();
    return new Soak(opened, seed);
  }

  #below(count: number): number {
    return Math.floor(this.#draw() * count);
  }
  #one<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }

  /** Puts every figure on the page, a new one where it was missing. */
  async fill(): Promise<void> {
    this.#kills = 0;
    for (const at of figures.keys()) await this.#add(at);
  }

  async #add(at: number): Promise<void> {
    const [tag, attributes] = figures[at]!;
    await this.#page.evaluate(
      ([id, name, given]) => {
        if (document.getElementById(id) !== null) return;
        const kept = (window as unknown as { away?: Map<string, Element> }).away?.get(id);
        const element = kept ?? document.createElement(name);
        element.id = id;
        for (const [attribute, value] of Object.entries(given)) {
          if (kept === undefined) element.setAttribute(attribute, value);
        }
        document.getElementById(id.replace('figure', 'place'))?.append(element);
      },
      [`figure-${String(at)}`, tag, attributes] as const,
    );
  }

  /** Removes a figure from the page. With `keep`, the same element returns later, otherwise a new one. */
  async #remove(at: number, keep: boolean): Promise<void> {
    await this.#page.evaluate(
      ([id, kept]) => {
        const holder = window as unknown as { away?: Map<string, Element> };
        holder.away ??= new Map();
        const element = document.getElementById(id);
        element?.remove();
        if (!kept) holder.away.delete(id);
        else if (element !== null) holder.away.set(id, element);
      },
      [`figure-${String(at)}`, keep] as const,
    );
  }

  #press(at: number): Promise<string> {
    return this.#page.evaluate(
      ([id, which]) => {
        const buttons = document
          .getElementById(id)
          ?.shadowRoot?.querySelectorAll<HTMLButtonElement>('.controls button:not([aria-disabled="true"])');
        const button = buttons?.[Math.floor(which * buttons.length)];
        const label = (button?.textContent ?? '').trim() || (button?.ariaLabel ?? '');
        // Skips everything that opens a system dialog or leaves the page.
        if (button === undefined || /choose|copy/i.test(label)) return '';
        button.click();
        return label;
      },
      [`figure-${String(at)}`, this.#draw()] as const,
    );
  }

  /** Chooses an option of a list, or moves a number field. */
  #set(at: number): Promise<string> {
    return this.#page.evaluate(
      ([id, which, how]) => {
        const root = document.getElementById(id)?.shadowRoot;
        const picker = root?.querySelector('tied-architecture-picker')?.shadowRoot;
        const fields = [root, picker].flatMap((one) => [
          ...(one?.querySelectorAll<HTMLSelectElement>('select:not(:disabled)') ?? []),
        ]);
        const field = fields[Math.floor(which * fields.length)];
        const option = field?.options[Math.floor(how * (field.options.length || 1))];
        if (field === undefined || option === undefined || option.value === 'stories') return '';
        field.value = option.value;
        field.dispatchEvent(new Event('change', { bubbles: true }));
        return option.value;
      },
      [`figure-${String(at)}`, this.#draw(), this.#draw()] as const,
    );
  }

  #drop(at: number, dropped: readonly (keyof typeof files)[]): Promise<void> {
    return this.#page.evaluate(
      ([id, given]) => {
        const target = document.getElementById(id)?.shadowRoot?.querySelector('figure');
        const transfer = new DataTransfer();
        for (const { name, bytes } of given) transfer.items.add(new File([Uint8Array.from(bytes)], name));
        for (const type of ['dragover', 'drop']) {
          const init = { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true };
          target?.dispatchEvent(new DragEvent(type, init));
        }
      },
      [`figure-${String(at)}`, dropped.map((name) => files[name])] as const,
    );
  }

  async #move(at: number): Promise<void> {
    const to = this.#below(figures.length);
    await this.#page.evaluate(
      ([id, place]) => {
        const element = document.getElementById(id);
        if (element !== null) document.getElementById(place)?.append(element);
      },
      [`figure-${String(at)}`, `place-${String(to)}`] as const,
    );
  }

  /** A request gives up after more deaths in a row, so a round causes at most as many as every request survives. */
  async #killWorker(): Promise<boolean> {
    if (this.#kills === mostDeaths) return false;
    this.#kills++;
    return this.#page.evaluate(
      (which) =>
        (window as unknown as { watched: { killWorker: (which: number) => boolean } }).watched.killWorker(which),
      this.#below(4),
    );
  }

  /** Performs one randomly drawn action. */
  async act(): Promise<void> {
    const at = this.#below(figures.length);
    const lab = this.#one(labs);
    const dropped = this.#one([
      ['text'],
      ['short'],
      ['picture'],
      ['model', 'tokenizer'],
      ['tokenizer'],
      ['untied'],
      ['config'],
      [],
    ] as const);
    const acts: [weight: number, name: string, act: () => Promise<unknown>][] = [
      [4, `scroll to ${at}`, () => this.#scrollTo(at)],
      [4, `press a button of training lab ${lab}`, () => this.#scrollTo(lab).then(() => this.#press(lab))],
      [3, `press a button of ${at}`, () => this.#press(at)],
      [1, 'press a button of the alignment', () => this.#scrollTo(alignment).then(() => this.#press(alignment))],
      [3, `set something of ${at}`, () => this.#set(at)],
      [2, `drop ${dropped.join(' and ')} on ${at}`, () => this.#drop(at, dropped)],
      [2, 'drop a model on the checkpoint', () => this.#drop(checkpoint, ['model', 'tokenizer'])],
      [2, `remove ${at}`, () => this.#remove(at, true)],
      [1, `replace ${at}`, () => this.#remove(at, false).then(() => this.#add(at))],
      [4, `put ${at} back`, () => this.#add(at)],
      [2, `move ${at}`, () => this.#move(at)],
      [1, 'kill a worker', () => this.#killWorker()],
      [1, 'resize', () => this.#page.setViewportSize({ width: this.#one([320, 700, 1200]), height: 900 })],
      [1, 'switch the color scheme', () => this.#page.emulateMedia({ colorScheme: this.#one(['light', 'dark']) })],
    ];
    let left = this.#draw() * acts.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = acts.find(([weight]) => (left -= weight) < 0) ?? acts[0]!;
    const said = await chosen[2]();
    this.log.push(`${chosen[1]}${typeof said === 'string' && said !== '' ? ` (${said})` : ''}`);
    // Some actions follow at once; others find the page working or idle.
    await this.#frames(this.#below(4));
  }

  #scrollTo(at: number): Promise<void> {
    return this.#page.evaluate(
      (id) => document.getElementById(id)?.scrollIntoView({ block: 'center' }),
      `figure-${String(at)}`,
    );
  }

  #frames(count: number): Promise<void> {
    return this.#page.evaluate(async (frames) => {
      for (let at = 0; at < frames; at++) await new Promise((done) => requestAnimationFrame(done));
    }, count);
  }

  problems(): readonly string[] {
    return this.opened.problems;
  }

  /** Lab failures that figures report: there should be none, since figures continue in another lab. */
  complaints(): Promise<string[]> {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('.place > *')]
        .map((element) => {
          const said = element.shadowRoot?.querySelector('figure > [role=alert]')?.textContent.trim();
          return said ? `${element.localName} says: ${said}` : '';
        })
        .filter((text) => /worker|core stopped|disposed|create a new|load a new/i.test(text)),
    );
  }

  /** The figures on the page that still wait for results. */
  unanswered(): Promise<string[]> {
    return this.#page.evaluate(() => {
      const shows: Record<string, (root: ShadowRoot) => boolean> = {
        'tied-symmetry-explorer': (root) => (root.querySelector('.checks b')?.textContent ?? '') !== '',
        // They may wait for the reader's own text, or have refused one.
        'tied-bigrams': (root) => root.querySelector('[role=radiogroup]') !== null,
        'tied-training-lab': ({ host }) => (host as TrainingLab).controller.phase !== 'preparing',
        'tied-checkpoint': (root) => root.querySelector('.drop') !== null,
        'tied-advisor': (root) => root.querySelector('.balance') !== null,
        'tied-compute-calculator': (root) => root.querySelectorAll('.bars rect').length > 0,
        'tied-model-table': (root) => root.querySelector('table') !== null,
        'tied-experiment': (root) => root.querySelector('.state') !== null,
        'tied-alignment': (root) => root.querySelector('.read-out') !== null,
        'tied-hidden-states': (root) => root.querySelector('.read-out') !== null,
        'tied-lens': (root) => root.querySelector('.read-out') !== null,
        'tied-heads': (root) => root.querySelector('.costs') !== null,
        'tied-direct-path': (root) => root.querySelector('.read-out') !== null,
        'tied-gradient-ledger': (root) => root.querySelector('.read-out') !== null,
        'tied-seq2seq': (root) => root.querySelector('.read-out') !== null,
        'tied-parameter-calculator': (root) => (root.querySelector('.read-out')?.textContent ?? '').trim() !== '',
        'tied-parameter-map': (root) => root.querySelector('.part') !== null,
      };
      // Figures load when they come near the screen.
      const waiting = [...document.querySelectorAll('.place > *')].filter(
        ({ localName, shadowRoot }) => shadowRoot === null || shows[localName]?.(shadowRoot) !== true,
      );
      waiting[0]?.scrollIntoView({ block: 'center' });
      return waiting.map(
        ({ id, localName, shadowRoot }) => `${localName} ${id}: ${shadowRoot?.textContent.replace(/\s+/g, ' ') ?? ''}`,
      );
    });
  }

  /** Takes every figure off the page for good. */
  async empty(): Promise<void> {
    for (const at of figures.keys()) await this.#remove(at, false);
    await this.#frames(2);
  }

  live(): Promise<Record<string, number>> {
    return this.#page.evaluate(() =>
      (window as unknown as { watched: { live: () => Record<string, number> } }).watched.live(),
    );
  }

  /** What is left on the empty page after garbage collection. */
  async left(): Promise<Left> {
    const session = await this.#page.context().newCDPSession(this.#page);
    // What one collection frees may still retain more, since finalizers run after it.
    for (let round = 0; round < 3; round++) {
      await session.send('HeapProfiler.collectGarbage');
      await this.#frames(1);
    }
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    await session.detach();
    return { live: await this.live(), heapBytes: usedSize, nodes, listeners: jsEventListeners };
  }
}
