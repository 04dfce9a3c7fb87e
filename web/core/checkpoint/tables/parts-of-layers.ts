/**
 * Which matrices within the layers may be a table: a model may have a head in each layer, or its only one in the last. A matrix that is about
 * as large as a table is accounted for if it has the name of a part that layers have and repeats over them, or if the layer leads to its
 * number of rows and back, as feed-forward parts do. With about as many rows or columns as the table has tokens, it has to be all of a
 * published name.
 */
import { partsOf } from './families.js';
import { elementsIn, LEAST_BYTES } from './table-candidates.js';
import { publishedParts } from './published-layers.js';
import { isOfIntegers } from '../elements/stored-types.js';
import type { Member, Stacked } from './layers.js';
import type { StoredTensor } from '../tensors.js';
import { inSlices, pause } from '../../runtime/pause.js';

const AT_ONCE = 4000;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Modules within layers. */
const MODULES = setOf(
  'att attn attention attentions sa mha ff ffn ffns ffw ffwd feedforward forward mlp moe mixer mamba ssm conv rnn lstm mlstm slstm gru retention recurrent rwkv tmix cmix mix relu intermediate feed',
);
/** What their matrices are called; single letters, too. */
const PARTS = setOf(
  'qkv qkvo qkvz wq wk wv wo wqkv wkv kv ba query key value receptance proj project projection in out up down gate gated gating fc dense linear lin self cross wi einsum vec post pre rel net dt layer layers input output to hidden fn exps shexp lora mqa with rope nope log weight blocks scales experts expert shared core inner heads router',
);
/** What modules are called besides. */
const KINDS = setOf(
  'enc dec encoder decoder inter block sparse sub multi masked causal local global window spatial channel temporal time longformer transient context pos layer dense swi glu swiglu geglu text expert',
);
/** Names that need no module around them. */
const ALONE =
  /^(?:w?qkvo?(?:_\w+)?|w[qkvo123]|[qkvo]_(?:proj|lin)|wi(?:_\d)?|in_proj\w*|input_linear|(?:gate|up|down|gate_up|up_gate)_proj\w*|c_(?:fc|attn|proj)\w*|fc_?\d|lin(?:ear)?_?\d|dense_\w+_to_\w+|query_key_value|W_(?:query|key|value)|(?:attn|ffn)_(?:[qkv]|qkv|out|output|up|down|gate)(?:_exps)?)$/i;
/** Of these, those that hold two or three maps side by side. */
const FUSED = /in_proj|gate_up|up_gate|input_linear|wi$|w12/i;

const wordsOf = (path: string): string[] => path.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== '');
const isPart = (word: string): boolean => word.length === 1 || PARTS.has(word.toLowerCase()) || isModule(word);
const isModule = (word: string): boolean => MODULES.has(word.toLowerCase());
const isKnown = (word: string): boolean => isPart(word) || KINDS.has(word.toLowerCase());

/** What its name says of a matrix in a layer: that it is a part by itself, or a part of a module of layers, or nothing. */
type Naming = 'part' | 'within' | 'unknown';

function namingOf({ stack, sub }: Member): Naming {
  const path = partsOf(sub.replace(/[./_](?:w|W)(?::\d+)?$/, '')).stem.split(/[./]/);
  const leaf = path.at(-1)!;
  if (wordsOf(leaf).every(isPart) && ALONE.test(leaf)) return 'part';
  // BERT's, which leads back from `intermediate.dense`.
  if (path.slice(-2).join('.') === 'output.dense') return 'within';
  const named = [stack.split(/[./]/).at(-1)!, ...path].map(wordsOf);
  // All that is in the module has to be a part of one.
  const module = named.findIndex((words) => words.some(isModule));
  return module >= 0 && named.slice(Math.max(1, module)).every((words) => words.every(isKnown)) ? 'within' : 'unknown';
}

/** The same for all names that differ by numbers of two digits and more, which say nothing. */
function namingIn(known: Map<string, Naming>, member: Member): Naming {
  const key = `${member.stack} ${member.sub.replaceAll(/\d{2,}/g, '00')}`;
  const naming = known.get(key) ?? namingOf(member);
  known.set(key, naming);
  return naming;
}

interface Part {
  readonly tensor: StoredTensor;
  /** Its name within the layer. */
  readonly sub: string;
  readonly naming: Naming;
  /** In several layers, or in all that there are. */
  readonly repeats: boolean;
}

