/**
 * Which tensors of a graph read and write tokens, by what is computed with them, since exporters give new names to what they fold: a Gather by an input of the model reads,
 * and the last product before an output writes.
 */
import { inSlices, pause } from '../../../runtime/pause.js';
import { isTurnedInEinsum } from './einsum.js';
import type { OnnxGraph, OnnxNode } from './graph.js';

export interface TableOfGraph {
  readonly name: string;
  /** Whether a token is a column of the tensor as it is stored. */
  readonly isTurned: boolean;
  /** How it is packed, in words; null if it is not. */
  readonly packed: string | null;
  /** Tokens and width, if the node says them. */
  readonly shape: readonly [number, number] | null;
  /** Of a packed one, the node that has its scales beside it; null if that is not known. */
  readonly packedBy: OnnxNode | null;
  /** The operator that uses it. */
  readonly op: string;
}

export interface TablesOfGraph {
  readonly inputs: readonly TableOfGraph[];
  readonly outputs: readonly TableOfGraph[];
}

/** What does not change which number belongs to which token. Their first input is the one that counts. */
const KEEPING = new Set(['Cast', 'CastLike', 'Identity', 'Squeeze', 'Unsqueeze', 'Reshape', 'Flatten', 'Slice', 'Clip', 'Expand', 'Dropout', 'Contiguous', 'Mod']); // prettier-ignore
/** What may stand between the product and the output: scales, biases, caps, probabilities, and the choice of the last position or of the likeliest token. */
const AFTER = new Set([...KEEPING, 'Transpose', 'Tanh', 'Softmax', 'LogSoftmax', 'Sigmoid', 'Gather', 'GatherElements', 'GatherND', 'ScatterND', 'Split', 'ArgMax', 'TopK']); // prettier-ignore
/** The same, with two inputs of which one may be a constant. */
const BETWEEN = new Set(['Add', 'Mul', 'Div', 'Sub', 'Where', 'Min', 'Max', 'BiasAdd', 'BiasSoftmax']);
/** What puts another token in place of some, such as those that stand for images. */
const REPLACING = new Set(['Where', 'Min', 'Max']);
/** Inputs of a model that are not its tokens. */
const NO_TOKENS = /position|token_type|segment|mask|past|cache|beam|length|language|lang_id|task|pixel|seqlens/i;
/** Outputs that are not scores of tokens. */
const NO_SCORES = /present|past|cache|hidden|state|attention|pool|embed/i;
const SCORES = /logit|score|pred|prob|lm_head/i;
/** Of what is between an output and its product. */
const MOST_STEPS = 10_000;
/** Of what only turns a tensor or changes its type. */
const MOST_THROUGH = 64;
const MOST_MAKERS = 64;
/** Nodes without a pause. */
const AT_ONCE = 10_000;

/** Packed tables by the operators that use them. The place of the table among the inputs, and what it is called. */
const PACKED_PRODUCTS: Readonly<Record<string, readonly [at: number, what: string]>> = {
  MatMulNBits: [1, 'in blocks of few bits (MatMulNBits)'],
  MatMulBnb4: [1, 'in blocks of four bits (MatMulBnb4)'],
  MatMulInteger: [1, 'in integers (MatMulInteger)'],
  MatMulIntegerToFloat: [1, 'in integers (MatMulIntegerToFloat)'],
  DynamicQuantizeMatMul: [1, 'in integers (DynamicQuantizeMatMul)'],
  QLinearMatMul: [3, 'in integers (QLinearMatMul)'],
  QGemm: [3, 'in integers (QGemm)'],
};
/** Among their inputs, the scale and the zero point of the table, where they have them. */
const SCALES_AT: Readonly<Record<string, readonly [scale: number, zero: number]>> = {
  MatMulIntegerToFloat: [3, 5],
  DynamicQuantizeMatMul: [2, 3],
  QLinearMatMul: [4, 5],
  QGemm: [4, 5],
};
const PRODUCTS = new Set(['MatMul', 'Gemm', 'FusedMatMul', 'FusedGemm', 'TransposeMatMul', 'Einsum', ...Object.keys(PACKED_PRODUCTS)]); // prettier-ignore

