/** Rows separated by spaces, as word2vec, fastText and GloVe write them: a name, which may have spaces itself, and numbers. */
import { isNumber } from './csv-lines.js';

const LOOKED_AT = 1000;

export const fieldsOfWords = (line: string): string[] => line.trimEnd().split(/ +/);

/** A name and as many numbers as the first line of the file says, if the first rows have them; else as many fields as most of them have. */
export function wordWidth(lines: readonly { readonly text: string }[], numbers?: number): number {
  const some = lines.slice(0, LOOKED_AT);
  if (numbers !== undefined && numbers > 0 && some.every(({ text }) => wordRow(text, numbers + 1) !== null))
    return numbers + 1;
  const counts = new Map<number, number>();
  for (const { text } of some) {
    const width = fieldsOfWords(text).length;
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return Math.min(...[...counts].filter(([, count]) => count === most).map(([width]) => width));
}

/**
 * A row of `width` fields: of a longer line the last ones are the numbers, and the rest is the name. Null if that is ambiguous, because a field of the name is a
 * number, or if there are too few.
 */
export function wordRow(line: string, width: number): string[] | null {
  const fields = fieldsOfWords(line);
  if (fields.length <= width) return fields.length === width ? fields : null;
  const inName = fields.length - width + 1;
  // The first field may be any token, also a number.
  if (fields.slice(1, inName).some(isNumber)) return null;
  let end = line.trimEnd().length;
  for (let left = width - 1; left > 0; left--) {
    end = line.lastIndexOf(' ', end - 1);
    while (line[end - 1] === ' ') end--;
  }
  return [line.slice(0, end), ...fields.slice(inName)];
}
