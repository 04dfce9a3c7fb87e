/** Reads the header of a file in any format, and the headers of the other files of its model. */
import { pause } from '../runtime/pause.js';
import { fileKind, headBytes } from './formats/file-kind.js';
import { nameOf, READABLE } from '../training/open-file.js';
import { readCsv } from './formats/csv.js';
import { readGguf, type GgufHeader } from './formats/gguf.js';
import type { GgufValue } from './formats/gguf-values.js';
import { readLlama2c } from './formats/llama2c.js';
import { readNpy } from './formats/npy.js';
import { looksLikeOnnx } from './formats/onnx/looks-like.js';
import { isRwkv, readRwkv } from './formats/rwkv-cpp.js';
import { readIndex, readText } from './formats/safetensors-index.js';
import { ShardsOfIndex, withOtherParts } from './shards.js';
import { readSafetensors } from './formats/safetensors.js';
import { sliceOf, withSlices } from './formats/slices.js';
import { noteOfUnknownTypes } from './elements/stored-types.js';
import { withOutput, type OneTable } from './tables/second-file.js';
import { badFile, checkAsked, type ByteSource } from './bytes/source.js';
import { candidateNames, nothingNamed, type WantedTables } from './tables/tables.js';
import { namesWithoutRepeats } from './tables/repeats.js';
import type { StoredTensor, TensorDirectory } from './tensors.js';
import { readJsonWeights } from './formats/weights-json.js';

const EXPECTED =
  'safetensors, their index, GGUF, PyTorch, a model of llama2.c or rwkv.cpp, weights as JSON, arrays of NumPy, word vectors of word2vec, a model of fastText or ONNX, or a table as text';
/** Largest JSON file, an index or weights. */
const LARGEST_JSON = 200_000_000;
const MOST_SPLITS = 1_000;
const NONE = {
  metadata: new Map<string, string>(),
  values: new Map<string, GgufValue>(),
  tokens: null,
  notes: [],
} as const;

export interface Opened extends TensorDirectory {
  /** All files opened for the checkpoint. */
  readonly sources: readonly ByteSource[];
  /** Opens the remaining files of its model, which have no table by the index. Absent if none remain. */
  readonly openRest?: (signal?: AbortSignal) => Promise<Opened>;
}

/** A file that the caller names; null if there is none. */
export type FindFile = (name: string) => Promise<ByteSource | null>;

