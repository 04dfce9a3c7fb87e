#!/bin/sh
# An L2 penalty on an embedding counts once for each place where the layer is used.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: embeddingsRegularizer adds the penalty of the table once, also if the layer is applied to two inputs, as Keras does; evaluate() and
# fit() report one loss.
# Seen: the loss of fit and the step of gradient descent have the penalty twice for a layer used twice, three times for one used three times. The loss of
# evaluate() has none at all.
# Why it surprises: a shared layer has one table, and a penalty is a property of the table. Models that share an embedding are compared with models that do
# not, and the former shrink their table twice as fast; and a loss of training is always above that of evaluation, which looks like something learned.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > penalty.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import * as layers from '@tensorflow/tfjs-layers';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');

/** A table of 4 x 2 ones, read at `places` inputs; the rest of the model gives 0 and learns nothing, so the loss is the penalty: 8. */
async function tried(places) {
  const embedding = layers.layers.embedding({
    inputDim: 4,
    outputDim: 2,
    embeddingsInitializer: 'ones',
    embeddingsRegularizer: layers.regularizers.l2({ l2: 1 }),
  });
  const inputs = Array.from({ length: places }, () => layers.input({ shape: [1], dtype: 'int32' }));
  const read = inputs.map((input) => embedding.apply(input));
  const sum = places > 1 ? layers.layers.add().apply(read) : read[0];
  const head = layers.layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros', trainable: false });
  const model = layers.model({ inputs, outputs: head.apply(layers.layers.flatten().apply(sum)) });
  model.compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' });
  const [tokens, targets] = [inputs.map(() => tf.ones([1, 1])), tf.zeros([1, 1])];
  const evaluated = model.evaluate(tokens, targets).dataSync()[0];
  const { history } = await model.fit(tokens, targets, { epochs: 1, verbose: 0 });
  return { places, evaluate: evaluated, fit: history.loss[0], step: 1 - embedding.getWeights()[0].dataSync()[0], parameters: model.countParams() };
}
const found = [await tried(1), await tried(2), await tried(3)];
console.log(found);
// The gradient of the penalty is 2 at every number.
const isSo = found.every(({ places, evaluate, fit, step }) => evaluate === 0 && fit === 8 * places && Math.abs(step - 0.02 * places) < 1e-6);
process.exit(isSo ? 0 : 1);
END
node penalty.mjs 2>/dev/null
