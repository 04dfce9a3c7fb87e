/** Where the bytes of a checkpoint come from, and which of several files to start with. */
import type { CheckedOpening } from './options.js';
import { TiedError } from '../runtime/errors.js';
import { BytesSource, sourcesOf } from './bytes/memory-source.js';
import type { ByteSource } from './bytes/source.js';
import type { WantedTables } from './tables/tables.js';
import { UrlSource } from './bytes/url-source.js';
import { areSlices } from './formats/slices.js';
import { arePartsOfOne } from './shards.js';
import type { Fetch } from './bytes/url-stream.js';

export interface GivenSource {
  readonly source: ByteSource;
  /** Whether to look for other files beside it. */
  readonly beside: boolean;
  /** Token strings in a file that the caller gave under an arbitrary name. */
  readonly tokens?: ByteSource;
  /** Merges of a tokenizer, given in the same way. */
  readonly merges?: ByteSource;
}

/** The network, which tests replace. */
export interface OpenHow {
  readonly fetch?: Fetch;
}

/** A file that the caller names as the second one of two: at a URL, or beside the first. */
export const elsewhere =
  ({ options }: CheckedOpening, how: OpenHow, { source }: GivenSource) =>
  async (name: string): Promise<ByteSource | null> =>
    /^https?:/i.test(name) ? openUrl(name, options, how) : source.beside(name, options.signal);

export async function sourceOf({ given, options }: CheckedOpening, how: OpenHow): Promise<GivenSource> {
  if ('bytes' in given) return { source: new BytesSource(given.bytes), beside: false };
  if ('blob' in given) return { source: sourcesOf([given.blob])[0]!, beside: false };
  if ('blobs' in given) return ofFiles(given.blobs, options.tables);
  return { source: await openUrl(given.url, options, how), beside: options.beside ?? false };
}

function openUrl(
  url: string,
  { wholeFile, silenceSeconds, onProgress, signal }: CheckedOpening['options'],
  { fetch }: OpenHow,
): Promise<ByteSource> {
  const onDownload =
    onProgress && ((done: number, size: number | null): void => onProgress(size === null ? 0 : done / size));
  const how = {
    ...(wholeFile === undefined ? {} : { wholeFile }),
    ...(silenceSeconds === undefined ? {} : { silenceMs: 1000 * silenceSeconds }),
    ...(onDownload === undefined ? {} : { onDownload }),
    ...(fetch === undefined ? {} : { fetch }),
  };
  return UrlSource.open(url, how, signal);
}

const TOKEN_NAMES =
  /(?:^|[-_.])(?:tokenizer|vocab|encoder)[\w-]*\.json$|(?:^|[-_.])vocab\.txt$|(?:^|[-_.])tok\w*\.bin$/i;
const MERGES_NAMES = /(?:^|[-_.])merges[\w-]*\.txt$|\.bpe$/i;
/** JSON files that belong to a model and contain no weights. */
const BESIDE_NAMES = /(?:config|modules|tokens_map|added_tokens|tokenizer|vocab|encoder)[\w-]*\.json$/i;
const NOT_TENSORS = /\.(?:json|txt|md|model|bpe)$/i;

/** Of files given together, the one that says where the others are, or the only one with tensors. */
function ofFiles(blobs: readonly Blob[], tables: WantedTables = {}): GivenSource {
  const sources = sourcesOf(blobs);
  // Two files with a table each.
  const [input, output] = [tables.input, tables.output].map((wanted) => sources.find(({ name }) => name === wanted));
  if (input !== undefined && output !== undefined) return { source: input, beside: true };
  const named = (pattern: RegExp): ByteSource[] => sources.filter(({ name }) => pattern.test(name));
  const tokens = named(TOKEN_NAMES).filter(({ name }) => !/config/i.test(name));
  const merges = named(MERGES_NAMES);
  const indices = named(/\.index\.json$/i);
  const weights = named(/\.(?:safetensors|gguf|npy|npz|onnx|csv|tsv|vec)$/i);
  const others = sources.filter((source) => !NOT_TENSORS.test(source.name) && !tokens.includes(source));
  const json = named(/\.json$/i).filter(({ name }) => !BESIDE_NAMES.test(name));
  const found = [indices, weights, others, json, sources].find(({ length }) => length > 0)!;
  const [first, ...more] = found;
  // Any part of a split model leads to the others.
  const isSplit =
    arePartsOfOne(found.map(({ name }) => name)) ||
    areSlices(found.map(({ name }) => name)) ||
    found.every(({ name }) => /-\d{5}-of-\d{5}\.gguf$/i.test(name));
  if (more.length > 0 && !isSplit) {
    const names = found.map(({ name }) => `'${name.slice(0, 80)}'`).join(', ');
    throw new TiedError(
      'invalid-argument',
      `source has several models: ${names}; expected one, or its index among the files`,
    );
  }
  return {
    source: first!,
    beside: true,
    ...(tokens.length === 1 && tokens[0] !== first ? { tokens: tokens[0]! } : {}),
    ...(merges.length === 1 && merges[0] !== first ? { merges: merges[0]! } : {}),
  };
}