export async function tablesOfGraph(graph: OnnxGraph): Promise<TablesOfGraph> {
  const makers = new Map<string, OnnxNode[]>();
  /** By the integers that they make floats of. */
  const dequantizing = new Map<string, OnnxNode>();
  /** By what they change the type of, or multiply. */
  const users = new Map<string, OnnxNode>();
  const isDue = inSlices(AT_ONCE);
  for (const node of graph.nodes) {
    if (isDue()) await pause();
    if (node.op === 'DequantizeLinear' && node.inputs[0] !== undefined) dequantizing.set(node.inputs[0], node);
    if (node.op === 'Cast' || node.op === 'Mul') for (const input of node.inputs) users.set(input, node);
    for (const output of node.outputs) {
      const known = makers.get(output);
      if (known === undefined) makers.set(output, [node]);
      // Branches of one node may make what has one name.
      else if (known.length < MOST_MAKERS) known.push(node);
    }
  }
  const inputs = new Set(graph.inputs.filter((name) => !NO_TOKENS.test(name)));
  // A table that reads some of the tokens only, such as those that have a row for each layer, stands beside one that reads all of them.
  const all = read(false);
  return { inputs: all.length > 0 ? all : read(true), outputs: written() };

  /** The tensor that a node uses, through what only turns it or changes its type. */
  function tensorBehind(name: string, isTurned: boolean): Omit<TableOfGraph, 'op'> | null {
    let [at, turned] = [name, isTurned];
    let packed: string | null = null;
    let packedBy: OnnxNode | null = null;
    for (let step = 0; step < MOST_THROUGH; step++) {
      if (graph.tensors.has(at)) return { name: at, isTurned: turned, packed, packedBy, shape: null };
      const maker = makers.get(at)?.[0];
      const [first] = maker?.inputs ?? [];
      if (maker === undefined || first === undefined) return null;
      // Scales are those of the tensor only if nothing turns or reshapes it before they are multiplied.
      if (maker.op !== 'Identity') packedBy = null;
      if (maker.op === 'Transpose') {
        const perm = maker.numbers.get('perm');
        if (perm === undefined || perm.join() === '1,0') turned = !turned;
        else if (perm.join() !== '0,1') return null;
      } else if (maker.op === 'DequantizeLinear') {
        if (packed === null) packedBy = maker;
        packed = 'in integers (DequantizeLinear)';
      } else if (!['Cast', 'CastLike', 'Identity', 'Squeeze', 'Unsqueeze', 'Reshape'].includes(maker.op)) return null;
      at = first;
    }
    return null;
  }

  /** `replaced`: whether some of the tokens may be others than those given. */
  function read(replaced: boolean): TableOfGraph[] {
    const found: TableOfGraph[] = [];
    for (const node of graph.nodes) {
      const { op, inputs: of, numbers } = node;
      const isBlocks = op === 'GatherBlockQuantized';
      const [data, index] = op === 'EmbedLayerNormalization' ? [of[2], of[0]] : [of[0], of[1]];
      if (!isBlocks && op !== 'Gather' && op !== 'EmbedLayerNormalization') continue;
      if ((numbers.get(isBlocks ? 'gather_axis' : 'axis')?.[0] ?? 0) !== 0) continue;
      if (data === undefined || index === undefined || !isOfTokens(index, replaced)) continue;
      const table = tensorBehind(data, false);
      if (table === null || !isMatrix(table.name, isBlocks)) continue;
      const after = isBlocks || table.packed !== null ? undefined : dequantizing.get(node.outputs[0] ?? '');
      found.push({
        ...table,
        op,
        packed: isBlocks ? 'in blocks of few bits (GatherBlockQuantized)' : table.packed,
        packedBy: isBlocks ? node : (after ?? table.packedBy),
      });
    }
    // An encoder-decoder's own input, if the graph has both.
    return unique(found);
  }

  /** Whether these are the numbers of tokens that the caller gives. */
  function isOfTokens(name: string, replaced: boolean): boolean {
    let at = name;
    for (let step = 0; step < MOST_THROUGH; step++) {
      if (inputs.has(at)) return true;
      const maker = makers.get(at)?.[0];
      const isReplacing = replaced && maker !== undefined && REPLACING.has(maker.op);
      const of = maker?.inputs.slice(maker.op === 'Where' ? 1 : 0) ?? [];
      const [first, ...others] = isReplacing ? of.filter((one) => !isConstant(one)) : of;
      if (maker === undefined || first === undefined || !(isReplacing || KEEPING.has(maker.op))) return false;
      if (isReplacing && others.length > 0) return false;
      at = first;
    }
    return false;
  }

  function written(): TableOfGraph[] {
    const named = graph.outputs.filter((name) => SCORES.test(name));
    const ends = named.length > 0 ? named : graph.outputs.filter((name) => !NO_SCORES.test(name));
    const found: TableOfGraph[] = [];
    const seen = new Set<string>();
    const left = [...ends];
    while (left.length > 0 && seen.size < MOST_STEPS) {
      const name = left.pop()!;
      if (seen.has(name)) continue;
      seen.add(name);
      for (const node of makers.get(name) ?? []) {
        const [first, second] = node.inputs;
        if (PRODUCTS.has(node.op)) {
          const table = ofProduct(node);
          if (table !== null) found.push(table);
        } else if (BETWEEN.has(node.op)) left.push(...node.inputs.filter((one) => !isConstant(one)));
        else if (AFTER.has(node.op) && first !== undefined) left.push(first);
        else if (node.op === 'If' || second === undefined) continue;
      }
    }
    return unique(found);
  }

  function ofProduct(node: OnnxNode): TableOfGraph | null {
    const { op, inputs: of, numbers } = node;
    const isOn = (name: string): boolean => (numbers.get(name)?.[0] ?? 0) !== 0;
    const packing = PACKED_PRODUCTS[op];
    if (packing !== undefined) {
      const isByColumns = op !== 'MatMulNBits' && op !== 'MatMulBnb4' && !(op === 'QGemm' && isOn('transB'));
      const table = tensorBehind(of[packing[0]] ?? '', isByColumns);
      const [n, k] = [numbers.get('N')?.[0], numbers.get('K')?.[0]];
      const shape = n === undefined || k === undefined ? null : ([n, k] as const);
      return table === null
        ? null
        : {
            ...table,
            op,
            packed: packing[1],
            packedBy: table.packed === null ? (dequantized(node, table) ?? node) : null,
            shape,
          };
    }
    // Of a product with tokens as columns, the second factor is [width, tokens].
    for (const at of [1, 0]) {
      const isPlainTurned = at === 1 ? !isOn('transB') : isOn('transA');
      const isTurned = op === 'Einsum' ? isTurnedInEinsum(node.equation ?? '', at) : isPlainTurned;
      const table = isTurned === null ? null : tensorBehind(of[at] ?? '', isTurned);
      if (table !== null && isMatrix(table.name, false)) return { ...table, op };
    }
    return null;
  }

  /** What makes floats of a product's integers, as a node on its own; null if its scales are not known. One scale is for all tokens, or there is one for each. */
  function dequantized(node: OnnxNode, { name, isTurned }: Pick<TableOfGraph, 'name' | 'isTurned'>): OnnxNode | null {
    const at = SCALES_AT[node.op];
    const scale = at === undefined ? scaleAfter(node) : node.inputs[at[0]];
    if (scale === undefined || !graph.tensors.has(scale)) return null;
    const zero = node.inputs[at?.[1] ?? 3] ?? '';
    const numbers = new Map([['axis', [isTurned ? 1 : 0]]]);
    return { op: 'DequantizeLinear', inputs: [name, scale, zero], outputs: [], numbers };
  }

  /** The scale of a product's table, where it is multiplied by that and by the scale of states that are made integers for it. A product of both would say neither. */
  function scaleAfter({ op, inputs: of, outputs }: OnnxNode): string | undefined {
    const states = makers.get(of[0] ?? '')?.find((maker) => maker.op === 'DynamicQuantizeLinear');
    const scale = states?.outputs[0] === of[0] ? states?.outputs[1] : undefined;
    if (op !== 'MatMulInteger' || scale === undefined) return undefined;
    let user = users.get(outputs[0] ?? '');
    if (user?.op === 'Cast') user = users.get(user.outputs[0] ?? '');
    const both = user?.inputs.flatMap((name) => makers.get(name) ?? []);
    return both?.find((maker) => maker.op === 'Mul' && maker.inputs.includes(scale))?.inputs.find((name) => name !== scale); // prettier-ignore
  }

  function isConstant(name: string): boolean {
    const behind = tensorBehind(name, false);
    return behind !== null;
  }

  /** Blocks have a dimension of their own. */
  function isMatrix(name: string, isBlocks: boolean): boolean {
    const { dims } = graph.tensors.get(name)!;
    return (dims.length === 2 || (isBlocks && dims.length === 3)) && dims.every((size) => size > 0);
  }
}

const unique = (tables: readonly TableOfGraph[]): TableOfGraph[] => [
  ...new Map(tables.map((table) => [`${table.isTurned} ${table.name}`, table])).values(),
];
