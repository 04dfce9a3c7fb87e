// A reference for heads, tables and their options, in double precision and from the definitions: a decoder of one layer and a direct
// path with any head, factorized tables, n-grams, label smoothing and a temperature. A sampled head draws the same tokens as the trainer.
import type { HeadConfig, TextModelConfig, TrainingConfig } from '../../../web/index.js';

/** A parameter [rows, cols] by its name; tied names are one array. */
export type Weights = Readonly<Record<string, { readonly cols: number; readonly data: Float64Array }>>;

type Row = readonly number[];

export interface Reference {
  readonly model: Readonly<TextModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  /** The training text: one sequence, so every batch is this sequence. */
  readonly tokenIds: Uint32Array;
}

const dot = (a: Row, b: Row): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const logSumExp = (z: Row): number => {
  const most = Math.max(...z);
  return most + Math.log(z.reduce((sum, x) => sum + Math.exp(x - most), 0));
};
/** Cross-entropy with label smoothing over the given logits. */
function crossEntropy(z: Row, target: number, smoothing: number): number {
  const mean = z.reduce((sum, x) => sum + x, 0) / z.length;
  return logSumExp(z) - (1 - smoothing) * z[target]! - smoothing * mean;
}

// ---------------------------------------------------------------- draws

const MASK32 = 0xffffffffn;
const MASK64 = (1n << 64n) - 1n;

/** Philox4x32-10. */
function bits(key: bigint, stream: bigint, position: number): bigint {
  const block = BigInt(Math.floor(position / 4));
  let c = [block & MASK32, block >> 32n, stream & MASK32, stream >> 32n];
  let k = [key & MASK32, key >> 32n];
  for (let round = 0; round < 10; round++) {
    const [p, q] = [0xd2511f53n * c[0]!, 0xcd9e8d57n * c[2]!];
    c = [(q >> 32n) ^ c[1]! ^ k[0]!, q & MASK32, (p >> 32n) ^ c[3]! ^ k[1]!, p & MASK32];
    k = [(k[0]! + 0x9e3779b9n) & MASK32, (k[1]! + 0xbb67ae85n) & MASK32];
  }
  return c[position % 4]!;
}

