/** Options of `identityCard`, checked before anything is read. */
import { invalidArgument } from '../../runtime/errors.js';
import type { IdentityCardOptions } from './identity-card-types.js';
import {
  checkFunction,
  checkInteger,
  checkOptions,
  checkSignal,
  checkString,
  checkVector,
} from '../../runtime/validate.js';
import { longestMatch } from './longest-match.js';

export const MOST_TOKENS = 512;
const MOST_NEIGHBORS = 50;
const MOST_CHARACTERS = 1_000_000;
const OPTIONS = ['tokens', 'sample', 'seed', 'neighbors', 'text', 'onProgress', 'signal'] as const;

export interface CheckedCard {
  /** The sample, then the caller's tokens, each once. */
  readonly tokens: Uint32Array;
  /** How many of them belong to the sample. */
  readonly sampled: number;
  readonly seed: number;
  readonly neighbors: number;
  readonly text: CheckedText | null;
  readonly onProgress: ((fraction: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface CheckedText {
  readonly ids: Uint32Array;
  /** Characters that are in no token; null for ids. */
  readonly unread: number | null;
}

/** `names`: the token strings of the checkpoint. */
export function checkCard(options: IdentityCardOptions, rows: number, names: readonly string[] | null): CheckedCard {
  const given = checkOptions('options', options, OPTIONS);
  const { tokens, sample = 64, seed = 0, neighbors = 5, text, onProgress, signal } = given;
  checkInteger('options.sample', sample, 0, MOST_TOKENS);
  checkInteger('options.seed', seed, 0);
  checkInteger('options.neighbors', neighbors, 0, MOST_NEIGHBORS);
  const asked = tokens === undefined ? [] : [...checkIds('options.tokens', tokens, rows)];
  const sampled = sampleOf(rows, sample, seed);
  const all = [...new Set([...sampled, ...asked])];
  if (all.length > MOST_TOKENS) {
    throw invalidArgument(
      'options.tokens',
      asked.length,
      `at most ${MOST_TOKENS} tokens with the sample of ${sampled.length}`,
    );
  }
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return {
    tokens: Uint32Array.from(all),
    sampled: sampled.length,
    seed,
    neighbors,
    text: text === undefined ? null : checkText(text, rows, names),
    onProgress,
    signal,
  };
}

function checkText(text: unknown, rows: number, names: readonly string[] | null): CheckedText {
  if (typeof text !== 'string') return { ids: checkIds('options.text', text, rows).slice(), unread: null };
  if (names === null)
    throw invalidArgument('options.text', text, 'ids of tokens, as this checkpoint has no token strings');
  if (text.length > MOST_CHARACTERS)
    throw invalidArgument('options.text.length', text.length, `at most ${MOST_CHARACTERS} characters`);
  return longestMatch(names, checkString('options.text', text));
}

function checkIds(name: string, given: unknown, rows: number): Uint32Array {
  const ids = checkVector(name, given, 'Uint32Array') as Uint32Array;
  const wrong = ids.find((id) => id >= rows);
  if (wrong !== undefined) throw invalidArgument(name, wrong, `ids below ${rows}, the rows of the table`);
  return ids;
}

/** Consecutive ids are fetched in one request. */
const RUN = 4;

/**
 * `count` different ids, in runs of consecutive ids: one run from each of equally large parts of the table, at a position that the
 * seed determines. In most vocabularies ids correlate with frequency, so both frequent and rare tokens are sampled.
 */
export function sampleOf(rows: number, count: number, seed: number): number[] {
  if (rows <= count) return Array.from({ length: rows }, (_, id) => id);
  const runs = Math.ceil(count / RUN);
  const next = randomFractions(seed);
  const ids: number[] = [];
  for (let run = 0; run < runs; run++) {
    const [from, to] = [run, run + 1].map((at) => Math.floor((at * rows) / runs)) as [number, number];
    const length = Math.min(RUN, count - ids.length, to - from);
    const first = from + Math.floor(next() * (to - from - length + 1));
    for (let i = 0; i < length; i++) ids.push(first + i);
  }
  return ids;
}

/** Mulberry32: good enough to choose positions, and the same everywhere. */
function randomFractions(seed: number): () => number {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
