/** What in a file could be a table that was not found: before a missing table counts as tied, nothing may be left. */
import {
  isCopyOfShared,
  isGeneric,
  isInLayer,
  isOf,
  isOfAPart,
  isOfOtherPart,
  isReplaced,
  isTableItself,
  partsOf,
  placeOf,
} from './families.js';
import { isOfIntegers } from './stored-types.js';
import { elementsIn, isPosition, LEAST_BYTES, type TableSide } from './table-candidates.js';
import type { StoredTensor } from './tensors.js';

/** Names of what comes before or after a table, whatever its shape. */
const BESIDE =
  /(?:^|[._/])(?:bias|b_[EU]|\w*norm\d*|LayerNorm|ln(?:_\w+)?\d*|dense(?:_\w+)?|transform|project_(?:in|out)|embeddings_project|\w*mapping_in|altup_\w+|vocab_transform|contact_head|memory_tokens|ngram_embeddings|version|lora_\w+|hc_\w+|scalars?|logit_scale|seq_relationship|\w*logits_bias)(?:[._/]|$)/i;
/** Names of what joins a part for images or sound to the model. */
const JOINT =
  /(?:^|[._/])(?:\w*projectors?|resampler|perceiver|connector|merger|aligner|abstractor|qformer|mm_\w+|multi_?modal\w*|modality\w*)(?:[._/]|$)/i;

/** Whether there is a part for images or sound. */
const haveParts = (tensors: readonly StoredTensor[]): boolean =>
  tensors.some(({ name, shape }) => isOfOtherPart(name) || (shape.length > 2 && !isInLayer(name)));

/** What is no table, whatever its shape. What joins a part to the model is none if there is a part to join. */
function asideIn(tensors: readonly StoredTensor[], hasParts = haveParts(tensors)): (name: string) => boolean {
  return (name) =>
    isOfOtherPart(name) || isInLayer(name) || isReplaced(name) || isPosition(name) || (hasParts && JOINT.test(name));
}

/** Names of all tensors that could be the table of this side, given the other one. */
export function couldBe(tensors: Iterable<StoredTensor>, there: StoredTensor, side: TableSide): string[] {
  const [rows, cols] = there.turned === true ? [there.shape[1]!, there.shape[0]!] : [there.shape[0]!, there.shape[1]!];
  const all = [...tensors];
  const isAside = asideIn(all);
  const found: string[] = [];
  for (const tensor of all) {
    const { name } = tensor;
    if (tensor === there || isAside(name) || (side === 'output' && readsForEncoder(name, there.name))) continue;
    if (beginsLikeATable(name, side) || hasTokens(tensor, rows, cols) || isPacked(tensor, rows * cols))
      found.push(name);
  }
  return found;
}

/** Whether it is the input table of an encoder, beside that of its decoder. */
function readsForEncoder(name: string, there: string): boolean {
  const place = placeOf(name, 'input');
  return place !== null && !isGeneric(place.role) && isOf('encoder', name) && isOf('decoder', there);
}

/** Whether it has one of the listed names, or is part of a module that has. */
function beginsLikeATable(name: string, side: TableSide): boolean {
  const place = placeOf(name, side);
  if (place === null || BESIDE.test(name) || isOfAPart([...place.before, place.role].join('.'))) return false;
  if (isTableItself(place.rest)) return !(side === 'input' && isCopyOfShared(partsOf(name).stem));
  // `decoder.embed_tokens.weight` and `embedding.position.weight` are other modules, within one of a common name.
  return !isGeneric(place.role) || place.rest.length === 1 || place.rest[0] === 'weight';
}

/** Whether one of its dimensions is the number of tokens. */
function hasTokens(tensor: StoredTensor, rows: number, cols: number): boolean {
  const { name, shape } = tensor;
  if (shape.length < 2 || !shape.includes(rows)) return false;
  // A row of numbers, one for each token, is a bias.
  if (elementsIn(tensor) <= rows || isCopyOfShared(partsOf(name).stem)) return false;
  // A map of a model whose width is its number of tokens.
  return rows !== cols || !BESIDE.test(name);
}

/** A tensor outside all layers without elements: what it was before it was saved is not known. */
export function emptyMatrix(tensors: Iterable<StoredTensor>): string | null {
  const all = [...tensors];
  const isAside = asideIn(all);
  for (const { name, shape } of all) if (shape.includes(0) && !isAside(name) && !BESIDE.test(name)) return name;
  return null;
}

/** Whether it is stored as packed tables are, and has enough bytes for one: what it holds does not show in its shape. */
const isPacked = ({ name, dtype, bytes }: StoredTensor, elements: number): boolean =>
  bytes >= elements * LEAST_BYTES && !BESIDE.test(name) && (isOfIntegers(dtype) || partsOf(name).packed !== null);

/**
 * Matrices outside all layers that read states, of one or more layers, and are known by no name: heads of another kind, perhaps. `isStrict`:
 * also maps to states, as encoders of texts have after their last layer; but what joins a part for images or sound maps to states, too.
 */
export function otherHeads(tensors: Iterable<StoredTensor>, there: StoredTensor, isStrict: boolean): string[] {
  const [rows, cols] = there.turned === true ? [there.shape[1]!, there.shape[0]!] : [there.shape[0]!, there.shape[1]!];
  const all = [...tensors];
  const hasParts = haveParts(all);
  const isAside = asideIn(all, hasParts);
  const found: string[] = [];
  for (const tensor of all) {
    const { name, shape } = tensor;
    if (tensor === there || isAside(name) || BESIDE.test(name) || shape.length !== 2) continue;
    const [to, from] = shape as [number, number];
    if (from % cols !== 0 || to === rows || isCopyOfShared(partsOf(name).stem)) continue;
    if (to === cols && (!isStrict || hasParts)) continue;
    if (placeOf(name, 'input') !== null) continue;
    found.push(name);
  }
  return found;
}
