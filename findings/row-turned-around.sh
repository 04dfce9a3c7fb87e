#!/bin/sh
# Normalizing a row by its sum of absolute values turns it around.
#
# Software: @huggingface/transformers 4.3.2 (JavaScript).
# Guess before running: Tensor.norm(p, dim) and Tensor.normalize(p, dim) are as in PyTorch, whose names they have: absolute values to the power p.
# Seen: there is no absolute value. With p = 1, [3, -4] has the norm -1 and becomes [-3, 4], and [1, -1] becomes [Infinity, -Infinity]. With p = 3 the norm is NaN,
# and with p = Infinity it is 1. The usual p = 2 is right.
# Why it surprises: a norm is negative, and nothing is raised. The cosine of such a row and its normalized form is -1, so the nearest words become the farthest;
# of non-negative features, as after a softmax, all is right, and those are what tests have.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Without the install scripts of its parts: they would fetch parts for graphics cards.
npm install --silent --no-audit --no-fund --ignore-scripts @huggingface/transformers@4.3.2 >&2
cat > norms.mjs <<'END'
import { Tensor, cos_sim } from '@huggingface/transformers';

const row = [3, -4];
const tensor = new Tensor('float32', Float32Array.from(row), [1, 2]);
const exact = { 1: 7, 2: 5, 3: 91 ** (1 / 3), Infinity: 4 };
const norms = Object.fromEntries(Object.keys(exact).map((p) => [p, tensor.norm(Number(p), 1).data[0]]));
for (const [p, norm] of Object.entries(norms)) console.log(`norm ${p} of [${row}]: ${norm}, by definition ${exact[p]}`);
const [first, second] = [1, 2].map((p) => [...tensor.normalize(p, 1).data]);
const even = [...new Tensor('float32', Float32Array.of(1, -1), [1, 2]).normalize(1, 1).data];
console.log('normalized with p = 1:', first, 'cosine with the row:', cos_sim(row, first));
console.log('normalized with p = 2:', second, 'cosine with the row:', cos_sim(row, second));
console.log('[1, -1] normalized with p = 1:', even);
const isSo =
  norms[1] === -1 && norms[2] === 5 && Number.isNaN(norms[3]) && norms.Infinity === 1 && String(first) === '-3,4' && cos_sim(row, first) < -0.999 &&
  cos_sim(row, second) > 0.999 && String(even) === 'Infinity,-Infinity';
process.exit(isSo ? 0 : 1);
END
node norms.mjs
