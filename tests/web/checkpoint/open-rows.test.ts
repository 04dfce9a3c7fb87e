/** Rows of tables in an opened checkpoint: which are read, and what can be no table. */
import { describe, expect, test } from 'vitest';
import { floats, gguf, ramp, restOfGpt2, safetensors } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { D, filler, numbers, table, V } from './small-tables.js';

describe('rows', () => {
  const bytes = safetensors({ 'wte.weight': table(), big: filler(100_000), 'lm_head.weight': table(100) });

  test('of both tables are returned, all or some, in the requested order', async () => {
    const checkpoint = await openHere(bytes);
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
    const checkpoint = await openHere(new Blob([bytes]));
    const opened = checkpoint.bytesRead;
    // The first bytes identify the format; then the header and samples at three places of each table are read.
    expect(opened).toBeLessThan(65_536 + 400 + 6 * V * D * 4);
    await checkpoint.matrix('output', { rows: { from: 1, to: 3 } });
    await checkpoint.matrix('input', { rows: Uint32Array.of(0, 5) });
    expect(checkpoint.bytesRead - opened).toBe(4 * 4 * D);
  });

  test('outside the table, or of no tensor, are refused before anything is read', async () => {
    const checkpoint = await openHere(bytes);
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
    const checkpoint = await openHere(safetensors({ wte: table(), lm_head: { shape: [D, V], data } }));
    expect((await checkpoint.matrix('output', { rows: { from: 1, to: 3 } })).data).toEqual(
      Float32Array.of(4, 5, 6, 7, 8, 9, 10, 11),
    );
    expect(checkpoint.tables.output!.shape).toEqual([D, V]);
  });

  test('of types that cannot be decoded are refused by name, and a note says so at once', async () => {
    const blocks = await openHere(
      gguf({ tensors: { 'token_embd.weight': { dimensions: [256, 2], type: 15, data: new Uint8Array(584) } } }),
    );
    expect(blocks.notes).toEqual([
      "'token_embd.weight' has the type Q8_K, which cannot be decoded: its rows cannot be read, and have no token strings.",
    ]);
    await expect(blocks.matrix('input')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('has the type Q8_K') as string,
    });
  });
});

describe('what can be no table is refused before its tying is judged', () => {
  test.each<[string, string, readonly number[], number, string, string]>([
    ['truth values', 'BOOL', [V, D], V * D, 'unsupported', 'has integers (BOOL)'],
    ['no rows', 'F32', [0, D], 0, 'shape-mismatch', 'has the shape [0, 4]; expected [tokens, width]'],
    ['no columns', 'F32', [V, 0], 0, 'shape-mismatch', 'has the shape [6, 0]; expected [tokens, width]'],
  ])('%s', async (_, dtype, shape, bytes, code, message) => {
    const tensor = { shape, data: new Uint8Array(bytes), dtype };
    const file = safetensors({ 'wte.weight': tensor, other: tensor, float: { shape: [3, 2], data: ramp(6) } });
    for (const tables of [undefined, { input: 'other' }, { input: 'float', output: 'other' }]) {
      const refused = await openHere(file, tables === undefined ? {} : { tables }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code });
      expect(String(refused)).toContain(tables === undefined ? message : message.replace('wte.weight', 'other'));
    }
    // Nor is it offered for a choice; whether it is a second table, packed or emptied, is not known.
    const { tying } = await openHere(safetensors({ wte: table(), ...restOfGpt2(D), other: tensor }));
    expect(tying.evidence).toBe('unknown');
    if (shape.includes(0)) expect(tying.reason).toContain("'other' has no elements, as in a file saved by one rank of");
    const unnamed = await openHere(safetensors({ other: tensor, float: table() })).catch((error: unknown) => error);
    expect(unnamed).toMatchObject({ details: { tables: [{ name: 'float' }] } });
  });
});

describe('integers without scales', () => {
  test.each([
    ['I8', V * D],
    ['U32', 4 * V * D],
  ])('%s: a table by its name has no rows; a matrix that is only chosen is none', async (dtype, bytes) => {
    const tensor = { shape: [V, D], data: new Uint8Array(bytes), dtype };
    const file = safetensors({ 'wte.weight': tensor, other: tensor, float: { shape: [3, 2], data: ramp(6) } });
    const named = await openHere(file);
    expect(named.tying).toMatchObject({ tied: null, evidence: 'unknown' });
    await expect(named.matrix('input')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(`stored as integers (${dtype}) without scales, which cannot`) as string,
    });
    for (const tables of [{ input: 'other' }, { input: 'float', output: 'other' }])
      await expect(openHere(file, { tables })).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining(`'other' has integers (${dtype}), so it is packed or not a table`) as string,
      });
    const { tying } = await openHere(safetensors({ wte: table(), ...restOfGpt2(D), other: tensor }));
    expect(tying.evidence).toBe('unknown');
  });
});
