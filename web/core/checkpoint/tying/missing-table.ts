/**
 * What in a file could be a table that was not found. Before a missing table counts as tied, every matrix has to be accounted for: as
 * a part of layers, of a part for images or sound, or as something that models are known to have beside their tables.
 */
import {
  isCopyOfShared,
  isGeneric,
  isOf,
  isOfAPart,
  isReplaced,
  isTableItself,
  partsOf,
  placeOf,
  plainParts,
} from '../tables/families.js';
import { stackedIn, type Stacked } from '../tables/layers.js';
import { strangersInLayers } from '../tables/parts-of-layers.js';
import { isOfIntegers } from '../elements/stored-types.js';
import { elementsIn, LEAST_BYTES, type TableSide } from '../tables/table-candidates.js';
import { inSlices, keptInSlices, pause } from '../../runtime/pause.js';
import { areOneStorage, type StoredTensor } from '../tensors.js';

const AT_ONCE = 4000;

const ENDS = '(?:[./_](?:weight|embedding|kernel|emb))?$';
/** Tables of positions, of kinds of tokens, of layers, by their whole names: `pos_head` tags parts of speech. */
const POSITIONS = new RegExp(
  `(?:^|[./])(?:wpe|pos_?emb(?:s|d|ed|edding|eddings)?|pos\\w*_?enc\\w*(?:[./]pe)?|pos_embed[./]W_pos|W_?pos|position(?:al)?_(?:embed|embd|embeddings?|encodings?|ids|embedding_table)|[xyhw]_position_embeddings|(?:row|col(?:umn)?)_embed(?:dings?)?|positions_embed|embed_positions|\\w*relative_\\w*bias|rel_embeddings|rel(?:ative_)?pos_bias[./]rel_embedding|relative_position\\w*|token_types?|token_type_embed\\w*|type_embeddings?|type_emb|segment_embeddings?|lang(?:uage)?_embeddings?|task_type_embeddings|embed_tokens_per_layer|per_layer_(?:token_embd|model_proj\\w*|embeddings?|proj_norm|projection_norm)|\\w*value_embeds?|rope_f(?:reqs?|actors)\\w*|rope[./]freqs|rotary_(?:emb|pos)\\w*|freqs\\w*|inv_freq|alibi\\w*|attn_mask|causal_mask|position_ids)(?:[./]\\d+)?${ENDS}`,
  'i',
);
/** Maps from one width to another, and what else families have outside their layers. */
const MAPS =
  /(?:^|[./])(?:project_(?:in|out)|embeddings_project|embedding_transformation|\w*mapping_in|altup_\w+|vocab_transform|contact_head|memory_tokens|ngram_embeddings|lora_\w+|(?:output_)?hc_\w+|\w*lambdas|scalars|logit_scale|seq_relationship|sop_classifier|\w*logits_bias|decoder_ff_logit_out_b|special:model)(?:[./]|$)/;
/** Vectors that read nothing. */
const NORMS = /norm|(?:^|[._/])(?:ln\w*|bias|b_[EU]|version|scale|\w*lambdas|scalars)(?:[./]|$)/i;
/** The map of a head with several parts, as of BERT's, and BERT's pooler: between states of one width. */
const DENSE =
  /(?:^|[./])(?:transform|lm_head|head|predictions|\w*_predictions|pooler)[./](?:dense|embed_transform)(?:[./](?:weight|kernel))?$/;
/** A part that reads images or sound. A head is none, whatever it is called. */
const TOWER =
  /(?:^|[./])(?:vision|visual|audio|image|img|speech)(?:_(?:tower|model|encoder|backbone|embed\w*|patch\w*|transformer|adapter\w*|proj\w*|resampler|abstractor|tokenizer|merger|expert\w*))?[./](?!(?:weight|kernel)$)|(?:^|[./])embed_(?:vision|audio)[./]|(?:^|[./])(?:vpm|apm|vit)[./]/;
