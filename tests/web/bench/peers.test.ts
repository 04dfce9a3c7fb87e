// What can be tested about the peers' models and checks without any peer: the reference that they are compared with, and
// that the checks refuse wrong results.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { models, repeatedBatch, streamBatch, tokenStream, transposed } from '../../../bench/peers/models.mjs';
import { checkedProduct, checkedStep, timed } from '../../../bench/peers/page/checks.mjs';
import { productModel } from '../../../bench/peers/page/onnx-file.mjs';
import { referenceOf } from '../../../bench/peers/reference.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { loadCore, type Core } from '../../../web/index.js';

type Reference = ReturnType<typeof referenceOf>['reference'];

const small = { ...models.C, vocabSize: 20, dModel: 4, batchSize: 30 };
let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** Mean cross-entropy of a direct path on the pairs of the stream, in double precision. */
function lossOf({ model, stream }: Reference, values: Float32Array): number {
  const { vocabSize, dModel } = model;
  const row = (first: number, id: number) => values.subarray(first + id * dModel, first + (id + 1) * dModel);
  let sum = 0;
  for (let i = 0; i + 1 < stream.length; i++) {
    const hidden = row(0, stream[i]!);
    const logits = Array.from({ length: vocabSize }, (_, id) =>
      row(vocabSize * dModel, id).reduce((total, value, j) => total + value * hidden[j]!, 0),
    );
    sum += Math.log(logits.reduce((total, logit) => total + Math.exp(logit), 0)) - logits[stream[i + 1]!]!;
  }
  return sum / (stream.length - 1);
}

test('a reference has the weights and falling losses of our trainer', () => {
  const { reference, values } = referenceOf(core, small);
  expect(values).toHaveLength(2 * 20 * 4);
  expect(reference.parameters.map(({ name, offset }) => [name, offset])).toEqual([
    ['embedding', 0],
    ['unembedding', 80],
  ]);
  // Float sums of 20 terms against double sums.
  expect(reference.losses[0]).toBeCloseTo(lossOf(reference, values), 6);
  for (let i = 1; i < reference.losses.length; i++) expect(reference.losses[i]!).toBeLessThan(reference.losses[i - 1]!);
});

test('a reference for a transformer has all of its parameters', () => {
  const model = { ...models.A, nLayers: 2, dModel: 8, nHeads: 2, contextLength: 4, batchSize: 3 };
  const { reference, values } = referenceOf(core, model);
  const last = reference.parameters.at(-1)!;
  expect(last.name).toBe('final_norm.weight');
  expect(values).toHaveLength(last.offset + 8);
  expect(values.subarray(last.offset)).toEqual(new Float32Array(8).fill(1));
  expect(reference.losses).toHaveLength(5);
});

test('batches come from the stream, or repeat its first sequence', () => {
  const model = { ...models.A, contextLength: 4, batchSize: 3 };
  const stream = tokenStream(model);
  expect(stream).toHaveLength(13);
  const whole = streamBatch(stream);
  expect([...whole.inputs]).toEqual([...stream.slice(0, 12)]);
  expect([...whole.targets]).toEqual([...stream.slice(1)]);
  const [a, b, c, d, e] = stream;
  const repeated = repeatedBatch(model, stream);
  expect([...repeated.inputs]).toEqual([a, b, c, d, a, b, c, d, a, b, c, d]);
  expect([...repeated.targets]).toEqual([b, c, d, e, b, c, d, e, b, c, d, e]);
});

test('a matrix is transposed', () => {
  const turned = transposed({ data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });
  expect(turned).toEqual({ data: Float32Array.of(1, 4, 2, 5, 3, 6), shape: [3, 2] });
});

/** A library that multiplies, with an additional factor. */
const multiplier = (factor: number) => ({
  load: async () => {},
  product: async (m: number, k: number, n: number, a: Float32Array, b: Float32Array) => {
    const result = new Float32Array(m * n);
    const run = () => {
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let l = 0; l < k; l++) sum += a[i * k + l]! * b[l * n + j]!;
          result[i * n + j] = factor * sum;
        }
      }
    };
    return { run, result: () => result };
  },
});

test('a correct product is timed, and one that is wrong in the fifth digit is not', async () => {
  await expect(checkedProduct(multiplier(1), 16, 40, 12)).resolves.toBeTypeOf('function');
  await expect(checkedProduct(multiplier(1.0001), 16, 40, 12)).rejects.toThrow(/its product is wrong/);
  await expect(checkedProduct(multiplier(NaN), 16, 40, 12)).rejects.toThrow(/its product is wrong/);
});

test('a trainer is timed only if each of its losses equals ours', async () => {
  const { reference } = referenceOf(core, small);
  const trainer = (losses: number[]) => {
    let steps = 0;
    return { load: (batch: object) => batch, step: () => losses[steps++]! };
  };
  await expect(checkedStep(trainer(reference.losses), reference)).resolves.toBeTypeOf('function');
  const wrong = reference.losses.map((loss, i) => (i === 3 ? loss * 1.0001 : loss));
  await expect(checkedStep(trainer(wrong), reference)).rejects.toThrow(/^its loss at step 4 is /);
  await expect(checkedStep(trainer([]), reference)).rejects.toThrow(/^its loss at step 1 is undefined; expected 2\.9/);
});

test('calls are counted until the time is over, with at least one call', async () => {
  let calls = 0;
  const once = await timed(() => calls++, 0);
  expect(once.calls).toBe(1);
  const some = await timed(async () => calls++, 5);
  expect(calls).toBe(1 + some.calls);
  expect(some.seconds).toBeGreaterThanOrEqual(0.005);
});

test('the file of a product contains the three shapes and the name of its operation', () => {
  const file = productModel(3, 200, 5);
  const text = String.fromCharCode(...file);
  expect(text).toContain('MatMul');
  // Fields of ValueInfoProto: its name; its type, a float tensor of two dimensions, 200 in two bytes.
  expect(text).toContain('\n\x01A\x12\x0f\n\x0d\x08\x01\x12\x09\n\x02\x08\x03\n\x03\x08\xc8\x01');
});

test('peers are pinned exactly by hash, without URLs', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(root, 'bench/peers', name), 'utf8'));
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { resolved?: string; integrity?: string }>;
  };
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});
