/** What an opened checkpoint gives as evidence of its tying. */
import { describe, expect, test } from 'vitest';
import { fileOf, floats, gguf, joined, npy, ramp, restOfGpt2, safetensors, uint } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { D, json, table, V } from './small-tables.js';

describe('evidence of tying', () => {
  const both = async (one: Uint8Array, other: Uint8Array, dtypes = ['F32', 'F32'], config?: unknown) => {
    const bytes = safetensors({
      'wte.weight': { shape: [V, D], data: one, dtype: dtypes[0]! },
      'lm_head.weight': { shape: [V, D], data: other, dtype: dtypes[1]! },
    });
    return openHere(config === undefined ? bytes : [fileOf('model.safetensors', bytes), json('config.json', config)]);
  };
  const bfloats = (values: readonly number[]): Uint8Array => {
    const all = floats(values);
    return Uint8Array.from({ length: all.length / 2 }, (_, i) => all[4 * (i >> 1) + 2 + (i & 1)]!);
  };

  test('missing-output', async () => {
    const { tying, tables } = await openHere(safetensors({ 'wte.weight': table(), ...restOfGpt2(D) }));
    expect(tying).toMatchObject({ tied: true, evidence: 'missing-output', conflict: null });
    expect(tables.output).toEqual(tables.input);
  });

  test('missing-input', async () => {
    const checkpoint = await openHere(safetensors({ 'lm_head.weight': table(), ...restOfGpt2(D) }));
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'missing-input' });
    expect((await checkpoint.matrix('input')).rows).toBe(V);
  });

  test('alias', async () => {
    const { tying } = await openHere(safetensors({ 'wte.weight': table() }, { 'lm_head.weight': 'wte.weight' }));
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
      return (await openHere(safetensors({ 'wte.weight': of(one), 'lm_head.weight': of(other) }))).tying;
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
    expect((await openHere(of(values.map((value) => value + 0.04)))).tying).toMatchObject({
      tied: true,
      evidence: 'equal-values',
    });
    const other = values.map((value, i) => (i % 2 ? value : -value));
    expect((await openHere(of(other))).tying).toMatchObject({ tied: false, evidence: 'different' });
    // A multiple may be the same table.
    expect((await openHere(of(values.map((value) => -value)))).tying).toMatchObject({
      tied: null,
      evidence: 'unknown',
    });
  });

  test('equal-values, if the output table has one column per token', async () => {
    const [rows, cols] = [300, 5];
    const at = (row: number, col: number): number => (7 * row + 13 * col) % 127;
    const input = floats(Array.from({ length: rows * cols }, (_, i) => at(Math.floor(i / cols), i % cols)));
    const turned = Array.from({ length: rows * cols }, (_, i) => at(i % rows, Math.floor(i / rows)));
    const open2 = (output: readonly number[], dtype = 'F32') => {
      const data = dtype === 'F32' ? floats(output) : bfloats(output);
      return openHere(
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
      openHere(
        gguf({
          tensors: {
            'token_embd.weight': { dimensions: [256, 2], type: 15, data: new Uint8Array(584).fill(1) },
            'output.weight': output,
          },
        }),
      );
    const other = await of({ dimensions: [256, 2], type: 14, data: new Uint8Array(420) });
    expect(other.tying).toMatchObject({ tied: null, evidence: 'unknown', conflict: null });
    expect(other.notes[0]).toContain("'token_embd.weight' has the type Q8_K, which cannot be decoded");
    const same = (value: number) => of({ dimensions: [256, 2], type: 15, data: new Uint8Array(584).fill(value) });
    expect((await same(1)).tying.evidence).toBe('equal-bytes');
    // A quantizer may have turned one table into both, with an importance matrix for one of them.
    expect((await same(2)).tying).toMatchObject({ tied: null, evidence: 'unknown' });
    // Nothing is known of the bytes of unknown types.
    const unknown = { dimensions: [256, 2], type: 200, data: new Uint8Array() };
    const types = gguf({ tensors: { 'token_embd.weight': unknown, 'output.weight': unknown } });
    expect((await openHere(types)).tying.evidence).toBe('unknown');
  });

  test('tables of different sizes are different, unless one may be the other one with more rows', async () => {
    const longer = (start: number) =>
      openHere(
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
    const { tying, notes } = await openHere([model, fileOf('config.json', Uint8Array.of(123, 255))]);
    expect(tying).toMatchObject({ tied: true, evidence: 'missing-output', conflict: null });
    expect(notes).toEqual([expect.stringMatching(/^The configuration was not read: config\.json/)]);
  });

  test('a model without a head has nothing to tie', async () => {
    const files = [
      fileOf('model.safetensors', safetensors({ 'embed_tokens.weight': table() })),
      json('config.json', { architectures: ['Qwen3Model'] }),
    ];
    expect((await openHere(files)).tying).toMatchObject({
      tied: null,
      evidence: 'not-a-language-model',
      conflict: null,
    });
  });

  test('a table given by the caller is no evidence, unless it is given both roles', async () => {
    const bytes = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 4), }", ramp(V * D));
    const file = fileOf('words.npy', bytes);
    expect(await openHere(file)).toMatchObject({
      format: 'npy',
      tying: { tied: null },
      tables: { input: { name: 'words.npy' }, output: null },
    });
    const both = await openHere(file, { tables: { input: 'words.npy', output: 'words.npy' } });
    expect(both.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
  });
});
