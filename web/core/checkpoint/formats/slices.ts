/**
 * Models that were split among several computers, with a part of every matrix in each file: consolidated.00.pth, consolidated.01.pth and so on, as Llama's own
 * files are. Which dimension is split follows from the name of the matrix. https://github.com/meta-llama/llama/blob/main/llama/model.py
 */
import { checkRange, badFile, type ByteSource } from '../bytes/source.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

const SLICE = /^(.*[/\\])?consolidated\.(\d{2})\.(pth|pt)$/i;

/** Its place among the files of one model; null if it is none of such a model. */
export const sliceOf = (name: string): number | null => {
  const number = SLICE.exec(name)?.[2];
  return number === undefined ? null : Number(number);
};

/** True for names of such files, from the first one on, without a gap. */
export const areSlices = (names: readonly string[]): boolean =>
  names.length > 1 && [...names].sort().every((name, at) => sliceOf(name) === at);

export interface Slices {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly sources: readonly ByteSource[];
  readonly notes: readonly string[];
  /** Whether every matrix is a part of one. */
  readonly isSlice: boolean;
}

/** `first`: what the file `source` has. The others are looked for beside it. */
export async function withSlices(
  first: Pick<TensorDirectory, 'tensors'>,
  source: ByteSource,
  read: (source: ByteSource) => Promise<Pick<TensorDirectory, 'tensors'>>,
  signal: AbortSignal | undefined,
): Promise<Slices> {
  const own = sliceOf(source.name)!;
  const alone = { tensors: first.tensors, sources: [source], notes: [] };
  const [, folder = '', , ending] = SLICE.exec(source.name)!;
  const files: (typeof first)[] = [];
  const sources: ByteSource[] = [];
  // Behind a URL, nothing says how many there are.
  for (let number = 0; number < 100 && !/^https?:/i.test(source.name); number++) {
    const name = `${folder}consolidated.${String(number).padStart(2, '0')}.${ending!}`;
    const file = number === own ? source : await source.beside(name, signal);
    if (file === null) break;
    files.push(number === own ? first : await read(file));
    sources.push(file);
  }
  const width = first.tensors.get('norm.weight')?.shape[0];
  const cols = first.tensors.get('tok_embeddings.weight')?.shape[1];
  const byColumns = width !== undefined && cols !== undefined && cols < width;
  if (files.length < 2) return { ...alone, isSlice: own > 0 || byColumns };
  if (!sources.includes(source)) return { ...alone, isSlice: true };
  const tensors = new Map<string, StoredTensor>();
  for (const name of first.tensors.keys()) tensors.set(name, joined(name, files, byColumns, source.name));
  const notes = [`Each of its ${files.length} files has a part of every matrix; they were put together.`];
  return { tensors, sources, notes, isSlice: byColumns && cols * files.length !== width };
}

/** Matrices of which each file has some columns. Those of all others are split by rows. */
const COLUMNS = /(?:^|\.)(?:wo|w2)\.weight$/;
const ROWS = /(?:^|\.)(?:wq|wk|wv|w1|w3|output|tok_embeddings)\.weight$/;

function joined(
  name: string,
  files: readonly Pick<TensorDirectory, 'tensors'>[],
  byColumns: boolean,
  file: string,
): StoredTensor {
  const parts = files.map(({ tensors }, at) => {
    const part = tensors.get(name);
    if (part === undefined) throw badFile(file, `'${name.slice(0, 120)}' is missing in file ${at} of ${files.length}; expected a part in each`); // prettier-ignore
    return part;
  });
  const [first] = parts as [StoredTensor];
  const other = parts.find(({ shape, dtype }) => shape.join() !== first.shape.join() || dtype !== first.dtype);
  if (other !== undefined)
    throw badFile(other.source.name, `'${name.slice(0, 120)}' has the shape [${other.shape.join(', ')}] of ${other.dtype}; expected [${first.shape.join(', ')}] of ${first.dtype}, as in ${first.source.name}`); // prettier-ignore
  // Norms are the same in all files.
  if (first.shape.length < 2) return first;
  const bytes = first.bytes * parts.length;
  const isColumns = COLUMNS.test(name) || (byColumns && /(?:^|\.)tok_embeddings\.weight$/.test(name));
  if (first.shape.length > 2 || first.turned === true || !(isColumns || ROWS.test(name)))
    return { ...first, bytes, dtype: `split among ${parts.length} files` };
  const [rows, cols] = first.shape as [number, number];
  const source = new JoinedSource(parts, isColumns ? rows : 1);
  return { ...first, bytes, shape: isColumns ? [rows, cols * parts.length] : [rows * parts.length, cols], source, from: 0 }; // prettier-ignore
}

/** Parts one after the other, as a whole or row by row. */
class JoinedSource implements ByteSource {
  readonly size: number;
  readonly notes: readonly string[] = [];
  /** Those of its files are counted there. */
  readonly bytesRead = 0;
  readonly #parts: readonly StoredTensor[];
  /** Bytes of a row of each part. */
  readonly #each: number;

  constructor(parts: readonly StoredTensor[], rows: number) {
    this.#parts = parts;
    this.#each = parts[0]!.bytes / rows;
    this.size = parts[0]!.bytes * parts.length;
  }

  get name(): string {
    return this.#parts[0]!.source.name;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    const result = new Uint8Array(length);
    const [each, count] = [this.#each, this.#parts.length];
    const end = from + length;
    // What each part has of the first and the last row, and all rows between.
    for (const [at, { source, from: start }] of this.#parts.entries()) {
      const first = this.#before(from, at);
      const last = this.#before(end, at);
      if (last === first) continue;
      const bytes = await source.read(start + first, last - first, signal);
      for (let to = 0; to < bytes.length;) {
        const own = first + to;
        const row = Math.floor(own / each);
        const some = Math.min(bytes.length - to, each - (own % each));
        result.set(bytes.subarray(to, to + some), (row * count + at) * each + (own % each) - from);
        to += some;
      }
    }
    return result;
  }

  /** How many bytes of a part are before a place of the whole. */
  #before(place: number, part: number): number {
    const row = this.#each * this.#parts.length;
    const whole = Math.floor(place / row);
    return whole * this.#each + Math.min(this.#each, Math.max(0, place - whole * row - part * this.#each));
  }

  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    return this.#parts[0]!.source.beside(name, signal);
  }
}
