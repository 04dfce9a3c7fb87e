/** Word vectors and graphs. */
import { ramp } from './checkpoint-files.js';
import { languageModel, onnx, type NodeParts } from './onnx-files.js';
import { fastText, LOSS, MODEL, word2vec } from './vector-files.js';
import { D, V, type VerdictCase } from './verdict-files.js';

const words = Array.from({ length: V }, (_, i) => `w${i}`);
const model = { words, cols: D, input: ramp(V * D), output: ramp(V * D, 1) };
const embed = { dims: [V, D], data: ramp(V * D) };
const product = (of: string, more: Partial<NodeParts> = {}): NodeParts => ({
  ...{ op: 'MatMul', inputs: ['h', of], outputs: ['logits'] },
  ...more,
});
const turned: NodeParts = { op: 'Transpose', inputs: ['embed'], outputs: ['t'] };

export const VECTORS: Readonly<Record<string, readonly VerdictCase[]>> = {
  'word vectors of word2vec': [
    { source: word2vec({ words, cols: D, data: ramp(V * D) }), says: ['one table without a name'] },
  ],
  'a model of fastText': [
    { source: fastText(model), says: ['two tables by design', "'input.words' and 'output.words' differ"] },
    { source: fastText({ ...model, loss: LOSS.hs }), says: ['a row for each node of a tree'] },
  ],
  'a classifier of fastText': [
    {
      source: fastText({ ...model, model: MODEL.supervised, labels: ['__label__a'], output: ramp(D) }),
      says: ['a row for each of its 1 labels'],
    },
  ],
  'a graph of ONNX that reads and writes with one tensor': [
    { source: onnx(languageModel({ embed }, [turned, product('t')])), says: ["with one tensor, 'embed'"] },
    { source: onnx(languageModel({ embed }, [product('embed', { op: 'Gemm', numbers: { transB: 1 } })])) },
  ],
  'a graph of ONNX that reads and writes with two tensors that differ': [
    {
      source: onnx(languageModel({ embed, head: { dims: [D, V], data: ramp(V * D, 1) } }, [product('head')])),
      says: ['reads and its MatMul writes with two tensors', "'embed' and 'head' differ"],
    },
  ],
  'a graph of ONNX with a packed head': [
    {
      source: onnx(
        languageModel({ embed, head: { dims: [V, 1, 4], type: 2, data: new Uint8Array(4 * V) } }, [
          product('head', { op: 'MatMulNBits', numbers: { N: V, K: D } }),
        ]),
      ),
      says: ['packed in blocks of few bits (MatMulNBits)'],
    },
  ],
  'a graph of ONNX in which one table has one role': [
    { source: onnx(languageModel({ embed }, [])), says: ['no product with a table leads to its outputs'] },
  ],
};
