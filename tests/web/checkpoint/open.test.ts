/** Opening checkpoints of every format from bytes, Blobs and Files: tables, evidence of tying, tokens, and the bytes read. */
import { describe, expect, test } from 'vitest';
import type {
  CheckpointSource,
  OpenCheckpointOptions,
  RunnableCheckpoint,
} from '../../../web/core/checkpoint/types.js';
import { tinyModel, tinyTokenizer, VOCAB } from '../../browser/llama2c-files.js';
import {
  fileOf,
  floats,
  gguf,
  joined,
  npy,
  ramp,
  restOfGpt2,
  safetensors,
  uint,
  utf8,
  type GgufParts,
} from './checkpoint-files.js';
import { openHere } from './open-here.js';

const open = (from: CheckpointSource, options?: OpenCheckpointOptions) => openHere(from, options);
const json = (name: string, value: unknown): File => fileOf(name, utf8(JSON.stringify(value)));

const [V, D] = [6, 4];
const table = (start = 0) => ({ shape: [V, D], data: ramp(V * D, start) });
const filler = (elements: number) => ({ shape: [elements], data: new Uint8Array(4 * elements) });
const numbers = (from: number, count: number, start = 0): number[] =>
  Array.from({ length: count }, (_, i) => start + (from + i) / 4);

describe('rows', () => {
  const bytes = safetensors({ 'wte.weight': table(), big: filler(100_000), 'lm_head.weight': table(100) });

  test('of both tables are returned, all or some, in the requested order', async () => {
    const checkpoint = await open(bytes);
    expect(await checkpoint.matrix('input')).toEqual({ rows: V, cols: D, data: Float32Array.from(numbers(0, V * D)) });
    expect(await checkpoint.matrix('output', { rows: { from: 2, to: 4 } })).toEqual({
      rows: 2,
      cols: D,
      data: Float32Array.from(numbers(8, 8, 100)),
    });
    const { data } = await checkpoint.matrix('wte.weight', { rows: Uint32Array.of(5, 0, 1) });
    expect([...data]).toEqual([...numbers(20, 4), ...numbers(0, 8)]);
    expect((await checkpoint.matrix('input', { rows: { from: 3, to: 3 } })).data).toHaveLength(0);
  });

  test('are read without reading other bytes, except for the header', async () => {
    const checkpoint = await open(new Blob([bytes]));
    const opened = checkpoint.bytesRead;
    // The first bytes identify the format; then the header and samples at three places of each table are read.
    expect(opened).toBeLessThan(65_536 + 400 + 6 * V * D * 4);
    await checkpoint.matrix('output', { rows: { from: 1, to: 3 } });
    await checkpoint.matrix('input', { rows: Uint32Array.of(0, 5) });
    expect(checkpoint.bytesRead - opened).toBe(4 * 4 * D);
  });

  test('outside the table, or of no tensor, are refused before anything is read', async () => {
    const checkpoint = await open(bytes);
    const before = checkpoint.bytesRead;
    await expect(checkpoint.matrix('input', { rows: { from: 0, to: 7 } })).rejects.toThrow(
      'options.rows.to is 7; expected an integer from 0 to 6',
    );
    await expect(checkpoint.matrix('input', { rows: Uint32Array.of(6) })).rejects.toThrow(
      'options.rows is 6; expected ids below 6',
    );
    await expect(checkpoint.matrix('wte.weigh')).rejects.toThrow("did you mean 'wte.weight'?");
    await expect(checkpoint.matrix('big')).rejects.toMatchObject({ code: 'shape-mismatch' });
    expect(checkpoint.bytesRead).toBe(before);
    checkpoint.dispose();
    await expect(checkpoint.matrix('input')).rejects.toMatchObject({ code: 'disposed' });
  });

  test('of a table with a column for each token are transposed', async () => {
    const data = floats(Array.from({ length: V * D }, (_, i) => (i % V) * D + Math.floor(i / V)));
    const checkpoint = await open(safetensors({ wte: table(), lm_head: { shape: [D, V], data } }));
    expect((await checkpoint.matrix('output', { rows: { from: 1, to: 3 } })).data).toEqual(
      Float32Array.of(4, 5, 6, 7, 8, 9, 10, 11),
    );
    expect(checkpoint.tables.output!.shape).toEqual([D, V]);
  });

  test('of types that cannot be decoded are refused by name, and a note says so at once', async () => {
    const blocks = await open(
      gguf({ tensors: { 'token_embd.weight': { dimensions: [256, 2], type: 16, data: new Uint8Array(132) } } }),
    );
    expect(blocks.notes).toEqual([
      "'token_embd.weight' has the type IQ2_XXS, which cannot be decoded: its rows cannot be read, and have no token strings.",
    ]);
    await expect(blocks.matrix('input')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('has the type IQ2_XXS') as string,
    });
  });
});

