/** The graph of a model of ONNX: its nodes and where its tensors are. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
import type { TiedError } from '../../../runtime/errors.js';
import { inSlices, pause } from '../../../runtime/pause.js';
import { calledBy, withCallsReplaced, type OnnxFunction, type WrittenNode } from './functions.js';
import type { Field, ProtocolBuffer } from './protocol-buffer.js';

export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: number;
  /** Where its numbers are: as bytes, or as a list of floats or doubles, which are the same bytes; null if they are in no such form. */
  readonly place: { readonly from: number; readonly length: number } | null;
  /** Of numbers in a file of their own. */
  readonly external: ExternalPlace | null;
}

/** As the file says it. */
export interface ExternalPlace {
  readonly location: string | undefined;
  readonly offset: string | undefined;
  readonly length: string | undefined;
}

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Attributes that are whole numbers or lists of them. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  /** Of an Einsum. */
  readonly equation?: string;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly tensors: ReadonlyMap<string, OnnxTensor>;
  /** Without its tensors, which older models list too. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

const MOST_NODES = 2 ** 20;
const MOST_TENSORS = 2 ** 20;
const MOST_DIMENSIONS = 64;
const MOST_LISTED = 2 ** 16;
const LONGEST_EQUATION = 2 ** 10;
const DEEPEST = 8;
/** Nodes and tensors without a pause. */
const AT_ONCE = 1000;
/** What most nodes have: half a million maps of nothing take a hundred megabytes. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>();

interface Parts {
  readonly nodes: WrittenNode[];
  readonly tensors: Map<string, OnnxTensor>;
  /** Texts and shapes that many nodes or tensors share, each once; shapes by their texts. */
  readonly shared: Map<string, unknown>;
  readonly wrong: (problem: string) => TiedError;
}

interface Ends {
  readonly inputs: string[];
  readonly outputs: string[];
}

/** Of the whole file. Null: it has no graph. */
export async function readGraph(
  buffer: ProtocolBuffer,
  size: number,
  wrong: (problem: string) => TiedError,
): Promise<OnnxGraph | null> {
  const parts: Parts = { nodes: [], tensors: new Map(), shared: new Map(), wrong };
  let ends: Ends | null = null;
  const functions = new Map<string, OnnxFunction>();
  const fields = buffer.fields(size);
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;)
    if (field.number === 7 && field.wire === 2) {
      if (ends !== null) throw wrong('it has two graphs; expected one');
      ends = await graphOf(buffer, field, parts, 0);
    } else if (field.number === 25 && field.wire === 2) {
      const [name, body] = await functionOf(buffer, field, wrong);
      functions.set(name, body);
    }
  if (ends === null) return null;
  const limits = { nodes: MOST_NODES, tensors: MOST_TENSORS, wrong };
  const { nodes, tensors } =
    functions.size === 0 ? parts : withCallsReplaced(parts.nodes, functions, parts.tensors, limits);
  return { nodes, tensors, inputs: ends.inputs.filter((name) => !tensors.has(name)), outputs: ends.outputs };
}

const endOf = ({ from, length }: Field): number => from + length;

async function graphOf(buffer: ProtocolBuffer, graph: Field, parts: Parts, depth: number): Promise<Ends> {
  const { tensors, nodes, wrong } = parts;
  if (depth > DEEPEST) throw wrong(`its graphs are nested more than ${DEEPEST} deep; expected fewer`);
  const ends: Ends = { inputs: [], outputs: [] };
  const isDue = inSlices(AT_ONCE);
  const fields = buffer.fields(endOf(graph));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;) {
    if (isDue()) await pause();
    if (field.wire !== 2) continue;
    if (field.number === 1) {
      if (nodes.length >= MOST_NODES) throw wrong(`it has more than ${MOST_NODES} nodes; expected fewer`);
      await addNode(buffer, field, parts, depth);
    } else if (field.number === 5) addTensor(await tensorOf(buffer, field, parts), parts, depth);
    else if (field.number === 11) ends.inputs.push(await nameOf(buffer, field));
    else if (field.number === 12) ends.outputs.push(await nameOf(buffer, field));
  }
  if (tensors.size > MOST_TENSORS) throw wrong(`it has more than ${MOST_TENSORS} tensors; expected fewer`);
  return ends;
}

