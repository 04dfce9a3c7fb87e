/** A file with one table, such as word vectors, and its output in another file: rows are paired by their names, and a text has as many digits as were printed. */
import { afterEach, describe, expect, test } from 'vitest';
import { Draw } from '../../fuzz/draw.js';
import { fileOf, floats, npy, safetensors, utf8 } from './checkpoint-files.js';
import { sendRange } from './file-server.js';
import { openHere } from './open-here.js';
import { closeServer, serve } from './url-support.js';

afterEach(closeServer);

const [ROWS, COLS] = [40, 8];
type Rows = readonly (readonly number[])[];

const draw = new Draw(7);
/** Numbers of many sizes, as they are in 32 bits. */
const random = (): Rows =>
  Array.from({ length: ROWS }, () =>
    Array.from({ length: COLS }, () => Math.fround((draw.share() - 0.5) * 10 ** draw.whole(-3, 2))),
  );
const [input, other] = [random(), random()];
const words = input.map((_, i) => `w${i}`);

const inText = (
  rows: Rows,
  {
    names = words,
    print = (x: number) => x.toPrecision(6),
  }: { names?: readonly string[]; print?: (x: number) => string } = {},
): File => fileOf('a.txt', utf8(rows.map((row, i) => `${names[i]!} ${row.map(print).join(' ')}\n`).join('')));
const inNumPy = (rows: Rows, shape: readonly number[] = [rows.length, COLS]): File =>
  fileOf(
    'b.npy',
    npy(`{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`, floats(rows.flat())),
  );
const named = (file: File, name: string): File => new File([file], name);

async function judged(one: File, two: File) {
  const [first, second] = [named(one, `in-${one.name}`), named(two, `out-${two.name}`)];
  return openHere([first, second], { tables: { input: first.name, output: second.name } });
}

describe('two files with a table each', () => {
  test('that are equal', async () => {
    const { tying, tables } = await judged(inNumPy(input), inNumPy(input));
    expect([tying.tied, tying.evidence, tables.output?.name]).toEqual([true, 'equal-bytes', 'out-b.npy']);
  });

  test('that differ have a distance', async () => {
    const { tying } = await judged(inNumPy(input), inNumPy(other));
    expect([tying.tied, tying.evidence, tying.distance?.rows]).toEqual([false, 'different', ROWS]);
  });

  test('of which one is turned, or has fewer rows, are judged as in one file', async () => {
    const columns = Array.from({ length: COLS }, (_, col) => input.map((row) => row[col]!));
    expect((await judged(inNumPy(input), inNumPy(columns, [COLS, ROWS]))).tying).toMatchObject({
      tied: true,
      evidence: 'equal-values',
    });
    const { tying } = await judged(inNumPy(input), inNumPy(input.slice(0, 30)));
    expect([tying.tied, tying.reason]).toEqual([null, expect.stringContaining('For the first 30 tokens')]);
  });

  test('that are one file named twice', async () => {
    const { tying } = await openHere([inNumPy(input)], { tables: { input: 'b.npy', output: 'b.npy' } });
    expect([tying.tied, tying.evidence]).toEqual([true, 'same-storage']);
  });

  test('of which one has no table with a known name are refused', async () => {
    const two = named(inNumPy(input), 'model.npy');
    const index = fileOf('x.json', utf8('{"a": [[1, 2], [3, 4]], "b": [[1, 2], [3, 4]]}'));
    await expect(openHere([two, index], { tables: { input: 'model.npy', output: 'x.json' } })).rejects.toThrow(
      /no tensor has a known name/,
    );
  });
});

describe('the output in a file of a model', () => {
  const tableOf = (rows: Rows) => ({ shape: [ROWS, COLS], data: floats(rows.flat()) });
  const [inQuarters, model] = [inNumPy(input.map((row) => row.map((_, j) => j / 4))), 'm.safetensors'] as const;
  const beside = (tensors: Parameters<typeof safetensors>[0], first = inNumPy(input)) =>
    openHere([named(first, 'in.npy'), fileOf(model, safetensors(tensors))], {
      tables: { input: 'in.npy', output: model },
    });

  test('is its output table, or its only one', async () => {
    const both = { 'model.embed_tokens.weight': tableOf(other), 'lm_head.weight': tableOf(input) };
    const { tying, tables, notes } = await beside(both);
    expect([tying.tied, tying.evidence, tables.output?.name]).toEqual([true, 'equal-bytes', model]);
    expect(notes).toContain(`The output table is 'lm_head.weight' of ${model}.`);
    expect((await beside({ 'model.embed_tokens.weight': tableOf(other) })).tying).toMatchObject({
      tied: false,
      evidence: 'different',
      distance: { rows: ROWS },
    });
  });

  test('is compared in the type that it has there', async () => {
    const quarters = new Uint16Array(ROWS * COLS).map((_, i) => new Uint32Array(Float32Array.of((i % COLS) / 4).buffer)[0]! >>> 16); // prettier-ignore
    const { tying } = await beside(
      { 'lm_head.weight': { shape: [ROWS, COLS], dtype: 'BF16', data: new Uint8Array(quarters.buffer) } },
      inQuarters,
    );
    expect([tying.tied, tying.evidence]).toEqual([true, 'equal-values']);
  });

  test('cannot be one that is packed', async () => {
    const packed = { 'lm_head.qweight': { shape: [1, ROWS], dtype: 'I32', data: new Uint8Array(4 * ROWS) } };
    await expect(beside({ 'model.embed_tokens.weight': tableOf(other), ...packed })).rejects.toMatchObject({
      code: 'bad-file',
      message: "m.safetensors: 'lm_head' is packed by GPTQ or AWQ; expected a table that can be read",
    });
  });

  test('may be at a URL, of which only the header and the table are read', async () => {
    const far = safetensors({ x: { shape: [100_000], data: new Uint8Array(400_000) }, 'wte.weight': tableOf(input) });
    const url = await serve(sendRange(far));
    const { tying, bytesRead, tables } = await openHere([inNumPy(input)], { tables: { input: 'b.npy', output: url } });
    expect([tying.tied, tying.evidence, tables.output?.name]).toEqual([true, 'equal-bytes', url]);
    expect(bytesRead).toBeLessThan(200_000);
    const missing = { tables: { input: 'b.npy', output: 'missing.npy' } };
    await expect(openHere([inNumPy(input)], missing)).rejects.toThrow("'missing.npy'");
  });
});

