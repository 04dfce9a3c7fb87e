/** Functions of a model of ONNX: calls stand for the nodes of their bodies, also in functions, and what has no end is refused. */
import { describe, expect, test } from 'vitest';
import { ramp } from './checkpoint-files.js';
import { MODULES, onnx, tensor, type FunctionParts, type GraphParts, type NodeParts } from './onnx-files.js';
import { openHere } from './open-here.js';

const [V, D] = [5, 2];
const table = (start: number) => ({ dims: [V, D], data: ramp(V * D, start) });
const call = (op: string, inputs: readonly string[], outputs: readonly string[], more: Partial<NodeParts> = {}) => ({
  ...{ op, inputs, outputs, domain: MODULES, ...more },
});
const gather: NodeParts = { op: 'Gather', inputs: ['weight', 'ids'], outputs: ['rows'] };
/** As an exporter writes the modules of a program: those within others call functions themselves. */
const functions: Readonly<Record<string, FunctionParts>> = {
  Embedding: { inputs: ['ids', 'weight'], outputs: ['rows'], nodes: [gather] },
  Linear: {
    inputs: ['x', 'weight'],
    outputs: ['y'],
    nodes: [call('Turned', ['weight'], ['t']), { op: 'MatMul', inputs: ['x', 't'], outputs: ['y'] }],
  },
  Turned: { inputs: ['x'], outputs: ['y'], nodes: [{ op: 'Transpose', inputs: ['x'], outputs: ['y'], numbers: { perm: [1, 0] } }] },
  Dropout: { inputs: ['x'], outputs: ['x'], nodes: [] },
}; // prettier-ignore
const modules = (head: string, tables: NonNullable<GraphParts['tensors']>): GraphParts => ({
  nodes: [
    call('Embedding', ['input_ids', 'wte.weight'], ['rows']),
    call('Dropout', ['rows'], ['h']),
    call('Linear', ['h', head], ['logits']),
  ],
  tensors: tables,
});
const open = (parts: GraphParts, of = functions) => openHere(onnx(parts, 'pytorch', of));

describe('functions of a graph', () => {
  test('one tensor that is passed to both is one table', async () => {
    const { tying, tables } = await open(modules('wte.weight', { 'wte.weight': table(0) }));
    expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect(tying.reason).toBe("The graph’s Gather reads and its MatMul writes with one tensor, 'wte.weight'.");
    expect(tables.output?.name).toBe('wte.weight');
  });

  test('an Einsum keeps its equation', async () => {
    const nodes: NodeParts[] = [{ op: 'Einsum', inputs: ['x', 'weight'], outputs: ['y'], equation: 'btd,vd->btv' }];
    const summed = { ...functions, Linear: { inputs: ['x', 'weight'], outputs: ['y'], nodes } };
    const { tying } = await open(modules('wte.weight', { 'wte.weight': table(0) }), summed);
    expect(tying).toMatchObject({ tied: true, evidence: 'same-storage', reason: expect.stringContaining('Einsum writes') as string });
  }); // prettier-ignore

  test('two tensors are compared', async () => {
    const of = (start: number) => open(modules('head', { 'wte.weight': table(0), head: table(start) }));
    expect((await of(1)).tying).toMatchObject({ tied: false, evidence: 'different' });
    expect((await of(0)).tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });

  test('their constants are tensors, each call has its own names, and a call may leave out what it can', async () => {
    const constant: NodeParts = { op: 'Constant', inputs: [], outputs: ['c'], value: tensor('', table(3)) };
    const own = {
      ...functions,
      Own: { inputs: ['ids'], outputs: ['y', 'unused'], nodes: [constant, { ...gather, inputs: ['c', 'ids'], outputs: ['y'] }] },
    }; // prettier-ignore
    const parts: GraphParts = {
      nodes: [call('Own', ['input_ids'], ['h']), call('Linear', ['h', 'head'], ['logits'])],
      tensors: { head: table(1) },
    };
    const { tables, tying } = await open(parts, own);
    expect(tables.input?.name).toBe('Own#0/c');
    expect(tying).toMatchObject({ tied: false, evidence: 'different' });
    await expect(open({ ...parts, tensors: { head: table(1), 'Own#0/c': table(1) } }, own)).rejects.toThrow(
      "two of its tensors are 'Own#0/c'; expected each name once",
    );
  });

  test('attributes of a node may be those of the call, or of the function', async () => {
    const nodes: NodeParts[] = [{ op: 'Gemm', inputs: ['x', 'w'], outputs: ['y'], references: { transB: 'turned' } }];
    const reads = call('Embedding', ['input_ids', 'wte'], ['h']);
    const shapes = async (calling: Partial<NodeParts>, defaults?: Record<string, number>) => {
      const Product: FunctionParts = { inputs: ['x', 'w'], outputs: ['y'], nodes, ...(defaults && { defaults }) };
      const written = call('Product', ['h', 'head'], ['logits'], calling);
      const head = { dims: [D, V], data: ramp(V * D, 9) };
      const tensors = {
        wte: table(0),
        head: calling.numbers?.turned === 1 || defaults?.turned === 1 ? table(9) : head,
      };
      return (await open({ nodes: [reads, written], tensors }, { ...functions, Product })).tying.evidence;
    };
    expect(await shapes({ numbers: { turned: 1 } })).toBe('different');
    expect(await shapes({}, { turned: 1 })).toBe('different');
    expect(await shapes({ numbers: { turned: 0 } }, { turned: 0 })).toBe('different');
    expect(await shapes({})).toBe('different');
  });

  test.each<[string, Readonly<Record<string, FunctionParts>>, RegExp]>([
    ['a function that calls itself', { Embedding: { inputs: ['a'], outputs: ['b'], nodes: [call('Embedding', ['a'], ['b'])] } }, /call each other more than 32 deep; expected fewer/],
    [
      'functions that double each other',
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [
        i === 0 ? 'Embedding' : `f${i}`,
        { inputs: ['a'], outputs: ['b'], nodes: [call(`f${i + 1}`, ['a'], ['b']), call(`f${i + 1}`, ['a'], ['b'])] },
      ])),
      /its functions are called more than 65536 times; expected fewer/,
    ],
  ])('%s is refused', async (_, of, message) => {
    await expect(open(modules('wte.weight', { 'wte.weight': table(0) }), of)).rejects.toThrow(message);
  }); // prettier-ignore

  test('a node of another domain, which no function is called by, is what it was', async () => {
    const parts = modules('wte.weight', { 'wte.weight': table(0) });
    const nodes = parts.nodes.map((node) => ({ ...node, domain: 'another' }));
    await expect(open({ ...parts, nodes })).rejects.toThrow('no tensor has a known name of a table of tokens');
  });
});