/** `elsewhere` finds the output table of a file that has one table. */
export async function readDirectory(
  source: ByteSource,
  wanted: WantedTables = {},
  signal?: AbortSignal,
  elsewhere: FindFile = (name) => source.beside(name, signal),
): Promise<Opened> {
  const second = async (name: string): Promise<Opened | null> => {
    const found = await elsewhere(name);
    return found && readDirectory(found, {}, signal);
  };
  const size = source.size ?? Number.MAX_SAFE_INTEGER;
  if (size === 0) throw badFile(source.name, `it is empty; expected ${EXPECTED}`);
  const head = await source.read(0, Math.min(size, headBytes), signal);
  const { kind } = fileKind(head, size);
  switch (kind) {
    case 'safetensors':
      return ofModule(await ofSafetensors(source, signal), source, wanted, second, signal);
    case 'pytorch': {
      const opened = await ofSlices(await ofPyTorch(source, head, signal), source, signal);
      return opened.isOneTable === true
        ? withOutput(opened, wanted, second)
        : ofModule(opened, source, wanted, second, signal);
    }
    case 'pickle': {
      const { refusedWithAdvice } = await import('./formats/conversions.js');
      const refusal = refusedWithAdvice(kind, head, source.name);
      if (refusal !== null) throw refusal;
      checkAsked(source, 'a pickle of Python');
      const { readPickle } = await import('./formats/pytorch/read-pytorch.js');
      const { isOneTensor, ...read } = await readPickle(source, lastName(source.name), signal);
      const opened = { ...NONE, format: 'pickle' as const, ...read, sources: [source] };
      return isOneTensor ? withOutput({ ...opened, isOneTable: true }, wanted, second) : opened;
    }
    case 'weights':
      return { ...NONE, format: 'llama2c', ...(await readLlama2c(source, signal)), sources: [source] };
    case 'gguf':
      if (head[0] === 0x47) return ofGguf(source, signal);
      if (isRwkv(head)) return { ...NONE, format: 'rwkv.cpp', ...(await readRwkv(source, signal)), sources: [source] };
      throw badFile(source.name, 'it is a GGML file, older than GGUF; expected GGUF of version 2 or 3');
    case 'numpy':
      if (head[0] !== 0x93) {
        const { readNpz } = await import('./formats/npz.js');
        const opened = { ...NONE, format: 'npz' as const, ...(await readNpz(source, signal)), sources: [source] };
        return opened.isOneTable === true ? withOutput(opened, wanted, second) : opened;
      }
      return withOutput(
        ofTable('npy', await readNpy(source, lastName(source.name), signal), null, source),
        wanted,
        second,
      );
    case 'word2vec': {
      const { readWord2vec } = await import('./formats/vectors/word2vec.js');
      const { table, names, notes } = await readWord2vec(source, lastName(source.name), signal);
      return withOutput(ofTable('word2vec', table, names, source, notes), wanted, second);
    }
    case 'fasttext': {
      const { readFastText } = await import('./formats/vectors/fasttext.js');
      return { ...NONE, format: 'fasttext', ...(await readFastText(source, signal)), sources: [source] };
    }
    case 'text': {
      checkNotPromised(source);
      checkAsked(source, 'a table as text');
      const { table, names, notes } = await readCsv(source, lastName(source.name), signal);
      return withOutput(ofTable('csv', table, names, source, notes), wanted, second);
    }
    case 'json':
    case 'weights-json':
    case 'tokenizer-json':
    case 'config-json': {
      checkAsked(source, 'JSON');
      const text = await readText(source, LARGEST_JSON, signal);
      if (INDEX.test(text) || /\.index\.json$/i.test(lastName(source.name)))
        return ofIndex(source, text, wanted, signal);
      const weights = readJsonWeights(text, source.name, lastName(source.name));
      if (weights !== null) return { ...NONE, format: 'json', ...weights, sources: [source] };
      break;
    }
    case 'onnx':
      return ofOnnx(source, signal);
    case 'own-file': {
      const is = nameOf(head)!;
      throw badFile(
        source.name,
        `it is ${is}, which load${is === READABLE.trainer ? 'Trainer' : 'Tokenizer'} opens; expected ${EXPECTED}`,
      );
    }
    default: {
      if (looksLikeOnnx(head)) return ofOnnx(source, signal);
      const { refusedWithAdvice } = await import('./formats/conversions.js');
      const refusal = refusedWithAdvice(kind, head, source.name);
      if (refusal !== null) throw refusal;
      break;
    }
  }
  throw badFile(source.name, `it is ${nameOf(head) ?? 'of an unknown kind'}; expected ${EXPECTED}`);
}

async function ofSafetensors(source: ByteSource, signal: AbortSignal | undefined): Promise<Opened> {
  const { tensors, metadata } = await readSafetensors(source, signal);
  const notes = noteOfUnknownTypes(source.name, tensors.values());
  return { ...NONE, format: 'safetensors', tensors, metadata, sources: [source], notes };
}

/** Of a file with one matrix called `weight`, as a module saves its own state: one table, of which nobody knows what it is for, like a matrix without a name. */
async function ofModule(
  opened: Opened,
  source: ByteSource,
  wanted: WantedTables,
  second: (name: string) => Promise<Opened | null>,
  signal: AbortSignal | undefined,
): Promise<Opened> {
  const only = opened.tensors.size === 1 ? opened.tensors.get('weight') : undefined;
  return only?.shape.length === 2
    ? withOutput({ ...opened, tokens: null, isOneTable: true }, wanted, second)
    : withOtherParts(opened, source, ofShard, signal);
}