/** FNV-1a. */
const streamOf = (name: string): bigint =>
  [...name].reduce(
    (hash, letter) => ((hash ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n) & MASK64,
    0xcbf29ce484222325n,
  );

/** The row of an n-gram in a head's part of a table: SplitMix64's mix, from the last token back, then the head's number less 1. */
export function ngramRow(tokens: readonly number[], rows: number, head = 0): number {
  let hash = 0n;
  for (const token of [...tokens].reverse().concat(head === 0 ? [] : [head - 1])) {
    let x = (hash + 0x9e3779b97f4a7c15n * BigInt(token + 1)) & MASK64;
    x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK64;
    x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK64;
    hash = x ^ (x >> 31n);
  }
  return head * rows + Number(hash % BigInt(rows));
}

// ---------------------------------------------------------------- inputs of the reference

/** The tokens by frequency, in the groups of the head, and the first draws of a sampled head. */
interface Ranks {
  readonly counts: number[];
  readonly byFrequency: number[];
  readonly groups: number[][];
  readonly draws: number[];
}

const known = new WeakMap<Reference, Ranks>();

function ranksOf(given: Reference): Ranks {
  const found = known.get(given);
  if (found) return found;
  const { model, training, tokenIds } = given;
  const head = model.head ?? { kind: 'full' };
  const counts = Array.from({ length: model.vocabSize }, (_, id) => tokenIds.filter((one) => one === id).length);
  const byFrequency = counts.map((_, id) => id).sort((a, b) => counts[b]! - counts[a]! || a - b);
  const groups = groupsOf(head, byFrequency);
  const draws = head.kind === 'sampled' ? drawn(head, BigInt(training.seed), counts, byFrequency) : [];
  const ranks = { counts, byFrequency, groups, draws };
  known.set(given, ranks);
  return ranks;
}

// Plain loops: each loss is computed a hundred times, and `Array.from` of a typed array takes longer than the product of a row.
const row = (weights: Weights, name: string, index: number): number[] => {
  const { cols, data } = weights[name]!;
  const values: number[] = [];
  for (let j = 0; j < cols; j++) values.push(data[index * cols + j]!);
  return values;
};
/** A row of a table times x. */
function rowTimes({ cols, data }: Weights[string], index: number, x: Row): number {
  let sum = 0;
  for (let j = 0; j < cols; j++) sum += data[index * cols + j]! * x[j]!;
  return sum;
}
/** x W^T + b of weights [out, in]. */
function affine(weights: Weights, name: string, x: Row): number[] {
  const table = weights[`${name}.weight`]!;
  const bias = weights[`${name}.bias`]?.data;
  return Array.from({ length: table.data.length / table.cols }, (_, i) => rowTimes(table, i, x) + (bias?.[i] ?? 0));
}
/** a [1, r] times F [r, d], and h [1, d] times F^T. */
const throughFactor = (weights: Weights, name: string, a: Row): number[] => {
  const { cols, data } = weights[name]!;
  return Array.from({ length: cols }, (_, j) => a.reduce((sum, x, k) => sum + x * data[k * cols + j]!, 0));
};
const againstRows = (weights: Weights, name: string, h: Row): number[] => {
  const table = weights[name]!;
  return Array.from({ length: table.data.length / table.cols }, (_, i) => rowTimes(table, i, h));
};

// ---------------------------------------------------------------- below the head

/** The head's input at each position. */
function hidden({ model }: Reference, weights: Weights, inputs: readonly number[]): number[][] {
  const ngrams = model.kind === 'transformer' ? model.ngrams : undefined;
  let x = inputs.map((id, at) => {
    const own = row(weights, 'embedding', id);
    const whole = model.tableRank === undefined ? own : throughFactor(weights, 'embedding.factor', own);
    for (let n = 2; n <= (ngrams?.order ?? 0); n++) {
      const last = inputs.slice(Math.max(0, at + 1 - n), at + 1);
      const heads = Array.from({ length: ngrams!.heads ?? 1 }, (_, head) => ngramRow(last, ngrams!.rows, head));
      const read = heads.flatMap((place) => [...row(weights, `ngrams.${n}`, place)]);
      read.forEach((value, j) => (whole[j]! += value));
    }
    return whole;
  });
  if (model.kind === 'direct-path') return x;
  const normalized = (rows: number[][], name: string): number[][] =>
    rows.map((one) => {
      const root = Math.sqrt(dot(one, one) / one.length + 1e-5);
      return one.map((value, j) => (value / root) * weights[`${name}.weight`]!.data[j]!);
    });
  const sum = (a: number[][], b: number[][]): number[][] => a.map((one, i) => one.map((value, j) => value + b[i]![j]!));
  x = x.map((one, at) => one.map((value, j) => value + row(weights, 'positions', at)[j]!));
  const d = model.dModel;
  const joined = normalized(x, 'layers.0.attention_norm').map((one) =>
    affine(weights, 'layers.0.attention.query_key_value', one),
  );
  const attended = joined.map((one, at) => {
    const scores = joined.slice(0, at + 1).map((other) => dot(one.slice(0, d), other.slice(d, 2 * d)) / Math.sqrt(d));
    const whole = logSumExp(scores);
    return Array.from({ length: d }, (_, j) =>
      scores.reduce((sum, score, k) => sum + Math.exp(score - whole) * joined[k]![2 * d + j]!, 0),
    );
  });
  x = sum(
    x,
    attended.map((one) => affine(weights, 'layers.0.attention.output', one)),
  );
  const up = normalized(x, 'layers.0.feed_forward_norm').map((one) => affine(weights, 'layers.0.feed_forward.up', one));
  const gelu = (value: number): number =>
    0.5 * value * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3)));
  x = sum(
    x,
    up.map((one) => affine(weights, 'layers.0.feed_forward.down', one.map(gelu))),
  );
  return normalized(x, 'final_norm');
}

// ---------------------------------------------------------------- heads

