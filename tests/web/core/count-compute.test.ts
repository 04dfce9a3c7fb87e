/** Work and memory as returned through the wasm; the counts themselves are tested in tests/cpp/accounting. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadCore,
  type Architecture,
  type Batch,
  type ComputeCount,
  type Core,
  type ErrorCode,
} from '../../../web/index.js';
import { any } from './refusals.js';
import { expectError } from './support.js';

/** From the example of seed 004; the layers are those of a model with 7 billion parameters. */
const WIDE: Architecture = { family: 'plain-formula', vocabSize: 32_000, dModel: 4096, nLayers: 32 };
const BATCH: Batch = { sequences: 4, tokens: 128 };
const GPT2: Architecture = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 };

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

test('a head with B 4, T 128, D 4,096, V 32,000 takes 67,108,864,000 forward and 134,217,728,000 backward', () => {
  const { parts, bytes, heads } = core.countCompute(WIDE, BATCH);
  expect(parts.head).toEqual({ forward: 67_108_864_000, backward: 134_217_728_000, total: 201_326_592_000 });
  expect(bytes.logits).toBe(65_536_000);
  expect(heads).toHaveLength(1);
  expect(heads[0]).toMatchObject({ kind: 'full', macs: parts.head, atMost: parts.head, shareOfFull: 1, exact: true });
  expect(heads[0]).toMatchObject({ parameters: 131_072_000, logits: 16_384_000, logitsBytes: 65_536_000 });
});

test.each([
  [4096, 32, 32_000, 2.0],
  [768, 12, 50_257, 31.2],
  [2048, 16, 128_256, 24.6],
  [64, 4, 512, 14.3],
])('the head for d %i, L %i, V %i is %f %% of the weights', (dModel, nLayers, vocabSize, percent) => {
  const { headShareOfWeights } = core.countCompute({ ...WIDE, dModel, nLayers, vocabSize }, BATCH);
  expect(100 * headShareOfWeights).toBeCloseTo(percent, 1);
  expect(headShareOfWeights).toBeCloseTo(vocabSize / (vocabSize + 12 * nLayers * dModel), 14);
});

/** Exact up to 2^53; beyond that, counts and their sums are rounded. */
function expectCount(actual: number, expected: number | bigint): void {
  const wanted = Number(expected);
  if (wanted <= Number.MAX_SAFE_INTEGER) expect(actual).toBe(wanted);
  else expect(Math.abs(actual - wanted) / wanted).toBeLessThan(4 * Number.EPSILON);
}

/** Checks that all counts of a result add up. */
function checkSums({ parts, macs, flop, bytes, untiedBytes, serving, headShare, heads }: ComputeCount): void {
  expect(Object.keys(parts)).toEqual(['lookup', 'projections', 'scores', 'feed-forward', 'head']);
  expect(parts.lookup).toEqual({ forward: 0, backward: 0, total: 0 });
  const all = Object.values(parts);
  for (const direction of ['forward', 'backward', 'total'] as const) {
    expectCount(macs[direction], sum(all.map((part) => part[direction])));
    expect(flop[direction]).toBe(2 * macs[direction]);
  }
  for (const each of [macs, ...all, ...heads.flatMap((head) => [head.macs, head.atMost])]) {
    expect(each.backward).toBe(2 * each.forward);
    expectCount(each.total, each.forward + each.backward);
  }
  for (const { total, ...each } of [bytes, untiedBytes]) expectCount(total, sum(Object.values(each)));
  expectCount(serving.total, serving.weights + serving.cache + serving.logits);
  expect(headShare).toBe(Number(parts.head.forward) / Number(macs.forward));
  expect(heads[0]!.macs).toEqual(parts.head);
}