/** What it is called by, and its body. */
async function functionOf(
  buffer: ProtocolBuffer,
  body: Field,
  wrong: Parts['wrong'],
): Promise<readonly [string, OnnxFunction]> {
  const parts: Parts = { nodes: [], tensors: new Map(), shared: new Map(), wrong };
  const [inputs, outputs]: [string[], string[]] = [[], []];
  const defaults = new Map<string, readonly number[]>();
  let [name, domain, overload] = ['', '', ''];
  const fields = buffer.fields(endOf(body));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;) {
    if (field.wire !== 2) continue;
    if (field.number === 1) name = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 4) inputs.push(buffer.textAtHand(field) ?? (await buffer.text(field)));
    else if (field.number === 5) outputs.push(buffer.textAtHand(field) ?? (await buffer.text(field)));
    else if (field.number === 7) await addNode(buffer, field, parts, 0);
    else if (field.number === 10) domain = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 11) {
      const found = await attributeOf(buffer, field, parts, 0);
      defaults.set(found.name, found.numbers);
    } else if (field.number === 13) overload = buffer.textAtHand(field) ?? (await buffer.text(field));
    if (parts.nodes.length > MOST_NODES) throw wrong(`it has more than ${MOST_NODES} nodes; expected fewer`);
  }
  const { nodes, tensors } = parts;
  return [calledBy(domain, name, overload), { inputs, outputs, nodes, tensors, defaults }];
}

/** Branches of one node may have constants of one name, but no matrices. */
function addTensor(tensor: OnnxTensor, { tensors, wrong }: Parts, depth: number): void {
  const known = tensors.get(tensor.name);
  if (known !== undefined && (depth === 0 || known.dims.length > 1 || tensor.dims.length > 1))
    throw wrong(`two of its tensors are '${tensor.name.slice(0, 120)}'; expected each name once`);
  if (known === undefined) tensors.set(tensor.name, tensor);
}

const MOST_SHARED = 10_000;

/** The first one that was equal. */
function once<T extends string | readonly number[]>(value: T, { shared }: Pick<Parts, 'shared'>): T {
  const key = typeof value === 'string' ? value : `[${value.join()}`;
  const known = shared.get(key);
  if (known !== undefined && typeof known === typeof value) return known as T;
  const first = value.slice() as T;
  if (known === undefined && shared.size < MOST_SHARED) shared.set(key, first);
  return first;
}

async function nameOf(buffer: ProtocolBuffer, value: Field): Promise<string> {
  let name = '';
  const fields = buffer.fields(endOf(value));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;)
    if (field.number === 1 && field.wire === 2) name = buffer.textAtHand(field) ?? (await buffer.text(field));
  return name;
}

async function addNode(buffer: ProtocolBuffer, node: Field, parts: Parts, depth: number): Promise<void> {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let numbers: Map<string, readonly number[]> | null = null;
  let references: Map<string, string> | null = null;
  const branches: Ends[] = [];
  let [op, domain, overload, equation] = ['', '', '', ''];
  let constant: OnnxTensor | null = null;
  const fields = buffer.fields(endOf(node));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;) {
    if (field.wire !== 2) continue;
    if (field.number === 1) inputs.push(buffer.textAtHand(field) ?? (await buffer.text(field)));
    else if (field.number === 2) outputs.push(buffer.textAtHand(field) ?? (await buffer.text(field)));
    else if (field.number === 4) op = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 5) {
      const found = await attributeOf(buffer, field, parts, depth);
      if (found.numbers.length > 0) (numbers ??= new Map()).set(found.name, found.numbers);
      if (found.reference !== '') (references ??= new Map()).set(found.name, found.reference);
      branches.push(...found.graphs);
      equation ||= found.equation;
      constant = found.tensor ?? constant;
    } else if (field.number === 7) domain = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 8) overload = buffer.textAtHand(field) ?? (await buffer.text(field));
  }
  if (op === 'Constant' && constant !== null && outputs[0] !== undefined)
    addTensor({ ...constant, name: outputs[0] }, parts, depth);
  else {
    const calls = once(calledBy(domain, op, overload), parts);
    op = once(op, parts);
    // Lists that were pushed to have room for many more.
    parts.nodes.push({ op, inputs: inputs.slice(), outputs: outputs.slice(), numbers: numbers ?? NONE, equation, references: references ?? NONE, calls }); // prettier-ignore
  }
  // What a branch gives is what the node gives; a loop gives its condition first.
  for (const branch of branches) {
    const extra = Math.max(0, branch.outputs.length - outputs.length);
    outputs.forEach((output, at) => {
      const given = branch.outputs[at + extra];
      if (given !== undefined) parts.nodes.push({ op: 'Identity', inputs: [given], outputs: [output], numbers: NONE, references: NONE, calls: '' }); // prettier-ignore
    });
  }
}

