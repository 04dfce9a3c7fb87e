/** Rows separated by spaces, as word2vec, fastText and GloVe write them: a name, which may have spaces itself, and numbers. */
import { isNumber } from './csv-lines.js';

const LOOKED_AT = 1000;

export const fieldsOfWords = (line: string): string[] => line.trimEnd().split(/ +/);

type Lines = readonly { readonly text: string }[];

/** Whether rows begin with words: some of the first ones do with what is no number. */
export const beginWithWords = (lines: Lines): boolean =>
  lines.slice(0, LOOKED_AT).some(({ text }) => !isNumber(fieldsOfWords(text)[0]!));

/** A name and as many numbers as the first line of the file says, if the first rows have them; else as many fields as most of them have. */
export function wordWidth(lines: Lines, numbers: number | undefined, hasWords: boolean): number {
  const some = lines.slice(0, LOOKED_AT);
  if (numbers !== undefined && numbers > 0 && some.every(({ text }) => wordRow(text, numbers + 1, hasWords) !== null))
    return numbers + 1;
  const counts = new Map<number, number>();
  for (const { text } of some) {
    const width = fieldsOfWords(text).length;
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return Math.min(...[...counts].filter(([, count]) => count === most).map(([width]) => width));
}

const WHOLE = /^[+-]?\d+$/;

/** Whether most of these numbers are printed with a point or an exponent, so that a whole number beside them is a word. */
const areFractions = (numbers: readonly string[]): boolean =>
  2 * numbers.filter((number) => !WHOLE.test(number)).length > numbers.length;

/**
 * A row of `width` fields: of a longer line the last ones are the numbers, and the rest is the name: `at 5`, `1 000`. Null if that is ambiguous, because a field of the
 * name is a number as those after it are, or if there are too few.
 */
export function wordRow(line: string, width: number, hasWords: boolean): string[] | null {
  const fields = fieldsOfWords(line);
  if (fields.length <= width) return fields.length === width ? fields : null;
  const inName = fields.length - width + 1;
  const isWord = hasWords && areFractions(fields.slice(inName)) ? WHOLE : null;
  // The first field may be any token, also a number.
  if (fields.slice(1, inName).some((field) => isNumber(field) && isWord?.test(field) !== true)) return null;
  let end = line.trimEnd().length;
  for (let left = width - 1; left > 0; left--) {
    end = line.lastIndexOf(' ', end - 1);
    while (line[end - 1] === ' ') end--;
  }
  return [line.slice(0, end), ...fields.slice(inName)];
}
