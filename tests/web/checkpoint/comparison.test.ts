/** Checkpoints beside each other: their numbers against plain loops, and against the verbs that have both tables in memory. */
import { afterAll, describe, expect, test } from 'vitest';
import { createLab, loadCore, type Checkpoint, type Matrix, type TableChange } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { fileOf, floats, safetensors, utf8 } from './checkpoint-files.js';

const core = await loadCore({ modules: ['checkpoint', 'diagnostics'] });
const lab = await createLab();
afterAll(() => lab.dispose());

const [V, D] = [60, 5];
const ids = Array.from({ length: V }, (_, id) => id);

function randomTable(seed: number): Matrix {
  const draw = new Draw(seed);
  return { rows: V, cols: D, data: Float32Array.from({ length: V * D }, () => 2 * draw.share() - 0.7) };
}
/** `table` with a part of another added: another step of the same training. */
const moved = (table: Matrix, by: number, seed: number): Matrix => {
  const other = randomTable(seed);
  return { ...table, data: table.data.map((value, i) => value + by * other.data[i]!) };
};
const tensor = ({ rows, cols, data }: Matrix) => ({ shape: [rows, cols], data: floats(data) });
const tiedFile = (input: Matrix) => safetensors({ 'wte.weight': tensor(input) });
const untiedFile = (input: Matrix, output: Matrix) =>
  safetensors({ 'wte.weight': tensor(input), 'lm_head.weight': tensor(output) });
const row = ({ cols, data }: Matrix, id: number): number[] => [...data.subarray(id * cols, (id + 1) * cols)];
const dot = (one: readonly number[], two: readonly number[]): number =>
  one.reduce((sum, value, k) => sum + value * two[k]!, 0);
const cosine = (one: readonly number[], two: readonly number[]): number =>
  dot(one, two) / Math.hypot(...one) / Math.hypot(...two);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function expectChange(found: TableChange, before: Matrix, after: Matrix): void {
  const difference = after.data.map((value, i) => value - before.data[i]!);
  expect(found.distance).toBeCloseTo(Math.hypot(...difference) / Math.hypot(...before.data), 6);
  const cosines = ids.map((id) => cosine(row(before, id), row(after, id)));
  expect(found.meanCosine).toBeCloseTo(mean(cosines), 5);
  const pairs = ids.flatMap((i) => ids.map((j) => cosine(row(before, i), row(after, j))));
  expect(found.meanCosineNull).toBeCloseTo(mean(pairs), 6);
  const sorted = ids.slice().sort((one, other) => cosines[one]! - cosines[other]!);
  expect(found.turned.map(({ token }) => token.id)).toEqual(sorted.slice(0, 20));
  const [first] = found.turned;
  expect(first!.cosine).toBeCloseTo(cosines[sorted[0]!]!, 5);
  expect(first!.before).toBeCloseTo(Math.hypot(...row(before, sorted[0]!)), 5);
  expect(first!.after).toBeCloseTo(Math.hypot(...row(after, sorted[0]!)), 5);
  expect(found.cosineQuantiles[4]).toBeCloseTo(cosines[sorted[30]!]!, 5);
  expect(found.cosineBands).toHaveLength(V);
  expect(found.cosineBands[7]!.median).toBeCloseTo(cosines[7]!, 5);
  const rotated = core.align(before, after, { method: 'orthogonal', center: true, nullRuns: 0 });
  // ‖E W − U‖² = ‖E‖² + ‖U‖² − 2 <E W, U> of the centred tables.
  const centered = (table: Matrix): number => {
    const means = Array.from({ length: D }, (_, k) => mean(ids.map((id) => row(table, id)[k]!)));
    return Math.hypot(...table.data.map((value, i) => value - means[i % D]!));
  };
  const [e, u] = [centered(before), centered(after)];
  expect(found.rotated!.cosine).toBeCloseTo((e ** 2 + u ** 2 - (rotated.residual * u) ** 2) / (2 * e * u), 5);
  expect(found.rotated!.null).toBeGreaterThan(0);
}