interface Attribute {
  readonly name: string;
  readonly numbers: readonly number[];
  readonly equation: string;
  readonly tensor: OnnxTensor | null;
  readonly graphs: readonly Ends[];
  /** The attribute of the function around it that it is; '' for one with a value of its own. */
  readonly reference: string;
}

async function attributeOf(buffer: ProtocolBuffer, attribute: Field, parts: Parts, depth: number): Promise<Attribute> {
  let [name, reference, equation] = ['', '', ''];
  const numbers: number[] = [];
  const graphs: Ends[] = [];
  let tensor: OnnxTensor | null = null;
  const fields = buffer.fields(endOf(attribute));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;) {
    if (field.number === 1 && field.wire === 2) name = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 3 || field.number === 8) {
      // Constants may be long lists, which are not needed.
      if (field.length <= MOST_LISTED) await buffer.numbers(field, numbers, MOST_LISTED);
    } else if (field.number === 4 && field.wire === 2 && name === 'equation' && field.length <= LONGEST_EQUATION)
      equation = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 5 && field.wire === 2) tensor = await tensorOf(buffer, field, parts);
    else if ((field.number === 6 || field.number === 11) && field.wire === 2)
      graphs.push(await graphOf(buffer, field, parts, depth + 1));
    else if (field.number === 21 && field.wire === 2)
      reference = buffer.textAtHand(field) ?? (await buffer.text(field));
  }
  return { name, numbers, equation, tensor, graphs, reference };
}

async function tensorOf(
  buffer: ProtocolBuffer,
  tensor: Field,
  parts: Pick<Parts, 'shared' | 'wrong'>,
): Promise<OnnxTensor> {
  const dims: number[] = [];
  let [location, offset, size]: (string | undefined)[] = [];
  const places: OnnxTensor['place'][] = [];
  let name = '';
  let type = 0;
  let isExternal = false;
  const fields = buffer.fields(endOf(tensor));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;) {
    const { number, wire, from, length } = field;
    if (number === 1) await buffer.numbers(field, dims, MOST_DIMENSIONS);
    else if (number === 2) type = field.value;
    else if (number === 8 && wire === 2) name = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (number === 9 || ((number === 4 || number === 10) && wire === 2)) places.push({ from, length });
    else if (number === 4 || number === 5 || number === 10) places.push(null);
    else if (number === 13 && wire === 2) {
      const [key, value] = await entryOf(buffer, field);
      if (key === 'location') location = once(value, parts);
      else if (key === 'offset') offset = value;
      else if (key === 'length') size = value;
    } else if (number === 14) isExternal = field.value === 1;
  }
  if (!dims.every(Number.isSafeInteger))
    throw parts.wrong(
      `'${name.slice(0, 120)}' has a size that is no number; expected [${dims.map(() => '…').join(', ')}]`,
    );
  const external = isExternal ? { location, offset, length: size } : null;
  return { name, dims: once(dims, parts), type, place: places.length === 1 ? places[0]! : null, external };
}

async function entryOf(buffer: ProtocolBuffer, entry: Field): Promise<readonly [string, string]> {
  let [key, value] = ['', ''];
  const fields = buffer.fields(endOf(entry));
  for (let field; (field = fields.atHand() ?? (await fields.next())) !== null;) {
    if (field.wire !== 2) continue;
    if (field.number === 1) key = buffer.textAtHand(field) ?? (await buffer.text(field));
    else if (field.number === 2) value = buffer.textAtHand(field) ?? (await buffer.text(field));
  }
  return [key, value];
}