/** `sizes`: of the table that was found. Names of those that are not accounted for. */
export async function strangersInLayers(
  all: readonly StoredTensor[],
  stacked: Stacked,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): Promise<ReadonlySet<string>> {
  const stacks = new Map<string, Map<number | null, Part[]>>();
  const namings = new Map<string, Naming>();
  const isDue = inSlices(AT_ONCE);
  for (const tensor of all) {
    if (isDue()) await pause();
    const member = stacked.memberOf(tensor.name);
    const isVector = tensor.shape.filter((size) => size > 1).length < 2 && !isOfIntegers(tensor.dtype);
    if (member === null || isVector) continue;
    const layers = stacks.get(member.stack) ?? new Map<number | null, Part[]>();
    const parts = layers.get(member.number) ?? [];
    parts.push({ tensor, sub: member.sub, naming: namingIn(namings, member), repeats: stacked.isInAll(member) });
    stacks.set(member.stack, layers.set(member.number, parts));
  }
  const sizeOf = (layers: ReadonlyMap<unknown, readonly Part[]>): number =>
    [...layers.values()].reduce((sum, parts) => sum + parts.length, 0);
  let largest = 0;
  for (const layers of stacks.values()) largest = Math.max(largest, sizeOf(layers));
  const isLarge = (size: number): boolean => 2 * size >= rows && (size !== cols || rows === cols);
  // A table may be padded, or have a row less for each token that is only read.
  const isNear = (size: number): boolean => 2 * size <= 3 * rows && 2 * rows <= 3 * size;
  const found = new Set<string>();
  let looked = 0;
  for (const layers of stacks.values()) {
    const isMain = sizeOf(layers) === largest || layers.size > 1;
    for (const parts of layers.values()) {
      looked += parts.length;
      if (looked > AT_ONCE) {
        await pause();
        looked = 0;
      }
      const inner = innerSizes(parts);
      const strange = innerSizes(parts.filter(({ naming }) => naming === 'unknown'));
      const isPaired = [...inner].some((size) => size !== cols);
      const published = publishedParts(parts.map(({ sub }) => sub));
      for (const { tensor, sub, naming, repeats } of parts) {
        const large = tensor.shape.filter(isLarge);
        const isPacked = isOfIntegers(tensor.dtype) && tensor.bytes >= rows * cols * LEAST_BYTES;
        // As long as wide, as maps between states are then: its size is that of the table.
        const isSmall = large.length === 0 || (rows === cols && 2 * elementsIn(tensor) < rows * cols);
        if ((isSmall && !isPacked) || isMask(tensor)) continue;
        const sizes = naming === 'unknown' ? strange : inner;
        const leadsBack = large.length > 0 && (repeats || naming === 'part') && large.every((size) => sizes.has(size));
        // The name of its module is not enough in a single layer beside those of the model, or beside parts that lead back.
        const isNamed = repeats && (naming === 'part' || (naming === 'within' && isMain && !isPaired));
        const isExact = rows === cols || large.includes(rows);
        const isWhole = isExact ? repeats && !published.alone.has(sub) : repeats || leadsBack;
        const isPublished = isMain && published.names.has(sub) && isWhole;
        if (isExact || large.some(isNear) ? !isPublished : !isNamed && !leadsBack) found.add(tensor.name);
      }
    }
  }
  return found;
}

/** From positions to positions. */
const isMask = ({ name, shape }: StoredTensor): boolean =>
  shape.length > 2 && shape.at(-1) === shape.at(-2) && /(?:mask\w*|bias)$/.test(name);

/** Sizes to which one matrix of a layer leads, and from which another one leads back. */
function innerSizes(parts: readonly Part[]): ReadonlySet<number> {
  const maps = new Map<string, number>();
  const add = (one: number, other: number): unknown =>
    maps.set(`${one},${other}`, (maps.get(`${one},${other}`) ?? 0) + 1);
  for (const { tensor, naming } of parts)
    for (const [i, one] of tensor.shape.entries())
      for (const other of tensor.shape.slice(i + 1)) {
        add(one, other);
        if (naming !== 'part' || !FUSED.test(partsOf(tensor.name).stem)) continue;
        for (const times of [2, 3]) {
          add(one / times, other);
          add(one, other / times);
        }
      }
  const found = new Set<number>();
  for (const [key, times] of maps) {
    const [one = 0, other = 0] = key.split(',').map(Number);
    if (one === other ? times > 1 : maps.has(`${other},${one}`)) found.add(one).add(other);
  }
  return found;
}
