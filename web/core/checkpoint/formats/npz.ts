/** An archive of NumPy arrays, stored or deflated. https://numpy.org/doc/stable/reference/generated/numpy.savez.html */
import type { TiedError } from '../../runtime/errors.js';
import { inSlices, pause } from '../../runtime/pause.js';
import { mayBeATable } from '../tables/families.js';
import { readNpyHeader, type KnownHeaders } from './npy.js';
import { storedArray } from './numpy-arrays.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import { isDecoded } from '../elements/stored-types.js';
import type { StatedRoles, StoredTensor } from '../tensors.js';
import { dataOf, readZipDirectory, type ZipDirectory, type ZipEntry } from '../bytes/zip-directory.js';
import { InflatedSource } from '../bytes/inflated-source.js';

export interface NpzFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly notes: readonly string[];
  readonly isOneTable?: boolean;
  readonly roles?: StatedRoles;
  readonly tokens: readonly string[] | null;
}

const NPY = /\.npy$/i;
const METHODS: readonly number[] = [0, 8];
/** An entry's own header and that of its array, mostly. */
const AHEAD_BYTES = 1024;
/** Headers no further apart are read together, and so many bytes at most: small arrays would take a request each. */
const APART_BYTES = 4096;
const TOGETHER_BYTES = 2 ** 20;
/** Arrays without a pause. */
const AT_ONCE = 1000;

/** Names that say nothing of a model, but which of two arrays reads. */
const PAIRS = [
  ['input', 'output'],
  ['in', 'out'],
  ['w_in', 'w_out'],
  ['input_embedding', 'output_embedding'],
  ['input_embeddings', 'output_embeddings'],
  ['embed', 'unembed'],
  ['embedding', 'unembedding'],
  ['embeddings', 'unembeddings'],
  ['w_e', 'w_u'],
  ['e', 'u'],
  ['word', 'context'],
  ['words', 'contexts'],
  ['syn0', 'syn1neg'],
  ['vectors', 'syn1neg'],
] as const;

export async function readNpz(source: ByteSource, signal?: AbortSignal): Promise<NpzFile> {
  const zip = await readZipDirectory(source, signal);
  const tensors = new Map<string, StoredTensor>();
  const known: KnownHeaders = new Map();
  const isDue = inSlices(AT_ONCE);
  for (const entries of together(zip)) {
    const file = await readAhead(source, entries, zip.end, signal);
    for (const [at, name] of namesOf(entries).entries()) {
      if (isDue()) await pause();
      if (tensors.has(name))
        throw badFile(source.name, `two arrays are '${name.slice(0, 80)}'; expected each name once`);
      tensors.set(name, await arrayOf(source, file, entries[at]!, name, { end: zip.end, known, signal }));
    }
  }
  if (tensors.size === 0) throw badFile(source.name, 'it has 0 arrays (.npy); expected at least one');
  const unnamed = [...tensors.values()]
    .filter(({ dtype }) => dtype === 'BF16')
    .map(({ name }) => `'${name.slice(0, 80)}'`);
  const notes =
    unnamed.length === 0
      ? []
      : [
          `${unnamed.slice(0, 8).join(', ')}: NumPy stores numbers of two bytes without a type (V2); they are read as BF16.`,
        ];
  return { ...tablesOf(tensors), notes, tokens: await wordsOf(tensors, signal) };
}

const TEXTS = 'stored as <U';
const WORDS = /^(?:words|tokens|vocab|vocabulary|names|labels|index_to_key)$/i;
const LARGEST_WORDS = 2 ** 28;

/** The names of rows, in an array of texts of one length, each of four bytes per character. */
async function wordsOf(
  tensors: ReadonlyMap<string, StoredTensor>,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | null> {
  const texts = [...tensors.values()].filter(
    ({ name, shape, dtype }) => WORDS.test(name) && shape.length === 1 && dtype.startsWith(TEXTS),
  );
  const [found] = texts;
  const length = Number(found?.dtype.slice(TEXTS.length).split(' ')[0]);
  const [rows = 0] = found?.shape ?? [];
  const isRows = ({ shape, dtype, turned }: StoredTensor): boolean =>
    shape.length === 2 && isDecoded(dtype) && shape[turned === true ? 1 : 0] === rows;
  if (texts.length !== 1 || !(length > 0) || found!.bytes !== 4 * length * rows || found!.bytes > LARGEST_WORDS)
    return null;
  if (rows === 0 || ![...tensors.values()].some(isRows)) return null;
  const bytes = await found!.source.read(found!.from, found!.bytes, signal);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: rows }, (_, row) => {
    let word = '';
    for (let at = 0; at < length; at++) {
      const point = view.getUint32(4 * (row * length + at), true);
      if (point === 0) break;
      word += point > 0x10_ffff || (point >= 0xd800 && point < 0xe000) ? '\ufffd' : String.fromCodePoint(point);
    }
    return word;
  });
}

