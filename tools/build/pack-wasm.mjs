// usage: node pack-wasm.mjs <build folder>/<module>.mjs <web/wasm>/<name>
// Puts a module into web/wasm/: <name>.wasm (its functions in an order that compresses well), <name>.mjs (the glue,
// minified) and <name>-bytes.mjs (the wasm as base64, for the entry that has it inlined). Files whose content is the same
// are left alone, so that nothing is rebuilt for them.
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
