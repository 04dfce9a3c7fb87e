// PyTorch and ONNX's own library write graphs, and onnxruntime runs them: for every token, the scores are those of the two tables that are read here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCore, type Checkpoint, type Matrix } from '../../web/index.js';
import { load, obstacle } from './programs.js';
import { filesByPython } from './python.js';

interface Runtime {
  Tensor: new (type: string, data: BigInt64Array, dims: readonly number[]) => unknown;
  InferenceSession: {
    create(
      model: Uint8Array,
      options: object,
    ): Promise<{
      run(inputs: Record<string, unknown>): Promise<Record<string, { data: Float32Array; dims: readonly number[] }>>;
    }>;
  };
}

const files = filesByPython('graphs', 'graphs of PyTorch and ONNX');
const core = loadCore({ modules: ['checkpoint'] });
const isSkipped = obstacle !== undefined || files.isSkipped;
const [V, D] = [40, 8];

/** All are direct paths, so that the scores of each token are a row of the product of its two tables. */
const SCRIPT = `
import sys, numpy as np, onnx, torch, torch.nn as nn
from onnx import helper, numpy_helper, TensorProto as T
folder, V, D = sys.argv[1], ${V}, ${D}
torch.manual_seed(1)

class Direct(nn.Module):
    def __init__(self, tied, bias=False):
        super().__init__()
        self.embed_tokens = nn.Embedding(V, D)
        self.lm_head = nn.Linear(D, V, bias=bias)
        if tied: self.lm_head.weight = self.embed_tokens.weight
        if bias: nn.init.zeros_(self.lm_head.bias)
    def forward(self, input_ids):
        return self.lm_head(self.embed_tokens(input_ids))

ids = torch.arange(V)[None]
for name, model in {'tied': Direct(True), 'untied': Direct(False), 'bias': Direct(True, bias=True)}.items():
    for folding in [True, False]:
        torch.onnx.export(model, (ids,), f'{folder}/{name}-{folding}.onnx', input_names=['input_ids'], output_names=['logits'], opset_version=14, do_constant_folding=folding)

generator = np.random.default_rng(1)
E, U = [generator.normal(size=(V, D)).astype('f4') for _ in range(2)]
def write(name, head, tensors, external=False):
    nodes = [helper.make_node('Gather', ['embed', 'input_ids'], ['x']), *head]
    graph = helper.make_graph(nodes, 'main', [helper.make_tensor_value_info('input_ids', T.INT64, [1, None])], [helper.make_tensor_value_info('logits', T.FLOAT, [1, None, V])], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 14)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save_model(model, f'{folder}/{name}.onnx', **({'save_as_external_data': True, 'location': f'{name}.onnx_data', 'size_threshold': 0} if external else {}))
node = helper.make_node
embed = numpy_helper.from_array(E, 'embed')
listed = helper.make_tensor('embed', T.FLOAT, E.shape, E.flatten().tolist())
write('transpose', [node('Transpose', ['embed'], ['t'], perm=[1, 0]), node('MatMul', ['x', 't'], ['logits'])], [embed])
write('list', [node('Transpose', ['embed'], ['t']), node('MatMul', ['x', 't'], ['logits'])], [listed])
write('columns', [node('MatMul', ['x', 'head'], ['logits'])], [embed, numpy_helper.from_array(np.ascontiguousarray(E.T), 'head')])
write('external', [node('MatMul', ['x', 'head'], ['m']), node('Identity', ['m'], ['logits'])], [embed, numpy_helper.from_array(np.ascontiguousarray(U.T), 'head')], external=True)
write('half', [node('Cast', ['head'], ['f'], to=T.FLOAT), node('MatMul', ['x', 'f'], ['logits'])], [embed, numpy_helper.from_array(np.ascontiguousarray(E.T).astype('f2'), 'head')])
write('squeezed', [node('Squeeze', ['x', 'first'], ['s']), node('Gemm', ['s', 'embed'], ['g'], transB=1), node('Unsqueeze', ['g', 'first'], ['logits'])], [embed, numpy_helper.from_array(np.array([0]), 'first')])
write('einsum', [node('Einsum', ['x', 'embed'], ['logits'], equation='btd,vd->btv')], [embed])
write('einsum-columns', [node('Einsum', ['head', 'x'], ['logits'], equation='dv,...d->...v')], [embed, numpy_helper.from_array(np.ascontiguousarray(U.T), 'head')])
class Summed(Direct):
    def forward(self, input_ids): return torch.einsum('btd,vd->btv', self.embed_tokens(input_ids), self.lm_head.weight)
for tied in [True, False]:
    torch.onnx.export(Summed(tied), (ids,), f'{folder}/summed-{tied}.onnx', input_names=['input_ids'], output_names=['logits'], opset_version=14)
scaled = np.clip(np.round(E.T * 40), -127, 127).astype('i1')
def contrib(name, nodes, tensors):
    graph = helper.make_graph(nodes, 'main', [helper.make_tensor_value_info('input_ids', T.INT64, [1, None])], [helper.make_tensor_value_info('logits', T.FLOAT, [1, None, V])], tensors)
    onnx.save_model(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 14), helper.make_opsetid('com.microsoft', 1)], ir_version=8), f'{folder}/{name}.onnx')
array = numpy_helper.from_array
scales, bytes_ = [array(generator.uniform(0.01, 0.2, (V, 1)).astype('f4'), 'scales'), lambda name, *shape: array(generator.integers(0, 256, shape).astype('u1'), name)]
gather, columns = node('Gather', ['embed', 'input_ids'], ['x']), array(np.ascontiguousarray(U.T), 'head')
blocks = dict(domain='com.microsoft', bits=4, block_size=16)
contrib('nbits', [gather, node('MatMulNBits', ['x', 'head', 'scales'], ['logits'], N=V, K=D, **blocks)], [embed, scales, bytes_('head', V, 1, 8)])
contrib('nbits-zeros', [gather, node('MatMulNBits', ['x', 'head', 'scales', 'zeros'], ['logits'], N=V, K=D, **blocks)], [embed, scales, bytes_('head', V, 1, 8), bytes_('zeros', V)])
read = lambda *more: node('GatherBlockQuantized', ['embed', 'input_ids', 'scales', *more], ['x'], gather_axis=0, quantize_axis=1, **blocks)
write_columns = node('MatMul', ['x', 'head'], ['logits'])
contrib('blocks', [read(), write_columns], [bytes_('embed', V, D // 2), scales, columns])
contrib('blocks-zeros', [read('zeros'), write_columns], [bytes_('embed', V, D // 2), scales, bytes_('zeros', V, 1), columns])
contrib('tokens', [gather, node('DequantizeLinear', ['head', 'each', 'zeros'], ['d'], axis=1), node('MatMul', ['x', 'd'], ['logits'])], [embed, bytes_('head', D, V), array(generator.uniform(0.01, 0.02, V).astype('f4'), 'each'), bytes_('zeros', V)])
write('integers', [node('DequantizeLinear', ['head', 'scale'], ['d']), node('MatMul', ['x', 'd'], ['logits'])], [embed, numpy_helper.from_array(scaled, 'head'), numpy_helper.from_array(np.float32(1 / 40), 'scale')])
`;