test('every field of GPT-2 small follows its closed form', () => {
  const count = core.countCompute(GPT2, { sequences: 8, tokens: 1024 });
  const [n, d, vocab] = [8 * 1024, 768, 50_257];
  checkSums(count);
  expect(count.tying).toBe('tied');
  expect(count.architecture.nHeads).toBe(12);
  expect(count.parts.projections.forward).toBe(n * 12 * 4 * d * d);
  expect(count.parts.scores.forward).toBe(n * 12 * 2 * 1024 * d);
  expect(count.parts['feed-forward'].forward).toBe(n * 12 * 8 * d * d);
  expect(count.parts.head.forward).toBe(n * vocab * d);
  expect(count.bytes).toMatchObject({
    weights: 4 * 124_439_808,
    gradients: 4 * 124_439_808,
    optimizer: 8 * 124_439_808,
    activations: 4 * n * (12 * (16 * d + 4 + 12 * 1024) + 2 * (d + 1)),
    logits: 4 * n * vocab,
  });
  expect(count.untiedBytes.total - count.bytes.total).toBe(16 * vocab * d);
  expect(count.serving).toMatchObject({
    weights: 4 * 124_439_808,
    cachePerToken: 2 * 12 * d * 4,
    cache: n * 2 * 12 * d * 4,
    logits: 8 * vocab * 4,
    readPerToken: 4 * (144 * d * d + vocab * d) + n * 2 * 12 * d * 4,
    flopPerToken: 16 * (144 * d * d + vocab * d + 12 * 2 * 1024 * d),
    secondsPerToken: null,
  });
  expect(count.seconds).toBeNull();
});

test('optimizers and precisions change only bytes', () => {
  const plain = core.countCompute(GPT2, BATCH);
  const parameters = 124_439_808;
  const bytesOf = (batch: Partial<Batch>): ComputeCount['bytes'] => {
    const count = core.countCompute(GPT2, { ...BATCH, ...batch });
    checkSums(count);
    expect(count.macs).toEqual(plain.macs);
    return count.bytes;
  };
  expect(bytesOf({ optimizer: 'adamw' })).toEqual(plain.bytes);
  expect(bytesOf({ optimizer: 'sgd-momentum' }).optimizer).toBe(4 * parameters);
  expect(bytesOf({ optimizer: 'sgd' }).optimizer).toBe(0);
  const half = bytesOf({ precision: 'bfloat16' });
  for (const name of Object.keys(half) as (keyof typeof half)[]) expect(2 * half[name]).toBe(plain.bytes[name]);
  const { weights, gradients, optimizer, activations, logits } = bytesOf({ precision: 'mixed' });
  expect(weights + gradients + optimizer).toBe(16 * parameters);
  expect(activations).toBe(half.activations);
  expect(logits).toBe(plain.bytes.logits);
});

test('tying saves parameters but no work; tables that cannot be tied count as untied', () => {
  const tied = core.countCompute(GPT2, BATCH);
  const untied = core.countCompute(GPT2, { ...BATCH, tying: 'untied' });
  expect(untied.parts).toEqual(tied.parts);
  expect(untied.bytes).toEqual(tied.untiedBytes);
  expect(untied.untiedBytes).toEqual(untied.bytes);
  expect(untied.serving.readPerToken).toBe(tied.serving.readPerToken);
  expect(untied.serving.total).toBeGreaterThan(tied.serving.total);
  expect(core.countCompute({ ...GPT2, outputVocabSize: 1000 }, BATCH).tying).toBe('untied');
});

describe('estimated time', () => {
  test('is FLOP divided by the rate, for the forward pass and for a step', () => {
    const { seconds, flop } = core.countCompute(WIDE, { ...BATCH, flopPerSecond: 1e12 });
    expect(seconds).toEqual({ forward: Number(flop.forward) / 1e12, step: Number(flop.total) / 1e12 });
  });

  test('for a new token is the longer of reading and computing', () => {
    const of = (batch: Partial<Batch>): ComputeCount['serving'] =>
      core.countCompute(GPT2, { sequences: 1, tokens: 1000, ...batch }).serving;
    const reading = of({ flopPerSecond: 1e15, bytesPerSecond: 1e9 });
    expect(reading.secondsPerToken).toBe(Number(reading.readPerToken) / 1e9);
    const computing = of({ flopPerSecond: 1e9, bytesPerSecond: 1e15 });
    expect(computing.secondsPerToken).toBe(Number(computing.flopPerToken) / 1e9);
    expect(of({ flopPerSecond: 1e9 }).secondsPerToken).toBeNull();
    expect(of({ bytesPerSecond: 1e9 }).secondsPerToken).toBeNull();
  });

  test('of a new token is null for an encoder, which writes none', () => {
    const bert: Architecture = { family: 'bert', vocabSize: 30_522, dModel: 768, nLayers: 12 };
    const { serving } = core.countCompute(bert, { ...BATCH, flopPerSecond: 1e9, bytesPerSecond: 1e9 });
    expect(serving).toMatchObject({ cache: 0, readPerToken: 0, flopPerToken: 0, secondsPerToken: null });
  });
});

