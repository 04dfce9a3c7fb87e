/** The reader's pairs: which are used, and in which words others are refused. */
import { formatWhole } from '../../charts/number-format.js';
import { ENDS, MAX_PAIRS, MAX_SIDE } from '../../core/text/pair-tasks.js';
import type { TextPair } from '../../core/types.js';
import { codeOf } from '../shared/error-code.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';

/** The maximum number of characters on either side. Below: the maximum number of pairs, and which fraction is held out. */
export const longest = 64;
const [mostOwn, oneIn] = [20_000, 10];
/** The number of pairs on which quality is measured; the reader's may be fewer. */
export const heldOutPairs = 100;

/** The reader's pairs are too few to train on some and to measure on others. */
export class TooFewPairs extends Error {}

export interface Divided {
  readonly trained: readonly TextPair[];
  readonly heldOut: readonly TextPair[];
  readonly leftOut: number;
}

/** The reader's pairs, split: one in ten is not trained on. */
export function divided(pairs: readonly TextPair[]): Divided {
  const short = pairs.filter(({ source, target }) => [...source].length <= longest && [...target].length <= longest);
  const used = short.slice(0, mostOwn);
  const isHeldOut = (index: number): boolean => index % oneIn === 1 && index < oneIn * heldOutPairs;
  const heldOut = used.filter((_, index) => isHeldOut(index));
  if (heldOut.length === 0) throw new TooFewPairs();
  return { trained: used.filter((_, index) => !isHeldOut(index)), heldOut, leftOut: pairs.length - used.length };
}

export interface RefusedLine {
  /** From 1. */
  readonly line: number;
  readonly why: 'noPair' | 'longPair' | 'controlPair' | 'manyPairs';
}

/** The line at which the core refuses the text; null if it doesn't. */
export function refusedLine(lines: string): RefusedLine | null {
  let pairs = 0;
  for (const [at, text] of lines.split(/\r?\n|\r$/).entries()) {
    if (text === '') continue;
    const [source = '', target = ''] = text.split('\t', 2);
    const refused = (why: RefusedLine['why']): RefusedLine => ({ line: at + 1, why });
    if (source === '' || target === '') return refused('noPair');
    if (source.length > MAX_SIDE || target.length > MAX_SIDE) return refused('longPair');
    if (ENDS.some((end) => source.includes(end) || target.includes(end))) return refused('controlPair');
    if (pairs++ === MAX_PAIRS) return refused('manyPairs');
  }
  return null;
}

/** Why the reader's pairs are refused, in the figure's words; null for an error that is not about them. */
export function refusalWords(texts: Seq2seqStrings, error: unknown, lines: string | null): string | null {
  if (error instanceof TooFewPairs) return texts.tooFewPairs;
  if (lines === null || codeOf(error) !== 'invalid-argument') return null;
  const refused = refusedLine(lines);
  return refused === null ? null : texts[refused.why](formatWhole(refused.line));
}
