/** The safetensors header: 75 small files, valid and malformed, with the results of the reference reader, and our own cases. */
import { describe, expect, test } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { readSafetensors } from '../../../web/core/checkpoint/formats/safetensors.js';
import { TiedError } from '../../../web/index.js';
import { sharedFile } from '../core/support.js';
import { ramp, safetensors, safetensorsOf } from './checkpoint-files.js';

interface Case {
  name: string;
  hex: string;
  expect: 'accept' | 'reject' | 'accept-or-refuse-with-reason' | 'reject-or-accept';
}

const file = sharedFile('safetensors/safetensors-cases.json');
const cases = file === null ? [] : (JSON.parse(new TextDecoder().decode(file)) as { cases: Case[] }).cases;

async function outcome(bytes: Uint8Array): Promise<TiedError | 'accepted'> {
  try {
    await readSafetensors(new BytesSource(bytes, 'a.safetensors'));
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(TiedError);
    return error as TiedError;
  }
}

/** What this reader does in cases that the reference leaves open. */
const OPEN: Readonly<Record<string, 'accept' | 'reject'>> = {
  'leading-whitespace-in-header': 'accept',
  'f4-1x2-one-byte': 'accept',
  'metadata-null': 'accept',
  'unknown-extra-key-in-tensor-entry': 'accept',
  'float-that-is-an-integer-dimension': 'reject',
  'duplicate-tensor-name': 'reject',
};

/** Where this reader goes further: a newer writer's types are a note in the checkpoint. */
const NEWER: Readonly<Record<string, 'accept'>> = { 'unknown-dtype': 'accept', 'lower-case-dtype': 'accept' };

describe.skipIf(file === null)('the cases of the reference reader', () => {
  test('number 75', () => expect(cases).toHaveLength(75));

  test.each(cases)('$name: $expect', async ({ name, hex, expect: expected }) => {
    const result = await outcome(Uint8Array.from(Buffer.from(hex, 'hex')));
    const wanted = NEWER[name] ?? (expected === 'accept' || expected === 'reject' ? expected : OPEN[name]);
    if (wanted === 'accept') expect(result).toBe('accepted');
    else {
      expect(wanted).toBe('reject');
      expect(result).toMatchObject({
        code: 'bad-file',
        message: expect.stringMatching(/^a\.safetensors: .{10}/) as string,
      });
    }
  });
});

const entry = (fields: string): string => `{"a":{${fields}}}`;
const U8 = '"dtype":"U8","shape":[1],"data_offsets":[0,1]';

// The same kinds of faults, for machines without that file. The message names the fault.
test.each<[string, Uint8Array, RegExp]>([
  ['cut off in its length', Uint8Array.of(1, 0, 0), /has 3 bytes; expected at least 8/],
  [
    'with a header of 2^63 bytes',
    safetensorsOf('{}', undefined, 2 ** 63),
    /9223372036854775808 bytes; expected at most 100000000/,
  ],
  [
    'cut off in its header',
    safetensorsOf('{}', undefined, 50),
    /header of 50 bytes ends after the file of 10 bytes; expected at least 58: it may be cut off/,
  ],
  [
    'with a byte order mark',
    safetensorsOf('\uFEFF{}'),
    /is not JSON of this format: it has '.{3}' at character 0; expected a value/,
  ],
  [
    'with two tensors of one name',
    safetensorsOf(`{"a":{${U8}},"a":{${U8}}}`, Uint8Array.of(1)),
    /the key 'a' occurs twice/,
  ],
  ['with an array for a header', safetensorsOf('[]'), /header is \[\]; expected a JSON object/],
  ['with a lone surrogate', safetensorsOf('{"\\ud800":1}'), /expected a string with valid escapes/],
  [
    'with 2^53 + 1 elements',
    safetensorsOf(entry('"dtype":"U8","shape":[9007199254740993],"data_offsets":[0,9007199254740992]')),
    /'a' has the shape \[9007199254740993\]/,
  ],
  ['with a size of -0', safetensorsOf(entry('"dtype":"U8","shape":[-0],"data_offsets":[0,0]')), /shape \[-0\]/],
  [
    'with a type that is no name',
    safetensorsOf(entry('"dtype":31,"shape":[1],"data_offsets":[0,1]')),
    /'a' has the dtype 31; expected the name of a type, such as F64/,
  ],
  [
    'with too few bytes for its shape',
    safetensorsOf(entry('"dtype":"F32","shape":[2,2],"data_offsets":[0,4]'), new Uint8Array(4)),
    /F32 of shape \[2, 2\], has 4 bytes; expected 16/,
  ],
  [
    'cut off in its data',
    safetensors({ a: { shape: [2], data: ramp(2) } }).slice(0, -1),
    /expected \d+ by its header; the file may be cut off/,
  ],
  ['with bytes after its data', safetensorsOf(entry(U8), new Uint8Array(2)), /has 63 bytes; expected 62/],
  [
    'with a hole',
    safetensorsOf(entry('"dtype":"U8","shape":[1],"data_offsets":[3,4]'), new Uint8Array(4)),
    /'a' begins at byte 3 of the data; expected 0/,
  ],
  ['nested too deep', safetensorsOf('[{"a":'.repeat(40)), /nested too deep; expected at most 32/],
])('a file %s is refused with the reason', async (_, bytes, message) => {
  expect(await outcome(bytes)).toMatchObject({ code: 'bad-file', message: expect.stringMatching(message) as string });
});

test('a tensor may be named like a part of JavaScript', async () => {
  const bytes = safetensorsOf(
    `{"__proto__":{${U8}},"constructor":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`,
    Uint8Array.of(1, 2),
  );
  const { tensors } = await readSafetensors(new BytesSource(bytes));
  expect([...tensors.keys()]).toEqual(['__proto__', 'constructor']);
  expect(({} as { dtype?: string }).dtype).toBeUndefined();
});

test('data are read from where the header says, in any order and at any alignment', async () => {
  const header =
    '{"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}';
  const { tensors, end } = await readSafetensors(new BytesSource(safetensorsOf(header, new Uint8Array(5))));
  expect(tensors.get('b')).toMatchObject({ from: 8 + header.length + 1, bytes: 4, shape: [1] });
  expect(end).toBe(8 + header.length + 5);
});