test('heads are listed in a fixed order with their shares', () => {
  const count = core.countCompute(WIDE, {
    ...BATCH,
    heads: {
      clustered: { clusters: 179 },
      culled: { vocabSize: 8000 },
      adaptive: { cutoffs: [2000, 10_000] },
      sampled: { samples: 1024 },
    },
  });
  checkSums(count);
  const [full, sampled, adaptive, culled, clustered] = count.heads;
  expect(count.heads.map((head) => head.kind)).toEqual(['full', 'sampled', 'adaptive', 'culled', 'clustered']);
  expect(count.heads.map((head) => head.exact)).toEqual([true, false, true, false, true]);
  expect(full!.shareOfFull).toBe(1);
  expect(sampled!.shareOfFull).toBeCloseTo(1025 / 32_000, 14);
  expect(culled!.shareOfFull).toBe(0.25);
  expect(clustered!.shareOfFull).toBeCloseTo(358 / 32_000, 14);
  expect(clustered!.parameters).toBe(32_179 * 4096);
  // 2,000 rows and two clusters; then [1024, d] with 8,000 rows of 1,024, and [256, d] with 22,000 of 256.
  expect(adaptive!.parameters).toBe(2002 * 4096 + 1024 * (4096 + 8000) + 256 * (4096 + 22_000));
  expect(adaptive!.atMost.forward).toBe(512 * adaptive!.parameters);
  expect(adaptive!.macs.forward).toBeGreaterThan(512 * 2002 * 4096);
  expect(adaptive!.macs.forward).toBeLessThan(adaptive!.atMost.forward);
});

test('by default, an encoder-decoder reads as many tokens as it writes', () => {
  const t5: Architecture = { family: 't5', vocabSize: 32_128, dModel: 512, nLayers: 6 };
  const same = core.countCompute(t5, { sequences: 1, tokens: 100 });
  checkSums(same);
  expect(core.countCompute(t5, { sequences: 1, tokens: 100, encoderTokens: 100 })).toEqual(same);
  for (const encoderTokens of [0, null as unknown as number]) {
    expect(() => core.countCompute(t5, { sequences: 1, tokens: 100, encoderTokens })).toThrow(
      size('encoderTokens', String(encoderTokens)),
    );
  }
  const longer = core.countCompute(t5, { sequences: 1, tokens: 100, encoderTokens: 300 });
  expect(longer.parts.head).toEqual(same.parts.head);
  expect(longer.parts.scores.forward).toBe(6 * 2 * 512 * (300 * 300 + 100 * 100 + 100 * 300));
});

test('work of a model without layers is that of its head', () => {
  const count = core.countCompute({ ...GPT2, nLayers: 0 }, BATCH);
  checkSums(count);
  expect(count.headShare).toBe(1);
  expect(count.headShareOfWeights).toBe(1);
  expect(count.serving.cache).toBe(0);
});

test('counts beyond 2^53 are the nearest doubles', () => {
  const large: Architecture = { ...WIDE, vocabSize: 200_003, dModel: 16_384, nLayers: 126 };
  const { parts, macs, flop } = core.countCompute(large, { sequences: 61, tokens: 8191 });
  const [n, d] = [61n * 8191n, 16_384n];
  expect(parts.head.forward).toBe(Number(n * d * 200_003n));
  expect(macs.forward).toBe(Number(n * d * (200_003n + 126n * (12n * d + 2n * 8191n))));
  expectCount(flop.total, 6 * macs.forward);
  expect(flop.total).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
});