describe('what can be no table is refused before its tying is judged', () => {
  test.each<[string, string, readonly number[], number, string, string]>([
    ['integers', 'I8', [V, D], V * D, 'unsupported', "'wte.weight' has integers (I8), so it is packed or not a table"],
    ['wide integers', 'U32', [V, D], 4 * V * D, 'unsupported', 'has integers (U32)'],
    ['truth values', 'BOOL', [V, D], V * D, 'unsupported', 'has integers (BOOL)'],
    ['no rows', 'F32', [0, D], 0, 'shape-mismatch', 'has the shape [0, 4]; expected [tokens, width]'],
    ['no columns', 'F32', [V, 0], 0, 'shape-mismatch', 'has the shape [6, 0]; expected [tokens, width]'],
  ])('%s', async (_, dtype, shape, bytes, code, message) => {
    const tensor = { shape, data: new Uint8Array(bytes), dtype };
    const file = safetensors({ 'wte.weight': tensor, other: tensor, float: { shape: [3, 2], data: ramp(6) } });
    for (const tables of [undefined, { input: 'other' }, { input: 'float', output: 'other' }]) {
      const refused = await open(file, tables === undefined ? {} : { tables }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code });
      expect(String(refused)).toContain(tables === undefined ? message : message.replace('wte.weight', 'other'));
    }
    // Nor is it offered for a choice; whether it is a second table, packed or emptied, is not known.
    const { tying } = await open(safetensors({ wte: table(), ...restOfGpt2(D), other: tensor }));
    expect(tying.evidence).toBe('unknown');
    if (shape.includes(0)) expect(tying.reason).toContain("'other' has no elements, as in a file saved by one rank of");
    const unnamed = await open(safetensors({ other: tensor, float: table() })).catch((error: unknown) => error);
    expect(unnamed).toMatchObject({ details: { tables: [{ name: 'float' }] } });
  });
});