describe.skipIf(isSkipped)(files.title, () => {
  const folder = files.written(SCRIPT);

  const bytesOf = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(folder, name)));

  async function open(name: string): Promise<Checkpoint> {
    const names = name === 'external' ? ['external.onnx', 'external.onnx_data'] : [`${name}.onnx`];
    return (await core).openCheckpoint(names.map((one) => new File([bytesOf(one)], one)));
  }

  /** What onnxruntime gives for each token. */
  async function scoresOf(name: string): Promise<Float32Array> {
    const { InferenceSession, Tensor } = await load<Runtime>('onnxruntime-web');
    const data = name === 'external' ? { externalData: [{ path: 'external.onnx_data', data: bytesOf('external.onnx_data') }] } : {}; // prettier-ignore
    const session = await InferenceSession.create(bytesOf(`${name}.onnx`), { executionProviders: ['wasm'], ...data });
    const ids = BigInt64Array.from({ length: V }, (_, i) => BigInt(i));
    const { logits } = await session.run({ input_ids: new Tensor('int64', ids, [1, V]) });
    expect(logits!.dims).toEqual([1, V, V]);
    return logits!.data;
  }

  function product(input: Matrix, output: Matrix): Float32Array {
    const scores = new Float32Array(V * V);
    for (let from = 0; from < V; from++)
      for (let to = 0; to < V; to++)
        for (let col = 0; col < D; col++)
          scores[from * V + to]! += input.data[from * D + col]! * output.data[to * D + col]!;
    return scores;
  }

  test.each([
    // PyTorch stores one table for both, and a product with its transpose; with folding, it stores the transpose too.
    ...['tied-True', 'bias-True'].map((name) => [name, true, 'equal-values'] as const),
    ...['tied-False', 'bias-False'].map((name) => [name, true, 'same-storage'] as const),
    ...['untied-True', 'untied-False'].map((name) => [name, false, 'different'] as const),
    ['transpose', true, 'same-storage'],
    ['list', true, 'same-storage'],
    ['squeezed', true, 'same-storage'],
    ['einsum', true, 'same-storage'],
    ['summed-True', true, 'same-storage'],
    ['einsum-columns', false, 'different'],
    ['summed-False', false, 'different'],
    ['columns', true, 'equal-values'],
    ['half', true, 'equal-values'],
    ['external', false, 'different'],
  ] as const)('%s: tied %s by %s, and the scores of every token', async (name, tied, evidence) => {
    const checkpoint = await open(name);
    expect(checkpoint.tying).toMatchObject({ tied, evidence });
    const [input, output] = [await checkpoint.matrix('input'), await checkpoint.matrix('output')];
    expect([input.rows, input.cols, output.rows, output.cols]).toEqual([V, D, V, D]);
    const [ours, theirs] = [product(input, output), await scoresOf(name)];
    // Sums of eight products of numbers near one, in another order.
    ours.forEach((score, at) => expect(score).toBeCloseTo(theirs[at]!, 4));
  });

  test.each([
    ...['integers', 'tokens', 'nbits', 'nbits-zeros'].map((name) => [name, 'packed-output'] as const),
    ...['blocks', 'blocks-zeros'].map((name) => [name, 'packed-input'] as const),
  ])('%s: %s, and the scores of every token', async (name, evidence) => {
    const checkpoint = await open(name);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence });
    const ours = product(await checkpoint.matrix('input'), await checkpoint.matrix('output'));
    const theirs = await scoresOf(name);
    ours.forEach((score, at) =>
      expect(Math.abs(score - theirs[at]!)).toBeLessThan(1e-4 * Math.max(1, Math.abs(score))),
    );
  });
});