test('models of any size are counted or refused', () => {
  // A linear congruential generator, for the same sizes every time.
  let state = 1n;
  const random = (bits: number): bigint => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    const magnitude = (state >> 56n) % BigInt(bits);
    return 1n + ((state >> 8n) % 2n ** (magnitude + 1n));
  };
  const largest = 2n ** 64n - 2n;
  const outcomes = { counted: 0, refused: 0 };
  for (let i = 0; i < 2000; i++) {
    const [V, d, L, T, B] = [random(24), random(22), random(10), random(24), random(18)];
    const n = B * T;
    const forward = {
      projections: n * 4n * d * d * L,
      scores: 2n * n * T * d * L,
      'feed-forward': n * 8n * d * d * L,
      head: n * d * V,
    };
    const stored = V * d + 12n * d * d * L;
    // Inputs of both parts; queries, keys, values and the output of attention; its weights; both sides of the activation.
    const activations = 4n * n * (L * (2n * d + 4n * d + T + 8n * d) + d);
    const bytes = {
      weights: 4n * stored,
      gradients: 4n * stored,
      optimizer: 8n * stored,
      activations,
      logits: 4n * n * V,
    };
    const cache = 8n * n * L * d;
    const serving = {
      cache,
      readPerToken: 4n * stored + cache,
      flopPerToken: 2n * B * (stored + 2n * T * d * L),
    };
    const untied = 8n * (stored + V * d);
    const counts = [...Object.values(forward), ...Object.values(bytes), ...Object.values(serving), untied];
    const architecture: Architecture = {
      family: 'plain-formula',
      vocabSize: Number(V),
      dModel: Number(d),
      nLayers: Number(L),
      nHeads: 1,
    };
    const count = (): ComputeCount => core.countCompute(architecture, { sequences: Number(B), tokens: Number(T) });
    if (counts.some((number) => number > largest)) {
      expectError(count, 'invalid-argument', /is more than 2\^64 - 2|of more than 2\^64 - 2/);
      outcomes.refused++;
      continue;
    }
    const counted = count();
    checkSums(counted);
    for (const [part, number] of Object.entries(forward)) {
      expect(counted.parts[part as keyof typeof forward].forward).toBe(Number(number));
    }
    for (const [name, number] of Object.entries(bytes)) {
      expectCount(counted.bytes[name as keyof typeof bytes], number);
    }
    for (const [name, number] of Object.entries(serving)) {
      expectCount(counted.serving[name as keyof typeof serving], number);
    }
    outcomes.counted++;
  }
  expect(outcomes.counted).toBeGreaterThan(300);
  expect(outcomes.refused).toBeGreaterThan(300);
});

type Wrong = [wrong: string, batch: object, message: RegExp, code?: ErrorCode];

const SIZE = 'expected an integer from 1 to 2\\^53 - 1$';
const size = (name: string, value: string): RegExp => new RegExp(`^batch\\.${name} is ${value}; ${SIZE}`);

