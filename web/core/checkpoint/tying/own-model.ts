/** What the files that this package writes say of their model: the configuration in their metadata rules, so one model gets one verdict in every format. */
import { isRecord } from '../../runtime/validate.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

/** Keys of the configuration, in safetensors and in GGUF. */
export const OWN_KEYS = { metadata: 'config', values: 'tied-embeddings.config' } as const;

export interface OwnModel {
  readonly tying: unknown;
  /** Null: the full softmax. */
  readonly head: unknown;
}

const KINDS: readonly unknown[] = ['direct-path', 'transformer', 'encoder-decoder'];

/** Null for a file of another program. */
export function ownModel({ metadata, values }: Pick<TensorDirectory, 'metadata' | 'values'>): OwnModel | null {
  const json = metadata.get(OWN_KEYS.metadata) ?? values.get(OWN_KEYS.values);
  if (typeof json !== 'string') return null;
  try {
    const said: unknown = JSON.parse(json);
    if (!isRecord(said) || !KINDS.includes(said['kind'])) return null;
    const { tying, head } = said;
    return { tying, head: isRecord(head) ? head['kind'] : null };
  } catch {
    return null;
  }
}

/** Parameters that are neither a table nor within a layer: of positions, of heads, of n-grams, of values, of factorized tables, and what lies between one table and its second role. */
const ASIDE =
  /^(?:positions|clusters|tails\.\d+\.(?:map|table)|(?:un)?embedding\.factor|between|mlp\.(?:up|down)\.(?:weight|bias)|low_rank\.[ab]|ngrams\.\d+|value_embedding)$/;

/** The tensors among which a missing table may be: in our own files, not those with a known part in the model. */
export function possibleTables(directory: TensorDirectory): readonly StoredTensor[] {
  const all = [...directory.tensors.values()];
  return ownModel(directory) === null ? all : all.filter(({ name }) => !ASIDE.test(name));
}

/** What lies between one table and its second role, in words, with a tensor of it. */
const BETWEEN: readonly (readonly [tying: string, tensor: string, words: string])[] = [
  ['tied-linear', 'between', 'a map'],
  ['tied-mlp', 'mlp.up.weight', 'a network'],
  ['tied-low-rank', 'low_rank.a', 'a correction'],
];

/** For one table with a map between its two roles: why it is neither tied nor untied. Null for all else. */
export function whyNeither(directory: TensorDirectory): string | null {
  const own = ownModel(directory);
  if (own === null) return null;
  const { tensors } = directory;
  const found = BETWEEN.find(([tying, tensor]) => own.tying === tying && tensors.has(tensor))?.[2];
  const words = found ?? (own.head === 'adaptive' && own.tying === 'tied' && tensors.has('tails.0.map') ? TAILS : null);
  return words === null
    ? null
    : `The model has one table, with ${words} between its two roles: this is neither plain tying nor two tables.`;
}

const TAILS = 'maps for rare tokens';

/** The output tables of an untied adaptive head, in order of frequency: none has a row for every token. Null for any other model. */
export function adaptiveOutput(directory: TensorDirectory): readonly string[] | null {
  const own = ownModel(directory);
  if (own?.head !== 'adaptive' || own.tying === 'tied') return null;
  const tails = [...directory.tensors.keys()].filter((name) => /^tails\.\d+\.table$/.test(name));
  return tails.length === 0 || !directory.tensors.has('unembedding') ? null : ['unembedding', ...tails];
}

/** The second factors of two factorized tables, E = A F and U = B G, whose rows are in two spaces; null for any others. */
export function factorsOf(
  { metadata, values, tensors }: TensorDirectory,
  input: StoredTensor | null,
  output: StoredTensor | null,
): readonly [StoredTensor, StoredTensor] | null {
  if (input?.name !== 'embedding' || output?.name !== 'unembedding' || ownModel({ metadata, values }) === null)
    return null;
  const [one, other] = [tensors.get('embedding.factor'), tensors.get('unembedding.factor')];
  return one === undefined || other === undefined ? null : [one, other];
}