describe('rows with names', () => {
  const order = words.map((_, i) => (i * 7) % ROWS);
  const reordered = (rows: Rows): File =>
    inText(
      order.map((i) => rows[i]!),
      { names: order.map((i) => words[i]!) },
    );

  test('in another order are paired by their names', async () => {
    const { tying, notes, tokens } = await judged(inText(input), reordered(input));
    expect([tying.tied, tying.evidence]).toEqual([true, 'equal-bytes']);
    expect(notes).toContain('Rows are paired by their names, which are in another order.');
    expect(tokens).toEqual(words);
    expect((await judged(inText(input), reordered(other))).tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test('of which only some are in both leave it open, unless the shared ones differ', async () => {
    const few = inText(input.slice(10), { names: words.slice(10) });
    const checkpoint = await judged(inText(input), few);
    expect(checkpoint.tying).toMatchObject({
      tied: null,
      reason: 'The two files name 40 and 30 rows; 30 names are in both, once in each, whose rows are equal.',
    });
    expect(checkpoint.tokens).toEqual(words.slice(10));
    expect(checkpoint.tables.input?.shape).toEqual([30, COLS]);
    expect((await judged(inText(other), few)).tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test.each([
    ['none of which is in both', words.map((word) => `x${word}`)],
    ['that are all the same', words.map(() => 'w1')],
  ])('%s leave it open', async (_, names) => {
    const { tying } = await judged(inText(input), inText(names[0] === 'w1' ? input : other, { names }));
    expect([tying.tied, tying.reason]).toEqual([
      null,
      `The two files name 40 and 40 rows; 0 names are in both, once in each.`,
    ]);
    // They are no pair that could be measured.
    expect(tying.candidates).toEqual(['out-a.txt']);
  });
});

describe('a text', () => {
  test.each<[string, (x: number) => string, string]>([
    ['6 digits', (x) => x.toPrecision(6), '6 digits'],
    ['4 digits, with zeros left out', (x) => String(Number(x.toPrecision(4))), '4 digits'],
    ['3 digits and an exponent', (x) => x.toExponential(2), '3 digits'],
    ['5 decimals', (x) => x.toFixed(5), '5 decimals'],
    ['4 decimals, with zeros left out', (x) => String(Number(x.toFixed(4))), '4 decimals'],
    ['9 decimals, of which small numbers have few digits', (x) => x.toFixed(9), '9 decimals'],
  ])('of %s equals the numbers that it was made from', async (_, print, said) => {
    const text = inText(input, { print });
    for (const [one, two] of [
      [text, inNumPy(input)],
      [inNumPy(input), text],
    ] as const) {
      const { tying } = await judged(one, two);
      expect(tying).toMatchObject({ tied: true, evidence: 'equal-values' });
      expect(tying.reason).toMatch(new RegExp(`printed with at most .*\\b${said}`));
    }
    expect((await judged(text, inNumPy(other))).tying.evidence).toBe('different');
  });

  test('that was cut off instead of rounded leaves it open, and one that is off by more differs', async () => {
    const cut = (x: number): string => x.toFixed(9).slice(0, -4);
    expect((await judged(inText(input, { print: cut }), inNumPy(input))).tying).toMatchObject({
      tied: null,
      evidence: 'unknown',
    });
    const moved = input.map((row, i) => row.map((x, j) => (i === 9 && j === 3 ? x + 1.6e-5 : x)));
    const text = inText(input, { print: (x) => x.toFixed(5) });
    expect((await judged(text, inNumPy(moved))).tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test('beside another text of as many digits is equal only if all are the same', async () => {
    const moved = input.map((row, i) => row.map((x, j) => (i === 9 && j === 3 ? x + 1e-5 : x)));
    const print = (x: number): string => x.toFixed(5);
    expect((await judged(inText(input, { print }), inText(moved, { print }))).tying.tied).not.toBe(true);
    expect((await judged(inText(input, { print }), inText(input, { print }))).tying.tied).toBe(true);
  });

  test('of few decimals that blur all numbers proves nothing', async () => {
    const small = input.map((row) => row.map((x) => Math.sign(x) * 1e-3));
    const print = (x: number): string => x.toFixed(1);
    expect((await judged(inText(small, { print }), inNumPy(small))).tying).toMatchObject({
      tied: null,
      evidence: 'unknown',
    });
  });

  test('of all digits is as exact as the numbers', async () => {
    const moved = input.map((row, i) => row.map((x) => (i === 9 ? Math.fround(x * (1 + 2 ** -22)) : x)));
    const text = inText(input, { print: String });
    expect((await judged(text, inNumPy(input))).tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
    expect((await judged(text, inNumPy(moved))).tying.tied).toBe(false);
  });
});