const steps = [randomTable(1)];
steps.push(moved(steps[0]!, 0.3, 2), moved(steps[0]!, 0.9, 3));
const outputs = [randomTable(11)];
outputs.push(moved(outputs[0]!, 0.2, 12), moved(outputs[0]!, 0.6, 13));

describe.each([
  ['core', core],
  ['lab', lab],
] as const)('checkpoints beside each other, by a %s,', (_, by) => {
  const openAll = (files: readonly Uint8Array[]): Promise<Checkpoint[]> =>
    Promise.all(files.map((file) => by.openCheckpoint(file)));

  test('of one table change as loops over the rows say', async () => {
    const [first, ...others] = await openAll(steps.map(tiedFile));
    const { data, markdown, cosines } = await first!.compareWith(others, { names: ['0', '100', '|200'] });
    expect(data.checkpoints.map(({ name }) => name)).toEqual(['0', '100', '|200']);
    expect(data.checkpoints[0]!.change).toEqual({ input: null, output: null });
    for (const at of [1, 2]) {
      const { change, asymmetry } = data.checkpoints[at]!;
      expectChange(change.input!, steps[0]!, steps[at]!);
      expect(change.output).toEqual(change.input);
      expect(asymmetry!.asymmetry).toBe(0);
      expect(cosines[at]!.input).toHaveLength(V);
    }
    expect(markdown).toContain('| 100 | both | ');
    expect(markdown).toContain('\\|200');
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  });

  test('of two tables change in each role, also from one before', async () => {
    const files = steps.map((input, at) => untiedFile(input, outputs[at]!));
    const [first, ...others] = await openAll(files);
    const { data } = await first!.compareWith(others, { against: 'previous' });
    expect(data).toMatchObject({ against: 'previous', notes: [] });
    for (const at of [1, 2]) {
      const { change, asymmetry } = data.checkpoints[at]!;
      expectChange(change.input!, steps[at - 1]!, steps[at]!);
      expectChange(change.output!, outputs[at - 1]!, outputs[at]!);
      const path = core.directPathSymmetry({ embedding: steps[at]!, unembedding: outputs[at]! });
      expect(asymmetry!.asymmetry).toBeCloseTo(path.asymmetry, 6);
    }
  });

  test('have the tables of their own cards', async () => {
    const [one, two] = await openAll([untiedFile(steps[0]!, outputs[0]!), tiedFile(steps[1]!)]);
    const cards = await Promise.all([one!, two!].map((checkpoint) => checkpoint.identityCard()));
    const { data } = await one!.compareWith([two!]);
    data.checkpoints.forEach(({ tables, asymmetry }, at) => {
      expect(tables).toEqual(cards[at]!.data.tables);
      expect(asymmetry).toEqual(cards[at]!.data.asymmetry);
    });
    // One table in both roles, from two tables.
    expectChange(data.checkpoints[1]!.change.input!, steps[0]!, steps[1]!);
    expectChange(data.checkpoints[1]!.change.output!, outputs[0]!, steps[1]!);
  });
});

test('a checkpoint beside itself has not moved, to the last bit', async () => {
  const checkpoint = await core.openCheckpoint(tiedFile(steps[0]!));
  const { data } = await checkpoint.compareWith([checkpoint]);
  const { distance, meanCosine, rotated } = data.checkpoints[1]!.change.input!;
  expect(distance).toBe(0);
  expect(meanCosine).toBeCloseTo(1, 6);
  expect(rotated!.cosine).toBeCloseTo(1, 6);
});

test('rows of zeros have no direction, and are left out', async () => {
  const zeroed = { ...steps[1]!, data: steps[1]!.data.map((value, i) => (i < D ? 0 : value)) };
  const [first, second] = await Promise.all([steps[0]!, zeroed].map((table) => core.openCheckpoint(tiedFile(table))));
  const { data, cosines } = await first!.compareWith([second!]);
  expect(cosines[1]!.input![0]).toBeNaN();
  expect(data.checkpoints[1]!.change.input!.cosineBands).toHaveLength(V - 1);
  expect(data.checkpoints[1]!.change.input!.turned.map(({ token }) => token.id)).not.toContain(0);
});

