#!/bin/sh
# The sigmoid of -20 is 0, and that of -16.5 is larger than that of -16.
#
# Software: onnxruntime-node 1.30.0; onnx-proto 8.0.1 writes the graph.
# Guess before running: right to 1e-5 of its value, 2.06e-9 at -20. (The value 0 at -88 had been seen in passing, beside other operators.)
# Seen: 0 from -18 on, and multiples of 2 ** -25 before: at -16 it is off by nearly one half. The logarithm of the result is -Infinity. Softmax
# of [-20, 0], which is the same number in closed form, is right to seven digits.
# Why it surprises: single precision holds values down to 1e-45, and the operator beside it uses them. Pairs of tokens that are scored one by one,
# as in word vectors and in sampled heads, seem impossible where they are rare, and are no longer in order; their loss is infinite.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Without the packages' install scripts: they would fetch parts for graphics cards.
npm install --silent --no-audit --no-fund --ignore-scripts onnxruntime-node@1.30.0 onnx-proto@8.0.1 >&2
cat > sigmoid.mjs <<'END'
import proto from 'onnx-proto';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const float = 1;
const value = (name, ...dims) => {
  const dim = dims.map((extent) => (typeof extent === 'number' ? { dimValue: extent } : { dimParam: extent }));
  return { name, type: { tensorType: { elemType: float, shape: { dim } } } };
};
const model = proto.onnx.ModelProto.create({
  irVersion: 8,
  opsetImport: [{ domain: '', version: 17 }],
  graph: {
    name: 'pairs',
    input: [value('logits', 'n'), value('pairs', 'n', 2)],
    output: [value('sigmoid', 'n'), value('loss', 'n'), value('softmax', 'n', 2)],
    node: [
      { opType: 'Sigmoid', input: ['logits'], output: ['sigmoid'] },
      { opType: 'Log', input: ['sigmoid'], output: ['loss'] },
      { opType: 'Softmax', input: ['pairs'], output: ['softmax'] },
    ],
  },
});
const session = await InferenceSession.create(proto.onnx.ModelProto.encode(model).finish());
const logits = [-5, -10, -16, -16.5, -18, -20, -60];
const { sigmoid, loss, softmax } = await session.run({
  logits: new Tensor('float32', Float32Array.from(logits), [logits.length]),
  pairs: new Tensor('float32', Float32Array.from(logits.flatMap((logit) => [logit, 0])), [logits.length, 2]),
});
const found = logits.map((logit, i) => {
  const closedForm = 1 / (1 + Math.exp(-logit));
  return { logit, sigmoid: sigmoid.data[i], ofSoftmax: softmax.data[2 * i], closedForm, logOfSigmoid: loss.data[i] };
});
console.table(found);
const isSo =
  found.every(({ ofSoftmax, closedForm }) => Math.abs(ofSoftmax / closedForm - 1) < 1e-5) &&
  found.slice(4).every(({ sigmoid, logOfSigmoid }) => sigmoid === 0 && logOfSigmoid === -Infinity) &&
  found[3].sigmoid > found[2].sigmoid;
process.exit(isSo ? 0 : 1);
END
node sigmoid.mjs
