// usage: node pack-wasm.mjs <build folder>/core.mjs <web/wasm>
// Puts the module into web/wasm/: core.wasm, core.mjs (the glue, minified) and core-bytes.mjs (the wasm as base64, for
// the entry that has it inlined). Files whose content is the same are left alone, so that nothing is rebuilt for them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { writeIfChanged } from '../lib/stamps.mjs';

const [glueFile, folder] = process.argv.slice(2);
const wasm = readFileSync(glueFile.replace(/\.mjs$/, '.wasm'));
const glue = transformSync(readFileSync(glueFile, 'utf8'), {
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
});
writeIfChanged(join(folder, 'core.wasm'), wasm);
writeIfChanged(join(folder, 'core.mjs'), glue.code);
writeIfChanged(join(folder, 'core-bytes.mjs'), `export default '${wasm.toString('base64')}';\n`);