describe('evidence of tying', () => {
  const both = async (one: Uint8Array, other: Uint8Array, dtypes = ['F32', 'F32'], config?: unknown) => {
    const bytes = safetensors({
      'wte.weight': { shape: [V, D], data: one, dtype: dtypes[0]! },
      'lm_head.weight': { shape: [V, D], data: other, dtype: dtypes[1]! },
    });
    return open(config === undefined ? bytes : [fileOf('model.safetensors', bytes), json('config.json', config)]);
  };
  const bfloats = (values: readonly number[]): Uint8Array => {
    const all = floats(values);
    return Uint8Array.from({ length: all.length / 2 }, (_, i) => all[4 * (i >> 1) + 2 + (i & 1)]!);
  };

  test('missing-output', async () => {
    const { tying, tables } = await open(safetensors({ 'wte.weight': table(), ...restOfGpt2(D) }));
    expect(tying).toMatchObject({ tied: true, evidence: 'missing-output', conflict: null });
    expect(tables.output).toEqual(tables.input);
  });

  test('missing-input', async () => {
    const checkpoint = await open(safetensors({ 'lm_head.weight': table(), ...restOfGpt2(D) }));
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'missing-input' });
    expect((await checkpoint.matrix('input')).rows).toBe(V);
  });

  test('alias', async () => {
    const { tying } = await open(safetensors({ 'wte.weight': table() }, { 'lm_head.weight': 'wte.weight' }));
    expect(tying).toMatchObject({ tied: true, evidence: 'alias' });
  });

  test('equal-bytes, after reading all bytes', async () => {
    const checkpoint = await both(ramp(V * D), ramp(V * D));
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });

  test('different, even if only the last element differs', async () => {
    const other = ramp(V * D);
    other[other.length - 1]! ^= 1;
    expect((await both(ramp(V * D), other)).tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test('a difference that samples at three places miss is found', async () => {
    const [rows, cols] = [64, 256];
    const [one, other] = [ramp(rows * cols), ramp(rows * cols)];
    const tying = async () => {
      const of = (data: Uint8Array) => ({ shape: [rows, cols], data });
      return (await open(safetensors({ 'wte.weight': of(one), 'lm_head.weight': of(other) }))).tying;
    };
    // The last bit of a number, which another rounding may change.
    other[20_000]! ^= 1;
    expect(await tying()).toMatchObject({
      tied: null,
      reason:
        "'wte.weight' and 'lm_head.weight' differ, but in no number by more than its last bit in F32, as if one table had been rounded in two ways.",
    });
    other[40_000]! ^= 2;
    expect((await tying()).evidence).toBe('different');
  });

  test('equal-values, if one of the tables is rounded', async () => {
    const values = Array.from({ length: V * D }, (_, i) => Math.sin(i));
    expect((await both(floats(values), bfloats(values), ['F32', 'BF16'])).tying).toMatchObject({
      tied: true,
      evidence: 'equal-values',
    });
    // A difference of two rounding steps is not due to rounding.
    const other = values.map((value, i) => value * (1 + (i % 2) * 2 ** -6));
    expect((await both(floats(other), bfloats(values), ['F32', 'BF16'])).tying.evidence).toBe('different');
  });

  test('equal-values, for a GGUF with a quantized copy of the table', async () => {
    const values = Array.from({ length: 64 }, (_, i) => (i % 32) - 16);
    // A scale of 1 in half precision, then the values.
    const block = (at: number) =>
      joined(
        uint(0x3c00, 2),
        Uint8Array.from(values.slice(at, at + 32), (value) => value & 255),
      );
    const of = (f32: readonly number[]) =>
      gguf({
        tensors: {
          'token_embd.weight': { dimensions: [32, 2], type: 8, data: joined(block(0), block(32)) },
          'output.weight': { dimensions: [32, 2], type: 0, data: floats(f32) },
        },
      });
    expect((await open(of(values.map((value) => value + 0.04)))).tying).toMatchObject({
      tied: true,
      evidence: 'equal-values',
    });
    const other = values.map((value, i) => (i % 2 ? value : -value));
    expect((await open(of(other))).tying).toMatchObject({ tied: false, evidence: 'different' });
    // A multiple may be the same table.
    expect((await open(of(values.map((value) => -value)))).tying).toMatchObject({ tied: null, evidence: 'unknown' });
  });

  test('equal-values, if the output table has one column per token', async () => {
    const [rows, cols] = [300, 5];
    const at = (row: number, col: number): number => (7 * row + 13 * col) % 127;
    const input = floats(Array.from({ length: rows * cols }, (_, i) => at(Math.floor(i / cols), i % cols)));
    const turned = Array.from({ length: rows * cols }, (_, i) => at(i % rows, Math.floor(i / rows)));
    const open2 = (output: readonly number[], dtype = 'F32') => {
      const data = dtype === 'F32' ? floats(output) : bfloats(output);
      return open(
        safetensors({
          'wte.weight': { shape: [rows, cols], data: input },
          'lm_head.weight': { shape: [cols, rows], data, dtype },
        }),
      );
    };
    expect((await open2(turned)).tying).toMatchObject({ tied: true, evidence: 'equal-values', conflict: null });
    expect((await open2(turned, 'BF16')).tying.evidence).toBe('equal-values');
    // The first difference in the first row, in the last, and in one after the rows that are looked at first.
    for (const place of [0, rows * cols - 1, 2 * rows + 290]) {
      const other = turned.map((value, i) => (i === place ? value + 0.1 : value));
      expect((await open2(other)).tying.evidence).toBe('different');
    }
  });

  test('none, if two types cannot be compared because one is not decoded; equal bytes need no decoding', async () => {
    const of = (output: { dimensions: readonly number[]; type: number; data: Uint8Array }) =>
      open(
        gguf({
          tensors: {
            'token_embd.weight': { dimensions: [256, 2], type: 10, data: new Uint8Array(168).fill(1) },
            'output.weight': output,
          },
        }),
      );
    const other = await of({ dimensions: [256, 2], type: 14, data: new Uint8Array(420) });
    expect(other.tying).toMatchObject({ tied: null, evidence: 'unknown', conflict: null });
    expect(other.notes[0]).toContain("'token_embd.weight' has the type Q2_K, which cannot be decoded");
    const same = (value: number) => of({ dimensions: [256, 2], type: 10, data: new Uint8Array(168).fill(value) });
    expect((await same(1)).tying.evidence).toBe('equal-bytes');
    // A quantizer may have turned one table into both, with an importance matrix for one of them.
    expect((await same(2)).tying).toMatchObject({ tied: null, evidence: 'unknown' });
    // Nothing is known of the bytes of unknown types.
    const unknown = { dimensions: [256, 2], type: 200, data: new Uint8Array() };
    const types = gguf({ tensors: { 'token_embd.weight': unknown, 'output.weight': unknown } });
    expect((await open(types)).tying.evidence).toBe('unknown');
  });

  test('tables of different sizes are different, unless one may be the other one with more rows', async () => {
    const longer = (start: number) =>
      open(
        safetensors({
          'wte.weight': table(),
          'lm_head.weight': { shape: [V + 2, D], data: ramp((V + 2) * D, start) },
        }),
      );
    expect((await longer(1)).tying).toMatchObject({ tied: false, evidence: 'different' });
    expect((await longer(0)).tying).toMatchObject({
      tied: null,
      evidence: 'unknown',
      reason: `For the first ${V} tokens, 'wte.weight' and 'lm_head.weight' are equal, and 'lm_head.weight' has 2 tokens more, so it may be the same table, padded or resized.`,
    });
  });

  test.each([
    [false, ramp(V * D), 'config.json says tie_word_embeddings: false, but the two tables have equal bytes'],
    [true, ramp(V * D, 1), 'config.json says tie_word_embeddings: true, but the file has two tables that differ'],
    [true, ramp(V * D), null],
  ])('a conflict with config.json is named: %s', async (flag, other, conflict) => {
    const { tying } = await both(ramp(V * D), other, undefined, { tie_word_embeddings: flag });
    expect(tying.conflict).toBe(conflict);
  });

  test('a nested configuration counts, and one without the field does not', async () => {
    const inner = await both(ramp(V * D), ramp(V * D), undefined, { text_config: { tie_word_embeddings: false } });
    expect(inner.tying.conflict).toMatch(/false, which rules in version 4 of transformers; the two/);
    expect((await both(ramp(V * D), ramp(V * D), undefined, {})).tying.conflict).toBeNull();
  });

  test('a damaged configuration is reported, and the tables still open', async () => {
    const model = fileOf('model.safetensors', safetensors({ 'wte.weight': table(), ...restOfGpt2(D) }));
    const { tying, notes } = await open([model, fileOf('config.json', Uint8Array.of(123, 255))]);
    expect(tying).toMatchObject({ tied: true, evidence: 'missing-output', conflict: null });
    expect(notes).toEqual([expect.stringMatching(/^The configuration was not read: config\.json/)]);
  });

  test('a model without a head has nothing to tie', async () => {
    const files = [
      fileOf('model.safetensors', safetensors({ 'embed_tokens.weight': table() })),
      json('config.json', { architectures: ['Qwen3Model'] }),
    ];
    expect((await open(files)).tying).toMatchObject({ tied: null, evidence: 'not-a-language-model', conflict: null });
  });

  test('a table given by the caller is no evidence, unless it is given both roles', async () => {
    const bytes = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 4), }", ramp(V * D));
    const file = fileOf('words.npy', bytes);
    expect(await open(file)).toMatchObject({
      format: 'npy',
      tying: { tied: null },
      tables: { input: { name: 'words.npy' }, output: null },
    });
    const both = await open(file, { tables: { input: 'words.npy', output: 'words.npy' } });
    expect(both.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
  });
});