/** Names that nothing but such a part has. */
const SURE_TOWER = /(?:^|[./])(?:(?:vision|audio|image)_(?:tower|model|encoder|backbone)|embed_(?:vision|audio))[./]/;
/** Names of what joins a part for images or sound to the model. */
const JOINT =
  /(?:^|[._/])(?:\w*projectors?|resampler|perceiver\w*|connector|merger|aligner|abstractor|qformer|mm_\w+|multi_?modal\w*|modality\w*)(?:[._/]|$)/i;
/** Parts that predict further tokens, with a table or a head that may be another one. */
const FURTHER = /(?:^|[./])(?:mtp(?:_(?:block|layers?|linear_proj|\w*norm))?|nextn\w*)[./](?!(?:weight|kernel)$)/;
/** LUKE's second vocabulary, of the things that words name. */
const ENTITIES = /(?:^|[./])entity_(?:embeddings|predictions)[./]/;
/** What training keeps of each parameter. */
const KEPT = /(?:^|[./])(?:(?:max_)?exp_avg\w*|optim(?:izer)?(?:_states?)?|state|grads?|momentum_buffer)(?=[./]|$)/g;

export interface Unaccounted {
  /** Names of tensors that could be the table. */
  readonly tables: readonly string[];
  /** Of other matrices that are known by no name, and may be a head, or read something. */
  readonly others: readonly string[];
}

interface Sizes {
  readonly rows: number;
  readonly cols: number;
}

/** A row of numbers. With two dimensions it may be a head with one output. */
const isVector = (tensor: StoredTensor): boolean =>
  tensor.shape.length !== 2 && elementsIn(tensor) === Math.max(1, ...tensor.shape);

/**
 * What is left, given the other table. `byName`: nothing but names says that the model is whole, so maps between states count, too, as encoders
 * of texts have after their last layer.
 */
