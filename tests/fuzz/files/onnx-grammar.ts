/** Models of ONNX: one table with both roles, or two, folded or not, in the file or beside it, in branches and with packed tables. */
import {
  graph,
  languageModel,
  onnx,
  tensor,
  type NodeParts,
  type OnnxTensorParts,
} from '../../web/checkpoint/onnx-files.js';
import type { Draw } from '../draw.js';
import type { CheckpointSample } from './checkpoint-grammar.js';

const FLOATS = [[1, 4], [10, 2], [11, 8], [16, 2]] as const; // prettier-ignore
const random = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => draw.whole(0, 255));

export function onnxFile(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(3, 9), draw.whole(1, 8)];
  const table = (...dims: number[]): OnnxTensorParts => {
    const [type, bytes] = draw.of(FLOATS);
    const as = type === 1 && draw.odds(0.3) ? 4 : type === 11 && draw.odds(0.3) ? 10 : 9;
    return { dims, type, as, data: random(draw, rows * cols * bytes) };
  };
  const embed = draw.of(['model.embed_tokens.weight', 'transformer.wte.weight', 'lm_head.weight', 'onnx::Gather_7']);
  const end = draw.of(['logits', 'scaled']);
  const product = (of: string, more: Partial<NodeParts> = {}): NodeParts => ({ op: 'MatMul', inputs: ['h', of], outputs: [end], ...more }); // prettier-ignore
  const turned: NodeParts = { op: 'Transpose', inputs: [embed], outputs: ['t'], ...(draw.odds(0.5) ? { numbers: { perm: [1, 0] } } : {}) }; // prettier-ignore
  const [heads, head] = draw.of<readonly [Record<string, OnnxTensorParts>, readonly NodeParts[]]>([
    [{}, [turned, product('t')]],
    [{}, [product(embed, { op: 'Gemm', numbers: { transB: 1 } })]],
    [{ 'onnx::MatMul_99': table(cols, rows) }, [product('onnx::MatMul_99')]],
    [{ head: table(rows, cols) }, [product('head', { op: 'Gemm', numbers: { transB: 1 } })]],
    [{ head_Q4: { dims: [rows, 1, 16], type: 2, data: random(draw, 16 * rows) } }, [product('head_Q4', { op: 'MatMulNBits', numbers: { N: rows, K: cols } })]], // prettier-ignore
    [
      { head_Q4: { dims: [rows, 1, 8], type: 2, data: random(draw, 8 * rows) }, scales: { dims: [rows], data: random(draw, 4 * rows) } }, // prettier-ignore
      [product('head_Q4', { op: 'MatMulNBits', inputs: ['h', 'head_Q4', 'scales'], numbers: { N: rows, K: cols, bits: 4, block_size: 16 } })], // prettier-ignore
    ],
    [
      { head_q: { dims: [cols, rows], type: draw.of([2, 3]), data: random(draw, rows * cols) }, scale: { dims: [rows], data: random(draw, 4 * rows) } }, // prettier-ignore
      [{ op: 'DequantizeLinear', inputs: ['head_q', 'scale'], outputs: ['d'], numbers: { axis: 1 } }, product('d')],
    ],
    [{}, []],
  ]);
  const after: NodeParts[] = end === 'logits' ? [] : [{ op: draw.of(['Cast', 'Tanh', 'Softmax']), inputs: [end], outputs: ['logits'] }]; // prettier-ignore
  const of = table(rows, cols);
  const isApart = draw.odds(0.3);
  const padding = draw.whole(0, 9);
  const external = { location: 'model.onnx_data', offset: String(padding), ...(draw.odds(0.5) ? { length: String(of.data!.length) } : {}) }; // prettier-ignore
  const stored: OnnxTensorParts = isApart ? { dims: of.dims, type: of.type!, external } : of;
  const parts = languageModel({ ...heads, [embed]: stored }, [...head, ...after], embed);
  const whole = draw.odds(0.8) ? parts : inBranch(parts);
  const files = [{ name: 'model.onnx', bytes: onnx(whole, draw.of(['pytorch', '', 'onnx.quantize'])) }];
  const data = { name: 'model.onnx_data', bytes: new Uint8Array([...random(draw, padding), ...of.data!]) };
  return { files: isApart ? [...files, data] : files, options: {} };
}

/** All nodes in a branch of one. */
const inBranch = ({ nodes, ...parts }: Parameters<typeof graph>[0]): Parameters<typeof graph>[0] => {
  const constant: NodeParts = { op: 'Constant', inputs: [], outputs: ['one'], value: tensor('', { dims: [1], data: new Uint8Array(4) }) }; // prettier-ignore
  const branch = graph({ nodes: [constant, ...nodes], inputs: [], outputs: ['logits'] });
  return { ...parts, nodes: [{ op: 'If', inputs: ['c'], outputs: ['logits'], graphs: { then_branch: branch } }] };
};
