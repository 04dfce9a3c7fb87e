#!/bin/sh
# The cosine of a row with itself is -1 if the row is very small or very large.
#
# Software: DuckDB 1.5.6 (@duckdb/node-api 1.5.6-r.1).
# Guess before running: a row of zeros, as for padding, has the cosine NaN or NULL with the others. For rows whose squares leave single
# precision there was no guess of its own; it would have been NaN, or 1 from sums in double precision.
# Seen: -1, in array_cosine_similarity and in list_cosine_similarity: for zeros, for [1e-25, 2e-25] with itself and for [1e20, 2e20] with
# itself. The cosine distance is 2. With the same numbers in double precision it is 1, and -1 for zeros only.
# Why it surprises: the largest possible distance stands for "not known". Weight decay leaves rows of unused tokens this small, and search by
# cosine then says that they are the opposite of everything, themselves included, where NULL or NaN could be filtered.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 >&2
cat > cosine.mjs <<'END'
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const found = {};
for (const type of ['float', 'double']) {
  for (const row of ['[3, 4]', '[0, 0]', '[1e-25, 2e-25]', '[1e20, 2e20]']) {
    const [array, list] = [`${row}::${type}[2]`, `${row}::${type}[]`];
    const query = `select array_cosine_similarity(${array}, ${array}), list_cosine_similarity(${list}, ${list}), array_cosine_distance(${array}, ${array})`;
    const [values] = (await connection.runAndReadAll(query)).getRows();
    found[`${row} in ${type}`] = values.map((value) => Number(value.toFixed(6)));
  }
}
console.log(found);
const opposite = '[-1,-1,2]';
const isSo = Object.entries(found).every(([name, values]) => {
  const same = name.startsWith('[3') || (name.endsWith('double') && !name.startsWith('[0'));
  return JSON.stringify(values) === (same ? '[1,1,0]' : opposite);
});
process.exit(isSo ? 0 : 1);
END
node cosine.mjs