async function ofPyTorch(
  source: ByteSource,
  head: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<OneTable<Opened>> {
  // Few files are of this kind, and their reader is a script of its own.
  const { readPyTorch } = await import('./formats/pytorch/read-pytorch.js');
  const { tensors, notes, isOneTensor } = await readPyTorch(source, head, lastName(source.name), signal);
  return { ...NONE, format: 'pytorch', tensors, sources: [source], notes, isOneTable: isOneTensor };
}

/** Of a file whose name says that it has a part of every matrix: with the other files of its model. */
async function ofSlices(
  opened: OneTable<Opened>,
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<OneTable<Opened>> {
  if (sliceOf(source.name) === null) return opened;
  const { notes, isSlice, ...found } = await withSlices(opened, source, (file) => ofShard(file, signal), signal);
  return { ...opened, ...found, notes: [...notes, ...opened.notes], ...(isSlice ? { isSlice, isPart: true } : {}) };
}

async function ofOnnx(source: ByteSource, signal: AbortSignal | undefined): Promise<Opened> {
  const { readOnnx } = await import('./formats/onnx/read-onnx.js');
  return { ...NONE, format: 'onnx', ...(await readOnnx(source, signal)) };
}

/** One of the files of an index, by its name. */
async function ofShard(source: ByteSource, signal: AbortSignal | undefined): Promise<Opened> {
  if (!/\.(?:bin|pt|pth)$/i.test(lastName(source.name))) return ofSafetensors(source, signal);
  const head = await source.read(0, Math.min(source.size ?? headBytes, headBytes), signal);
  return ofPyTorch(source, head, signal);
}

/** A text whose name promises a format of models is a damaged file, or an answer in place of one, and no table. */
function checkNotPromised({ name }: ByteSource): void {
  const format = /\.(safetensors|gguf)$/i.exec(lastName(name))?.[1];
  if (format !== undefined)
    throw badFile(name, `it is a text, although its name ends in .${format}; expected ${EXPECTED}`);
}

/** Matches the key, not a token in a vocabulary. */
const INDEX = /"weight_map"\s*:(?!\s*\d)/;

const lastName = (name: string): string => name.split('/').at(-1)!.split('?')[0]!;

const ofTable = (
  format: 'npy' | 'csv' | 'pytorch' | 'word2vec',
  table: StoredTensor,
  tokens: readonly string[] | null,
  source: ByteSource,
  notes: readonly string[] = [],
): OneTable<Opened> => ({
  ...NONE,
  format,
  notes,
  isOneTable: true,
  tensors: new Map([[table.name, table]]),
  tokens,
  sources: [source],
});

/** Reads the headers of only those shards that have a table, or a part of a packed one. */
async function ofIndex(
  source: ByteSource,
  text: string,
  wanted: WantedTables,
  signal: AbortSignal | undefined,
): Promise<Opened> {
  const shards = await readIndex(source, text);
  const names = [
    ...candidateNames(await namesWithoutRepeats(shards.keys())),
    ...[wanted.input, wanted.output].filter((name) => name !== undefined),
  ];
  const files = [...new Set(names.map((name) => shards.get(name)).filter((file) => file !== undefined))].sort();
  if (files.length === 0) throw nothingNamed(source.name, [...shards.keys()]);
  await pause();
  const shown = new ShardsOfIndex(source, shards, ofShard);
  for (const file of files) await shown.open(file, signal);
  return shown.opened();
}
/** A model in several files: NAME-00001-of-00005.gguf. */
const SPLIT = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;

async function ofGguf(source: ByteSource, signal: AbortSignal | undefined): Promise<Opened> {
  const given = await readGguf(source, signal);
  const parts: { readonly source: ByteSource; readonly header: GgufHeader }[] = [];
  const count = given.values.get('split.count');
  const names = SPLIT.exec(lastName(source.name));
  const all = typeof count === 'number' && count > 1 ? count : names ? Number(names[3]) : 1;
  if (all > MOST_SPLITS) throw badFile(source.name, `it is one of ${all} files; expected at most ${MOST_SPLITS}`);
  const own = Number(names?.[2]);
  if (all > 1 && !(own >= 1 && own <= all))
    throw badFile(
      source.name,
      `it is one of ${all} files; expected the name of the form NAME-00001-of-${digits(all)}.gguf`,
    );
  for (let number = 1; number <= all; number++) {
    if (all === 1 || number === own) {
      parts.push({ source, header: given });
      continue;
    }
    const name = `${decoded(names![1]!)}-${digits(number)}-of-${names![3]}.gguf`;
    const part = await source.beside(name, signal);
    if (part === null)
      throw badFile(source.name, `it is one of ${all} files, and ${name} is missing; expected all of them`);
    parts.push({ source: part, header: await readGguf(part, signal) });
  }
  const headers = parts.map(({ header }) => header);
  const tensors = merged(headers, source);
  return {
    ...NONE,
    format: 'gguf',
    tensors,
    // Writers put settings and tokens in the first part.
    values: headers[0]!.values,
    tokens: headers.find(({ tokens }) => tokens)?.tokens ?? null,
    sources: parts.map((part) => part.source),
    // The first part says how many tensors all parts have.
    isPart: Number(headers[0]!.values.get('split.tensors.count') ?? 0) > tensors.size,
    notes: parts.flatMap((part) => noteOfUnknownTypes(part.source.name, part.header.tensors.values())),
  };
}

const digits = (number: number): string => String(number).padStart(5, '0');

/** Decodes a name in a URL. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function merged(parts: readonly GgufHeader[], source: ByteSource): ReadonlyMap<string, StoredTensor> {
  if (parts.length === 1) return parts[0]!.tensors;
  const tensors = new Map<string, StoredTensor>();
  for (const part of parts) {
    for (const [name, tensor] of part.tensors) {
      if (tensors.has(name))
        throw badFile(source.name, `two of its files have '${name.slice(0, 120)}'; expected each tensor once`);
      tensors.set(name, tensor);
    }
  }
  return tensors;
}