/** h, projected to as many elements as the table has columns. */
const readOut = ({ model }: Reference, weights: Weights, h: Row): number[] =>
  model.tableRank === undefined ? [...h] : againstRows(weights, 'unembedding.factor', h);

const warmth = ({ training }: Reference): number => training.temperature ?? 1;

function fullLogits(given: Reference, weights: Weights, h: Row): number[] {
  return againstRows(weights, 'unembedding', readOut(given, weights, h)).map((z) => z / warmth(given));
}

/** The tokens of each cluster of a clustered head, of each tail of an adaptive head, or those that a culled head keeps. */
function groupsOf(head: HeadConfig, byFrequency: readonly number[]): number[][] {
  const V = byFrequency.length;
  if (head.kind === 'clustered') {
    const bound = (c: number): number => Math.floor((c * V) / head.clusters);
    return Array.from({ length: head.clusters }, (_, c) => byFrequency.slice(bound(c), bound(c + 1)));
  }
  if (head.kind === 'adaptive') {
    const cutoffs = Array.from(head.cutoffs);
    return [0, ...cutoffs].map((from, k) => byFrequency.slice(from, cutoffs[k] ?? V));
  }
  if (head.kind !== 'culled') return [[...byFrequency]];
  return [typeof head.kept === 'number' ? byFrequency.slice(0, head.kept).sort((a, b) => a - b) : [...head.kept]];
}

interface Levels {
  /** Logits of the first softmax, and of the softmax of each group. */
  readonly first: number[];
  readonly others: number[][];
}

function adaptiveLevels(given: Reference, weights: Weights, h: Row, groups: readonly number[][]): Levels {
  const head = given.model.head as Extract<HeadConfig, { kind: 'adaptive' }>;
  const tied = given.model.tying === 'tied';
  const [frequent = [], ...tails] = groups;
  const own = frequent.map((id, place) => dot(row(weights, 'unembedding', tied ? id : place), h));
  const warm = (z: number[]): number[] => z.map((one) => one / warmth(given));
  const others = tails.map((tokens, k) => {
    const narrow = againstRows(weights, `tails.${k}.map`, h);
    const width = given.model.dModel / (head.divisor ?? 4) ** (k + 1);
    return warm(
      tokens.map((id, place) => {
        const whole = tied ? row(weights, 'unembedding', id) : row(weights, `tails.${k}.table`, place);
        return dot(whole.slice(0, width), narrow);
      }),
    );
  });
  return { first: warm([...own, ...againstRows(weights, 'clusters', h)]), others };
}

const clusterLogits = (given: Reference, weights: Weights, h: Row): number[] =>
  againstRows(weights, 'clusters', readOut(given, weights, h)).map((z) => z / warmth(given));

/** Log-probabilities of all tokens; -Infinity for tokens without one. */
export function predictions(given: Reference, weights: Weights, inputs: readonly number[]): number[][] {
  const head = given.model.head ?? { kind: 'full' };
  const { groups } = ranksOf(given);
  return hidden(given, weights, inputs).map((h) => {
    const out = Array.from({ length: given.model.vocabSize }, () => -Infinity);
    const put = (tokens: readonly number[], z: Row, base: number): void => {
      const whole = logSumExp(z);
      tokens.forEach((id, i) => (out[id] = base + z[i]! - whole));
    };
    if (head.kind === 'adaptive') {
      const { first, others } = adaptiveLevels(given, weights, h, groups);
      const whole = logSumExp(first);
      const [frequent = [], ...tails] = groups;
      frequent.forEach((id, i) => (out[id] = first[i]! - whole));
      tails.forEach((tokens, k) => put(tokens, others[k]!, first[frequent.length + k]! - whole));
      return out;
    }
    const z = fullLogits(given, weights, h);
    const of = (tokens: readonly number[]): number[] => tokens.map((id) => z[id]!);
    if (head.kind === 'clustered') {
      const first = clusterLogits(given, weights, h);
      const whole = logSumExp(first);
      groups.forEach((tokens, c) => put(tokens, of(tokens), first[c]! - whole));
    } else put(groups[0]!, of(groups[0]!), 0);
    return out;
  });
}