test.each<Wrong>([
  ['no tokens', { tokens: 0 }, size('tokens', '0')],
  ['negative tokens', { tokens: -1 }, size('tokens', '-1')],
  ['half a token', { tokens: 0.5 }, size('tokens', '0\\.5')],
  ['absent tokens', { tokens: undefined }, size('tokens', 'undefined')],
  ['tokens that are not exact', { tokens: 2 ** 53 }, size('tokens', '9007199254740992')],
  ['NaN', { tokens: NaN }, size('tokens', 'NaN'), 'not-finite'],
  ['tokens as text', { tokens: '12' }, size('tokens', "'12'")],
  ['no sequences', { sequences: 0 }, size('sequences', '0')],
  [
    'tokens of an encoder that is not there',
    { encoderTokens: 100 },
    /^batch\.encoderTokens is 100; expected it to be absent; only stack 'encoder-decoder' has it$/,
  ],
  [
    'another precision',
    { precision: 'float16' },
    /^batch\.precision is 'float16'; expected one of 'float32', 'bfloat16'/,
  ],
  ['another optimizer', { optimizer: 'adam' }, /^batch\.optimizer is 'adam'; .*did you mean 'adamw'\?$/],
  ['another tying', { tying: 'both' }, /^batch\.tying is 'both'; expected one of 'tied', 'untied'/],
  ['tables of two stacks', { tying: 'tied-inputs' }, /^batch\.tying is 'tied-inputs'; expected another tying/],
  ['a rate of nothing', { flopPerSecond: 0 }, /^batch\.flopPerSecond is 0; expected a number from 1 to 1e\+30$/],
  ['a negative rate', { bytesPerSecond: -1 }, /^batch\.bytesPerSecond is -1; expected a number from 1 to 1e\+30$/],
  ['an endless rate', { flopPerSecond: Infinity }, /^batch\.flopPerSecond is Infinity; expected/, 'not-finite'],
  ['an unknown option', { token: 3 }, /^batch\.token is not an option; expected 'tokens', or another of sequences/],
  ['heads as a list', { heads: [] }, /^batch\.heads is an array of 0; expected a plain object with sampled/],
  ['an unknown head', { heads: { sample: {} } }, /^batch\.heads\.sample is not an option; expected 'sampled'/],
  ['a head of null', { heads: { culled: null } }, /^batch\.heads\.culled is null; expected an object with vocabSize$/],
  [
    'no samples',
    { heads: { sampled: {} } },
    /^batch\.heads\.sampled\.samples is undefined; expected an integer from 1 to 50256$/,
  ],
  [
    'more samples than others',
    { heads: { sampled: { samples: 50_257 } } },
    /^batch\.heads\.sampled\.samples is 50257; expected an integer from 1 to 50256$/,
  ],
  [
    'more cached tokens than exist',
    { heads: { culled: { vocabSize: 50_258 } } },
    /^batch\.heads\.culled\.vocabSize is 50258; expected an integer from 1 to 50257$/,
  ],
  [
    'more clusters than tokens',
    { heads: { clustered: { clusters: 50_258 } } },
    /^batch\.heads\.clustered\.clusters is 50258; expected an integer from 1 to 50257$/,
  ],
  [
    'cutoffs that fall',
    { heads: { adaptive: { cutoffs: [100, 50] } } },
    /^batch\.heads\.adaptive\.cutoffs\[1\] is 50; expected an integer from 101 to 50256$/,
  ],
  [
    'no cutoffs',
    { heads: { adaptive: { cutoffs: [] } } },
    /^batch\.heads\.adaptive\.cutoffs is an array of 0; expected/,
  ],
  [
    'a hole among cutoffs',
    { heads: { adaptive: { cutoffs: Array(2).fill(5, 1) } } },
    /^batch\.heads\.adaptive\.cutoffs\[0\] is undefined; expected an integer from 1 to 50256$/,
  ],
  [
    'absent cutoffs',
    { heads: { adaptive: {} } },
    /^batch\.heads\.adaptive\.cutoffs is undefined; expected an array of 1 to 100000 ids$/,
  ],
  [
    'half an id',
    { heads: { adaptive: { cutoffs: [1.5] } } },
    /^batch\.heads\.adaptive\.cutoffs\[0\] is 1\.5; expected an integer from 1 to 50256$/,
  ],
  [
    'a cluster without numbers',
    { heads: { adaptive: { cutoffs: [10, 20], divisor: 100 } } },
    /^batch\.heads\.adaptive\.divisor is 100; expected at most 7: cluster 2 has vectors of 7 \/ divisor elements$/,
  ],
])('refused: %s', (_, batch, message, code = 'invalid-argument') => {
  expectError(() => core.countCompute(GPT2, any({ ...BATCH, ...batch })), code, message);
  // The core still works as before.
  expect(core.countCompute(WIDE, BATCH).parts.head.forward).toBe(67_108_864_000);
});

test('refused: no batch, no architecture, and more than can be counted', () => {
  expectError(() => core.countCompute(GPT2, any(undefined)), 'invalid-argument', /^batch is undefined; expected an/);
  expectError(() => core.countCompute(any({}), BATCH), 'invalid-argument', /^architecture\.family is undefined/);
  expectError(
    () => core.countCompute(GPT2, { sequences: Number.MAX_SAFE_INTEGER, tokens: Number.MAX_SAFE_INTEGER }),
    'invalid-argument',
    /^work or memory of the batch is more than .*; expected a smaller batch or model$/,
  );
});
