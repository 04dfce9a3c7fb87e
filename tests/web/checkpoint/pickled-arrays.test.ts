/** Arrays of NumPy in pickles, alone and in files of torch.save. tests/judges/pytorch.test.ts has NumPy itself write them. */
import { describe, expect, test } from 'vitest';
import { fileOf, floats, joined, uint, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { call, dict, floatStorage, list, name, ndarray, pickled, raw, stateDict, tensor, torchOld, torchZip, type ArrayHow, type Code, type Py } from './pytorch-files.js'; // prettier-ignore

const [V, D] = [12, 4];
const numbers = (start = 0): number[] => Array.from({ length: V * D }, (_, i) => start + i / 4);
const E = floats(numbers());
const U = floats(numbers(90));
const rest = { 'h.0.attn.c_proj.weight': ndarray([D, D], floats(numbers().slice(0, D * D))), 'ln_f.weight': ndarray([D], floats([1, 2, 3, 4])) }; // prettier-ignore

const pickle = (value: Py, protocol = 2): File => fileOf('model.pkl', pickled(value, protocol));
const message = async (value: Py): Promise<string> =>
  openHere(pickle(value)).then(
    () => 'opened',
    (error: Error) => error.message,
  );

describe.each<[string, ArrayHow]>([
  ['protocol 2', {}],
  ['protocol 4', { protocol: 4 }],
  ['protocol 5', { protocol: 5 }],
])('in %s', (_, how) => {
  test('a model has the verdict and the numbers that it has in any file', async () => {
    const model = { 'wte.weight': ndarray([V, D], E, how), ...rest };
    for (const open of [pickle(dict(model), how.protocol), torchZip(stateDict(model), []), torchOld(dict({ model: dict(model) }), [])]) {
      const checkpoint = await openHere(open);
      expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'missing-output' });
      expect([...(await checkpoint.matrix('input')).data]).toEqual(numbers());
    }
    const two = await openHere(pickle(dict({ ...model, 'lm_head.weight': ndarray([V, D], U, how) })));
    expect(two.format).toBe('pickle');
    expect(two.tying).toMatchObject({ tied: false, evidence: 'different' });
  }); // prettier-ignore

  test('arrays by columns, of other types and of the other order of bytes are read as they are', async () => {
    const turned = await openHere(pickle(ndarray([V, D], E, { ...how, isFortran: true })));
    expect((await turned.matrix('input')).data[1]).toBe(V / 4);
    const doubles = new Uint8Array(Float64Array.from(numbers()).buffer);
    const wide = await openHere(pickle(ndarray([V, D], doubles, { ...how, code: 'f8' })));
    expect([...(await wide.matrix('input')).data]).toEqual(numbers());
    const swapped = E.slice();
    for (let at = 0; at < swapped.length; at += 4) swapped.subarray(at, at + 4).reverse();
    const big = await openHere(pickle(ndarray([V, D], swapped, { ...how, order: '>' })));
    expect([...(await big.matrix('input')).data]).toEqual(numbers());
  });
});

test('two names of one array are one table', async () => {
  const once = raw(ndarray([V, D], E).bytes, 'q', 7);
  const again = raw('h', 7);
  const { tying } = await openHere(pickle(dict({ 'wte.weight': once, 'lm_head.weight': again, ...rest })));
  expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
});

test('arrays beside a model are no obstacle', async () => {
  const storage = floatStorage('0', V * D);
  const model = stateDict({ 'wte.weight': tensor(storage, [V, D]), 'lm_head.weight': tensor(storage, [V, D]) });
  const beside = {
    steps: ndarray([3], new Uint8Array(24), { code: 'i8' }),
    names: ndarray([2], list('a', 'b'), { code: 'O8', order: '|' }),
    best: call(name('numpy.core.multiarray', 'scalar'), null, null),
  };
  const { tying } = await openHere(torchZip(dict({ model, ...beside }), [storage]));
  expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
});

test('a matrix in an array of objects counts: it may be the table that seems to be missing', async () => {
  const objects = ndarray([1], list(ndarray([V, D], U)), { code: 'O8', order: '|' });
  const { tying } = await openHere(pickle(dict({ 'wte.weight': ndarray([V, D], E), ...rest, more: objects })));
  expect(tying).toMatchObject({ tied: null, candidates: ['more.0'] });
});

