/** Losses of models whose tables are rounded, packed, or lost, compared with the same done by hand. */
import { beforeAll, describe, expect, test } from 'vitest';
import { packed } from '../../../web/core/experiment/packed-tables.js';
import { inRandomOrder } from '../../../web/core/experiment/random-order.js';
import { relativeError, rounded } from '../../../web/core/experiment/rounded-tables.js';
import { loadCore, type Core, type Matrix } from '../../../web/index.js';
import { kept, measuredBy } from './measured.js';
import { transformers } from './specs.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['accounting', 'diagnostics', 'stories'] });
});
const measured = (spec: Parameters<typeof measuredBy>[1]) => measuredBy(core, spec);

describe('tables in few bits', () => {
  const bits = [2, 4, 8, 16];
  const measure = [kept, { metric: 'loss' }, ...bits.map((some) => ({ metric: 'rounded-loss', bits: some }))];
  const named = (some: number, part = '') => `rounded-loss(bits=${some})${part}`;

  test('give the loss of a model with rows rounded to that many steps, without changing the model', async () => {
    const { models, valueOf } = await measured({ ...transformers, measure } as never);
    for (const [arm, tables] of [
      ['tied', ['embedding']],
      ['untied', ['embedding', 'unembedding']],
    ] as const) {
      const trainer = models.get(arm)!;
      expect(valueOf(arm, 'loss')).toBe(trainer.evaluate().loss);
      for (const some of bits) {
        const copy = core.loadTrainer(trainer.save());
        const most = 2 ** (some - 1) - 1;
        for (const name of tables) {
          const { rows, cols, data } = trainer.matrix(name);
          const read = data.map((value, i) => {
            const row = data.slice(i - (i % cols), i - (i % cols) + cols);
            const step = Math.max(...row.map(Math.abs)) / most;
            return Math.round(value / step) * step;
          });
          copy.setMatrix(name, { rows, cols, data: read });
        }
        const { loss, bitsPerByte } = copy.evaluate();
        expect(valueOf(arm, named(some))).toBe(loss);
        expect(valueOf(arm, named(some, '.bitsPerByte'))).toBe(bitsPerByte);
      }
      expect(valueOf(arm, 'loss.bitsPerByte')).toBe(trainer.evaluate().bitsPerByte);
    }
  });

  test('take the counted bytes, with a scale for each row, and are closer the more bits they have', async () => {
    const { models, valueOf } = await measured({ ...transformers, measure } as never);
    const { vocabSize, dModel } = models.get('tied')!.model;
    for (const some of bits) {
      const kilobytes = (vocabSize * dModel * some) / 8000 + (vocabSize * 4) / 1000;
      expect(valueOf('tied', named(some, '.kilobytes'))).toBeCloseTo(kilobytes, 9);
      expect(valueOf('untied', named(some, '.kilobytes'))).toBeCloseTo(2 * kilobytes, 9);
    }
    const errors = bits.map((some) => valueOf('untied', named(some, '.error'))!);
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
    // Uniform errors of up to half a step, where the largest value of a row has 32,767 steps and is at most about 3 deviations.
    expect(errors.at(-1)).toBeLessThan(1e-4);
    expect(errors[0]).toBeGreaterThan(0.1);
  });

  test('of a row of zeros stay zeros, and ties are rounded as by Math.round', () => {
    const table = { rows: 2, cols: 3, data: Float32Array.of(0, 0, 0, 1, -0.5, 0.5) };
    expect([...rounded(table, 2).data]).toEqual([0, 0, 0, 1, -0, 1]);
    expect(relativeError([[table, table]])).toBe(0);
    const zeros = { rows: 1, cols: 1, data: new Float32Array(1) };
    expect(relativeError([[zeros, zeros]])).toBe(0);
  });
});

