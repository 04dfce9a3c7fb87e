import type { Bigrams, Irreversibility, KolmogorovCycles, Lab, LabCorpus, Matrix } from '../../core/types.js';
import { shuffled } from '../shared/shuffled.js';
import { textOrders, type TextOrder } from './bigrams.settings.js';

/** A request to the lab. */
export interface TextQuestion {
  readonly name: string;
  readonly text: string | { readonly stories: number };
  readonly tokenizer: 'character' | 'word';
  readonly vocabSize: number;
  readonly nullRuns: number;
  readonly seed: number;
}

/** A pair, as ids, that is more frequent in one direction. */
export interface OneWayPair {
  readonly from: number;
  readonly to: number;
  readonly forward: number;
  readonly backward: number;
}

/** The text in one of its orders. `share` is relative to the mutual information of the text as written. */
export interface MeasuredOrder extends Irreversibility {
  readonly table: Bigrams;
  /** The pairs with the largest difference of counts first. */
  readonly pairs: readonly OneWayPair[];
  readonly cycles: KolmogorovCycles;
}

export interface MeasuredText {
  readonly name: string;
  readonly tokens: number;
  /** Printable form of every token. */
  readonly names: readonly string[];
  /** Ids, most frequent first. */
  readonly frequent: readonly number[];
  /** In the order of `textOrders`, as far as they have been measured. */
  readonly orders: Partial<Readonly<Record<TextOrder, MeasuredOrder>>>;
}

/** Why the core refuses a text: it repeats a single character, or has fewer than two words. */
export function hasOneToken(text: string, tokenizer: TextQuestion['tokenizer']): boolean {
  if (tokenizer === 'word') return !/\s/.test(text.trim());
  const [first = ''] = text;
  return text.replaceAll(first, '') === '';
}

export const storyLength = 100_000;
const pairsListed = 8;
/** The fraction of the progress after which the cycles are computed. */
const cyclesFrom = 0.75;

export interface Listeners {
  readonly signal: AbortSignal;
  /** Called with the fraction of reversible texts drawn so far. */
  readonly onProgress: (fraction: number) => void;
  /** Called each time another order of the text has been measured. */
  readonly onOrder?: (measured: MeasuredText) => void;
}

/** The text of a question, as tokens. */
export async function openText(
  lab: Lab,
  { text: given, tokenizer: kind, vocabSize, seed }: TextQuestion,
  signal: AbortSignal,
): Promise<LabCorpus> {
  const text = typeof given === 'string' ? given : await lab.writeStories({ seed, length: given.stories, signal });
  const tokenizer = kind === 'word' ? { kind, vocabSize } : { kind };
  return lab.openCorpus(text, { tokenizer, validation: 0, signal });
}

/** Measures a text as written, then backwards, then with its tokens shuffled. */
export async function measureText(lab: Lab, question: TextQuestion, listeners: Listeners): Promise<MeasuredText> {
  const { name, seed } = question;
  const { signal, onOrder } = listeners;
  const corpus = await openText(lab, question, signal);
  try {
    const ids = await corpus.tokenIds();
    const frequencies = await corpus.frequencies();
    const frequent = [...frequencies.keys()].filter((id) => frequencies[id] !== 0);
    frequent.sort((a, b) => frequencies[b]! - frequencies[a]! || a - b);
    const names = corpus.tokenizer!.tokens;
    let measured: MeasuredText = { name, tokens: ids.length, names, frequent, orders: {} };
    for (const [index, order] of textOrders.entries()) {
      const onProgress = (fraction: number): void => listeners.onProgress((index + fraction) / textOrders.length);
      const reordered =
        order === 'written'
          ? corpus
          : await lab.openCorpus(inOrder(ids, order, seed), { vocabSize: corpus.vocabSize, validation: 0, signal });
      try {
        const found = await measureOrder(lab, reordered, question, { signal, onProgress });
        const { mutualInformation } = measured.orders.written ?? found;
        const share = mutualInformation > 0 ? (found.js - found.null.mean) / mutualInformation : 0;
        measured = { ...measured, orders: { ...measured.orders, [order]: { ...found, share } } };
      } finally {
        if (reordered !== corpus) reordered.dispose();
      }
      onOrder?.(measured);
    }
    return measured;
  } finally {
    corpus.dispose();
  }
}

async function measureOrder(
  lab: Lab,
  corpus: LabCorpus,
  { nullRuns, seed }: TextQuestion,
  { signal, onProgress }: Pick<Listeners, 'signal' | 'onProgress'>,
): Promise<MeasuredOrder> {
  const within = (from: number, to: number) => (fraction: number) => onProgress(from + fraction * (to - from));
  const irreversibility = await corpus.irreversibility({ nullRuns, seed, signal, onProgress: within(0, cyclesFrom) });
  const table = await corpus.bigrams();
  const asked = { nullRuns, seed, signal, onProgress: within(cyclesFrom, 1) };
  const cycles = await lab.kolmogorovCycles(table.counts, asked);
  const { worst } = await lab.symmetry(table.counts, { worst: pairsListed });
  const pairs = worst.map(({ row, col, forward, backward }) =>
    forward >= backward
      ? { from: row, to: col, forward, backward }
      : { from: col, to: row, forward: backward, backward: forward },
  );
  return { ...irreversibility, table, pairs: pairs.filter(({ forward, backward }) => forward > backward), cycles };
}

export function inOrder(ids: Uint32Array, order: TextOrder, seed: number): Uint32Array {
  if (order === 'shuffled') return shuffled(ids, seed);
  return order === 'written' ? ids : ids.slice().reverse();
}

/** The rows and columns of some tokens, row-major. */
export function part({ cols, data }: Matrix, ids: readonly number[]): Float32Array {
  return Float32Array.from(ids.flatMap((row) => ids.map((col) => data[row * cols + col] ?? 0)));
}
