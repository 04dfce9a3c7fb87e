/** The tensors of a file that have the names of its tables: plain, packed, or empty. */
import {
  isGeneric,
  isOfAPart,
  isReplaced,
  isTableItself,
  mayBeATable,
  moreTelling,
  partsOf,
  placeOf,
  type Place,
} from './families.js';
import { placeInPair } from './paired-names.js';
import { placeInSequence } from './sequential-phi.js';
import { elementsOf, isOfIntegers } from '../elements/stored-types.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

export type TableSide = 'input' | 'output';

/** All tensors of one module with a listed name. */
export interface Candidate {
  readonly stem: string;
  readonly place: Place;
  /** A matrix, of any type. */
  readonly tensor: StoredTensor | null;
  /** How its tensors are packed, in words; null if they are not. */
  readonly packed: string | null;
  /** A tensor of it without elements. */
  readonly empty: StoredTensor | null;
  readonly names: readonly string[];
}

interface Group {
  stem: string;
  place: Place;
  tensor: StoredTensor | null;
  known: string | null;
  leaves: StoredTensor[];
  empty: StoredTensor | null;
  names: string[];
}

/** Parts of names of what comes before or after a table: biases, norms, maps, adapters. */
const BESIDE =
  /^(?:bias|b_[EU]|dense(?:_\w+)?|transform|layer_?norm\d*|norm\d*|ln(?:_\w+)?\d*|dropout|activation|pos(?:_\w+)?|position\w*|token_types?\w*|lora_\w+|mask)$/i;

/** Types in which a table is stored as it is. */
const isPlainType = (dtype: string): boolean => /^(?:F64|F32|F16|BF16)$/.test(dtype);

const isEmpty = ({ shape }: StoredTensor): boolean => shape.includes(0);

export function candidatesOf(tensors: TensorDirectory['tensors'], side: TableSide): Candidate[] {
  const groups = new Map<string, Group>();
  for (const tensor of tensors.values()) {
    const { name } = tensor;
    const special = placeInSequence(name, side, tensors) ?? placeInPair(name, side, tensors);
    if (special === null && (!mayBeATable(name) || isReplaced(name))) continue;
    const place = special ?? placeOf(name, side);
    if (place === null || place.rest.some((part) => BESIDE.test(part))) continue;
    const stem = [...place.before, place.role].join('.');
    if (special === null && (isOfAPart(stem) || isPosition(stem))) continue;
    const group = groups.get(stem) ?? newGroup(name, place);
    if (!addTo(group, tensor, place)) continue;
    groups.set(stem, group);
  }
  return [...groups.values()].map(finished).filter((one) => one !== null);
}

const newGroup = (name: string, place: Place): Group => ({
  ...{ stem: stemOf(name, place), place, tensor: null, known: null, leaves: [], empty: null, names: [] },
});

/** As the file spells it. */
const stemOf = (name: string, { role }: Place): string => {
  const end = name.replaceAll('/', '.').lastIndexOf(role);
  return end < 0 ? partsOf(name).stem : name.slice(0, end + role.length);
};

/** Whether the tensor belongs to the table of this group. */
function addTo(group: Group, tensor: StoredTensor, { rest, role }: Place): boolean {
  const { packed } = partsOf(tensor.name);
  const isTable = isTableItself(rest);
  if (packed !== null) group.known = moreTelling(group.known, packed);
  else if (isTable && isEmpty(tensor)) group.empty = tensor;
  else if (isTable && tensor.shape.length === 2) group.tensor = tensor;
  else if (isTable && isOfIntegers(tensor.dtype)) group.leaves.push(tensor);
  // Tensors of a module within it are not its own.
  else if (isTable || (rest.length > 1 && rest[0] !== 'weight') || isGeneric(role)) return false;
  else group.leaves.push(tensor);
  group.names.push(tensor.name);
  return true;
}

const PACKED_BY_PYTORCH = 'packed by PyTorch';
export const PACKED_SOMEHOW = 'packed in a way that is not known here';

/** Plain floats beside a table are scales, or rows for further tokens. */
const mayBePacked = ({ dtype }: StoredTensor): boolean => !isPlainType(dtype);

/** A table's elements take at least this part of a byte when packed. */
export const LEAST_BYTES = 1 / 16;

function finished(group: Group): Candidate | null {
  const { stem, place, tensor, known, leaves, empty, names } = group;
  // bitsandbytes may store four bits under the name of a type of floats.
  const isStorage = tensor?.shape[1] === 1 && hasState(names);
  const isPlain = tensor !== null && isPlainType(tensor.dtype) && !isStorage;
  const packed = isPlain
    ? null
    : (known ??
      (tensor?.scaled === undefined ? null : PACKED_BY_PYTORCH) ??
      (tensor === null && leaves.some(mayBePacked) ? PACKED_SOMEHOW : null));
  if (tensor === null && packed === null && empty === null) return null;
  return { stem, place, tensor: isStorage ? null : tensor, packed, empty, names };
}

const hasState = (names: readonly string[]): boolean =>
  names.some((name) => /\.quant_state\.bitsandbytes__\w+$/.test(name));

/** What packers keep beside the numbers: zero points, orders, masks. */
const BESIDE_PACKED = /[._](?:g_idx|qzeros|\w*zero_point|\w*perm|_extra_state|\w*mask|\w*shape)$/;

/** Whether tensors of unknown packing have enough bytes for a table of these sizes. Floats are scales, not numbers of a table. */
export function hasBytesOf(candidate: Candidate, tensors: TensorDirectory['tensors'], elements: number): boolean {
  if (candidate.tensor === null && hasState(candidate.names)) return true;
  const bytes = candidate.names.reduce((sum, name) => {
    const tensor = tensors.get(name);
    const isFloats = tensor === undefined || isPlainType(tensor.dtype) || tensor.dtype === 'BOOL';
    return sum + (isFloats || BESIDE_PACKED.test(name) ? 0 : tensor.bytes);
  }, 0);
  return bytes >= elements * LEAST_BYTES;
}

/** Tables of positions, of kinds of tokens, of layers: never the model's own. */
export const isPosition = (name: string): boolean =>
  /(?:^|[._/])(?:w?pos|wpe|pe|pos_?e(?:mb\w*|nc\w*)|position\w*|embed_positions|token_types?\w*|type_emb\w*|lang\w*_emb\w*|task_\w*emb\w*|rel_emb\w*|relative_\w+|segment\w*|\w*per_layer\w*|\w*value_embeds?\w*|rope\w*|rotary\w*|freqs?\w*|inv_freq|\w*mask)(?:[._/]|$)/i.test(
    name,
  );

export const elementsIn = ({ shape }: StoredTensor): number => elementsOf(shape) ?? Infinity;