describe('formats', () => {
  test('NumPy in Fortran order is read by rows', async () => {
    const checkpoint = await open(
      npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", floats([1, 4, 2, 5, 3, 6])),
    );
    expect(await checkpoint.matrix('input')).toEqual({ rows: 2, cols: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) });
    expect((await checkpoint.matrix('input', { rows: Uint32Array.of(1) })).data).toEqual(Float32Array.of(4, 5, 6));
  });

  test('a text file has its tokens in the first column', async () => {
    const checkpoint = await open(fileOf('words.csv', utf8('<script>,1,2\nb,3,4\n')));
    expect(checkpoint).toMatchObject({ format: 'csv', tokens: ['<script>', 'b'] });
    expect((await checkpoint.matrix('input')).data).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  test('llama2.c is read with its tokenizer', async () => {
    const checkpoint = await open([
      fileOf('tok.bin', tinyTokenizer()),
      fileOf('model.bin', tinyModel({ tied: false })),
    ]);
    expect(checkpoint).toMatchObject({ format: 'llama2c', tying: { tied: false, evidence: 'different' } });
    expect(checkpoint.tokens).toHaveLength(checkpoint.tables.input!.shape[0]!);
    expect(checkpoint.tokens).toEqual(expect.arrayContaining(VOCAB.slice(-3)));
  });

  test('GGUF in several parts is opened from any part', async () => {
    const parts = (
      [
        { 'token_embd.weight': { dimensions: [D, V], type: 0, data: ramp(V * D) } },
        { 'output.weight': { dimensions: [D, V], type: 0, data: ramp(V * D, 9) } },
      ] as GgufParts['tensors'][]
    ).map((tensors, i) =>
      fileOf(
        `m-0000${i + 1}-of-00002.gguf`,
        gguf({ tensors, values: { 'tokenizer.ggml.tokens': { strings: ['a'] } } }),
      ),
    );
    for (const files of [parts, [...parts].reverse()]) {
      const checkpoint = await open(files);
      expect(checkpoint.tying.evidence).toBe('different');
      expect((await checkpoint.matrix('output')).data[0]).toBe(9);
      expect(checkpoint.tokens).toEqual(['a', '', '', '', '', '']);
      expect(checkpoint.notes).toEqual([
        expect.stringMatching(/has 1 token, the table 6 rows: the last rows have no token/),
      ]);
    }
    await expect(open([parts[1]!])).rejects.toThrow('it is one of 2 files, and m-00001-of-00002.gguf is missing');
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /bytes: it is empty; expected safetensors/],
    ['a page', utf8('<!doctype html><p>'), /bytes: it is a web page; expected/],
    ['a pointer', utf8('version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12\n'), /Git LFS pointer/],
    ['a checkpoint of PyTorch', utf8('PK\x03\x04 archive/data.pkl'.padEnd(99)), /a PyTorch checkpoint/],
    ['an old GGML file', utf8('ggjt'.padEnd(64)), /a GGML file, older than GGUF/],
    ['a configuration', utf8('{"model_type":"gpt2"}'), /the configuration of a model/],
    [
      'several arrays',
      utf8('PK\x03\x04 wte.npy'.padEnd(99)),
      /an archive of NumPy arrays \(\.npz\); expected one of its/,
    ],
    ['a header alone', safetensors({}), /^TiedError: bytes: it has no tensors; expected a model$/],
    [
      'a vocabulary alone',
      gguf({ tensors: {}, values: { 'tokenizer.ggml.tokens': { strings: ['a'] } } }),
      /bytes: it has no tensors/,
    ],
  ])('%s is refused by its kind', async (_, bytes, message) => {
    expect(String(await open(bytes).catch((error: unknown) => error))).toMatch(message);
  });
});

