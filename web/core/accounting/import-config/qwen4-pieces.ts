/** Pieces of Qwen4-Exp: several copies of the stream, and tables of hashed n-grams in some layers. */
import type { Kinds } from './listed-reader.js';
import { attention, deltaNet, type Layer, type Piece } from './pieces.js';
import type { TensorList } from './tensor-list.js';

const copiesOf = ({ fields }: Layer): number => fields.sizeOr(4, 'hc_count');

/** A part reads a learned mixture of the copies, and its output goes back into each of them. */
function streams(layer: Layer, name: string, goesBack: boolean): void {
  const { fields, list, dModel, norm } = layer;
  const [copies, rank] = [copiesOf(layer), fields.sizeOr(320, 'hc_lowrank')];
  norm(`${name}.norm`, copies * dModel);
  list.map('feed-forward', `${name}.mix_in`, rank, copies * dModel);
  list.map('feed-forward', `${name}.mix_out`, copies * dModel, rank);
  if (goesBack) list.map('feed-forward', `${name}.back`, copies, copies * dModel);
}

const FULL = attention({
  biases: ['attention_bias', false],
  norms: 'head',
  gate: 'in-queries',
  keyValueHeads: 2,
  dHead: 256,
});

/** Chooses which tokens a query sees; one key for all of its heads. */
const chosenAttention: Piece = (layer) => {
  FULL(layer);
  const { fields, list, dModel, norm } = layer;
  const [heads, width] = [fields.size('indexer_n_heads'), fields.size('indexer_head_dim')];
  list.map('attention', 'indexer.query_key', (heads + fields.sizeOr(1, 'indexer_kv_heads')) * width, dModel);
  norm('indexer.query_norm', width);
  norm('indexer.key_norm', width);
};

export const QWEN4_KINDS: Kinds = {
  field: 'layer_types',
  usual: (fields) => (index) =>
    (index + 1) % fields.sizeOr(4, 'full_attention_interval') === 0 ? 'deepseek_sparse_attention' : 'linear_attention',
  pieces: {
    linear_attention: deltaNet,
    deepseek_sparse_attention: chosenAttention,
    hybrid_indexed: chosenAttention,
    full_attention: chosenAttention,
  },
};

function isPrime(number: number): boolean {
  if (number < 4) return number > 1;
  if (number % 2 === 0) return false;
  for (let divisor = 3; divisor * divisor <= number; divisor += 2) if (number % divisor === 0) return false;
  return true;
}

/** Each hash of each layer has a prime number of rows, the next above the one before; those found so far, by the list that is being made. */
const PRIMES = new WeakMap<TensorList, number[]>();

function rowsOf(list: TensorList, base: number, skipped: number, hashes: number): number {
  const primes = PRIMES.get(list) ?? [];
  PRIMES.set(list, primes);
  for (let candidate = (primes.at(-1) ?? base - 1) + 1; primes.length < skipped + hashes; candidate++) {
    if (isPrime(candidate)) primes.push(candidate);
  }
  return primes.slice(skipped, skipped + hashes).reduce((sum, prime) => sum + prime, 0);
}

const MOST_HASHES = 1000;

/** Layers are numbered from 1. */
function hashedTables(layer: Layer): void {
  const { fields, list, dModel, index, norm } = layer;
  const listed = fields.value('ple_layer_ids') ?? [];
  if (!Array.isArray(listed)) throw fields.wrong('ple_layer_ids', 'a list of layers, from 1');
  if (!listed.includes(index + 1)) return;
  const before = new Set(listed.filter((layerOf) => typeof layerOf === 'number' && layerOf <= index)).size;
  const hashes = (fields.sizeOr(3, 'ngram_size') - 1) * fields.sizeOr(8, 'heads_per_ngram');
  if (hashes < 1 || (before + 1) * hashes > MOST_HASHES) throw fields.wrong('ngram_size', 'an integer from 2, of few');
  const width = fields.sizeOr(dModel, 'ple_embed_dim');
  if (width % hashes !== 0) throw fields.wrong('ple_embed_dim', `a multiple of ${hashes}`);
  const multiple = fields.sizeOr(128, 'make_ngram_vocab_size_divisible_by');
  const rows = rowsOf(list, fields.sizeOr(20_000_000, 'ngram_vocab_size_base'), before * hashes, hashes);
  const all = copiesOf(layer) * dModel;
  list.add('tables', 'ngrams', [multiple * Math.ceil(rows / multiple), width / hashes]);
  list.map('feed-forward', 'ngrams.key', all, width);
  list.map('feed-forward', 'ngrams.value', dModel, width);
  list.add('feed-forward', 'ngrams.convolution', [all, fields.sizeOr(4, 'ple_conv_kernel_size')]);
  for (const name of ['key', 'query', 'convolution']) norm(`ngrams.${name}_norm`, all);
}

export const qwen4Rest: Piece = (layer) => {
  hashedTables(layer);
  streams(layer, 'attention_streams', true);
  streams(layer, 'feed_forward_streams', true);
};

export const qwen4Around: Piece = (layer) => streams(layer, 'last_streams', false);
