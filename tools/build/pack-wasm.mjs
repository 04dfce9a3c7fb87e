// usage: node pack-wasm.mjs <build folder>/<module>.mjs <web/wasm>/<name>
// Writes a module into web/wasm/: <name>.wasm (with reordered functions), <name>.mjs (the minified glue) and
// <name>-bytes.mjs (the wasm as base64, for the entry that inlines it). Unchanged files are not written, so that nothing
// is rebuilt.
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { writeIfChanged } from '../lib/stamps.mjs';
import { withOrderedFunctions } from './order-functions.mjs';

const [glueFile, packed] = process.argv.slice(2);
const wasm = withOrderedFunctions(readFileSync(glueFile.replace(/\.mjs$/, '.wasm')));
const glue = transformSync(readFileSync(glueFile, 'utf8'), {
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
});
writeIfChanged(`${packed}.wasm`, wasm);
writeIfChanged(`${packed}.mjs`, glue.code);
writeIfChanged(`${packed}-bytes.mjs`, `export default '${wasm.toString('base64')}';\n`);
