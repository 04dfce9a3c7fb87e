#!/bin/sh
# Positions that an embedding masks as padding count in the loss and in the mean.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: with maskZero, positions of token 0 are left out of the loss, as in Keras; a layer that cannot do so throws, as the
# documentation of maskZero says.
# Seen: the loss and the mean over positions (globalAveragePooling1d) are those without a mask, and nothing is thrown. lstm obeys the mask: what
# follows the text changes nothing.
# Why it surprises: a mean of vectors then depends on how far the batch was padded, and the row of token 0, which should stay as it is, learns. Since one kind
# of layer does it right, a test with that kind passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > padding.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const rows = [[9, 9], [1, 2], [3, 4]];
const text = tf.tensor2d([[1, 2]]);
const padded = tf.tensor2d([[1, 2, 0, 0]]);
const after = (layer, maskZero, tokens) => {
  const embedding = layers.embedding({ inputDim: 3, outputDim: 2, maskZero, weights: [tf.tensor2d(rows)] });
  const model = sequential({ layers: [layers.inputLayer({ inputShape: [null] }), embedding, layer] });
  model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  return { model, out: Array.from(model.predict(tokens).dataSync(), (x) => Number(x.toFixed(4))) };
};
const mean = () => layers.globalAveragePooling1d({});
const lstm = () => layers.lstm({ units: 2, kernelInitializer: 'ones', recurrentInitializer: 'ones' });
const means = [after(mean(), true, text), after(mean(), true, padded), after(mean(), false, padded)].map(({ out }) => out.join(' '));
const states = [after(lstm(), true, text), after(lstm(), true, padded), after(lstm(), false, padded)].map(({ out }) => out.join(' '));
console.log('mean: text', means[0], 'padded', means[1], 'padded without a mask', means[2]);
console.log('lstm: text', states[0], 'padded', states[1], 'padded without a mask', states[2]);

// The embedding's own numbers are the targets where there is text; only the padding is off, by 1.
const targets = tf.tensor3d([[rows[1], rows[2], [10, 10], [10, 10]]]);
const losses = [true, false].map((maskZero) => {
  const same = layers.timeDistributed({ layer: layers.activation({ activation: 'linear' }) });
  return after(same, maskZero, padded).model.evaluate(padded, targets, { verbose: 0 }).dataSync()[0];
});
console.log('loss: with a mask', losses[0], 'without', losses[1]);
const isSo = means[0] === '2 3' && means[1] === '5.5 6' && means[2] === means[1] && states[0] === states[1] && states[2] !== states[1];
process.exit(isSo && losses.join(' ') === '0.5 0.5' ? 0 : 1);
END
node padding.mjs 2>/dev/null
