/** Opening checkpoints of every format from bytes, Blobs and Files, in one file and in several. */
import { describe, expect, test } from 'vitest';
import type { CheckpointSource } from '../../../web/core/checkpoint/types.js';
import { tinyModel, tinyTokenizer, VOCAB } from '../../browser/llama2c-files.js';
import { fileOf, floats, gguf, npy, ramp, restOfGpt2, safetensors, utf8, type GgufParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { D, filler, json, table, V } from './small-tables.js';

describe('formats', () => {
  test('NumPy in Fortran order is read by rows', async () => {
    const checkpoint = await openHere(
      npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", floats([1, 4, 2, 5, 3, 6])),
    );
    expect(await checkpoint.matrix('input')).toEqual({ rows: 2, cols: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) });
    expect((await checkpoint.matrix('input', { rows: Uint32Array.of(1) })).data).toEqual(Float32Array.of(4, 5, 6));
  });

  test('a text file has its tokens in the first column', async () => {
    const checkpoint = await openHere(fileOf('words.csv', utf8('<script>,1,2\nb,3,4\n')));
    expect(checkpoint).toMatchObject({ format: 'csv', tokens: ['<script>', 'b'] });
    expect((await checkpoint.matrix('input')).data).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  test('llama2.c is read with its tokenizer', async () => {
    const checkpoint = await openHere([
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
      const checkpoint = await openHere(files);
      expect(checkpoint.tying.evidence).toBe('different');
      expect((await checkpoint.matrix('output')).data[0]).toBe(9);
      expect(checkpoint.tokens).toEqual(['a', '', '', '', '', '']);
      expect(checkpoint.notes).toEqual([
        expect.stringMatching(/has 1 token, the table 6 rows: the last rows have no token/),
      ]);
    }
    await expect(openHere([parts[1]!])).rejects.toThrow('it is one of 2 files, and m-00001-of-00002.gguf is missing');
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /bytes: it is empty; expected safetensors/],
    ['a page', utf8('<!doctype html><p>'), /bytes: it is a web page; expected/],
    ['a pointer', utf8('version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12\n'), /Git LFS pointer/],
    [
      'the beginning of a checkpoint of PyTorch',
      utf8('PK\x03\x04 archive/data.pkl'.padEnd(99)),
      /begins as a ZIP archive, but has no directory at its end; expected all/,
    ],
    ['an old GGML file', utf8('ggjt'.padEnd(64)), /a GGML file, older than GGUF/],
    ['a configuration', utf8('{"model_type":"gpt2"}'), /the configuration of a model/],
    [
      'several arrays',
      utf8('PK\x03\x04 wte.npy'.padEnd(99)),
      /begins as a ZIP archive, but has no directory at its end/,
    ],
    ['a header alone', safetensors({}), /^TiedError: bytes: it has no tensors; expected a model$/],
    [
      'a vocabulary alone',
      gguf({ tensors: {}, values: { 'tokenizer.ggml.tokens': { strings: ['a'] } } }),
      /bytes: it has no tensors/,
    ],
  ])('%s is refused by its kind', async (_, bytes, message) => {
    expect(String(await openHere(bytes).catch((error: unknown) => error))).toMatch(message);
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
    const checkpoint = await openHere([shards[0]!, index(map), shards[2]!]);
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
      'files of PyTorch that are missing',
      { 'lm_head.weight': 'pytorch_model-00001-of-00002.bin' },
      /it names 'pytorch_model-00001-of-00002\.bin', which is missing; expected all files with tables/,
    ],
    ['nothing', {}, /it has no weight_map/],
    ['no table', { 'model.layers.0.mlp.up.weight': 'model-2.safetensors' }, /no tensor has a known name/],
  ])('an index that names %s is refused', async (_, weightMap, message) => {
    await expect(openHere([...shards, index(weightMap)])).rejects.toThrow(message);
  });

  test('an index that lists a tensor twice is refused', async () => {
    const text = '{"weight_map":{"lm_head.weight":"model-1.safetensors","lm_head.weight":"model-3.safetensors"}}';
    const twice = fileOf('model.safetensors.index.json', utf8(text));
    await expect(openHere([...shards, twice])).rejects.toThrow("the key 'lm_head.weight' occurs twice");
  });

  test('one part without its index tells nothing of a table that another part may have', async () => {
    const part = (name: string, tensors: Parameters<typeof safetensors>[0]) => fileOf(name, safetensors(tensors));
    const one = { 'wte.weight': table(), ...restOfGpt2(D) };
    const alone = await openHere(part('model-00001-of-00002.safetensors', one));
    expect(alone.tying).toMatchObject({ tied: null, evidence: 'not-a-language-model', conflict: null });
    expect(alone.notes).toEqual([
      'This is one of 2 files, opened without their index: the others may have a table too.',
    ]);
    const both = await openHere(part('model-00001-of-00002.safetensors', { ...one, 'lm_head.weight': table(1) }));
    expect(both.tying.evidence).toBe('different');
    const whole = await openHere(part('model-00001-of-00001.safetensors', one));
    expect(whole.tying.evidence).toBe('missing-output');
  });

  test('all parts without their index are the model, whichever comes first; with one missing, they are parts', async () => {
    const part = (number: number, count: number, tensors: Parameters<typeof safetensors>[0]) =>
      fileOf(`model-0000${number}-of-0000${count}.safetensors`, safetensors(tensors));
    const files = [
      part(1, 3, { 'wte.weight': table() }),
      part(2, 3, restOfGpt2(D)),
      part(3, 3, { 'lm_head.weight': table(1) }),
    ];
    for (const order of [files, [...files].reverse()]) {
      const whole = await openHere(order);
      expect(whole.tying.evidence).toBe('different');
      expect(whole.notes).toEqual(['Its 3 files were found by the numbers in their names, without an index.']);
    }
    const tied = await openHere([part(1, 2, restOfGpt2(D)), part(2, 2, { 'wte.weight': table() })]);
    expect(tied.tying.evidence).toBe('missing-output');
    const some = await openHere(files.slice(0, 2));
    expect(some.tying).toMatchObject({ tied: null, evidence: 'not-a-language-model' });
    expect(some.notes).toEqual([
      'These are 2 of 3 files, opened without their index: the others may have a table too.',
    ]);
    const twice = [files[0]!, part(2, 3, { 'wte.weight': table(1) })];
    await expect(openHere(twice)).rejects.toThrow("has 'wte.weight', which another file has too");
    const other = fileOf('other-00003-of-00003.safetensors', safetensors({ 'lm_head.weight': table(1) }));
    await expect(openHere([...files.slice(0, 2), other])).rejects.toThrow('source has several models');
  });

  test('two models at once are refused', async () => {
    await expect(openHere([shards[0]!, shards[1]!])).rejects.toThrow(
      "source has several models: 'model-1.safetensors', 'model-2.safetensors'",
    );
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
    await expect(openHere(from as CheckpointSource)).rejects.toThrow(message);
  });

  test('options are checked by name', async () => {
    await expect(openHere(new Uint8Array(), { table: {} } as never)).rejects.toThrow('options.table is not an option');
    await expect(openHere(new Uint8Array(), { silenceSeconds: -1 })).rejects.toThrow('options.silenceSeconds is -1');
    await expect(openHere(new Uint8Array(), { tables: { input: 3 } } as never)).rejects.toThrow(
      'options.tables.input is 3; expected a string',
    );
  });

  test('an aborted signal ends it', async () => {
    const error = await openHere(safetensors({ wte: table() }), { signal: AbortSignal.abort('enough') }).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code: 'cancelled', cause: 'enough' });
  });
});
