/** Word vectors that a program pickled: a matrix and its words, or a dictionary with a vector for each word. */
import { isWhole } from './array-builders.js';
import { PyArray, PyBytes, PyDict, PyList, type PyValue } from './values.js';

export interface WordVectors {
  readonly array: PyArray;
  readonly words: readonly string[];
}

export function wordVectorsIn(value: PyValue): WordVectors | null {
  if (value instanceof PyDict && value.values.every((one) => one instanceof PyArray)) return ofVectors(value);
  const parts =
    value instanceof PyDict ? value.values : value instanceof PyList ? value.items : Array.isArray(value) ? value : [];
  const [array, ...others] = parts.filter((part) => part instanceof PyArray && part.hasNumbers) as PyArray[];
  const rows = array?.shape[0];
  if (array?.shape.length !== 2 || others.length > 0) return null;
  const [words, ...more] = parts.map((part: PyValue) => wordsIn(part, rows!)).filter((found) => found !== null);
  return words === undefined || more.length > 0 ? null : { array, words };
}

/** A text for each row, or the row of each text. */
function wordsIn(value: PyValue, rows: number): readonly string[] | null {
  if (value instanceof PyDict) {
    const words: string[] = [];
    for (const [at, row] of value.values.entries()) {
      const word = value.keys[at]!;
      if (typeof word !== 'string' || !isWhole(row) || row >= rows || words[row] !== undefined) return null;
      words[row] = word;
    }
    return value.values.length === rows ? words : null;
  }
  const items = value instanceof PyList ? value.items : value;
  return Array.isArray(items) && items.length === rows && items.every((item) => typeof item === 'string')
    ? items
    : null;
}

function ofVectors({ keys, values }: PyDict): WordVectors | null {
  const vectors = values as readonly PyArray[];
  const [first] = vectors;
  const [cols] = first?.shape ?? [];
  const length = first?.bytes?.bytes.length;
  const isAlike = ({ shape, type, bytes }: PyArray): boolean =>
    shape.length === 1 && shape[0] === cols && type?.code === first!.type?.code && type?.isBigEndian === first!.type?.isBigEndian && bytes?.bytes.length === length; // prettier-ignore
  if (vectors.length < 2 || !keys.every((key) => typeof key === 'string') || length === undefined) return null;
  if (!vectors.every(isAlike)) return null;
  const bytes = new Uint8Array(vectors.length * length);
  for (const [at, vector] of vectors.entries()) bytes.set(vector.bytes!.bytes, at * length);
  const array = new PyArray();
  Object.assign(array, { shape: [vectors.length, cols!], type: first!.type, bytes: new PyBytes(bytes) });
  return { array, words: keys };
}
