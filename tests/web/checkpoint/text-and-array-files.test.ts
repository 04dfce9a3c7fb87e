/** The user's own tables as NumPy and text files, and the sizes of llama2.c. */
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../web/core/checkpoint/formats/csv.js';
import { readLlama2c } from '../../../web/core/checkpoint/formats/llama2c.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { readNpy } from '../../../web/core/checkpoint/formats/npy.js';
import { loadCore } from '../../../web/index.js';
import { tinyModel } from '../../browser/llama2c-files.js';
import { floats, joined, npy, ramp, uint, utf8 } from './checkpoint-files.js';

const header = (descr: string, order = 'False', shape = '(3, 2)'): string =>
  `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
const readTable = (bytes: Uint8Array) => readNpy(new BytesSource(bytes, 'a.npy'), 'a.npy');

describe('NumPy', () => {
  test.each([1, 2, 3])('version %i is read', async (major) => {
    const bytes = npy(header('<f4'), ramp(6), major);
    const tensor = await readTable(bytes);
    expect(tensor).toMatchObject({ shape: [3, 2], dtype: 'F32', bytes: 24 });
    expect(bytes.slice(tensor.from)).toEqual(ramp(6));
    expect(tensor.turned).toBeUndefined();
  });

  test('Fortran order is the transpose, [cols, rows]', async () => {
    expect(await readTable(npy(header('<f4', 'True'), ramp(6)))).toMatchObject({ shape: [2, 3], turned: true });
  });

  test.each([
    ['<f8', 'F64', 48],
    ['<f2', 'F16', 12],
  ])('%s is read as %s', async (descr, dtype, bytes) => {
    expect(await readTable(npy(header(descr), new Uint8Array(bytes)))).toMatchObject({ dtype, bytes });
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['big-endian integers', npy(header('>i4'), ramp(6)), /its elements are >i4; expected '<f8', '<f4' or '<f2'/],
    ['integers', npy(header('<i8'), new Uint8Array(48)), /its elements are <i8/],
    ['objects', npy(header('|O'), new Uint8Array(48)), /its elements are \|O/],
    [
      'structures',
      npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", ramp(6)),
      /its elements are \[\('a', '<f4'\)\]/,
    ],
    [
      'code in the header',
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2) + f()}", ramp(6)),
      /its header is .*expected descr/,
    ],
    [
      'a field twice',
      npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}", ramp(6)),
      /expected descr/,
    ],
    ['no shape', npy("{'descr': '<f4', 'fortran_order': False}", ramp(6)), /expected descr/],
    [
      'a list of numbers',
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", ramp(6)),
      /has the shape \[6\]; expected \[tokens, width\]/,
    ],
    [
      'a matrix without columns',
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999, 0)}", ramp(0)),
      /has the shape \[999999999999, 0\]; expected \[tokens, width\]/,
    ],
    ['too few bytes', npy(header('<f4'), ramp(5)), /has \d+ bytes; expected \d+ by its header/],
    ['too many bytes', npy(header('<f4'), ramp(7)), /by its header/],
    [
      '2^60 elements',
      npy(header('<f4', 'False', '(1073741824, 1073741824)'), ramp(6)),
      /has the shape \[1073741824, 1073741824\]; expected a matrix of fewer than 2\^53 bytes/,
    ],
    ['version 4', npy(header('<f4'), ramp(6), 4), /version 4\.0; expected 1\.0, 2\.0 or 3\.0/],
    ['a header longer than the file', npy(header('<f4'), ramp(6)).subarray(0, 40), /it ends at byte 40/],
  ])('%s is refused by name', async (_, bytes, message) => {
    await expect(readTable(bytes)).rejects.toThrow(message);
    await expect(readTable(bytes)).rejects.toMatchObject({ code: 'bad-file' });
  });
});

const readText = (text: string | Uint8Array) =>
  readCsv(new BytesSource(typeof text === 'string' ? utf8(text) : text, 'a.csv'), 'a.csv');

async function read(
  text: string,
): Promise<{ rows: number[]; names: readonly string[] | null; shape: readonly number[] }> {
  const { table, names } = await readText(text);
  const bytes = await table.source.read(0, table.bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    rows: Array.from({ length: table.bytes / 4 }, (_, i) => view.getFloat32(4 * i, true)),
    names,
    shape: table.shape,
  };
}

describe('text', () => {
  test.each([
    ['commas', 'a,1,2\nb,3,4\n'],
    ['a header', 'token,x,y\na,1,2\nb,3,4'],
    ['tabs', 'a\t1\t2\r\nb\t3\t4\r\n'],
    ['semicolons', 'a;1;2\nb;3;4'],
    ['spaces', 'a 1 2 \nb 3 4 \n'],
    ['the size of the table before it', '2 2\na 1 2\nb 3 4\n'],
    ['quotes', '"a",1,2\n"b",3.0,4e0\n'],
  ])('with %s', async (_, text) => {
    expect(await read(text)).toEqual({ rows: [1, 2, 3, 4], names: ['a', 'b'], shape: [2, 2] });
  });

  test('names may be separators, quotes and markup', async () => {
    expect((await read('",",1\n"""",2\n<b>,3\n')).names).toEqual([',', '"', '<b>']);
    expect((await read(', 0.5 1\n" 1 2\n')).names).toEqual([',', '"']);
  });

  test.each([
    ['titles that are numbers', ',0,1\na,1,2\nb,3,4\n', ['a', 'b']],
    ['titles and an index', ',x,y\n0,1,2\n1,3,4\n', ['0', '1']],
    ['titles that are numbers, and an index', ',0,1\n0,1,2\n1,3,4\n', ['0', '1']],
    ['digits as tokens', 'token,x,y\n7,1,2\n8,3,4\n', ['7', '8']],
    ['tabs', '\t0\t1\na\t1\t2\nb\t3\t4\n', ['a', 'b']],
  ])('as pandas writes them, with %s', async (_, text, names) => {
    expect(await read(text)).toEqual({ rows: [1, 2, 3, 4], names, shape: [2, 2] });
  });

  test('a quoted name may contain line breaks, and a quote within a name is one', async () => {
    expect(await read('"\n",1,2\n"a\r\n""b""",3,4\n')).toEqual({
      ...{ rows: [1, 2, 3, 4], shape: [2, 2] },
      names: ['\n', 'a\r\n"b"'],
    });
    expect((await read('5",1\n6",2\n')).names).toEqual(['5"', '6"']);
    await expect(readText('"\n",1\n"a,2\nb,3\n')).rejects.toThrow(/line 3 has 1 column; expected 2/);
    await expect(readText('"\n",1\nb,x\n')).rejects.toThrow(/line 3 has 'x' in column 2/);
  });

  test('with fewer rows than its first line says, or other columns, has a note', async () => {
    const notesOf = async (text: string) => (await readText(text)).notes;
    expect(await notesOf('2 3\nthe 1 2 3\na 4 5 6\n')).toEqual([]);
    expect(await notesOf('3 3\nthe 1 2 3\na 4 5 6\n')).toEqual([
      'a.csv: line 1 says 3 rows of 3 numbers, but it has 2 of 3: it may be cut off.',
    ]);
    expect(await notesOf('2 4\nthe 1 2 3\na 4 5 6\n')).toHaveLength(1);
  });

  test('a first row of numbers is a row', async () => {
    expect(await read('the,0,1\na,1,2')).toEqual({ rows: [0, 1, 1, 2], names: ['the', 'a'], shape: [2, 2] });
    expect((await read('0,1\n1,0')).rows).toEqual([0, 1, 1, 0]);
  });

  test('without names, all columns are numbers', async () => {
    expect(await read('1,2\n3,4')).toEqual({ rows: [1, 2, 3, 4], names: null, shape: [2, 2] });
  });

  test.each([
    ['a,1,2\nb,3\n', /line 2 has 2 columns; expected 3, as in the first row/],
    ['a,1,2\nb,x,4\n', /line 2 has 'x' in column 2; expected a number/],
    ['a,1\nb,1e400\n', /line 2 has '1e400' in column 2/],
    ['a,1\nb,0x10\n', /line 2 has '0x10'/],
    ['a,1,2\nb\n', /line 2 has 1 column; expected 3/],
    ['a\nb\n', /its only column holds names; expected numbers after it/],
    ['\n\n', /it has no rows/],
  ])('%j is refused by line and column', async (text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });

  test('a size line makes the first of its fields the name, also if it is a number', async () => {
    const nodes = await readText('4 3\n34 0.11 0.25 -0.3\n1 0.42 -0.51 0.6\n33 -0.7 0.28 0.39\n2 0.1 0.7 0.2\n');
    expect(nodes).toMatchObject({ names: ['34', '1', '33', '2'], notes: [] });
    expect(nodes.table.shape).toEqual([4, 3]);
    // One number per row looks like the size line itself, which then has to be right.
    expect(await read('2 1\n7 0.5\n8 0.25\n')).toEqual({ rows: [0.5, 0.25], names: ['7', '8'], shape: [2, 1] });
    expect((await read('3 1\n7 0.5\n8 0.25\n')).names).toBeNull();
    // Without names, the size is that of all columns.
    expect(await read('2 3\n1 2 3\n4 5 6\n')).toEqual({ rows: [1, 2, 3, 4, 5, 6], names: null, shape: [2, 3] });
  });

  test('names in another encoding, or cut within a letter, are read with a note', async () => {
    const line = (name: readonly number[], numbers: string) => joined(Uint8Array.from(name), utf8(` ${numbers}\n`));
    const early = joined(utf8('3 2\nthe 0.5 1\n'), line([0xe2, 0x80], '2 3'), line([0x63, 0xe9], '4 5'));
    const table = await readText(early);
    expect(table.names).toEqual(['the', '\ufffd', 'c\ufffd']);
    expect(table.notes).toEqual([
      'a.csv: line 3 has bytes that are not UTF-8, and so do 1 more; they were read as U+FFFD.',
    ]);
    const many = Array.from({ length: 5000 }, (_, i) => `word${i} 0.5 1\r\n`).join('');
    const late = joined(utf8(many), utf8('caf\u00e9 1 2\n'), line([0x63, 0xe9], '4 5'));
    expect((await readText(late)).notes).toEqual([
      'a.csv: line 5002 has bytes that are not UTF-8; they were read as U+FFFD.',
    ]);
    // The kind of file does not depend on where they are.
    const core = await loadCore({ modules: ['checkpoint'] });
    for (const bytes of [early, late]) expect((await core.openCheckpoint(bytes)).format).toBe('csv');
    await expect(core.openCheckpoint(line([0x63, 0xe9], 'is a word'))).rejects.toThrow('of an unknown kind');
    await expect(readText(Uint8Array.of(0x61, 0x2c, 0xff))).rejects.toThrow(/line 1 has '\ufffd' in column 2/);
  });

  test('the numbers of a name with spaces are the last fields', async () => {
    const rows = 'the 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\nof 1 1 1\nto 2 2 2\n1 1/2 3 3 3\n';
    expect(await read(rows)).toEqual({
      rows: [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1, 2, 2, 2, 3, 3, 3],
      names: ['the', '. . .', 'at name@domain.com', 'of', 'to', '1 1/2'],
      shape: [6, 3],
    });
    expect((await read('2 2\n. . 1 2\na  b 3 4\n')).names).toEqual(['. .', 'a  b']);
    // A number too many, or a row too short.
    await expect(readText('the 1 2\na 1 2\nof 1 2 3\n')).rejects.toThrow(
      /line 3 has 4 columns; expected 3, as in most rows/,
    );
    await expect(readText('the 1 2\na 1\nof 1 2\n')).rejects.toThrow(/line 2 has 2 columns; expected 3/);
  });

  test('whole numbers in a name are told from the printed ones after it', async () => {
    const rows = '1 000 0.5 -1.5\nat 5 2.5 3e-1\nthe 0.25 0.75\n7 8 9 1 0.125\n5 0.5 0.5\n';
    const names = ['1 000', 'at 5', 'the', '7 8 9', '5'];
    const numbers = [0.5, -1.5, 2.5, Math.fround(0.3), 0.25, 0.75, 1, 0.125, 0.5, 0.5];
    // Of two numbers one may be whole by chance, which is no majority.
    await expect(read(rows)).rejects.toThrow('line 4 has 5 columns; expected 3, as in most rows');
    const all = rows.replace(' 1 0.125', ' 1.0 0.125');
    expect(await read(all)).toEqual({ rows: numbers, names, shape: [5, 2] });
    expect(await read(`5 2\n${all}`)).toEqual({ rows: numbers, names, shape: [5, 2] });
    // A number too many, a matrix without names, and numbers that are whole themselves.
    for (const [text, line] of [
      ['the 0.5 0.5\na 0.5 0.5 0.5\nof 0.5 0.5\n', 2],
      ['1 0.5 0.5\n2 3 0.5 0.5\n4 0.5 0.5\n', 2],
      ['the 1 2\nat 5 1 2\nof 1 2\n', 2],
    ] as const)
      await expect(read(text)).rejects.toThrow(`line ${line} has 4 columns; expected 3, as in most rows`);
    // A size line that does not fit is no reason to take numbers for names.
    expect((await readText('2 1\nthe 0.5 0.5\nof 0.5 0.5\n')).table.shape).toEqual([2, 2]);
  });
});

describe('llama2.c', () => {
  test.each([true, false])('tables of a model are read, tied: %s', async (tied) => {
    const bytes = tinyModel({ tied });
    const { tensors } = await readLlama2c(new BytesSource(bytes));
    const input = tensors.get('tok_embeddings.weight')!;
    expect(input.from).toBe(28);
    expect(tensors.has('output.weight')).toBe(!tied);
    const last = [...tensors.values()].at(-1)!;
    expect(last.from + last.bytes).toBe(bytes.length);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['cut off', tinyModel({ tied: true }).subarray(0, -4), /expected \d+ by its header: it may be cut off/],
    ['with a size of 0', joined(uint(0, 4), tinyModel({ tied: true }).subarray(4)), /a size in its header is 0/],
    [
      'with sizes whose product is huge',
      joined(floats([]), ...Array.from({ length: 7 }, () => uint(9_999_999, 4))),
      /by its header/,
    ],
  ])('a file %s is refused', async (_, bytes, message) => {
    await expect(readLlama2c(new BytesSource(bytes))).rejects.toThrow(message);
  });
});
