/** GGUF headers: what is read, how little of the file is read, and the message for every kind of damage. */
import { describe, expect, test } from 'vitest';
import { readGguf } from '../../../web/core/checkpoint/formats/gguf.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { gguf, joined, ramp, uint, utf8, type GgufParts } from './checkpoint-files.js';

const F32 = 0;
const table = { dimensions: [2, 3], type: F32, data: ramp(6) };
const parts = (more: Partial<GgufParts> = {}): GgufParts => ({ tensors: { 'token_embd.weight': table }, ...more });
const read = (bytes: Uint8Array) => readGguf(new BytesSource(bytes, 'a.gguf'));

test('shapes are [rows, cols], and data begin at the next multiple of the alignment', async () => {
  for (const alignment of [1, 32, 128]) {
    const bytes = gguf(
      parts({
        alignment,
        tensors: { first: { ...table, dimensions: [3], data: ramp(3) }, 'token_embd.weight': table },
      }),
    );
    const { tensors } = await read(bytes);
    const { shape, from, dtype } = tensors.get('token_embd.weight')!;
    expect(shape).toEqual([3, 2]);
    expect(dtype).toBe('F32');
    expect(from % alignment).toBe(0);
    expect(bytes.slice(from, from + 24)).toEqual(ramp(6));
  }
});

test('version 2 is read like version 3, and other versions and big-endian files are refused by name', async () => {
  expect((await read(gguf(parts({ version: 2 })))).tensors.size).toBe(1);
  await expect(read(gguf(parts({ version: 1 })))).rejects.toThrow('it is of version 1; expected 2 or 3');
  await expect(read(gguf(parts({ version: 4 })))).rejects.toThrow('it is of version 4; expected 2 or 3');
  await expect(read(gguf(parts({ version: 0x03000000 })))).rejects.toThrow('it is big-endian');
});

test('tokens are read unchanged, including parts of characters and markup, and other arrays are skipped', async () => {
  const values = {
    'general.name': { string: 'tiny' },
    'tokenizer.ggml.merges': { strings: ['a b', 'c d'] },
    'tokenizer.ggml.tokens': { strings: ['<s>', '<b onclick=x>', Uint8Array.of(0xc3)] },
    'tokenizer.ggml.scores': { raw: joined(uint(9, 4), uint(6, 4), uint(3, 8), ramp(3)) },
    nested: { raw: joined(uint(9, 4), uint(9, 4), uint(1, 8), uint(8, 4), uint(1, 8), uint(2, 8), utf8('ab')) },
    flag: { raw: joined(uint(7, 4), Uint8Array.of(1)) },
  };
  const { tokens, values: found } = await read(gguf(parts({ values })));
  expect(tokens).toEqual(['<s>', '<b onclick=x>', '\uFFFD']);
  expect(found.get('general.name')).toBe('tiny');
  expect(found.get('flag')).toBe(true);
  expect(found.get('tokenizer.ggml.merges')).toBeNull();
});

test('little more than the header of a large file is read', async () => {
  const bytes = gguf({
    tensors: { 'token_embd.weight': { dimensions: [1024, 1024], type: F32, data: new Uint8Array(2 ** 22) } },
  });
  const source = new BytesSource(bytes);
  await readGguf(source);
  expect(source.bytesRead).toBe(65_536);
});

test('a long header is read in growing pieces, each byte once', async () => {
  const strings = Array.from({ length: 40_000 }, (_, i) => `token ${i}`);
  const bytes = gguf(parts({ values: { 'tokenizer.ggml.tokens': { strings } } }));
  const source = new BytesSource(bytes);
  const { tokens } = await readGguf(source);
  expect(tokens).toEqual(strings);
  expect(source.bytesRead).toBeLessThanOrEqual(bytes.length);
});

const changed = (bytes: Uint8Array, at: number, piece: Uint8Array): Uint8Array =>
  joined(bytes.subarray(0, at), piece, bytes.subarray(at + piece.length));
const whole = gguf(parts());
/** Bytes of the header before the first tensor if there are no values; then its name of 17 bytes. */
const HEAD = 24;
const DIMENSIONS = HEAD + 8 + 17;

