/**
 * Functions of a model, which some exporters make of each module of a program: a node that calls one stands for the nodes of its body, whose names are its own. Tables are
 * tensors of the graph, which the call passes.
 */
import type { TiedError } from '../../../runtime/errors.js';
import type { OnnxNode, OnnxTensor } from './graph.js';

/** A node as it is written. */
export interface WrittenNode extends OnnxNode {
  /** What it calls, if the model has such a function. */
  readonly calls: string;
  /** By its attributes that are those of the function around it, the names of these. */
  readonly references: ReadonlyMap<string, string>;
}

export interface OnnxFunction {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly WrittenNode[];
  readonly tensors: ReadonlyMap<string, OnnxTensor>;
  /** Attributes of a call that leaves them out. */
  readonly defaults: OnnxNode['numbers'];
}

/** As nodes name what they call. */
export const calledBy = (domain: string, op: string, overload: string): string => `${domain}\n${op}\n${overload}`;

const DEEPEST_CALLS = 32;
/** A program has a few modules for each of its layers. */
const MOST_CALLS = 2 ** 16;

interface Called {
  readonly nodes: OnnxNode[];
  readonly tensors: Map<string, OnnxTensor>;
}

interface Limits {
  readonly nodes: number;
  readonly tensors: number;
  readonly wrong: (problem: string) => TiedError;
}

/** All nodes, and the constants of functions among the tensors, with the calls replaced by what they stand for. */
export function withCallsReplaced(
  written: readonly WrittenNode[],
  functions: ReadonlyMap<string, OnnxFunction>,
  tensors: ReadonlyMap<string, OnnxTensor>,
  limits: Limits,
): Called {
  const { wrong } = limits;
  const found: Called = { nodes: [], tensors: new Map(tensors) };
  let [calls, steps] = [0, 0];

  function add(nodes: readonly WrittenNode[], nameOf: (name: string) => string, given: OnnxNode['numbers'], depth: number): void {
    if (depth > DEEPEST_CALLS) throw wrong(`its functions call each other more than ${DEEPEST_CALLS} deep; expected fewer`); // prettier-ignore
    for (const { op, inputs, outputs, numbers, equation = '', calls: called, references } of nodes) {
      if (++steps > limits.nodes) throw wrong(`its functions make more than ${limits.nodes} nodes of it; expected fewer`);
      const passed = references.size === 0 ? [] : [...references].flatMap(([name, of]) => (given.has(of) ? [[name, given.get(of)!] as const] : []));
      const node = { op, inputs: inputs.map(nameOf), outputs: outputs.map(nameOf), equation, numbers: passed.length === 0 ? numbers : new Map([...numbers, ...passed]) };
      const body = functions.get(called);
      if (body === undefined) found.nodes.push(node);
      else replace(node, body, depth);
    }
  } // prettier-ignore

  function replace(node: OnnxNode, body: OnnxFunction, depth: number): void {
    if (calls === MOST_CALLS) throw wrong(`its functions are called more than ${MOST_CALLS} times; expected fewer`);
    const prefix = `${node.op.slice(0, 80)}#${calls++}/`;
    const inputs = new Map(body.inputs.map((name, at) => [name, node.inputs[at] ?? '']));
    const outer = new Map<string, string>();
    body.outputs.forEach((name, at) => {
      const [from, to] = [inputs.get(name), node.outputs[at] ?? ''];
      if (to === '') return;
      // An output that is an input as it came.
      if (from === undefined) outer.set(name, to);
      else found.nodes.push({ op: 'Identity', inputs: [from], outputs: [to], numbers: new Map() });
    });
    for (const [name, from] of inputs) outer.set(name, from);
    const nameOf = (name: string): string => outer.get(name) ?? (name === '' ? '' : prefix + name);
    for (const tensor of body.tensors.values()) {
      const name = nameOf(tensor.name);
      if (found.tensors.has(name))
        throw wrong(`two of its tensors are '${name.slice(0, 120)}'; expected each name once`);
      found.tensors.set(name, { ...tensor, name });
    }
    if (found.tensors.size > limits.tensors) throw wrong(`its functions make more than ${limits.tensors} tensors of it; expected fewer`); // prettier-ignore
    add(body.nodes, nameOf, new Map([...body.defaults, ...node.numbers]), depth + 1);
  }

  add(written, (name) => name, new Map(), 0);
  return found;
}