export async function unaccounted(
  all: readonly StoredTensor[],
  names: readonly string[],
  there: StoredTensor,
  side: TableSide,
  byName: boolean,
): Promise<Unaccounted> {
  const turned = there.turned === true;
  const parts = [...(there.parts?.values() ?? [])];
  const sizes: Sizes = { rows: there.shape[turned ? 1 : 0]!, cols: there.shape[turned ? 0 : 1]! };
  const stacked = stackedIn(names);
  await pause();
  // Within a layer, a name says nothing of the whole stack.
  const outerOf = (name: string): string => stacked.memberOf(name)?.stack ?? name;
  const isConvolution = ({ shape }: StoredTensor): boolean =>
    shape.filter((size) => size > 1).length > 2 && shape.at(-1) !== sizes.cols && !shape.includes(sizes.rows);
  // Nothing is a sign of itself, but for a convolution.
  const towers = await keptInSlices(
    all,
    (tensor) => TOWER.test(outerOf(tensor.name)) && (stacked.has(tensor.name) || isConvolution(tensor)),
  );
  const signs = await keptInSlices(
    all,
    (tensor) =>
      (SURE_TOWER.test(tensor.name) &&
        (isVector(tensor) || POSITIONS.test(tensor.name) || /embed_(?:vision|audio)/.test(tensor.name))) ||
      (stacked.has(tensor.name) ? JOINT.test(outerOf(tensor.name)) : isConvolution(tensor)),
  );
  const areSigns = (found: readonly StoredTensor[], tensor: StoredTensor): boolean =>
    found.some((sign) => sign !== tensor || isConvolution(sign));
  const widths = await widthsOf(all, stacked, sizes);
  const strangers = await strangersInLayers(all, stacked, sizes);
  const isInTower = (tensor: StoredTensor): boolean => TOWER.test(outerOf(tensor.name)) && areSigns(towers, tensor);
  const encoders = await encodersBeside(all, stacked, there);
  // A layer of its own, or a norm of its two inputs.
  const hasFurther = all.some(({ name }) => FURTHER.test(name) && (stacked.has(name) || /eh_proj|norm/.test(name)));
  // Layers have tables of positions, not of tokens.
  const isOfPositions = ({ name, shape }: StoredTensor): boolean =>
    POSITIONS.test(name) && !/value_embed/.test(name) && !shape.includes(sizes.rows);
  const isStranger = (tensor: StoredTensor): boolean =>
    strangers.has(tensor.name) &&
    !isOfPositions(tensor) &&
    !(
      side === 'output' &&
      (isInputOfFurther(tensor.name, names) || (isInTower(tensor) && !tensor.shape.includes(sizes.rows)))
    );
  const pieces = await piecesOf(all, sizes);
  const nameSet = new Set(names);
  const tables: string[] = [];
  const others: string[] = [];
  const isDue = inSlices(AT_ONCE);
  for (const tensor of all) {
    if (isDue()) await pause();
    const { name, shape } = tensor;
    if (
      tensor === there ||
      areOneStorage(tensor, there) ||
      parts.includes(tensor) ||
      isReplaced(name) ||
      isKept(name, nameSet)
    )
      continue;
    if (isStateOfModule(tensor, sizes)) continue;
    if (side === 'output' && readsForEncoder(name, there.name)) continue;
    if (isCopyOfShared(partsOf(name).stem) && placeOf(there.name, 'input')?.role === 'shared') continue;
    const isInStack = stacked.has(name);
    const isPlainVector = isVector(tensor) && !isOfIntegers(tensor.dtype);
    const hasTokens = !isVector(tensor) && shape.includes(sizes.rows) && elementsIn(tensor) > sizes.rows;
    if (!isInStack && !(isPlainVector && isNoLeftover(tensor, sizes)) && beginsLikeATable(name, side))
      tables.push(name);
    else if (isInStack ? isStranger(tensor) : hasTokens && couldHoldTokens(tensor, sizes, side, hasFurther))
      tables.push(name);
    else if (isInStack || (side === 'output' && (isInTower(tensor) || encoders.has(firstPart(name))))) continue;
    else if (isPacked(tensor, sizes)) tables.push(name);
    else if (
      isPlainVector
        ? side === 'input' && !NORMS.test(name)
        : !isExplained(tensor, sizes, widths, {
            hasParts: areSigns([...towers, ...signs], tensor),
            hasFurther,
            byName,
            pieces: pieces.get(pieceOf(tensor, sizes.cols)) ?? 0,
            side,
          })
    )
      others.push(name);
  }
  return { tables, others };
}

/** What Transformer Engine keeps of each module, beside its tensors or without them. It is no table packed somehow. */
const isStateOfModule = ({ name, bytes }: StoredTensor, { rows, cols }: Sizes): boolean =>
  name.endsWith('._extra_state') && bytes < rows * cols * LEAST_BYTES;

/** A vector beside a table that says nothing of another one: a bias, a norm. Scales for all tokens may be left of a packed table. */
const isNoLeftover = (tensor: StoredTensor, { rows }: Sizes): boolean =>
  (elementsIn(tensor) < rows && partsOf(tensor.name).packed === null) || NORMS.test(tensor.name.replace(/scale$/, ''));

/** Widths of states within the model. */
async function widthsOf(
  all: readonly StoredTensor[],
  stacked: Stacked,
  { rows, cols }: Sizes,
): Promise<ReadonlySet<number>> {
  const found = new Set([cols]);
  const isDue = inSlices(AT_ONCE);
  for (const { name, shape } of all) {
    if (isDue()) await pause();
    if (stacked.has(name) || (MAPS.test(name) && !shape.includes(rows))) for (const size of shape) found.add(size);
  }
  return found;
}

const firstPart = (name: string): string => plainParts(name)[0]!;

/** What reads sound or pictures. */
const READS = /[._/](?:in|input\w*|conv\w*|patch\w*|feature\w*|subsampl\w*|pre_encode|frontend|mel\w*)[._/]/;