describe('several files', () => {
  const shards = [
    fileOf('model-1.safetensors', safetensors({ 'model.embed_tokens.weight': table() })),
    fileOf('model-2.safetensors', safetensors({ 'model.layers.0.mlp.up.weight': filler(9) })),
    fileOf('model-3.safetensors', safetensors({ 'model.norm.weight': filler(3), 'lm_head.weight': table(7) })),
  ];
  const map = {
    'model.embed_tokens.weight': 'model-1.safetensors',
    'model.layers.0.mlp.up.weight': 'model-2.safetensors',
    'model.norm.weight': 'model-3.safetensors',
    'lm_head.weight': 'model-3.safetensors',
  };
  const index = (weightMap: unknown) =>
    json('model.safetensors.index.json', { metadata: { total_parameters: 'many' }, weight_map: weightMap });

  test('are opened only if they have a table', async () => {
    const checkpoint = await open([shards[0]!, index(map), shards[2]!]);
    expect(checkpoint.tying.evidence).toBe('different');
    expect((await checkpoint.matrix('output')).data[0]).toBe(7);
    expect(checkpoint.notes).toEqual(['Only files with a table were opened; 1 other was not.']);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'a path',
      { ...map, 'lm_head.weight': '../model-3.safetensors' },
      /weight_map has '\.\.\/model-3\.safetensors' for 'lm_head\.weight'; expected a plain file name/,
    ],
    ['a number', { 'lm_head.weight': 3 }, /weight_map has 3 for 'lm_head\.weight'; expected a plain file name/],
    [
      'a file that is missing',
      { ...map, 'lm_head.weight': 'model-4.safetensors' },
      /it names 'model-4\.safetensors', which is missing/,
    ],
    [
      'another file',
      { ...map, 'lm_head.weight': 'model-1.safetensors' },
      /it says that model-1\.safetensors has 'lm_head\.weight', but it does not/,
    ],
    [
      'two files for one tensor',
      { ...map, 'lm_head.weight': 'model-1.safetensors', 'model.embed_tokens.weight': 'model-3.safetensors' },
      /it has 'model\.embed_tokens\.weight', which the index finds in model-3\.safetensors/,
    ],
    [
      'files of PyTorch',
      { 'lm_head.weight': 'pytorch_model-00001-of-00002.bin' },
      /it is the index of a PyTorch checkpoint, with files such as pytorch_model-00001-of-00002\.bin; expected the/,
    ],
    ['nothing', {}, /it has no weight_map/],
    ['no table', { 'model.layers.0.mlp.up.weight': 'model-2.safetensors' }, /no tensor has a known name/],
  ])('an index that names %s is refused', async (_, weightMap, message) => {
    await expect(open([...shards, index(weightMap)])).rejects.toThrow(message);
  });

  test('an index that lists a tensor twice is refused', async () => {
    const text = '{"weight_map":{"lm_head.weight":"model-1.safetensors","lm_head.weight":"model-3.safetensors"}}';
    const twice = fileOf('model.safetensors.index.json', utf8(text));
    await expect(open([...shards, twice])).rejects.toThrow("the key 'lm_head.weight' occurs twice");
  });

  test('one part without its index tells nothing of a table that another part may have', async () => {
    const part = (name: string, tensors: Parameters<typeof safetensors>[0]) => fileOf(name, safetensors(tensors));
    const one = { 'wte.weight': table(), ...restOfGpt2(D) };
    const alone = await open(part('model-00001-of-00002.safetensors', one));
    expect(alone.tying).toMatchObject({ tied: null, evidence: 'not-a-language-model', conflict: null });
    expect(alone.notes).toEqual([
      'This is one of 2 files, opened without their index: the others may have a table too.',
    ]);
    const both = await open(part('model-00001-of-00002.safetensors', { ...one, 'lm_head.weight': table(1) }));
    expect(both.tying.evidence).toBe('different');
    const whole = await open(part('model-00001-of-00001.safetensors', one));
    expect(whole.tying.evidence).toBe('missing-output');
  });

  test('two models at once are refused', async () => {
    await expect(open([shards[0]!, shards[1]!])).rejects.toThrow(
      "source has several models: 'model-1.safetensors', 'model-2.safetensors'",
    );
  });
});

