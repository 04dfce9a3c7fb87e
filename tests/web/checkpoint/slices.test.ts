/** Models in files that each have a part of every matrix: Llama's own consolidated.00.pth and so on. */
import { describe, expect, test } from 'vitest';
import { fileOf, floats } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { stateDict, tensor, torchOld, torchZip, type Code, type Storage } from './pytorch-files.js';

const [V, D, FILES] = [12, 8, 2];
type Numbers = readonly (readonly number[])[];
const table = (start: number, rows = V, cols = D): Numbers =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (__, col) => start + row + col / 16));
const E = table(0);
const U = table(50);

/** The part of a matrix that a file has. */
const rowsOf = (all: Numbers, at: number): Numbers =>
  all.slice((at * all.length) / FILES, ((at + 1) * all.length) / FILES);
const colsOf = (all: Numbers, at: number): Numbers =>
  all.map((row) => row.slice((at * row.length) / FILES, ((at + 1) * row.length) / FILES));

type Write = (value: Code, storages: readonly Storage[]) => Uint8Array;

function fileAt(
  at: number,
  parts: Readonly<Record<string, Numbers | readonly number[]>>,
  write: Write = torchZip,
): File {
  const storages: Storage[] = [];
  const tensors: Record<string, Code> = {};
  for (const [name, numbers] of Object.entries(parts)) {
    const flat = numbers.flat();
    const shape = Array.isArray(numbers[0]) ? [numbers.length, numbers[0].length] : [numbers.length];
    const storage = { key: String(storages.length), kind: 'FloatStorage', elements: flat.length, data: floats(flat) };
    storages.push(storage);
    tensors[name] = tensor(storage, shape);
  }
  return fileOf(`consolidated.0${at}.pth`, write(stateDict(tensors), storages));
}

const rest = (at: number): Record<string, Numbers | readonly number[]> => ({
  'layers.0.attention.wq.weight': rowsOf(table(1, D, D), at),
  'layers.0.attention.wo.weight': colsOf(table(2, D, D), at),
  'layers.0.experts.weight': rowsOf(table(3, D, D), at),
  'norm.weight': table(4, 1)[0]!,
});
/** Of the first and the second Llama, whose input table is split by columns, and of the third, by rows. */
const second = (at: number, output = U) => ({ 'tok_embeddings.weight': colsOf(E, at), 'output.weight': rowsOf(output, at), ...rest(at) }); // prettier-ignore
const third = (at: number, output = U) => ({ 'tok_embeddings.weight': rowsOf(E, at), 'output.weight': rowsOf(output, at), ...rest(at) }); // prettier-ignore

describe.each([
  ['by columns', second],
  ['by rows', third],
])('an input table that is split %s', (_, parts) => {
  test.each<[string, Write]>([
    ['the ZIP form', torchZip],
    ['the older form', torchOld],
  ])('is put together, in %s', async (__, write) => {
    const files = [fileAt(1, parts(1), write), fileAt(0, parts(0), write)];
    const checkpoint = await openHere(files);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
    expect(checkpoint.notes[0]).toBe('Each of its 2 files has a part of every matrix; they were put together.');
    expect(checkpoint.isWhole).toBe(true);
    for (const [role, numbers] of [['input', E], ['output', U]] as const) {
      const { rows, cols, data } = await checkpoint.matrix(role);
      expect([rows, cols, ...data]).toEqual([V, D, ...numbers.flat()]);
      const some = await checkpoint.matrix(role, { rows: Uint32Array.of(7, 2) });
      expect([...some.data]).toEqual([...numbers[7]!, ...numbers[2]!]);
    }
    const shapes = Object.fromEntries(checkpoint.tensors.map(({ name, shape, dtype }) => [name, [...shape, dtype]]));
    expect(shapes).toMatchObject({
      'layers.0.attention.wq.weight': [D, D, 'F32'],
      'layers.0.attention.wo.weight': [D, D, 'F32'],
      'layers.0.experts.weight': [D / 2, D, 'split among 2 files'],
      'norm.weight': [D, 'F32'],
    });
    const whole = async (name: string): Promise<number[]> => [...(await checkpoint.matrix(name)).data];
    expect(await whole('layers.0.attention.wq.weight')).toEqual(table(1, D, D).flat());
    expect(await whole('layers.0.attention.wo.weight')).toEqual(table(2, D, D).flat());
  }); // prettier-ignore

  test('is compared as a whole', async () => {
    const { tying } = await openHere([fileAt(0, parts(0, E)), fileAt(1, parts(1, E))]);
    expect(tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });

  test('has no verdict in a later file alone', async () => {
    const { tying, isWhole } = await openHere(fileAt(1, parts(1, E)));
    expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
    expect(tying.reason).toMatch(/^The file has a part of every matrix, as one of several/);
    expect(isWhole).toBe(false);
  });
});

test('the first file alone is a whole model, unless its rows are narrower than the states', async () => {
  const whole = { 'tok_embeddings.weight': E, 'output.weight': U, 'norm.weight': table(4, 1)[0]! };
  expect((await openHere(fileAt(0, whole))).tying).toMatchObject({ tied: false, evidence: 'different' });
  expect((await openHere(fileAt(0, second(0, E)))).tying).toMatchObject({ tied: null, evidence: 'unknown' });
});

test('files that do not fit are refused', async () => {
  const open = (one: Parameters<typeof fileAt>[1]): Promise<unknown> => openHere([fileAt(0, second(0)), fileAt(1, one)]); // prettier-ignore
  await expect(open({ ...second(1), 'output.weight': U })).rejects.toThrow(
    "consolidated.01.pth: 'output.weight' has the shape [12, 8] of F32; expected [6, 8] of F32, as in consolidated.00.pth",
  );
  const without: Record<string, Numbers | readonly number[]> = second(1);
  delete without['norm.weight'];
  await expect(open(without)).rejects.toThrow("'norm.weight' is missing in file 1 of 2; expected a part in each");
  await expect(openHere([fileAt(0, second(0)), fileAt(2, second(1))])).rejects.toThrow('source has several models');
});
