/** Muon as an option: its defaults, against its formula in double precision, in files, when rewinding, and in records. */
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type Trainer, type TrainingConfig } from '../../../web/index.js';

const tokenIds = Uint32Array.from({ length: 600 }, (_, i) => (i * i + (i >> 3)) % 13);
const model = {
  kind: 'transformer',
  vocabSize: 13,
  dModel: 8,
  nLayers: 1,
  nHeads: 2,
  contextLength: 6,
  tying: 'tied',
} as const;
const rates = { learningRate: 0.01, batchSize: 4, seed: 5, weightDecay: 0.1 } as const;

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: [] });
});

const make = (training: Partial<TrainingConfig> = {}, more: object = {}): Trainer =>
  core.createTrainer({
    model: { ...model, ...more },
    training: { ...rates, optimizer: 'muon', ...training },
    tokenIds,
  });

const valuesOf = (trainer: Trainer): number[][] =>
  trainer.parameters().map(({ name }) => [...trainer.matrix(name).data]);

type Rows = number[][];
const transposed = (m: Rows): Rows => m[0]!.map((_, col) => m.map((row) => row[col]!));
const times = (a: Rows, b: Rows): Rows =>
  a.map((row) => transposed(b).map((col) => row.reduce((sum, x, k) => sum + x * col[k]!, 0)));
const plus = (a: Rows, x: number, b: Rows, y: number): Rows =>
  a.map((row, i) => row.map((value, j) => x * value + y * b[i]![j]!));

/** Keller Jordan's five steps. */
function orthogonalized(matrix: Rows): Rows {
  if (matrix.length > matrix[0]!.length) return transposed(orthogonalized(transposed(matrix)));
  const norm = Math.sqrt(matrix.flat().reduce((sum, x) => sum + x * x, 0));
  let x = matrix.map((row) => row.map((value) => value / norm));
  for (let step = 0; step < 5; step++) {
    const gram = times(x, transposed(x));
    x = plus(x, 3.4445, times(plus(gram, -4.775, times(gram, gram), 2.0315), x), 1);
  }
  return x;
}

test('Muon has a momentum of 0.95 and the scale of AdamW if none is given', () => {
  expect(make().training).toMatchObject({ optimizer: 'muon', momentum: 0.95, muonScale: 'match-rms-adamw' });
  expect(make().training).not.toHaveProperty('muonLearningRate');
  const given = { momentum: 0.8, muonScale: 'original', muonLearningRate: 0.02 } as const;
  expect(make(given).training).toMatchObject(given);
});

// The gradient of a step is the update of plain gradient descent at a rate of 1.
test.each([
  ['match-rms-adamw', (rows: number, cols: number) => 0.2 * Math.sqrt(Math.max(rows, cols))],
  ['original', (rows: number, cols: number) => Math.sqrt(Math.max(1, rows / cols))],
] as const)('the first step with the scale %s moves each map by its orthogonalized gradient', (muonScale, factorOf) => {
  const [rate, width] = [0.02, model.dModel];
  const trainer = make({ muonScale, muonLearningRate: rate });
  const plain = make({ optimizer: 'sgd', learningRate: 1, weightDecay: 0 });
  const before = trainer.parameters().map(({ name }) => trainer.matrix(name));
  trainer.run(1);
  plain.run(1);
  for (const [k, { name }] of trainer.parameters().entries()) {
    if (!/^layers\..*weight$/.test(name) || name.includes('norm')) continue;
    const { rows, cols, data } = before[k]!;
    const [moved, descended] = [trainer.matrix(name).data, plain.matrix(name).data];
    const heights = name.includes('query_key_value') ? [width, width, width] : [rows];
    let first = 0;
    for (const height of heights) {
      const gradient = Array.from({ length: height }, (_, i) =>
        Array.from({ length: cols }, (__, j) => data[(first + i) * cols + j]! - descended[(first + i) * cols + j]!),
      );
      const update = orthogonalized(gradient);
      for (let i = 0; i < height; i++) {
        for (let j = 0; j < cols; j++) {
          const at = (first + i) * cols + j;
          const expected = data[at]! * (1 - rate * rates.weightDecay) - rate * factorOf(height, cols) * update[i]![j]!;
          // The gradient is a difference in single precision, which five steps multiply by up to 485 where it is small.
          expect(Math.abs(moved[at]! - expected), `${name} ${at}`).toBeLessThan(1e-4);
        }
      }
      first += height;
    }
  }
});

test('a run with Muon continues from a file, and is rewound, with the same bits', () => {
  for (const tying of ['tied', 'untied', { untieAtStep: 6 }] as const) {
    const whole = make({}, { tying });
    whole.run(12);
    const half = make({}, { tying });
    half.run(5);
    const again = core.loadTrainer(half.save());
    expect(again.training).toEqual(half.training);
    again.run(7);
    expect(valuesOf(again)).toEqual(valuesOf(whole));
    again.run(4);
    again.rewind(12);
    expect(valuesOf(again)).toEqual(valuesOf(whole));
    again.rewind(0);
    again.run(12);
    expect(valuesOf(again)).toEqual(valuesOf(whole));
  }
});

test('Muon needs memory for one map beside the state of AdamW, and a file as large', () => {
  const [muon, adamw] = (['muon', 'adamw'] as const).map((optimizer) =>
    core.estimateMemory(model, { ...rates, optimizer }),
  );
  expect(muon!.fileBytes).toBe(adamw!.fileBytes);
  // Two copies of the largest map, [32, 8], and two matrices [8, 8], of four bytes each.
  expect(muon!.bytes - adamw!.bytes).toBe(4 * (2 * 32 * 8 + 2 * 8 * 8));
  const path = { kind: 'direct-path', vocabSize: 13, dModel: 8, tying: 'tied' } as const;
  expect(core.estimateMemory(path, { ...rates, optimizer: 'muon' })).toEqual(core.estimateMemory(path, rates));
});

test('the gradient by role is what it is with any optimizer', () => {
  const muon = make();
  const adamw = make({ optimizer: 'adamw' });
  expect(muon.gradient().input.data).toEqual(adamw.gradient().input.data);
  const [record, other] = [muon, adamw].map((trainer) => trainer.run(1)[0]!);
  for (const name of ['loss', 'gradientNorm', 'inputShare', 'inputPositionShare', 'gradientCosine'] as const)
    expect(record![name], name).toBe(other![name]);
});

test.each([
  [
    { optimizer: 'adamw', muonScale: 'original' },
    /^training\.muonScale is 'original'; .*only optimizer 'muon' has it$/,
  ],
  [{ optimizer: 'sgd', muonLearningRate: 0.1 }, /^training\.muonLearningRate is 0\.1; .*only optimizer 'muon' has it$/],
  [{ muonScale: 'spectral' }, /^training\.muonScale is 'spectral'; expected one of 'match-rms-adamw' or 'original'$/],
  [{ muonLearningRate: 0 }, /^training\.muonLearningRate is 0; expected/],
  [{ muonLearningRate: Infinity }, /^training\.muonLearningRate is Infinity; expected/],
  [{ momentum: 1 }, /^training\.momentum is 1; expected/],
  [{ optimizer: 'Muon' }, /^training\.optimizer is 'Muon'; expected one of .*'muon'; did you mean 'muon'\?$/],
])('%o is refused', (wrong, message) => {
  expect(() => make(wrong as Partial<TrainingConfig>)).toThrow(message);
});
