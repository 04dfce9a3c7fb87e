/** Tables as text: CSV, values separated by tabs, semicolons or spaces, and word vectors, with or without names in the first column. */
import { headingOf, isNumber, linesOf, separatorOf } from './csv-lines.js';
import { decodedText } from './decoded-text.js';
import { memoryTensor } from './memory-table.js';
import { printedOf } from '../elements/printed.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';
import { beginWithWords, fieldsOfWords, wordRow, wordWidth } from './word-rows.js';

export interface TextTable {
  readonly table: StoredTensor;
  /** The first column, if its title says so or it is not a number everywhere. */
  readonly names: readonly string[] | null;
  readonly notes: readonly string[];
}

/** A text is read whole. */
const LARGEST_TEXT = 2 ** 28;
const MOST_COLUMNS = 1_000_000;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export async function readCsv(source: ByteSource, name: string, signal?: AbortSignal): Promise<TextTable> {
  const { size } = source;
  if (size === null || size > LARGEST_TEXT)
    throw badFile(
      source.name,
      `it has ${size ?? 'an unknown number of'} bytes; expected a text of at most ${LARGEST_TEXT}`,
    );
  const { text, notes } = decodedText(await source.read(0, size, signal), source.name);
  const read = tableOf(text, source.name, name);
  return { ...read, notes: [...notes, ...read.notes] };
}

function tableOf(text: string, file: string, name: string): TextTable {
  const found = separatorOf(text);
  if (found === null) throw badFile(file, 'it has no rows; expected at least one');
  const { separator } = found;
  // In word vectors words are never quoted, and may be quotes themselves.
  const split = (line: string): string[] => (separator === null ? fieldsOfWords(line) : quoted(line, separator));
  const lines = linesOf(text, separator);
  const first = lines.findIndex((line) => line.text.trim() !== '');
  const next = lines[first + 1];
  const { isHeader, namesFirst, size } = headingOf(
    split(lines[first]!.text),
    next === undefined ? null : split(next.text),
    lines.length - first - 1,
  );
  const from = first + (isHeader ? 1 : 0);
  const rows = lines.length - from;
  const hasWords = separator === null && beginWithWords(lines.slice(from));
  const width =
    separator === null ? wordWidth(lines.slice(from), size?.[1], hasWords) : split(lines[from]?.text ?? '').length;
  if (rows < 1 || width > MOST_COLUMNS)
    throw badFile(
      file,
      `it has ${counted(rows, 'row')} of ${counted(width, 'column')}; expected at least one row, and at most ${MOST_COLUMNS} columns`,
    );
  const fields = lines.slice(from).map((line) => {
    const found = separator === null ? wordRow(line.text, width, hasWords) : split(line.text);
    if (found?.length === width) return found;
    const columns = counted(split(line.text).length, 'column');
    const like = separator === null ? 'as in most rows' : 'as in the first row';
    throw badFile(file, `line ${line.number} has ${columns}; expected ${width}, ${like}`);
  });
  // Ids are numbers too, so a column of them holds no names.
  const hasNames = namesFirst || fields.some(([value]) => !isNumber(value!));
  const cols = width - (hasNames ? 1 : 0);
  if (cols < 1) throw badFile(file, 'its only column holds names; expected numbers after it');
  if (separator === null && cols === 1 && fields.every(([name]) => /.:$/.test(name!)))
    throw badFile(
      file,
      `its lines are a name, a colon and a value, as in YAML ('${fields[0]![0]!.slice(0, 40)}'); expected rows of numbers`,
    );
  const data = new Float32Array(rows * cols);
  for (const [row, values] of fields.entries()) {
    for (let col = 0; col < cols; col++) {
      const value = values[col + width - cols]!;
      const number = Number(value);
      if (!isNumber(value) || !Number.isFinite(Math.fround(number)))
        throw badFile(
          file,
          `line ${lines[from + row]!.number} has '${value.slice(0, 40)}' in column ${col + width - cols + 1}; expected a number`,
        );
      data[row * cols + col] = number;
    }
  }
  const printed = printedOf(fields, width - cols);
  const isOther = size !== undefined && (size[0] !== rows || size[1] !== cols);
  return {
    table: { ...memoryTensor(name, [rows, cols], data), ...(printed === null ? {} : { printed }) },
    names: hasNames ? fields.map(([value]) => value!) : null,
    // A part of a larger file is useful; one that was cut off by accident looks the same.
    notes: isOther
      ? [
          `${file}: line 1 says ${size[0]} rows of ${size[1]} numbers, but it has ${rows} of ${cols}: it may be cut off.`,
        ]
      : [],
  };
}

/** Quoted fields may contain separators, and doubled quotes that stand for quotes. */
function quoted(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((field) => field.trim());
  const fields: string[] = [];
  for (let at = 0; at <= line.length;) {
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at) < 0 ? line.length : line.indexOf(separator, at);
      fields.push(line.slice(at, end).trim());
      at = end + 1;
      continue;
    }
    let field = '';
    for (at++; at < line.length; at++) {
      if (line[at] !== '"') field += line[at];
      else if (line[at + 1] === '"') field += line[at++];
      else break;
    }
    fields.push(field);
    const end = line.indexOf(separator, at + 1);
    at = (end < 0 ? line.length : end) + 1;
  }
  return fields;
}
