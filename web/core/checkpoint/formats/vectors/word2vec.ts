/**
 * Word vectors in the binary form of word2vec: a line with the number of rows and columns, then each row as a name, a space and its numbers as 32-bit floats. Google's
 * program writes a line break after each row, gensim none. https://code.google.com/archive/p/word2vec/
 */
import type { TiedError } from '../../../runtime/errors.js';
import { HeaderCursor } from '../../bytes/header-cursor.js';
import { badFile, checkAsked, type ByteSource } from '../../bytes/source.js';
import type { StoredTensor } from '../../tensors.js';
import { RowNames } from './row-names.js';
import { RowsWithin } from './rows-within.js';

export interface VectorTable {
  readonly table: StoredTensor;
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

const LINE_BREAK = 10;
const SPACE = 32;
const LONGEST_LINE = 64;
const LONGEST_NAME = 65_536;
const MOST_COLUMNS = 1_000_000;
/** Names are in memory. */
const MOST_ROWS = 2 ** 24;

export async function readWord2vec(source: ByteSource, name: string, signal?: AbortSignal): Promise<VectorTable> {
  const { name: file, size } = source;
  const wrong = (problem: string): TiedError => badFile(file, problem);
  // Where a row begins is known only after those before it.
  checkAsked(source, 'word vectors in the binary form of word2vec');
  if (size === null) throw wrong('its size is not known; expected a server that reports it, or the file itself');
  const cursor = new HeaderCursor(source, signal);
  const length = await cursor.find(LINE_BREAK, LONGEST_LINE);
  const line = length < 0 ? '' : String.fromCharCode(...cursor.bytes(length));
  const [rows = 0, cols = 0] = /^\s*\d+\s+\d+\s*$/.test(line) ? line.trim().split(/\s+/).map(Number) : [];
  if (rows < 1 || rows > MOST_ROWS || cols < 1 || cols > MOST_COLUMNS)
    throw wrong(
      `its first line is '${line.slice(0, 40)}'; expected a number of rows, up to ${MOST_ROWS}, and of columns, up to ${MOST_COLUMNS}`,
    );
  cursor.skip(1);
  const rowBytes = 4 * cols;
  const least = rows * (rowBytes + 1);
  if (least > cursor.left)
    throw wrong(`its first line says ${rows} rows of ${cols} numbers, at least ${least} bytes, but ${cursor.left} follow; expected all of them: it may be cut off`); // prettier-ignore
  const starts = new Float64Array(rows);
  const names = new RowNames(file);
  let hasBreaks = false;
  for (let row = 0; row < rows; row++) {
    let end = cursor.before(SPACE);
    if (end < 0 || end > LONGEST_NAME) end = await cursor.find(SPACE, LONGEST_NAME);
    if (end < 0)
      throw wrong(`row ${row} of ${rows} has no space within ${LONGEST_NAME} bytes of byte ${cursor.position}; expected a name, a space and ${cols} numbers: it may be cut off, or a name may have a space`); // prettier-ignore
    const bytes = cursor.bytes(end);
    const word = withoutBreaks(bytes);
    if (row === 1) hasBreaks = word.length < bytes.length;
    // After a name with a space, the rest of the numbers would be a part of the next name.
    if ((row > 0 && hasBreaks !== word.length < bytes.length) || names.add(word) === 'numbers')
      throw wrong(`row ${row} of ${rows} begins with bytes that are no part of a name; expected a name without spaces: the one before, '${names.names.at(-1)!.slice(0, 40)}', may have one`); // prettier-ignore
    cursor.skip(1);
    starts[row] = cursor.position;
    if (rowBytes > cursor.left)
      throw wrong(`row ${row} of ${rows}, '${names.names.at(-1)!.slice(0, 40)}', ends after the file of ${size} bytes; expected ${cols} numbers in it: it may be cut off, or a name may have a space`); // prettier-ignore
    cursor.skip(rowBytes);
  }
  await checkEnd(cursor, rows, wrong);
  const table = new RowsWithin(source, rowBytes, starts);
  return {
    table: { name, shape: [rows, cols], dtype: 'F32', bytes: rowBytes * rows, source: table, from: 0 },
    names: names.names,
    notes: names.notes,
  };
}

/** Of a row before, a line break remains; within a name there is none. */
function withoutBreaks(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (bytes[from] === LINE_BREAK) from++;
  return bytes.subarray(from);
}

/** A file with more rows than it says is another one, or its rows are not where they seem to be. */
async function checkEnd(cursor: HeaderCursor, rows: number, wrong: (problem: string) => TiedError): Promise<void> {
  const { left } = cursor;
  if (left === 0) return;
  await cursor.fill(Math.min(left, 1));
  if (left === 1 && cursor.bytes(1)[0] === LINE_BREAK) return;
  throw wrong(`${left} bytes follow the ${rows} rows that its first line says; expected none: it may have more rows, or a name may have a space`); // prettier-ignore
}