/** Encoders of something other than tokens, with layers and a map that reads, and no input table, beside a language model in a module of its own, with layers too. */
async function encodersBeside(
  all: readonly StoredTensor[],
  stacked: Stacked,
  there: StoredTensor,
): Promise<ReadonlySet<string>> {
  const partsWith = async (is: (tensor: StoredTensor) => boolean): Promise<Set<string>> => {
    const found = new Set<string>();
    const isDue = inSlices(AT_ONCE);
    for (const tensor of all) {
      if (isDue()) await pause();
      if (is(tensor)) found.add(firstPart(tensor.name));
    }
    return found;
  };
  const deep = await partsWith(({ name }) => stacked.has(name));
  if (!deep.has(firstPart(there.name))) return new Set();
  const sensing = await partsWith(
    (tensor) => !stacked.has(tensor.name) && !isVector(tensor) && READS.test(tensor.name),
  );
  const withTable = await partsWith(({ name }) => placeOf(name, 'input') !== null);
  return new Set([...deep].filter((part) => /(?:^|_)encoder$/.test(part) && sensing.has(part) && !withTable.has(part)));
}

/** In a model with layers, moments of a parameter that the file has. */
function isKept(name: string, names: ReadonlySet<string>): boolean {
  const plain = name.replaceAll(KEPT, '').replace(/^[./]/, '');
  return plain !== name && names.has(plain);
}

/** Whether it is the input table of an encoder, beside that of its decoder. */
function readsForEncoder(name: string, there: string): boolean {
  // Marian's.
  if (name === 'encoder_Wemb') return there === 'decoder_Wemb';
  const place = placeOf(name, 'input');
  return place !== null && !isGeneric(place.role) && isOf('encoder', name) && isOf('decoder', there);
}

/** Whether it has one of the listed names, or is part of a module that has. */
function beginsLikeATable(name: string, side: TableSide): boolean {
  const place = placeOf(name, side);
  if (place === null) return false;
  // Parts that predict further tokens are not within a table.
  const known =
    place.before.length === 0 && !isGeneric(place.role)
      ? [MAPS, DENSE, POSITIONS, TOWER]
      : [MAPS, DENSE, POSITIONS, TOWER, FURTHER];
  if (known.some((names) => names.test(name))) return false;
  if (isOfAPart([...place.before, place.role].join('.'))) return false;
  if (isTableItself(place.rest)) return !(side === 'input' && isCopyOfShared(partsOf(name).stem));
  // `decoder.embed_tokens.weight` and `embedding.position.weight` are other modules, within one of a common name.
  return !isGeneric(place.role) || place.rest.length === 1 || place.rest[0] === 'weight';
}

/** Of a tensor outside the layers with one dimension for tokens. */
function couldHoldTokens({ name }: StoredTensor, { rows, cols }: Sizes, side: TableSide, hasFurther: boolean): boolean {
  if (POSITIONS.test(name) || isCopyOfShared(partsOf(name).stem)) return false;
  // A further input table, of the part that predicts further tokens.
  if (side === 'output' && hasFurther && FURTHER.test(name) && placeOf(name, 'input') !== null) return false;
  // In a model whose width is its number of tokens, maps from one width to another have as many rows. So has the map of a head, but it may be all of the head.
  return rows !== cols || !MAPS.test(name);
}

/** Whether it is the input table of a layer that predicts further tokens, from a state and a token. */
function isInputOfFurther(name: string, names: readonly string[]): boolean {
  const place = placeOf(name, 'input');
  if (place === null || !isTableItself(place.rest)) return false;
  const layer = name.slice(0, name.lastIndexOf(place.role));
  return names.some((one) => one.startsWith(layer) && /^(?:eh_proj|[eh]norm|nextn\b)/.test(one.slice(layer.length)));
}