test('a text of more than 10 MB may have the numbers of an array', async () => {
  const rows = 700_000;
  const bytes = new Uint8Array(4 * rows * D).map((_, i) => (i % 4 === 3 ? 0x3f : i % 251));
  // As UTF-8, a byte from 128 on takes two.
  const text = new Uint8Array(bytes.length + bytes.filter((byte) => byte > 127).length);
  let at = 0;
  for (const byte of bytes) {
    if (byte > 127) text[at++] = 0xc0 | (byte >> 6);
    text[at++] = byte > 127 ? 0x80 | (byte & 63) : byte;
  }
  const long = raw('c_codecs\nencode\n', '(', 'X', uint(text.length, 4), text, 'X', uint(6, 4), 'latin1', 't', 'R');
  const checkpoint = await openHere(pickle(ndarray([rows, D], long)));
  const last = await checkpoint.matrix('input', { rows: { from: rows - 1, to: rows } });
  expect(last.data).toEqual(new Float32Array(bytes.slice(-4 * D).buffer));
});

describe('word vectors', () => {
  const words = Array.from({ length: V }, (_, i) => `w${i}`);
  const rows = words.map((_, i) => E.slice(4 * D * i, 4 * D * (i + 1)));
  test.each<[string, Py]>([
    ['a tuple of words and a matrix', [words, ndarray([V, D], E)]],
    ['a dictionary with both', dict({ vectors: ndarray([V, D], E), words: list(...words) })],
    ['the row of each word, in any order', dict({ vectors: ndarray([V, D], E), word2index: dict(words.map((word, i) => [word, i] as const).reverse()) })],
    ['a vector for each word', dict(words.map((word, i) => [word, ndarray([D], rows[i]!)] as const))],
  ])('%s are one table with its words', async (_, value) => {
    const checkpoint = await openHere(pickle(value));
    expect(checkpoint.tokens).toEqual(words);
    expect([...(await checkpoint.matrix('input')).data]).toEqual(numbers());
    expect(checkpoint.tying).toMatchObject({ tied: null, evidence: 'unknown' });
  }); // prettier-ignore
});

test.each<[string, Code, RegExp]>([
  ['without a state', call(name('numpy.core.multiarray', '_reconstruct'), name('numpy', 'ndarray'), [0], 'b'), /is an array of NumPy without numbers/],
  ['of another class', call(name('numpy.core.multiarray', '_reconstruct'), name('torch', 'Size'), [0], 'b'), /gives numpy\.core\.multiarray\._reconstruct other arguments than PyTorch or NumPy/],
  ['with a state of something else', raw(call(name('numpy.core.multiarray', '_reconstruct'), name('numpy', 'ndarray'), [0], 'b').bytes, 'N', 'b'), /has an array of NumPy without its shape, its type or its numbers; expected all three/],
  ['with fewer bytes', ndarray([V, D], E.slice(1)), /'wte': it has 191 bytes of numbers; expected 192 for the shape \[12, 4\] of <f4/],
  ['of more than 2^53 numbers', ndarray([2 ** 40, 2 ** 40], E), /expected fewer than 2\^53/],
  ['of a negative size', ndarray([-1, D], E), /without its shape/],
  ['of characters beyond 255', ndarray([1, 1], call(name('_codecs', 'encode'), '\u0100abc', 'latin1')), /gives _codecs\.encode other arguments/],
  ['of a buffer elsewhere', ndarray([1, 1], raw(0x97), { protocol: 5 }), /has the instruction NEXT_BUFFER/],
  ['of more bytes than there are', ndarray([1, 1], raw(0x8e, uint(2 ** 32 - 1, 8)), { protocol: 4 }), /its pickle has no end/],
  ['of a class of its own', ndarray([1, 1], E, { code: 'x' }), /'wte' is in the file, but|opened|no tensor|cannot be decoded/],
])('an array %s is refused', async (_, array, problem) => {
  expect(await message(dict({ wte: array }))).toMatch(problem);
}); // prettier-ignore

test('a pickle names no class that may run code, and refers to nothing', async () => {
  expect(await message(call(name('joblib.numpy_pickle', 'NumpyArrayWrapper')))).toMatch(/names joblib\.numpy_pickle\.NumpyArrayWrapper, which may run code/); // prettier-ignore
  expect(await message(call(name('os', 'system'), 'touch gone'))).toMatch(/names os\.system, which may run code/);
  expect(await message(raw('K', 1, 'Q'))).toMatch(/refers to other parts of a file/);
  expect(await message(dict({}))).toMatch(/it holds no tensors/);
  await expect(openHere(fileOf('a.pkl', joined(pickled(1).subarray(0, 3), utf8('c'))))).rejects.toThrow('its pickle has no end'); // prettier-ignore
}); // prettier-ignore
