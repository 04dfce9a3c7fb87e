// usage: node pack-wasm.mjs [--names] <build folder>/<module>.mjs <web/wasm>/<name> [<web/wasm>/<part> <function>...]
// Writes a module into web/wasm/: <name>.wasm (with reordered functions), <name>.mjs (the minified glue) and
// <name>-bytes.mjs (the wasm as gzipped text, for the entry that inlines it; web/core/runtime/inflate.ts). With a part, functions whose names begin with one
// of those given are written to <part>.wasm and <part>-bytes.mjs. --names keeps the names of functions, for profiles (bench/profile-one-model.mjs). Unchanged files are not written, so nothing is
// rebuilt.
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { packedText } from '../lib/packed-text.mjs';
import { writeIfChanged } from '../lib/stamps.mjs';
import { withOrderedFunctions } from './order-functions.mjs';
import { indexInWhole, markedAsOne, splitModule } from './split-module.mjs';
import { namesOf } from './wasm-binary.mjs';

const given = process.argv.slice(2);
const keepsNames = given[0] === '--names';
const [glueFile, packed, partPacked, ...prefixes] = given.slice(Number(keepsNames));
const linked = readFileSync(glueFile.replace(/\.mjs$/, '.wasm'));

function writeModule(path, wasm) {
  writeIfChanged(`${path}.wasm`, wasm);
  writeIfChanged(`${path}-bytes.mjs`, `export default '${packedText(wasm)}';\n`);
}

const names = namesOf(linked);
if (partPacked === undefined) {
  writeModule(packed, withOrderedFunctions(linked, keepsNames ? (index) => names.get(index) : null));
} else {
  const { kept, part } = splitModule(linked, prefixes, keepsNames);
  const ordered = (module) => {
    const own = namesOf(module);
    return withOrderedFunctions(module, keepsNames ? (index) => names.get(indexInWhole(own.get(index))) : null);
  };
  const [whole, apart] = markedAsOne(ordered(kept), ordered(part));
  writeModule(packed, whole);
  writeModule(partPacked, apart);
}
const glue = transformSync(readFileSync(glueFile, 'utf8'), {
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
});
writeIfChanged(`${packed}.mjs`, glue.code);
