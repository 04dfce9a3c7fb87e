#!/bin/sh
# A column of whole numbers without a declared type is stored in 32 bits, however large they are.
#
# Software: hyparquet-writer 0.17.0 and hyparquet 1.31.5.
# Guess before running: [1, 3000000000] becomes DOUBLE or INT64 and comes back equal; [-0, 1] becomes DOUBLE and keeps its sign.
# Seen: whole numbers become INT32: 2147483648 is refused with an error while it is written ("parquet expected int32 value"), although
# [0.5, 3000000000] is written. -0 loses its sign.
# Why it surprises: JavaScript's numbers are doubles, and counts of tokens or of multiply-accumulates soon pass 2 ** 31. Tables of results
# can be written until the first large experiment. With a declared type, all of this works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund hyparquet-writer@0.17.0 hyparquet@1.31.5 >&2
cat > columns.mjs <<'END'
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';

async function written(data, type) {
  try {
    const file = parquetWriteBuffer({ columnData: [{ name: 'x', data, ...(type && { type }) }] });
    return (await parquetReadObjects({ file })).map(({ x }) => (Object.is(x, -0) ? '-0' : String(x))).join();
  } catch (error) {
    return error.message;
  }
}
const found = [
  await written([1, 2147483647]),
  await written([1, 2147483648]),
  await written([0.5, 3000000000]),
  await written([-0, 1]),
  await written([1, 2147483648], 'DOUBLE'),
  await written([-0, 1], 'DOUBLE'),
];
console.log(found);
const expected = ['1,2147483647', 'parquet expected int32 value, got 2147483648', '0.5,3000000000', '0,1', '1,2147483648', '-0,1'];
process.exit(JSON.stringify(found) === JSON.stringify(expected) ? 0 : 1);
END
node columns.mjs
