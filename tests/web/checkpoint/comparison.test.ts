/** Comparisons of checkpoints: their numbers against plain loops, and against the verbs that have both tables in memory. */
import { afterAll, describe, expect, test } from 'vitest';
import { createLab, loadCore, type Checkpoint, type Matrix, type TableChange } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { fileOf, floats, safetensors, TIED_WTE, utf8 } from './checkpoint-files.js';

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
const tiedFile = (input: Matrix) => safetensors({ 'wte.weight': tensor(input) }, TIED_WTE);
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
  const drifts = ids.map((id) => Math.hypot(...row(after, id).map((value, k) => value - row(before, id)[k]!)));
  const farthest = ids.slice().sort((one, other) => drifts[other]! - drifts[one]!);
  expect([found.differingRows, found.rows]).toEqual([drifts.filter((drift) => drift > 0).length, V]);
  expect(found.moved.map(({ token }) => token.id)).toEqual(farthest.filter((id) => drifts[id]! > 0).slice(0, 20));
  for (const { token, distance } of found.moved) expect(distance).toBeCloseTo(drifts[token.id]!, 6);
  expect(found.cosineQuantiles[4]).toBeCloseTo(cosines[sorted[30]!]!, 5);
  expect(found.cosineBands).toHaveLength(V);
  expect(found.cosineBands[7]!.median).toBeCloseTo(cosines[7]!, 5);
  const rotated = core.align(before, after, { method: 'orthogonal', center: true, nullRuns: 0 });
  // ‖E W − U‖² = ‖E‖² + ‖U‖² − 2 <E W, U> for the centered tables.
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
] as const)('checkpoints compared by a %s', (_, by) => {
  const openAll = (files: readonly Uint8Array[]): Promise<Checkpoint[]> =>
    Promise.all(files.map((file) => by.openCheckpoint(file)));

  test('with one table change as computed by loops over the rows', async () => {
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

  test('with two tables change in each role, also relative to the previous checkpoint', async () => {
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

  test('have the same tables as their own cards', async () => {
    const [one, two] = await openAll([untiedFile(steps[0]!, outputs[0]!), tiedFile(steps[1]!)]);
    const cards = await Promise.all([one!, two!].map((checkpoint) => checkpoint.identityCard()));
    const { data } = await one!.compareWith([two!]);
    data.checkpoints.forEach(({ tables, asymmetry }, at) => {
      expect(tables).toEqual(cards[at]!.data.tables);
      expect(asymmetry).toEqual(cards[at]!.data.asymmetry);
    });
    // One table in both roles, compared with two tables.
    expectChange(data.checkpoints[1]!.change.input!, steps[0]!, steps[1]!);
    expectChange(data.checkpoints[1]!.change.output!, outputs[0]!, steps[1]!);
  });
});

test('do not move, to the last bit, if they are the same', async () => {
  const checkpoint = await core.openCheckpoint(tiedFile(steps[0]!));
  const { data } = await checkpoint.compareWith([checkpoint]);
  const { distance, meanCosine, rotated } = data.checkpoints[1]!.change.input!;
  expect(distance).toBe(0);
  expect(meanCosine).toBeCloseTo(1, 6);
  expect(rotated!.cosine).toBeCloseTo(1, 6);
});

test('rows that differ are counted exactly, also where they differ in one last bit, and equal ones have not moved', async () => {
  const before = randomTable(5);
  const data = before.data.slice();
  const bits = new Uint32Array(data.buffer);
  bits[3 * D]! ^= 1;
  data[8 * D + 1]! += 3;
  const [one, other] = await Promise.all(
    [before, { ...before, data }].map((table) => core.openCheckpoint(tiedFile(table))),
  );
  const { data: found, markdown } = await one!.compareWith([other!]);
  const change = found.checkpoints[1]!.change.input!;
  expect(change.differingRows).toBe(2);
  expect(change.moved.map(({ token: { id } }) => id)).toEqual([8, 3]);
  expect(change.moved[0]!.distance).toBeCloseTo(3, 6);
  expect(change.moved[1]!.distance).toBe(Math.abs(data[3 * D]! - before.data[3 * D]!));
  expect(markdown).toContain('1: tied (alias). 2: tied (alias).');
  expect(markdown).toContain('| 2 of 60 |');
  const same = await core.openCheckpoint(tiedFile(before));
  const { data: none } = await one!.compareWith([same]);
  expect(none.checkpoints[1]!.change.input).toMatchObject({ differingRows: 0, moved: [], distance: 0 });
});

describe('in a checkpoint whose output table has fewer rows than its input table', () => {
  const shorter = ({ cols, data }: Matrix): Matrix => ({ rows: 40, cols, data: data.slice(0, 40 * cols) });
  const open = () =>
    Promise.all([0, 1].map((at) => core.openCheckpoint(untiedFile(steps[at]!, shorter(outputs[at]!)))));

  test('each table changes as if compared alone', async () => {
    const [first, second] = await open();
    const { data } = await first!.compareWith([second!]);
    const alone = async (tables: readonly Matrix[]) => {
      const [one, two] = await Promise.all(tables.map((table) => core.openCheckpoint(tiedFile(table))));
      return (await one!.compareWith([two!])).data.checkpoints[1]!.change.input;
    };
    const [, after] = data.checkpoints;
    expect(after!.change.input).toEqual(await alone(steps.slice(0, 2)));
    expect(after!.change.output).toEqual(await alone(outputs.slice(0, 2).map(shorter)));
    expect(after!.asymmetry).toBeNull();
    for (const [at, checkpoint] of [first!, second!].entries())
      expect(data.checkpoints[at]!.tables).toEqual((await checkpoint.identityCard()).data.tables);
  });

  test('a call that is cancelled between the two resumes there', async () => {
    const [first, second] = await open();
    const shares: number[] = [];
    const abort = new AbortController();
    const onProgress = (share: number): void => {
      shares.push(share);
      abort.abort();
    };
    const cancelled = first!.compareWith([second!], { onProgress, signal: abort.signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    const rest: number[] = [];
    const { data } = await first!.compareWith([second!], { onProgress: (share) => rest.push(share) });
    expect([shares, rest]).toEqual([[0.6], [1]]);
    const [one, two] = await open();
    expect(data).toEqual((await one!.compareWith([two!])).data);
  });
});

test('rows of zeros have no direction, and are left out', async () => {
  const zeroed = { ...steps[1]!, data: steps[1]!.data.map((value, i) => (i < D ? 0 : value)) };
  const [first, second] = await Promise.all([steps[0]!, zeroed].map((table) => core.openCheckpoint(tiedFile(table))));
  const { data, cosines } = await first!.compareWith([second!]);
  expect(cosines[1]!.input![0]).toBeNaN();
  expect(data.checkpoints[1]!.change.input!.cosineBands).toHaveLength(V - 1);
  expect(data.checkpoints[1]!.change.input!.turned.map(({ token }) => token.id)).not.toContain(0);
});

const named = (file: Uint8Array, names: readonly string[]) => [
  fileOf('model.safetensors', file),
  fileOf('vocab.json', utf8(JSON.stringify(names))),
];

describe('with another shape', () => {
  const names = ids.map((id) => `t${id}`);
  // Rows in reverse order, twice as wide, and two that the first does not have.
  const lengths = (table: Matrix): number[] => ids.map((id) => Math.hypot(...row(table, id)));
  const wide: Matrix = {
    rows: V + 2,
    cols: 2 * D,
    data: Float32Array.from({ length: (V + 2) * 2 * D }, (_, i) => {
      const id = Math.floor(i / (2 * D));
      // A row's length grows with that of its token, except for three tokens.
      const token = V - 1 - id;
      const size = id >= V ? 9 : token < 3 ? 50 + token : lengths(steps[0]!)[token]! ** 3;
      return i % (2 * D) === id % (2 * D) ? size : 0;
    }),
  };
  const wideNames = [...names.slice().reverse(), 'new', 't0'];

  test('lengths by token string are compared, not rows, and each checkpoint has its own measures', async () => {
    const first = await core.openCheckpoint(named(tiedFile(steps[0]!), names));
    const second = await core.openCheckpoint(named(untiedFile(wide, wide), wideNames));
    const third = await core.openCheckpoint(named(tiedFile(steps[1]!), names));
    const shares: number[] = [];
    const { data, markdown, cosines } = await first.compareWith([second, third], {
      names: ['a', 'b', 'c'],
      onProgress: (share) => shares.push(share),
    });
    const [a, b, c] = data.checkpoints;
    expect([a!.lengths, c!.lengths]).toEqual([null, null]);
    expectChange(c!.change.input!, steps[0]!, steps[1]!);
    expect(b!.change).toEqual({ input: null, output: null });
    expect(cosines[1]).toEqual({ input: null, output: null });
    // Spearman's formula without ties: 1 − 6 Σ d² / (n (n² − 1)).
    const rankOf = (values: readonly number[]) => values.map((one) => values.filter((other) => other < one).length);
    const mine = rankOf(lengths(steps[0]!));
    const theirs = rankOf(ids.map((id) => (id < 3 ? 50 + id : lengths(steps[0]!)[id]! ** 3)));
    const squares = mine.reduce((sum, rank, id) => sum + (rank - theirs[id]!) ** 2, 0);
    const expected = 1 - (6 * squares) / (V * (V * V - 1));
    expect(b!.lengths!.input).toMatchObject({ tokens: V });
    expect(b!.lengths!.input!.rankCorrelation).toBeCloseTo(expected, 9);
    expect(b!.lengths!.input!.deviation).toBeCloseTo(1 / Math.sqrt(V - 1), 12);
    expect(b!.lengths!.output).toEqual(b!.lengths!.input);
    const card = await second.identityCard();
    expect(b!.tables).toEqual(card.data.tables);
    expect(data.notes[0]).toBe(
      'One checkpoint has tables of another shape: its measures are listed with the others, but of its rows only the lengths are compared, by token string.',
    );
    expect(markdown).toContain('| of another shape | table | tokens of both | rank correlation of lengths |');
    expect(markdown).toMatch(/\| b \| both \| 60 \| 0\.\d+ \(0 ± 0\.1302\) \|/);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(shares.at(-1)).toBe(1);
  });

  test('each checkpoint may be compared with the previous one', async () => {
    const first = await core.openCheckpoint(named(tiedFile(wide), wideNames));
    const [second, third] = await Promise.all(
      steps.slice(0, 2).map((step) => core.openCheckpoint(named(tiedFile(step), names))),
    );
    const { data } = await first.compareWith([second!, third!], { against: 'previous' });
    expect(data.checkpoints[1]!.lengths!.input!.tokens).toBe(V);
    expectChange(data.checkpoints[2]!.change.input!, steps[0]!, steps[1]!);
  });

  test('equal lengths have equal ranks', async () => {
    const flat = { rows: 4, cols: 2, data: Float32Array.of(1, 0, 0, 2, 2, 0, 0, 3) };
    const other = { rows: 4, cols: 1, data: Float32Array.of(1, 5, 2, 9) };
    const some = ['a', 'b', 'c', 'd'];
    const [one, two] = [
      await core.openCheckpoint(named(tiedFile(flat), some)),
      await core.openCheckpoint(named(tiedFile(other), some)),
    ];
    const { data } = await one.compareWith([two]);
    // Ranks 0, 1.5, 1.5, 3 and 0, 2, 1, 3: 4.5 / √(4.5 · 5).
    expect(data.checkpoints[1]!.lengths!.input!.rankCorrelation).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12);
  });
});

test('tokens with other strings are counted', async () => {
  const names = ids.map((id) => `t${id}`);
  const first = await core.openCheckpoint(named(tiedFile(steps[0]!), names));
  const second = await core.openCheckpoint(named(tiedFile(steps[1]!), ['a', 'b', ...names.slice(2)]));
  const { data } = await first.compareWith([second]);
  expect(data.notes).toEqual(['Up to 2 ids stand for different strings than in the first: rows are compared by id.']);
});

describe('a comparison refuses', () => {
  test.each([
    [[], 'others is an array of 0; expected 1 to 999 checkpoints'],
    [null, 'others is null; expected 1 to 999 checkpoints'],
    [[{}], 'others[0] is'],
    [[null], 'others[0] is null'],
  ])('%o by name', async (others, said) => {
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
  ])('options %o by name', async (options, said) => {
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

  test('tables of another shape without common token strings', async () => {
    const wide = { rows: 30, cols: 10, data: steps[0]!.data };
    const [first] = [
      await core.openCheckpoint(
        named(
          tiedFile(steps[0]!),
          ids.map((id) => `t${id}`),
        ),
      ),
    ];
    const second = await core.openCheckpoint(
      named(
        tiedFile(wide),
        ids.slice(0, 30).map((id) => `u${id}`),
      ),
    );
    await expect(first!.compareWith([second])).rejects.toThrow('or token strings in both');
  });

  test('an entry that is NaN, by tensor and row, and a table of zeros, by tensor', async () => {
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

  test('to continue after its signal is aborted, and disposed checkpoints', async () => {
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
