/** Text tables as lines, and what their first line is: titles, the size of the table, or its first row. */

export interface TextLine {
  /** From 1, in the file. */
  readonly number: number;
  readonly text: string;
}

/** `separator`: of fields that may be quoted, and may then go on in the next line; null if a quote is a character like others. */
export function linesOf(text: string, separator: string | null): TextLine[] {
  // Lines and, between them, what ends each.
  const parts = text.split(/(\r\n|\n|\r)/);
  const lines: TextLine[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const number = at / 2 + 1;
    const end = separator === null ? at : endOfQuotes(parts, at, separator);
    lines.push({ number, text: end === at ? parts[at]! : parts.slice(at, end + 1).join('') });
    at = end;
  }
  while (lines.at(-1)?.text.trim() === '') lines.pop();
  return lines;
}

/** The line in which every quoted field is closed; the same line if a quote is never closed. */
function endOfQuotes(parts: readonly string[], at: number, separator: string): number {
  let isOpen = false;
  for (let end = at; end < parts.length; end += 2) {
    isOpen = isOpenAfter(parts[end]!, separator, isOpen);
    if (!isOpen) return end;
  }
  return at;
}

/** Whether the last field of a line goes on in the next one. */
function isOpenAfter(line: string, separator: string, isOpen: boolean): boolean {
  if (!isOpen && !line.includes('"')) return false;
  let at = 0;
  for (;;) {
    if (!isOpen && line[at] === '"') at++;
    else if (!isOpen) {
      const end = line.indexOf(separator, at);
      if (end < 0) return false;
      at = end + 1;
      continue;
    }
    const quote = line.indexOf('"', at);
    if (quote < 0) return true;
    // Doubled quotes stand for one inside a field.
    isOpen = line[quote + 1] === '"';
    at = quote + 2;
    if (isOpen) continue;
    const end = line.indexOf(separator, quote + 1);
    if (end < 0) return false;
    at = end + 1;
  }
}

/** Longer than any token; a quoted name that begins a file is looked for in this many characters. */
const LONGEST_NAME = 65_536;
const WORD_VECTOR = /^\S+ [-+\d.]/;

/** What separates fields, judged by the first line that is not blank. `separator` is null for spaces. Null: all lines are blank. */
export function separatorOf(text: string): { readonly separator: string | null } | null {
  const at = text.search(/\S/);
  if (at < 0) return null;
  const from = Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('\r', at)) + 1;
  const length = text.slice(at).search(/[\r\n]/);
  const line = length < 0 ? text.slice(from) : text.slice(from, at + length);
  if (line.includes('\t')) return { separator: '\t' };
  if (WORD_VECTOR.test(line)) return { separator: null };
  const separator = [',', ';'].find((one) => line.includes(one));
  if (separator !== undefined) return { separator };
  // The first name may go on in the next line.
  const named = /^"(?:[^"]|"")*"([\t,;])/.exec(text.slice(from, from + LONGEST_NAME));
  return { separator: named?.[1] ?? null };
}

/** Titles of a column of names; pandas leaves it empty. */
const NAMES_TITLE = /^(?:|(?:tokens?|words?|names?|labels?|strings?|index|ids?)(?:_ids?)?)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

export const isNumber = (field: string): boolean => NUMBER.test(field);

export interface Heading {
  readonly isHeader: boolean;
  /** Whether the titles tell that the first column is not a part of the table. */
  readonly namesFirst: boolean;
  /** The size that the first line states. */
  readonly size?: readonly [rows: number, cols: number];
}

/** `others`: how many lines follow the first. */
export function headingOf(first: readonly string[], second: readonly string[] | null, others: number): Heading {
  const none = { isHeader: false, namesFirst: false };
  if (second === null) return none;
  // The size of the table, as fastText and word2vec write it.
  if (first.length === 2 && first.every((value) => /^\d+$/.test(value))) {
    const [rows, cols] = first.map(Number) as [number, number];
    // One field more than numbers: it is a name, even if it is a number, such as the id of a node.
    const namesFirst = second.length === cols + 1;
    // Two columns of integers look the same, unless the size is right to the last row.
    if (second.length !== 2 || (cols === 1 && rows === others))
      return { isHeader: true, namesFirst, size: [rows, cols] };
  }
  if (first.length !== second.length || first.length < 2) return none;
  const [title, ...titles] = first;
  const namesFirst = NAMES_TITLE.test(title!);
  // pandas numbers columns without titles from 0.
  const isNumbered = namesFirst && titles.every((value, at) => value === String(at));
  return isNumbered || !titles.some(isNumber) ? { isHeader: true, namesFirst } : none;
}
