/** Files with very many tensors: what is done for each of their names, and that a page can draw meanwhile. */
import { afterEach, expect, test, vi } from 'vitest';
import { fileOf, floats, gguf, safetensors, type TensorParts } from './checkpoint-files.js';
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
  // A pause for each layer, and after each 10,000 names in four more searches.
  expect(found.turns).toBeGreaterThan(MANY / 512 + 12);
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
