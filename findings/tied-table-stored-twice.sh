#!/bin/sh
# Saving the optimized form of a tied model doubles its file, and a tied model then looks untied.
#
# Software: onnxruntime-node 1.30.0, graph optimization levels disabled and basic; onnx-proto 8.0.1 writes and reads the files.
# Guess before running: the optimized file is as large as the original. Its one table is read by Gather and, through Transpose, by MatMul;
# the level basic is said to remove what is redundant, so at most the Transpose is merged into a product with a flag (FusedMatMul, Gemm).
# Seen: level basic computes the Transpose once and stores its result beside the table: two initializers, [V, d] and [d, V], and twice the
# bytes. Level disabled keeps one table. The logits are the same.
# Why it surprises: an optimization undoes what tying is for, by default, in memory as well as in the saved file. Whoever asks this file
# whether two roles share a tensor learns that they do not; only a comparison of the numbers, transposed, shows it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Without the packages' install scripts: they would fetch parts for graphics cards.
npm install --silent --no-audit --no-fund --ignore-scripts onnxruntime-node@1.30.0 onnx-proto@8.0.1 >&2
cat > twice.mjs <<'END'
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import proto from 'onnx-proto';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const { ModelProto } = proto.onnx;
const [float, int64, listOfInts] = [1, 7, 7];
const [vocabSize, width] = [1000, 64];
const table = Float32Array.from({ length: vocabSize * width }, (_, i) => Math.sin(i));
const value = (name, elemType, dim) => ({ name, type: { tensorType: { elemType, shape: { dim } } } });

const model = ModelProto.create({
  irVersion: 8,
  opsetImport: [{ domain: '', version: 17 }],
  graph: {
    name: 'tied',
    initializer: [{ name: 'table', dims: [vocabSize, width], dataType: float, rawData: new Uint8Array(table.buffer) }],
    input: [value('tokens', int64, [{ dimParam: 'n' }])],
    output: [value('logits', float, [{ dimParam: 'n' }, { dimValue: vocabSize }])],
    node: [
      { opType: 'Gather', input: ['table', 'tokens'], output: ['x'] },
      { opType: 'Transpose', input: ['table'], output: ['turned'], attribute: [{ name: 'perm', type: listOfInts, ints: [1, 0] }] },
      { opType: 'MatMul', input: ['x', 'turned'], output: ['logits'] },
    ],
  },
});
writeFileSync('tied.onnx', ModelProto.encode(model).finish());

const tokens = new Tensor('int64', BigInt64Array.from([1n, 2n]), [2]);
const found = {};
for (const level of ['disabled', 'basic']) {
  const path = `${level}.onnx`;
  const session = await InferenceSession.create('tied.onnx', { graphOptimizationLevel: level, optimizedModelFilePath: path, logSeverityLevel: 3 });
  const { logits } = await session.run({ tokens });
  const tables = ModelProto.decode(readFileSync(path)).graph.initializer.map(({ dims }) => dims.map(Number).join(' x '));
  found[level] = { tables, bytes: statSync(path).size / statSync('tied.onnx').size, logit: logits.data[0] };
}
console.log(found);
const { disabled, basic } = found;
const isSo =
  disabled.tables.join() === '1000 x 64' &&
  basic.tables.join() === '1000 x 64,64 x 1000' &&
  disabled.bytes < 1.01 &&
  basic.bytes > 1.99 &&
  disabled.logit === basic.logit;
process.exit(isSo ? 0 : 1);
END
node twice.mjs
