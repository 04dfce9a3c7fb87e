#!/bin/sh
# All texts of a batch draw the same token.
#
# Software: @tensorflow/tfjs-core and tfjs-backend-cpu 4.22.0.
# Guess before running: multinomial draws for each row of the logits on its own.
# Seen: with equal logits the rows of a batch have equal draws, in every call anew: of 1,000 equally likely tokens, six rows draw the same five. With other
# logits they fall at the same place of their distributions. Rows are independent only between calls.
# Why it surprises: sampling several continuations of one text is what a batch is for, and they are all the same text. Whoever estimates a mean or an
# error bar from the samples of a batch has one sample. Each row by itself has the right distribution, so a test of one row passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > batch.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const size = 1000;
const drawn = (logits, seed) => tf.multinomial(logits, 5, seed).array();
const equal = tf.zeros([6, size]);
const calls = [await drawn(equal), await drawn(equal), await drawn(equal, 3)];
calls.forEach((rows, i) => console.log(`call ${i + 1}:`, rows.map((row) => row.join(' '))));
const weights = Float32Array.from({ length: size }, (_, i) => Math.log(i + 1));
const other = await drawn(tf.tensor2d([...weights, ...weights.slice().fill(0)], [2, size]));
console.log('rows with other logits:', other.map((row) => row.join(' ')));
// Token t of the first row ends the share ((t + 1) / size) ** 2 of its distribution; that of the second ends (t + 1) / size.
const gaps = other[0].map((token, i) => Math.abs(((token + 1) / size) ** 2 - (other[1][i] + 1) / size));
const isSo = calls.every((rows) => new Set(rows.map(String)).size === 1) && String(calls[0]) !== String(calls[1]) && gaps.every((gap) => gap < 3 / size);
process.exit(isSo ? 0 : 1);
END
node batch.mjs 2>/dev/null