/** One matrix is a table without a name; two may have names that say which is which. */
function tablesOf(tensors: ReadonlyMap<string, StoredTensor>): Pick<NpzFile, 'tensors' | 'isOneTable' | 'roles'> {
  const matrices = [...tensors.values()].filter(({ shape, dtype }) => shape.length === 2 && isDecoded(dtype));
  const [first, second] = matrices;
  if (matrices.length === 1 && !mayBeATable(first!.name))
    return { tensors: new Map([[first!.name, first!], ...tensors]), isOneTable: true };
  if (matrices.length !== 2) return { tensors };
  const names = [first!.name, second!.name];
  const isNamed = (at: 0 | 1) => (pair: readonly [string, string]) => names.find((name) => name.toLowerCase() === pair[at]) ?? null; // prettier-ignore
  for (const pair of PAIRS) {
    const [input, output] = [isNamed(0)(pair), isNamed(1)(pair)];
    if (input !== null && output !== null) return { tensors, roles: { input, output } };
  }
  return { tensors };
}

/** Arrays whose headers are read together. */
function* together({ entries, end }: ZipDirectory): Generator<readonly ZipEntry[]> {
  let some: ZipEntry[] = [];
  for (const entry of entries) {
    if (!NPY.test(entry.name)) continue;
    const [first, last] = [some[0], some.at(-1)];
    const isNear =
      first !== undefined &&
      entry.header >= last!.header &&
      entry.header - last!.header <= APART_BYTES &&
      aheadOf(entry, end) - first.header <= TOGETHER_BYTES;
    if (first !== undefined && !isNear) {
      yield some;
      some = [];
    }
    some.push(entry);
  }
  if (some.length > 0) yield some;
}

/** Where what is read for an entry ends. */
const aheadOf = ({ header }: ZipEntry, end: number): number => Math.min(header + AHEAD_BYTES, end);

/** Strings of their own: parts of the names with their endings would keep these in memory. */
const namesOf = (entries: readonly ZipEntry[]): readonly string[] =>
  JSON.parse(JSON.stringify(entries.map(({ name }) => name.replace(NPY, '')))) as string[];

/** The file, of which all is in memory that the headers of these entries mostly take. */
async function readAhead(
  source: ByteSource,
  entries: readonly ZipEntry[],
  end: number,
  signal: AbortSignal | undefined,
): Promise<Pick<ByteSource, 'read' | 'name'>> {
  const begin = entries[0]!.header;
  const ahead = await source.read(begin, aheadOf(entries.at(-1)!, end) - begin, signal);
  return {
    name: source.name,
    read: (from, length, until) =>
      from >= begin && from + length <= begin + ahead.length
        ? Promise.resolve(ahead.subarray(from - begin, from - begin + length))
        : source.read(from, length, until),
  };
}

interface Archive {
  /** Of the data of all arrays. */
  readonly end: number;
  readonly known: KnownHeaders;
  readonly signal: AbortSignal | undefined;
}

async function arrayOf(
  source: ByteSource,
  file: Pick<ByteSource, 'read' | 'name'>,
  entry: ZipEntry,
  name: string,
  { end, known, signal }: Archive,
): Promise<StoredTensor> {
  const wrong = (problem: string): TiedError => badFile(source.name, `'${entry.name.slice(0, 80)}': ${problem}`);
  const data = await dataOf(file, entry, end, signal, METHODS);
  const inflated = entry.method === 0 ? null : new InflatedSource(source, { name: entry.name, from: data, stored: entry.stored, size: entry.size }); // prettier-ignore
  const read = async (from: number, length: number): Promise<Uint8Array> => {
    if (from + length > entry.size) throw wrong(`it ends after ${entry.size} bytes, within its header; expected a NumPy file`); // prettier-ignore
    return inflated === null ? file.read(data + from, length, signal) : inflated.read(from, length, signal);
  };
  const { from, ...header } = await readNpyHeader(read, wrong, known);
  const bytes = entry.size - from;
  const place = { source: inflated ?? source, from: inflated === null ? data + from : from };
  return storedArray({ name, bytes, ...header, ...place }, 'after its header', wrong);
}
