#!/bin/sh
# Dropout with a seed drops the same numbers at every step.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: another mask at each step, and the same sequence of masks for the same seed, as in Keras, whose interface this is.
# Seen: one mask for all steps. With batches of one text, the columns that it drops after an embedding never move: 10 of 16 columns of the table stay as
# they were initialized, and in evaluation they take part. Without a seed, all columns move.
# Why it surprises: whoever gives a seed to be able to repeat a run turns dropout into a smaller model, which is then evaluated with random numbers added.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > dropout.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import * as layers from '@tensorflow/tfjs-layers';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const [size, width] = [6, 16];

/** The masks of three steps, and how many columns of the embedding training moves. */
async function tried(seed) {
  const dropout = layers.layers.dropout({ rate: 0.5, ...(seed !== undefined && { seed }) });
  const masks = [1, 2, 3].map(() => dropout.apply(tf.ones([1, width]), { training: true }).dataSync().map(Math.sign).join(''));
  const embedding = layers.layers.embedding({ inputDim: size, outputDim: width, inputLength: 1 });
  const head = layers.layers.dense({ units: size, activation: 'softmax' });
  const model = layers.sequential({ layers: [embedding, layers.layers.flatten(), dropout, head] });
  model.compile({ optimizer: 'sgd', loss: 'sparseCategoricalCrossentropy' });
  const before = embedding.getWeights()[0].dataSync().slice();
  const tokens = tf.tensor2d(Array.from({ length: size }, (_, i) => [i]));
  const targets = tf.tensor2d(Array.from({ length: size }, (_, i) => [(i + 1) % size]));
  await model.fit(tokens, targets, { epochs: 30, batchSize: 1, verbose: 0 });
  const after = embedding.getWeights()[0].dataSync();
  const moved = new Set([...after.keys()].filter((i) => after[i] !== before[i]).map((i) => i % width));
  return { masks, moved: moved.size, kept: masks[0].split('1').length - 1 };
}
const [seeded, free] = [await tried(7), await tried()];
console.log('with a seed', seeded);
console.log('without', free);
const isSo = new Set(seeded.masks).size === 1 && seeded.moved === seeded.kept && seeded.kept < width && new Set(free.masks).size > 1 && free.moved === width;
process.exit(isSo ? 0 : 1);
END
node dropout.mjs 2>/dev/null