describe('tokens that do not fit', () => {
  const model = fileOf('model.safetensors', safetensors({ 'wte.weight': table() }));
  const counts = (tokens: number): string => `vocab.json has ${tokens} tokens, the table 6 rows: `;
  const many = Array.from({ length: 13 }, (_, i) => `t${i}`);
  test.each<[string, unknown, readonly string[]]>([
    ['one row between others', { a: 0, b: 1, c: 2, d: 4, e: 5 }, [`${counts(5)}1 row has no token.`]],
    ['rows between and after', { a: 0, b: 2, c: 4 }, [`${counts(3)}3 rows have no token.`]],
    ['a few too many', many.slice(0, 8), [`${counts(8)}the last tokens are left out.`]],
    [
      'twice too many',
      many,
      [`${counts(13)}the last tokens are left out.`, 'vocab.json may be the vocabulary of another model.'],
    ],
    [
      'too few by half',
      ['a', 'b'],
      [`${counts(2)}the last rows have no token.`, 'vocab.json may be the vocabulary of another model.'],
    ],
  ])('%s: a note says so', async (_, tokens, notes) => {
    expect((await open([model, json('vocab.json', tokens)])).notes).toEqual(notes);
  });

  test('text in UTF-16 is named', async () => {
    const wide = Uint8Array.from([0xff, 0xfe, 0x5b, 0, 0x5d, 0]);
    expect((await open([model, fileOf('vocab.json', wide)])).notes).toEqual([
      'Token strings were not read: vocab.json: it is in UTF-16; expected UTF-8',
    ]);
  });
});

