/** Writes models of ONNX: the fields of a protocol buffer, tensors, nodes and graphs, valid or not. */
import { joined, utf8 } from './checkpoint-files.js';

export function varint(value: number): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left % 128) + (left >= 128 ? 128 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Uint8Array.from(bytes);
}

export const field = (number: number, value: number | string | Uint8Array): Uint8Array<ArrayBuffer> => {
  if (typeof value === 'number') return joined(varint(8 * number), varint(value));
  const bytes = typeof value === 'string' ? utf8(value) : value;
  return joined(varint(8 * number + 2), varint(bytes.length), bytes);
};

export interface OnnxTensorParts {
  readonly dims: readonly number[];
  readonly data?: Uint8Array;
  /** 1: 32-bit floats. */
  readonly type?: number;
  /** The number of the field with its data: 9, raw; 4, floats. */
  readonly as?: number;
  readonly external?: Readonly<Record<string, string>>;
}

export const tensor = (name: string, { dims, data = new Uint8Array(), type = 1, as = 9, external }: OnnxTensorParts): Uint8Array<ArrayBuffer> =>
  joined(
    ...dims.map((size) => field(1, size)),
    field(2, type),
    field(8, name),
    ...(external === undefined ? [field(as, data)] : [...Object.entries(external).map(([key, value]) => field(13, joined(field(1, key), field(2, value)))), field(14, 1)]),
  ); // prettier-ignore

export interface NodeParts {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers or lists of them. */
  readonly numbers?: Readonly<Record<string, number | readonly number[]>>;
  readonly graphs?: Readonly<Record<string, Uint8Array>>;
  readonly value?: Uint8Array;
  /** Of a function. */
  readonly domain?: string;
  /** By attributes that are those of the function around the node, the names of these. */
  readonly references?: Readonly<Record<string, string>>;
  /** Of an Einsum. */
  readonly equation?: string;
}

export const node = ({
  op,
  inputs,
  outputs,
  numbers = {},
  graphs = {},
  value,
  domain,
  references = {},
  equation,
}: NodeParts): Uint8Array<ArrayBuffer> =>
  joined(
    ...inputs.map((name) => field(1, name)),
    ...outputs.map((name) => field(2, name)),
    field(4, op),
    ...(domain === undefined ? [] : [field(7, domain)]),
    ...Object.entries(references).map(([name, of]) => field(5, joined(field(1, name), field(21, of)))),
    ...Object.entries(numbers).map(([name, of]) =>
      field(5, joined(field(1, name), ...(typeof of === 'number' ? [field(3, of)] : of.map((one) => field(8, one))))),
    ),
    ...Object.entries(graphs).map(([name, graph]) => field(5, joined(field(1, name), field(6, graph)))),
    ...(value === undefined ? [] : [field(5, joined(field(1, 'value'), field(5, value)))]),
    ...(equation === undefined ? [] : [field(5, joined(field(1, 'equation'), field(4, equation)))]),
  );

export interface GraphParts {
  readonly nodes: readonly NodeParts[];
  readonly tensors?: Readonly<Record<string, OnnxTensorParts>>;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
}

export const graph = ({ nodes, tensors = {}, inputs = ['input_ids'], outputs = ['logits'] }: GraphParts): Uint8Array<ArrayBuffer> =>
  joined(
    ...nodes.map((one) => field(1, node(one))),
    field(2, 'main'),
    ...Object.entries(tensors).map(([name, of]) => field(5, tensor(name, of))),
    ...inputs.map((name) => field(11, field(1, name))),
    ...outputs.map((name) => field(12, field(1, name))),
  ); // prettier-ignore

export interface FunctionParts {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly NodeParts[];
  /** Attributes of calls that leave them out. */
  readonly defaults?: Readonly<Record<string, number>>;
}

/** The domain of all functions here. */
export const MODULES = 'pkg.modules';

const functionOf = (name: string, { inputs, outputs, nodes, defaults = {} }: FunctionParts): Uint8Array<ArrayBuffer> =>
  joined(
    field(1, name),
    ...inputs.map((one) => field(4, one)),
    ...outputs.map((one) => field(5, one)),
    ...nodes.map((one) => field(7, node(one))),
    field(10, MODULES),
    ...Object.entries(defaults).map(([of, value]) => field(11, joined(field(1, of), field(3, value)))),
  );

export const onnx = (
  parts: GraphParts,
  producer = 'pytorch',
  functions: Readonly<Record<string, FunctionParts>> = {},
): Uint8Array<ArrayBuffer> =>
  joined(
    field(1, 8),
    ...(producer === '' ? [] : [field(2, producer)]),
    field(7, graph(parts)),
    field(8, field(2, 17)),
    ...Object.entries(functions).map(([name, of]) => field(25, functionOf(name, of))),
  );

/** A language model of two nodes and what is between: `embed` reads, `head` writes. */
export const languageModel = (tensors: GraphParts['tensors'], head: readonly NodeParts[], embed = 'embed'): GraphParts => ({
  nodes: [
    { op: 'Gather', inputs: [embed, 'input_ids'], outputs: ['x'] },
    { op: 'LayerNormalization', inputs: ['x', 'norm'], outputs: ['h'] },
    ...head,
  ],
  tensors: { ...tensors, norm: { dims: [2], data: new Uint8Array(8) } },
}); // prettier-ignore