test('tokens of other strings are counted', async () => {
  const named = (file: Uint8Array, names: readonly string[]) => [
    fileOf('model.safetensors', file),
    fileOf('vocab.json', utf8(JSON.stringify(names))),
  ];
  const names = ids.map((id) => `t${id}`);
  const first = await core.openCheckpoint(named(tiedFile(steps[0]!), names));
  const second = await core.openCheckpoint(named(tiedFile(steps[1]!), ['a', 'b', ...names.slice(2)]));
  const { data } = await first.compareWith([second]);
  expect(data.notes).toEqual(['Up to 2 ids stand for other strings than in the first: rows of one id are compared.']);
});

describe('what cannot be compared', () => {
  test.each([
    [[], 'others is an array of 0; expected 1 to 999 checkpoints'],
    [null, 'others is null; expected 1 to 999 checkpoints'],
    [[{}], 'others[0] is'],
    [[null], 'others[0] is null'],
  ])('%o is refused by name', async (others, said) => {
    const checkpoint = await core.openCheckpoint(tiedFile(steps[0]!));
    const comparing = checkpoint.compareWith(others as never);
    await expect(comparing).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(comparing).rejects.toThrow(said);
  });

  test.each([
    [{ against: 'last' }, 'options.against'],
    [{ names: ['one'] }, 'options.names'],
    [{ names: ['one', 2] }, 'options.names[1]'],
    [{ seed: -1 }, 'options.seed is -1'],
    [{ onProgress: 1 }, 'options.onProgress'],
    [{ signal: 1 }, 'options.signal'],
  ])('options %o are refused by name', async (options, said) => {
    const checkpoint = await core.openCheckpoint(tiedFile(steps[0]!));
    await expect(checkpoint.compareWith([checkpoint], options as never)).rejects.toThrow(said);
  });

  test('tables of another shape', async () => {
    const wide = { rows: 30, cols: 10, data: steps[0]!.data };
    const [first, second] = await Promise.all([steps[0]!, wide].map((table) => core.openCheckpoint(tiedFile(table))));
    const comparing = first!.compareWith([second!]);
    await expect(comparing).rejects.toMatchObject({ code: 'shape-mismatch' });
    await expect(comparing).rejects.toThrow('others[0] has an input table of [30, 10]; expected [60, 5]');
  });

  test('an entry that is NaN is named by its tensor and row; a table of zeros by its tensor', async () => {
    const broken = { ...steps[1]!, data: steps[1]!.data.slice() };
    broken.data[7 * D] = NaN;
    const zeros = { ...steps[1]!, data: new Float32Array(V * D) };
    const first = await core.openCheckpoint(tiedFile(steps[0]!));
    for (const [table, code, said] of [
      [broken, 'not-finite', /^'wte\.weight': .*7/],
      [zeros, 'invalid-argument', "'wte.weight': input is all zeros"],
    ] as const) {
      const comparing = first.compareWith([await core.openCheckpoint(tiedFile(table))]);
      await expect(comparing).rejects.toMatchObject({ code });
      await expect(comparing).rejects.toThrow(said);
    }
  });

  test('a signal ends it, and disposed checkpoints say so', async () => {
    for (const by of [core, lab]) {
      const [first, second] = await Promise.all(steps.slice(0, 2).map((table) => by.openCheckpoint(tiedFile(table))));
      const abort = new AbortController();
      const comparing = first!.compareWith([second!], { signal: abort.signal, onProgress: () => abort.abort() });
      await expect(comparing).rejects.toMatchObject({ code: 'cancelled' });
      const shares: number[] = [];
      await first!.compareWith([second!, second!], { onProgress: (share) => shares.push(share) });
      expect(shares).toEqual([0.5, 1]);
      second!.dispose();
      await expect(first!.compareWith([second!])).rejects.toMatchObject({ code: 'disposed' });
    }
  });
});
