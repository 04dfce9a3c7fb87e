#!/bin/sh
# Adadelta makes exactly the steps of plain gradient descent.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: the steps differ from those of gradient descent from the first on: by the method's definition they have one size whatever the
# gradient's, at first 0.0014 of the learning rate. After the first two steps had been seen, before the long run: it is gradient descent.
# Seen: over 200 steps on the loss of a tied table, the two are equal to the last bit, for learning rates 0.1 and 1; Adam is elsewhere.
# Why it surprises: the method exists so that rare tokens, whose gradients are small, learn as fast as common ones. A comparison of optimizers
# for a table then has one of them twice, and finds that adapting does not help.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > adadelta.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-layers'; // registers the gradients
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const [size, width, steps] = [6, 4, 200];
const tokens = tf.tensor1d([0, 0, 0, 0, 1, 1, 2, 3], 'int32');
const targets = tf.oneHot(tf.tensor1d([1, 1, 2, 1, 0, 3, 4, 5], 'int32'), size);

/** The table after training: it reads the tokens and writes the scores. */
function trained(optimizer) {
  const table = tf.variable(tf.tensor2d(Array.from({ length: size * width }, (_, i) => Math.sin(i) / 2), [size, width]));
  const loss = () => tf.losses.softmaxCrossEntropy(targets, tf.matMul(tf.gather(table, tokens), table, false, true));
  const first = loss().dataSync()[0];
  for (let step = 0; step < steps; step++) optimizer.minimize(loss, false, [table]);
  return { table: table.dataSync(), losses: [first, loss().dataSync()[0]] };
}
const distance = (a, b) => Math.max(...a.table.map((x, i) => Math.abs(x - b.table[i])));
let isSo = true;
for (const rate of [0.1, 1]) {
  const [plain, adadelta, adam] = [tf.train.sgd(rate), tf.train.adadelta(rate), tf.train.adam(rate)].map(trained);
  const found = { Adadelta: distance(plain, adadelta), Adam: distance(plain, adam) };
  console.log(`learning rate ${rate}: loss ${plain.losses.join(' to ')}; largest distance from gradient descent`, found);
  isSo &&= found.Adadelta < 1e-4 && found.Adam > 0.1 && plain.losses[1] < 0.9 * plain.losses[0];
}
process.exit(isSo ? 0 : 1);
END
node adadelta.mjs 2>/dev/null