describe('one of two tables lost', () => {
  const measure = [kept, ...(['unembedding', 'embedding'] as const).map((lost) => ({ metric: 'lost-table', lost }))];
  const named = (lost: string, part = '') => `lost-table(lost=${lost})${part}`;

  test('gives the loss of a model that reads and writes with the other one', async () => {
    const { models, valueOf } = await measured({ ...transformers, measure } as never);
    const trainer = models.get('untied')!;
    const tables = { embedding: trainer.matrix('embedding'), unembedding: trainer.matrix('unembedding') };
    for (const [lost, other] of [
      ['unembedding', 'embedding'],
      ['embedding', 'unembedding'],
    ] as const) {
      const copy = core.loadTrainer(trainer.save());
      copy.setMatrix(lost, tables[other]);
      expect(valueOf('untied', named(lost))).toBe(copy.evaluate().loss);
      expect(valueOf('untied', named(lost, '.bitsPerByte'))).toBe(copy.evaluate().bitsPerByte);
      expect(valueOf('untied', named(lost, '.guessing'))).toBeCloseTo(Math.log(300), 12);
      copy.setMatrix(lost, inRandomOrder(tables[other], 1));
      expect(valueOf('untied', named(lost, '.chance'))).toBe(copy.evaluate().loss);
    }
    const rows = (table: Matrix) =>
      Array.from({ length: table.rows }, (_, i) => table.data.subarray(i * table.cols, (i + 1) * table.cols));
    const [reading, writing] = [rows(tables.embedding), rows(tables.unembedding)];
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    const cosines = reading.map((a, i) => dot(a, writing[i]!) / Math.sqrt(dot(a, a) * dot(writing[i]!, writing[i]!)));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(valueOf('untied', named('unembedding', '.cosine'))).toBeCloseTo(mean(cosines), 6);
    const apart = reading.map((a, i) => {
      const difference = a.map((x, j) => x - writing[i]![j]!);
      return Math.sqrt(dot(difference, difference) / (dot(a, a) + dot(writing[i]!, writing[i]!)));
    });
    expect(valueOf('untied', named('embedding', '.distance'))).toBeCloseTo(mean(apart), 6);
    // One table has no other to lose.
    expect(valueOf('tied', named('unembedding'))).toBe(models.get('tied')!.evaluate().loss);
    expect(valueOf('tied', named('unembedding', '.cosine'))).toBeUndefined();
  });
});

describe('packed tables', () => {
  const wide = { ...transformers.model, dModel: 64, nLayers: 1 };
  const packings = ['Q8_0', 'Q4_K_M', 'mlx-8', 'mlx-4', 'mlx-3'];
  const measure = [kept, { metric: 'loss' }, ...packings.map((packing) => ({ metric: 'packed-loss', packing }))];
  const named = (packing: string, part = '') => `packed-loss(packing=${packing})${part}`;

  test('take the bytes of the types that the program gives them, and lose more with fewer bits', async () => {
    const { models, valueOf } = await measured({ ...transformers, model: wide, measure } as never);
    const values = 300 * 64;
    // In blocks of 32: Q8_0 has 34 bytes, Q5_0, which llama.cpp takes where 256 does not divide a row, 22. Groups of 64 have 4 bytes more than their bits.
    const bytes = { Q8_0: [(values / 32) * 34, (values / 32) * 34], Q4_K_M: [(values / 32) * 34, (values / 32) * 22] };
    for (const [packing, [output, input]] of Object.entries(bytes)) {
      expect(valueOf('tied', named(packing, '.kilobytes'))).toBeCloseTo(output! / 1000, 9);
      expect(valueOf('untied', named(packing, '.kilobytes'))).toBeCloseTo((output! + input!) / 1000, 9);
    }
    for (const bits of [8, 4, 3])
      expect(valueOf('tied', named(`mlx-${bits}`, '.kilobytes'))).toBeCloseTo(
        ((values / 64) * (8 * bits + 4)) / 1000,
        9,
      );
    for (const arm of ['tied', 'untied']) {
      const errors = packings.slice(2).map((packing) => valueOf(arm, named(packing, '.error'))!);
      expect(errors).toEqual([...errors].sort((a, b) => a - b));
      expect(Math.abs(valueOf(arm, named('Q8_0'))! - models.get(arm)!.evaluate().loss)).toBeLessThan(0.01);
    }
  });

  test('of which widths do not fit are refused before training', () => {
    const spec = { ...transformers, measure: [{ metric: 'packed-loss', packing: 'mlx-4' }] };
    const expected =
      "spec.measure[0].metric is 'packed-loss', which arm 'tied' does not have: model.dModel is 8; expected a width in whole groups of 64";
    return expect(core.runExperiment(spec as never)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expected,
    });
  });

  test('of MLX have its levels: zero and the farther end of a group exactly, the others in equal steps', () => {
    const data = Float32Array.from({ length: 64 }, (_, i) => (i === 0 ? 0 : i === 1 ? -7 : (i % 9) / 2));
    const [{ read }] = packed('mlx-4', [{ rows: 1, cols: 64, data }]) as [{ read: Matrix; bytes: number }];
    // From -7 to 4 in 15 steps of about 0.733; zero is the tenth of 0.7.
    expect([...read.data.slice(0, 2)]).toEqual([expect.closeTo(0, 2), -7]);
    const steps = new Set(read.data.map((value) => Math.round((value + 7) / 0.7)));
    expect(Math.max(...steps)).toBeLessThanOrEqual(15);
    data.forEach((value, i) => expect(Math.abs(read.data[i]! - value)).toBeLessThan(i === 0 ? 0.01 : 0.51));
    const zeros = packed('mlx-3', [{ rows: 1, cols: 64, data: new Float32Array(64) }])[0]!;
    expect(zeros.read.data.every((value) => value === 0)).toBe(true);
  });
});
