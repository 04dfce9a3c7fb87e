// usage: node pack-wasm.mjs <build folder>/<module>.mjs <web/wasm>/<name> [<web/wasm>/<part> <function>...]
// Writes a module into web/wasm/: <name>.wasm (with reordered functions), <name>.mjs (the minified glue) and
// <name>-bytes.mjs (the wasm as gzipped text, for the entry that inlines it; web/core/runtime/inflate.ts). With a part, functions whose names begin with one
// of those given are written to <part>.wasm and <part>-bytes.mjs. Unchanged files are not written, so nothing is
// rebuilt.
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { packedText } from '../lib/packed-text.mjs';
import { writeIfChanged } from '../lib/stamps.mjs';
import { withOrderedFunctions } from './order-functions.mjs';
import { markedAsOne, splitModule } from './split-module.mjs';

const [glueFile, packed, partPacked, ...prefixes] = process.argv.slice(2);
const linked = readFileSync(glueFile.replace(/\.mjs$/, '.wasm'));

function writeModule(path, wasm) {
  writeIfChanged(`${path}.wasm`, wasm);
  writeIfChanged(`${path}-bytes.mjs`, `export default '${packedText(wasm)}';\n`);
}

if (partPacked === undefined) {
  writeModule(packed, withOrderedFunctions(linked));
} else {
  const { kept, part } = splitModule(linked, prefixes);
  const [whole, apart] = markedAsOne(withOrderedFunctions(kept), withOrderedFunctions(part));
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
