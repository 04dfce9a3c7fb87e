// The certified floor of tied direct paths through the public verb. The method itself is tested in tests/cpp/direct_path.
import { beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type ErrorCode, type Matrix } from '../../../web/index.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['graphs'] });
});

/** The pairs of a text of 12 tokens that mostly follow a rule; its end leads to its beginning. */
function pairs(): Matrix {
  const data = new Float32Array(144);
  let token = 0;
  for (let i = 0; i < 600; i++) {
    const next = i === 599 ? 0 : (i * i) % 3 > 0 ? (5 * token + 1) % 12 : (token + i * i) % 12;
    data[12 * token + next]! += 1;
    token = next;
  }
  return { rows: 12, cols: 12, data };
}

test('tied models of any width end above the floor, and a wide one close to it', () => {
  const counts = pairs();
  const { floor, reached, bigram } = core.tiedFloor(counts, { steps: 3000 });
  const bounds = core.bigramBounds(counts);
  expect(bigram).toBeCloseTo(bounds.bigram, 12);
  expect(floor).toBeGreaterThan(bounds.symmetricLogits);
  expect(reached).toBeGreaterThanOrEqual(floor);
  expect(reached - floor).toBeLessThan(1e-3);
  const losses = ([2, 5, 12] as const).map((dModel) => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 12, dModel, tying: 'tied', outputBias: true },
      training: { learningRate: 0.05, seed: dModel },
      bigramCounts: counts,
    });
    trainer.run(3000);
    return trainer.evaluate().loss;
  });
  for (const loss of losses) expect(loss).toBeGreaterThan(floor);
  // Adam at a constant rate, single precision.
  expect(losses[2]).toBeLessThan(reached + 0.01);
  expect(losses[0]).toBeGreaterThan(losses[2]! + 0.003);
});

test('a later step of the search certifies no less, and the seed of its start hardly matters', () => {
  const counts = pairs();
  const floors = [100, 400, 1600].map((steps) => core.tiedFloor(counts, { steps, tolerance: 1e-6 }).floor);
  expect(floors).toEqual([...floors].sort((a, b) => a - b));
  const [one, other] = [1, 2].map((seed) => core.tiedFloor(counts, { seed, tolerance: 1e-4, steps: 3000 }));
  expect(Math.abs(one!.floor - other!.floor)).toBeLessThan(2e-4);
});

test('a lab gives the same bits, reports progress and can be stopped', async () => {
  const lab = await createLab();
  const heard: number[] = [];
  const there = await lab.tiedFloor(pairs(), { steps: 200, onProgress: (share) => heard.push(share) });
  expect(there).toEqual(core.tiedFloor(pairs(), { steps: 200 }));
  expect(heard.at(-1)).toBe(1);
  const cancel = new AbortController();
  const stopped = lab.tiedFloor(pairs(), {
    tolerance: 1e-12,
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  await expect(stopped).rejects.toMatchObject({
    code: 'cancelled',
    message: /^the search for the floor was cancelled/,
  });
  lab.dispose();
});

test.each<[what: string, counts: Matrix, options: object, code: ErrorCode, message: RegExp]>([
  ['not square', { ...pairs(), rows: 6, cols: 24 }, {}, 'shape-mismatch', /^counts/],
  ['one token', { rows: 1, cols: 1, data: Float32Array.of(3) }, {}, 'shape-mismatch', /^counts/],
  [
    'a negative count',
    { rows: 2, cols: 2, data: Float32Array.of(1, 2, -1, 4) },
    {},
    'invalid-argument',
    /^counts\[1, 0\] is -1/,
  ],
  [
    'half a pair',
    { rows: 2, cols: 2, data: Float32Array.of(1, 0.5, 1, 4) },
    {},
    'invalid-argument',
    /^counts\[0, 1\] is 0.5/,
  ],
  ['not a number', { rows: 2, cols: 2, data: Float32Array.of(1, NaN, 1, 4) }, {}, 'not-finite', /^counts\[0, 1\]/],
  ['no pair', { rows: 2, cols: 2, data: new Float32Array(4) }, {}, 'invalid-argument', /at least one pair/],
  ['too many tokens', { rows: 2049, cols: 2049, data: new Float32Array(2049 ** 2) }, {}, 'out-of-memory', /^counts/],
  ['steps', pairs(), { steps: 0 }, 'invalid-argument', /^options\.steps is 0/],
  ['a tolerance', pairs(), { tolerance: -1 }, 'invalid-argument', /^options\.tolerance is -1/],
  ['an unknown option', pairs(), { step: 3 }, 'invalid-argument', /^options\.step is not an option; expected 'steps'/],
])('refuse %s', (_, counts, options, code, message) => {
  expectError(() => core.tiedFloor(counts, options), code, message);
});