/** The mean loss over targets that have a probability, and the number of targets without one. */
export function evaluation(given: Reference, weights: Weights): { loss: number; tokens: number; lost: number } {
  const ids = [...given.tokenIds];
  const found = predictions(given, weights, ids.slice(0, -1)).map((p, at) => p[ids[at + 1]!]!);
  const there = found.filter(Number.isFinite);
  const loss = there.reduce((sum, p) => sum - p, 0) / there.length;
  return { loss, tokens: there.length, lost: found.length - there.length };
}

/** The loss of the first step: with label smoothing, and over the draws of a sampled head. */
export function trainingLoss(given: Reference, weights: Weights): number {
  const { model, training, tokenIds } = given;
  const head = model.head ?? { kind: 'full' };
  const smoothing = training.labelSmoothing ?? 0;
  const { groups } = ranksOf(given);
  const ids = [...tokenIds];
  const states = hidden(given, weights, ids.slice(0, -1));
  const losses = states.flatMap((h, at): number[] => {
    const target = ids[at + 1]!;
    const group = groups.findIndex((tokens) => tokens.includes(target));
    if (head.kind === 'adaptive') {
      const { first, others } = adaptiveLevels(given, weights, h, groups);
      const place = groups[group]!.indexOf(target);
      if (group === 0) return [crossEntropy(first, place, smoothing)];
      const inFirst = groups[0]!.length + group - 1;
      return [crossEntropy(first, inFirst, smoothing) + crossEntropy(others[group - 1]!, place, smoothing)];
    }
    const z = fullLogits(given, weights, h);
    if (head.kind === 'sampled') return [sampledLoss(given, head, z, target, smoothing)];
    if (head.kind === 'full') return [crossEntropy(z, target, smoothing)];
    if (group < 0) return [];
    const tokens = groups[group]!;
    const within = crossEntropy(
      tokens.map((id) => z[id]!),
      tokens.indexOf(target),
      smoothing,
    );
    return [
      head.kind === 'clustered' ? crossEntropy(clusterLogits(given, weights, h), group, smoothing) + within : within,
    ];
  });
  return losses.reduce((sum, one) => sum + one, 0) / losses.length;
}

type Sampled = Extract<HeadConfig, { kind: 'sampled' }>;

/** The tokens that the first step draws. */
function drawn(head: Sampled, seed: bigint, counts: readonly number[], byFrequency: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count + 1, 0);
  const dropout = streamOf('dropout');
  const key = (bits(seed, dropout, 0) << 32n) | bits(seed, dropout, 1) | 1n;
  return Array.from({ length: head.samples }, (_, i) => {
    const [high, low] = [bits(key, streamOf('samples'), 2 * i) >> 5n, bits(key, streamOf('samples'), 2 * i + 1) >> 6n];
    const uniform = Number((high << 26n) | low) * 2 ** -53;
    if (head.proposal !== 'counts')
      return byFrequency[Math.trunc(Math.exp(uniform * Math.log(counts.length + 1))) - 1]!;
    let end = 0;
    return counts.findIndex((count) => (end += count + 1) > uniform * total);
  });
}

function sampledLoss(given: Reference, head: Sampled, z: Row, target: number, smoothing: number): number {
  const { counts, byFrequency, draws } = ranksOf(given);
  const { vocabSize } = given.model;
  const total = counts.reduce((sum, count) => sum + count + 1, 0);
  const probability = (id: number): number => {
    if (head.proposal === 'counts') return (counts[id]! + 1) / total;
    const rank = byFrequency.indexOf(id);
    return Math.log((rank + 2) / (rank + 1)) / Math.log(vocabSize + 1);
  };
  // Each draw counts: a token that was drawn twice appears twice. The target itself is not a draw.
  const others = draws.filter((id) => id !== target);
  const expected = others.map((id) => head.samples * probability(id));
  const corrected = [z[target]!, ...others.map((id, i) => z[id]! - Math.log(expected[i]!))];
  const mean = (z[target]! + others.reduce((sum, id, i) => sum + z[id]! / expected[i]!, 0)) / vocabSize;
  return logSumExp(corrected) - (1 - smoothing) * z[target]! - smoothing * mean;
}
