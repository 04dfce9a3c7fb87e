#!/bin/sh
# A variable that two layers list is moved by twice its gradient.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: a variable shared by the embedding and the head gets the sum of the gradients of its two roles, and moves once by
# the learning rate times that sum, whether the head lists it among its weights or not.
# Seen: with plain gradient descent it moves by exactly twice that if the head lists it too, by exactly once if only the embedding does.
# Why it surprises: listing it is how a head counts and saves its weights. Training works, with twice the learning rate for
# this one table; a comparison of tied and untied models then compares learning rates.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > tied.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import * as layers from '@tensorflow/tfjs-layers';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const rate = 0.1;

/** Scores of all tokens by the table that reads them. */
class TiedHead extends layers.layers.Layer {
  static className = 'TiedHead';
  constructor(table, isListed) {
    super({});
    Object.assign(this, { table, isListed });
  }
  build() {
    if (this.isListed) this._trainableWeights.push(this.table.embeddings);
    this.built = true;
  }
  computeOutputShape([batch, length]) {
    return [batch, length, 4];
  }
  call([states]) {
    return tf.tidy(() => {
      const [batch, length, width] = states.shape;
      const scores = tf.matMul(tf.reshape(states, [-1, width]), this.table.embeddings.read(), false, true);
      return tf.reshape(scores, [batch, length, 4]);
    });
  }
}

/** The largest and the least movement of an element, as a multiple of the learning rate times its gradient. */
async function moved(isListed) {
  const table = layers.layers.embedding({ inputDim: 4, outputDim: 3, embeddingsInitializer: 'ones' });
  const tokens = layers.input({ shape: [2], dtype: 'int32' });
  const scores = new TiedHead(table, isListed).apply(table.apply(tokens));
  const model = layers.model({ inputs: tokens, outputs: scores });
  const loss = (targets, found) => tf.mean(tf.square(tf.sub(targets, found)));
  const before = table.getWeights()[0].clone();
  const gradient = tf.grad((weights) =>
    tf.mean(tf.square(tf.matMul(tf.gather(weights, tf.tensor1d([0, 1], 'int32')), weights, false, true))),
  )(before);
  model.compile({ optimizer: tf.train.sgd(rate), loss });
  await model.fit(tf.tensor2d([[0, 1]], [1, 2], 'int32'), tf.zeros([1, 2, 4]), { epochs: 1, verbose: 0 });
  const times = tf.div(tf.sub(before, table.getWeights()[0]), tf.mul(gradient, rate)).dataSync();
  return [Math.min(...times), Math.max(...times)];
}

const found = { 'listed by the embedding': await moved(false), 'listed by both': await moved(true) };
console.log(found);
const near = (times, expected) => times.every((value) => Math.abs(value - expected) < 1e-4);
process.exit(near(found['listed by the embedding'], 1) && near(found['listed by both'], 2) ? 0 : 1);
END
node tied.mjs 2>/dev/null
