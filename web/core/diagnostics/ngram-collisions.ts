/** Which n-grams of a text share rows of a model's hashed tables. */
import { exp, log1p } from '../runtime/elementary.js';
import { invalidArgument } from '../runtime/errors.js';
import { checkReadsNgrams } from './readable.js';
import { readIds, type ReadTrainer } from './readout.js';
import type { DiagnosticOptions, NgramCollisions, NgramConfig } from '../types.js';
import { checkOptions, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';

/** As many keys as a Map can hold. */
const MOST_TOKENS = 2 ** 24;

export const ngramCollisions = verb({
  what: 'count of the collisions',
  optionsAt: 1,
  check(tokenIds: unknown, options: DiagnosticOptions = {}) {
    checkOptions('options', options, LISTENING);
    return tokenIds;
  },
  work(trainer: ReadTrainer, tokenIds): Work<NgramCollisions> {
    const ngrams = checkReadsNgrams(trainer);
    const ids = readIds(trainer, tokenIds, ngrams.order);
    if (ids.length > MOST_TOKENS) throw invalidArgument('tokenIds.length', ids.length, `at most ${MOST_TOKENS}`);
    return count(ids, ngrams);
  },
});

/** The number of each key, from 0 as they come, and how often each occurs. */
interface Numbered {
  readonly of: Uint32Array;
  readonly times: number[];
}
function numbered(count: number, keyOf: (index: number) => number): Numbered {
  const numbers = new Map<number, number>();
  const times: number[] = [];
  const of = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const key = keyOf(i);
    let number = numbers.get(key);
    if (number === undefined) {
      number = times.length;
      numbers.set(key, number);
      times.push(0);
    }
    of[i] = number;
    times[number]!++;
  }
  return { of, times };
}

/** The share of those that have another one's number. */
const sharedOf = ({ of, times }: Numbered): number =>
  of.reduce((sum, number) => sum + Number(times[number]! > 1), 0) / of.length;

/** The share of `count` things, each with one of many places at random, whose place another one has; `place`: the probability of one. */
const byChance = (count: number, place: number): number => (count === 1 ? 0 : 1 - exp((count - 1) * log1p(-place)));

function* count(ids: Uint32Array, { order, rows, heads = 1 }: NgramConfig): Work<NgramCollisions> {
  yield 0;
  const lengths: NgramCollisions['lengths'] = [];
  const most = ids.reduce((largest, id) => Math.max(largest, id), 0) + 1;
  let { of } = numbered(ids.length, (i) => ids[i]!);
  for (let n = 2; n <= order; n++) {
    const shorter = of;
    // An n-gram is its last token and the n-gram before that, which is one token shorter.
    const ngrams = numbered(ids.length - n + 1, (i) => shorter[i]! * most + ids[i + n - 1]!);
    const { times } = ngrams;
    of = ngrams.of;
    const ends = new Uint32Array(times.length);
    of.forEach((number, i) => (ends[number] = i + n - 1));
    const hashes = Array.from(ends, (end) => hashOf(ids, end, n));
    let together: Numbered = { of: new Uint32Array(ends.length), times: [ends.length] };
    let oneHead = 0;
    let read = 0;
    let allHeads = 1;
    for (let head = 0; head < heads; head++) {
      const places = Float64Array.from(hashes, (hash) => rowOf(head === 0 ? hash : continued(hash, head - 1), rows));
      const own = numbered(places.length, (i) => places[i]!);
      oneHead += sharedOf(own) / heads;
      read += own.times.length / heads;
      allHeads /= rows;
      const before = together.of;
      together = numbered(places.length, (i) => before[i]! * rows + places[i]!);
      yield (n - 2 + (head + 1) / (heads + 1)) / (order - 1);
    }
    const sharing = times.reduce(
      (sum, often, number) => sum + (together.times[together.of[number]!]! > 1 ? often : 0),
      0,
    );
    lengths.push({
      n,
      ngrams: times.length,
      rows: read,
      shared: sharedOf(together),
      chance: byChance(times.length, allHeads),
      oneHead,
      oneHeadChance: byChance(times.length, 1 / rows),
      tokens: sharing / of.length,
    });
  }
  yield 1;
  return { lengths };
}

// ---------------------------------------------------------------- the hash of cpp/model/ngrams.h, in two halves of 32 bits

type Bits64 = readonly [high: number, low: number];

const low16 = (x: number): number => x & 0xffff;

/** Modulo 2^64. */
function times64([aHigh, aLow]: Bits64, [bHigh, bLow]: Bits64): Bits64 {
  const [a0, a1, b0, b1] = [low16(aLow), aLow >>> 16, low16(bLow), bLow >>> 16];
  const middle = a1 * b0 + Math.floor((a0 * b0) / 0x10000);
  const other = a0 * b1 + (middle % 0x10000);
  const carried = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  const high = (carried + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) >>> 0;
  return [high, Math.imul(aLow, bLow) >>> 0];
}

function plus64([aHigh, aLow]: Bits64, [bHigh, bLow]: Bits64): Bits64 {
  const low = aLow + bLow;
  return [(aHigh + bHigh + Number(low > 0xffffffff)) >>> 0, low >>> 0];
}

/** x ^ x >> bits. */
const folded = ([high, low]: Bits64, bits: number): Bits64 => [
  (high ^ (high >>> bits)) >>> 0,
  (low ^ ((low >>> bits) | (high << (32 - bits)))) >>> 0,
];

function continued(hash: Bits64, token: number): Bits64 {
  const sum = plus64(hash, times64([0x9e3779b9, 0x7f4a7c15], [0, token + 1]));
  const once = times64(folded(sum, 30), [0xbf58476d, 0x1ce4e5b9]);
  return folded(times64(folded(once, 27), [0x94d049bb, 0x133111eb]), 31);
}

function hashOf(ids: Uint32Array, end: number, n: number): Bits64 {
  let hash: Bits64 = [0, 0];
  for (let i = end; i > end - n; i--) hash = continued(hash, ids[i]!);
  return hash;
}

/** Modulo a number below 2^32. */
const rowOf = ([high, low]: Bits64, rows: number): number =>
  [high >>> 16, low16(high), low >>> 16, low16(low)].reduce((rest, digit) => (rest * 0x10000 + digit) % rows, 0);
