/** Files with very many tensors: what is done for each of their names, and that a page can draw meanwhile. */
import { afterEach, expect, test, vi } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { readSafetensors } from '../../../web/core/checkpoint/formats/safetensors.js';
import { layersOf } from '../../../web/core/checkpoint/tables/layers.js';
import { withoutRepeats } from '../../../web/core/checkpoint/tables/repeats.js';
import type { TensorDirectory } from '../../../web/core/checkpoint/tensors.js';
import { fileOf, floats, gguf, safetensors, safetensorsOf, type TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { floatStorage, stateDict, tensor, torchZip } from './pytorch-files.js';
import { table, vector } from './verdict-files.js';

const MANY = 30_000;
const experts = Array.from({ length: MANY }, (_, i) => `model.layers.${i >> 9}.mlp.experts.${i & 511}.up_proj.weight`);
const element: TensorParts = { shape: [1, 1], data: floats([1]) };
const tables = { 'model.embed_tokens.weight': table(), 'lm_head.weight': table(1), 'model.norm.weight': vector(8) };
const inSafetensors = safetensors({ ...tables, ...Object.fromEntries(experts.map((name) => [name, element])) });
const inGguf = gguf({
  tensors: {
    ...Object.fromEntries(
      ['token_embd.weight', 'output.weight'].map((name, i) => [
        name,
        { dimensions: [8, 48], type: 0, data: table(i).data },
      ]),
    ),
    'output_norm.weight': { dimensions: [8], type: 0, data: vector(8).data },
    ...Object.fromEntries(
      experts.map((_, i) => [
        `blk.${i >> 9}.ffn_up.${i & 511}.weight`,
        { dimensions: [1, 1], type: 0, data: element.data },
      ]),
    ),
  },
});
// What writes them takes no more.
const fewer = experts.slice(0, 3000);
const ones = fewer.map((_, i) => floatStorage(`${i + 2}`, 1));
const ofTables = [floatStorage('0', 48 * 8), floatStorage('1', 48 * 8, 1)];
const inPyTorch = torchZip(
  stateDict({
    'model.embed_tokens.weight': tensor(ofTables[0]!, [48, 8]),
    ...Object.fromEntries(fewer.map((name, i) => [name, tensor(ones[i]!, [1, 1])])),
    'model.norm.weight': tensor(ofTables[0]!, [8]),
    'lm_head.weight': tensor(ofTables[1]!, [48, 8]),
  }),
  [...ofTables, ...ones],
);
afterEach(() => vi.restoreAllMocks());

/** How often the event loop turns, and how often something is called. */
async function counted(open: () => Promise<unknown>): Promise<{ turns: number; splits: number; big: number }> {
  const split = vi.spyOn(String.prototype, 'split');
  const big = vi.spyOn(DataView.prototype, 'getBigUint64');
  let [turns, isOver] = [0, false];
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await open();
  isOver = true;
  return { turns, splits: split.mock.calls.length, big: big.mock.calls.length };
}

test.each([
  ['safetensors', 'm.safetensors', inSafetensors, MANY],
  ['GGUF', 'm.gguf', inGguf, MANY],
  ['PyTorch', 'm.pt', inPyTorch, fewer.length],
] as const)('names in layers of %s are not taken apart, and others have their turn', async (_, name, bytes, many) => {
  const found = await counted(async () => {
    const checkpoint = await openHere(fileOf(name, bytes));
    expect(checkpoint.tensors).toHaveLength(many + 3);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
  });
  expect(found.splits).toBeLessThan(200);
  // Numbers of 64 bits are made for what stands before the tensors, and for those at the ends of pieces.
  expect(found.big).toBeLessThan(2000);
  // A pause after each 10,000 entries, if there are as many, and before each search of all names.
  expect(found.turns).toBeGreaterThan(many > 10_000 ? 5 : 3);
});

test('others have their turn while a table that is missing is looked for among all of them', async () => {
  const square: TensorParts = { shape: [2, 2], data: floats([1, 2, 3, 4]) };
  const one = { 'model.embed_tokens.weight': table(), 'model.norm.weight': vector(8) };
  const tied = safetensors({ ...one, ...Object.fromEntries(experts.map((name) => [name, square])) });
  const found = await counted(async () => {
    const { tying } = await openHere(fileOf('m.safetensors', tied));
    expect(tying).toMatchObject({ tied: true, evidence: 'missing-output' });
  });
  // After each 2,000 entries, and after each 4,000 names while those are left out that tell no more than others.
  expect(found.turns).toBeGreaterThan(MANY / 2000 + MANY / 4000);
});

/** Some names, each with a shape of one or two numbers. */
const directoryOf = (shapes: Readonly<Record<string, readonly number[]>>): TensorDirectory => ({
  ...{ format: 'safetensors', metadata: new Map(), values: new Map(), tokens: null, notes: [] },
  tensors: new Map(
    Object.entries(shapes).map(([name, shape]) => [
      name,
      { name, shape, dtype: 'F32', bytes: 4, source: new BytesSource(new Uint8Array()), from: 0 },
    ]),
  ),
});

test('of numbered parts within a layer, those are searched that differ in more than their number', async () => {
  const expert = (layer: number, number: number, part = 'up_proj'): string =>
    `model.layers.${layer}.mlp.experts.${number}.${part}.weight`;
  const alike = [0, 1].flatMap((layer) => [0, 1, 2, 3, 10].map((number) => expert(layer, number)));
  const directory = directoryOf({
    ...Object.fromEntries(alike.map((name) => [name, [4, 8]])),
    [expert(1, 7)]: [48, 8],
    [expert(1, 9, 'lm_head')]: [4, 8],
    'model.layers.1.table.5.weight': [4, 8],
    'model.layers.1.table.6.weight': [4, 8],
    'model.layers.1.table.7.weight': [4, 8],
    'layers.x.mlp.experts.3.weight': [4, 8],
    ...Object.fromEntries([2, 3, 4, 5].map((layer) => [`model.layers.${layer}.mlp.up_proj.weight`, [4, 8]])),
    ...Object.fromEntries([1, 2, 3].map((part) => [`tables.${part}.weight`, [4, 8]])),
  });
  const found = await withoutRepeats(directory, [expert(0, 10)], 0);
  const left = alike.filter((name) => !/experts\.(?:2|3|10)\./.test(name) || name === expert(0, 10));
  const others = [...directory.tensors.keys()].filter((name) => !alike.includes(name));
  expect(new Set(found.names)).toEqual(new Set([...left, ...others]));
  expect([...found.directory.tensors.keys()]).toEqual(found.names);
  // What is as small as most models are is searched as it is.
  expect((await withoutRepeats(directory, [])).directory).toBe(directory);
});

test.each([
  ['tied', {}, { tied: true, evidence: 'missing-output' }],
  ['not known, for a part of one layer', { 'model.layers.3.mlp.experts.510.up_proj.weight': table(5) }, { tied: null }],
])('with very many experts, a model is %s', async (_, odd, verdict) => {
  const square: TensorParts = { shape: [2, 2], data: floats([1, 2, 3, 4]) };
  const many = experts.slice(0, 12_000).map((name) => [name, square] as const);
  const bytes = safetensors({ 'model.embed_tokens.weight': table(), 'model.norm.weight': vector(8), ...Object.fromEntries(many), ...odd }); // prettier-ignore
  expect((await openHere(fileOf('m.safetensors', bytes))).tying).toMatchObject(verdict);
});

test('layers may be as many as names', () => {
  const names = Array.from({ length: 200_000 }, (_, layer) => `layers.${layer}.mlp.weight`);
  expect(layersOf(names)).toEqual({ from: 0, to: 199_999, gap: false });
});

test('a header may be longer than what is decoded at once', async () => {
  const entry = (name: string, from: number): string =>
    `"${name}":{"dtype":"U8","shape":[1],"data_offsets":[${from},${from + 1}]}`;
  // Two bytes each, of which one begins a piece, and the other ends one.
  const metadata = `"__metadata__":{"title":"a${'é'.repeat(3_000_000)}"}`;
  const names = [...Array.from({ length: 3000 }, (_, i) => `tensor.${i}`), 'with "quotes"', 'schön', ''];
  const entries = names.map((name, i) => entry(name.replaceAll('"', '\\"'), i));
  const read = async (more: string, size = names.length): Promise<readonly string[]> => {
    const bytes = safetensorsOf(
      `{${[metadata, ...entries, ...(more === '' ? [] : [more])].join(', ')}}`,
      new Uint8Array(size),
    );
    const found = await readSafetensors(new BytesSource(bytes, 'a.safetensors'));
    expect(found.metadata.get('title')).toHaveLength(3_000_001);
    return [...found.tensors.keys()];
  };
  expect(await read('')).toEqual(names);
  await expect(read(entry('tensor.17', names.length))).rejects.toThrow("the key 'tensor.17' occurs twice");
  await expect(read('"last": nothing')).rejects.toThrow(/it has 'nothing\}' at character 3\d{6}; expected a value/);
  await expect(read('', names.length - 1)).rejects.toThrow('the file may be cut off');
});

test('what is no JSON is said before what an entry has', async () => {
  const bad = (header: string): Promise<unknown> => {
    const text = new TextEncoder().encode(header);
    const length = new Uint8Array(8);
    new DataView(length.buffer).setUint32(0, text.length, true);
    return openHere(fileOf('m.safetensors', Uint8Array.from([...length, ...text])));
  };
  await expect(bad('{"a": 1, "b"')).rejects.toThrow("its header is not JSON of this format: it has the end at character 12; expected :"); // prettier-ignore
  await expect(bad('{"a": 1, "a": 2}')).rejects.toThrow("'a' is 1; expected { dtype, shape, data_offsets }");
  await expect(bad('{"__metadata__": {}, "__metadata__": {}}')).rejects.toThrow("the key '__metadata__' occurs twice");
});