/** Whether it is stored as packed tables are, and has enough bytes for one: what it holds does not show in its shape. */
const isPacked = (tensor: StoredTensor, { rows, cols }: Sizes): boolean =>
  tensor.bytes >= rows * cols * LEAST_BYTES &&
  !MAPS.test(tensor.name) &&
  !POSITIONS.test(tensor.name) &&
  (isOfIntegers(tensor.dtype) || (!isVector(tensor) && partsOf(tensor.name).packed !== null));

interface Surroundings {
  readonly hasParts: boolean;
  readonly hasFurther: boolean;
  readonly byName: boolean;
  /** Rows of all tensors that differ by a number in their names only: a table may be stored in pieces. None for a single one. */
  readonly pieces: number;
  readonly side: TableSide;
}

/** Whether it leads from states to half as many numbers as there are tokens, or more, or back. */
const isAsLarge = ({ shape }: Pick<StoredTensor, 'shape'>, { rows, cols }: Sizes): boolean =>
  shape.includes(cols) && shape.some((size) => size !== cols && 2 * size >= rows);

/** All pieces of a table are stored the same way round. */
const pieceOf = ({ name, shape }: StoredTensor, cols: number): string =>
  `${name.replaceAll(/\d+/g, '#')} ${shape[0] === cols}`;

/** Rows by `pieceOf`, of several matrices of the table's width. */
async function piecesOf(all: readonly StoredTensor[], { cols }: Sizes): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  const found = new Map<string, number>();
  const isDue = inSlices(AT_ONCE);
  for (const tensor of all) {
    if (isDue()) await pause();
    const { shape } = tensor;
    if (shape.length !== 2 || !shape.includes(cols)) continue;
    const piece = pieceOf(tensor, cols);
    const rows = shape[0] === cols ? shape[1]! : shape[0]!;
    const before = found.get(piece) ?? first.get(piece);
    if (before === undefined) first.set(piece, rows);
    else found.set(piece, before + rows);
  }
  return found;
}

/** Whether a matrix without a dimension for tokens is known for what it is. */
function isExplained(
  tensor: StoredTensor,
  { rows, cols }: Sizes,
  widths: ReadonlySet<number>,
  { hasParts, hasFurther, byName, pieces, side }: Surroundings,
): boolean {
  const { name, shape } = tensor;
  if (MAPS.test(name)) return true;
  if (ENTITIES.test(name) && side === 'output') return !byName;
  const isBetweenStates = shape.every((size) => widths.has(size));
  if (DENSE.test(name)) return isBetweenStates;
  // All else may lead to the first layer, in place of tokens.
  if (side === 'input') return false;
  if (POSITIONS.test(name)) return shape[0] !== cols || shape[1] === cols;
  // What joins such a part to the model ends with states.
  if (hasParts && shape[0] === cols) return true;
  // Pieces of a table have the width of a state by chance.
  const isBetweenAll = isBetweenStates && !byName && !isAsLarge({ shape: [pieces, cols] }, { rows, cols });
  // Two thirds of the rows that a table has, or more, and the width of a state by chance.
  if (isAsLarge(tensor, { rows, cols })) return isBetweenAll && !isAsLarge(tensor, { rows: (4 / 3) * rows, cols });
  if (hasFurther && FURTHER.test(name)) return shape.every((size) => size % cols === 0 || widths.has(size));
  const place = placeOf(name, 'input');
  if (place !== null && (isTableItself(place.rest) || !isGeneric(place.role)))
    return !isAsLarge({ shape: [pieces, cols] }, { rows, cols });
  if (hasParts && (JOINT.test(name) || !shape.includes(cols) || shape.length > 2)) return true;
  return isBetweenAll;
}

/** A tensor outside all layers without elements: what it was before it was saved is not known. */
export function emptyMatrix(all: readonly StoredTensor[], names: readonly string[]): string | null {
  const stacked = stackedIn(names);
  const isAside = (name: string): boolean =>
    stacked.has(name) || isReplaced(name) || [POSITIONS, MAPS, NORMS, TOWER].some((known) => known.test(name));
  return all.find(({ name, shape }) => shape.includes(0) && !isAside(name))?.name ?? null;
}