describe('damage to GGUF', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['another magic number', changed(whole, 0, utf8('GGUX')), /it starts with other bytes; expected GGUF/],
    [
      'too many tensors',
      changed(whole, 8, uint(2n ** 40n, 8)),
      /the number of tensors is 1099511627776; expected at most 10000000/,
    ],
    [
      'more tensors than bytes',
      changed(whole, 8, uint(1000, 8)),
      /1000 tensors and 0 keys need \d+ bytes; expected at most \d+/,
    ],
    [
      'too many keys',
      changed(whole, 16, uint(2n ** 63n, 8)),
      /the number of keys is 9223372036854775808; expected at most 100000/,
    ],
    [
      'a name longer than the file',
      changed(whole, HEAD, uint(5000, 8)),
      /the name of tensor 0 has 5000 bytes; expected at most \d+, which the file has left/,
    ],
    [
      'a name that is not UTF-8',
      changed(whole, HEAD + 8, Uint8Array.of(0xff)),
      /the name of tensor 0 has bytes that are not UTF-8/,
    ],
    ['five dimensions', changed(whole, DIMENSIONS, uint(5, 4)), /has 5 dimensions; expected at most 4/],
    [
      'a dimension of 2^33',
      changed(whole, DIMENSIONS + 4, uint(2n ** 33n, 8)),
      /dimension 0 of 'token_embd.weight' is 8589934592; expected at most 4294967296/,
    ],
    [
      '2^64 elements',
      changed(whole, DIMENSIONS + 4, joined(uint(2n ** 32n, 8), uint(2n ** 32n, 8))),
      /shape \[4294967296, 4294967296\]/,
    ],
    [
      'an offset beyond the end',
      changed(whole, DIMENSIONS + 24, uint(2n ** 62n, 8)),
      /ends after the file of \d+ bytes/,
    ],
    [
      'an offset out of line',
      changed(whole, DIMENSIONS + 24, uint(7, 8)),
      /begins at byte 7 of the data; expected a multiple of 32/,
    ],
    ['half a block', changed(whole, DIMENSIONS + 20, uint(8, 4)), /expected rows of whole blocks of 32 elements/],
    ['a header cut off', whole.subarray(0, 40), /1 tensors and 0 keys need \d+ bytes; expected at most \d+/],
    ['data cut off', whole.subarray(0, -20), /ends after the file/],
    [
      'an alignment of 3',
      gguf(parts({ values: { 'general.alignment': { u32: 3 } } })),
      /general.alignment is 3; expected a power of two/,
    ],
    ['a value of type 13', gguf(parts({ values: { a: { raw: uint(13, 4) } } })), /the value of 'a' has the type 13/],
    [
      'a flag of 2',
      gguf(parts({ values: { a: { raw: joined(uint(7, 4), Uint8Array.of(2)) } } })),
      /the value of 'a' is 2; expected 0 or 1/,
    ],
    [
      'an array of a million and one',
      gguf(parts({ values: { a: { raw: joined(uint(9, 4), uint(0, 4), uint(1_000_001, 8)) } } })),
      /the number of elements of 'a' is 1000001/,
    ],
    [
      'an array longer than the file',
      gguf(parts({ values: { a: { raw: joined(uint(9, 4), uint(8, 4), uint(900_000, 8)) } } })),
      /'a' has 900000 elements; expected at most \d+ bytes of them/,
    ],
    [
      'arrays in arrays',
      gguf(
        parts({
          values: {
            a: {
              raw: joined(
                uint(9, 4),
                ...Array.from({ length: 6 }, () => joined(uint(9, 4), uint(1, 8))),
                new Uint8Array(99),
              ),
            },
          },
        }),
      ),
      /'a' is nested too deep; expected at most 4/,
    ],
  ])('%s is named', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(/^a\.gguf: /) as string,
    });
  });

  test('duplicate keys, duplicate tensors and overlapping tensors are refused', async () => {
    const key = joined(uint(1, 8), utf8('k'), uint(0, 4), Uint8Array.of(1));
    const twice = joined(utf8('GGUF'), uint(3, 4), uint(0, 8), uint(2, 8), key, key, new Uint8Array(64));
    await expect(read(twice)).rejects.toThrow("the key 'k' occurs twice");
    const two = gguf({ tensors: { a: table, b: table } });
    // The name of the second follows the entry of the first: 8 + 1 + 4 + 16 + 4 + 8 bytes.
    expect(String.fromCharCode(two[HEAD + 41 + 8]!)).toBe('b');
    await expect(read(changed(two, HEAD + 41 + 8, utf8('a')))).rejects.toThrow("the tensor 'a' occurs twice");
    await expect(read(changed(two, HEAD + 82 - 8, uint(0, 8)))).rejects.toThrow("'b' begins within 'a'");
  });

  test('an unknown type is refused when it is read, not before', async () => {
    const { tensors } = await read(changed(whole, DIMENSIONS + 20, uint(77, 4)));
    expect(tensors.get('token_embd.weight')!.dtype).toBe('type 77');
  });
});