describe('tokens', () => {
  test('one per line, as in BERT’s vocab.txt', async () => {
    const files = [
      fileOf('model.safetensors', safetensors({ 'embeddings.word_embeddings.weight': table() })),
      fileOf('vocab.txt', utf8('!\r\n[UNK]\r\n"\r\n##s\r\n\u2019\r\nthe\r\n')),
    ];
    const checkpoint = await openHere(files);
    expect(checkpoint.tokens).toEqual(['!', '[UNK]', '"', '##s', '\u2019', 'the']);
    expect(checkpoint.notes).toEqual([]);
    expect(await (checkpoint as RunnableCheckpoint).tokenizer()).toBeNull();
    expect(checkpoint.notes).toEqual([
      'There is no tokenizer: vocab.txt has tokens, but does not say how a text is split into them.',
    ]);
  });

  const model = fileOf('model.safetensors', safetensors({ 'wte.weight': table() }));
  const names = ['<b>', 'Ġthe', 'c', 'd', 'e', 'f'];
  const vocab = Object.fromEntries(names.map((name, id) => [name, id]));

  test.each<[string, File]>([
    ['vocab.json', json('vocab.json', vocab)],
    ['encoder.json', json('encoder.json', vocab)],
    ['a list', json('my-vocab.json', names)],
    ['two lists', json('my-vocab.json', { source: ['x', 'y'], target: names })],
    [
      'tokenizer.json',
      json('tokenizer.json', {
        model: { vocab: Object.fromEntries(Object.entries(vocab).slice(0, 5)) },
        added_tokens: [{ id: 5, content: 'f' }],
      }),
    ],
    ['Unigram', json('tokenizer.json', { model: { type: 'Unigram', vocab: names.map((name) => [name, -1]) } })],
  ])('of %s are spelled as in the file', async (_, file) => {
    expect((await open([model, file])).tokens).toEqual(names);
  });

  test('of lists that do not fit, or that both fit, are not chosen', async () => {
    for (const lists of [
      { source: ['x'], target: ['y'] },
      { source: names, target: names },
    ]) {
      const { tokens, notes } = await open([model, json('vocab.json', lists)]);
      expect(tokens).toBeNull();
      expect(notes.join()).toMatch(/its lists have \d, \d tokens; expected one of 6, as the table has rows/);
    }
  });

  test('that do not fit the table are cut or padded with a note', async () => {
    const longer = await open([model, json('vocab.json', { ...vocab, g: 6 })]);
    expect(longer.tokens).toEqual(names);
    expect(longer.notes).toEqual(['vocab.json has 7 tokens, the table 6 rows: the last tokens are left out.']);
    expect((await open([model, json('vocab.json', { a: 0, c: 2 })])).tokens).toEqual(['a', '', 'c', '', '', '']);
  });

  test('with ids far beyond the table are left out and counted', async () => {
    const { tokens, notes } = await open([model, json('vocab.json', { a: 0, far: 2 ** 24 - 1, farther: 2 ** 23 })]);
    expect(tokens).toEqual(['a', '', '', '', '', '']);
    expect(notes).toEqual([
      'vocab.json has 3 tokens, the table 6 rows: 2 with ids up to 16777215 are left out.',
      'vocab.json has 3 tokens, the table 6 rows: 5 rows have no token.',
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'ids beyond the table only',
      { a: 2 ** 24 - 1, b: 6 },
      /its least id is 6; expected one of the 6 rows of the table/,
    ],
    ['an id that is huge', { a: 1e12 }, /the token 'a' has the id 1000000000000/],
    ['an id that is a text', { a: '1' }, /the token 'a' has the id 1; expected an integer/],
    ['two tokens of one id', { a: 1, b: 1 }, /the id 1 has two tokens, 'a' and 'b'/],
    ['no tokens', {}, /it has no tokens/],
    ['empty tokens', ['', ''], /it has no token strings/],
  ])('with %s are left out with a note', async (_, value, message) => {
    const { tokens, notes } = await open([model, json('vocab.json', value)]);
    expect(tokens).toBeNull();
    expect(notes).toEqual([expect.stringMatching(message)]);
  });
});

describe('arguments of opening', () => {
  test.each<[unknown, RegExp]>([
    [7, /source is 7; expected bytes, a Blob, a list of Files, or a URL/],
    [[], /source is an array of 0; expected 1 to 2000 files/],
    [['a'], /source\[0\] is 'a'; expected a File or a Blob/],
    ['ftp://example.org/a', /expected a URL that begins with https: or http:/],
    ['https://me:secret@example.org/a', /has a user name or a password; expected none/],
  ])('%j is refused', async (from, message) => {
    await expect(open(from as CheckpointSource)).rejects.toThrow(message);
  });

  test('options are checked by name', async () => {
    await expect(open(new Uint8Array(), { table: {} } as never)).rejects.toThrow('options.table is not an option');
    await expect(open(new Uint8Array(), { silenceSeconds: -1 })).rejects.toThrow('options.silenceSeconds is -1');
    await expect(open(new Uint8Array(), { tables: { input: 3 } } as never)).rejects.toThrow(
      'options.tables.input is 3; expected a string',
    );
  });

  test('an aborted signal ends it', async () => {
    const error = await open(safetensors({ wte: table() }), { signal: AbortSignal.abort('enough') }).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code: 'cancelled', cause: 'enough' });
  });
});
