// Writes web/wasm/module-files.mjs and module-bytes.mjs: the URL of each wasm file, and its base64. Bundlers
// recognize only literal URLs and imports, so these are generated from the table of modules.
import { join } from 'node:path';
import { ALWAYS_LOADED, baselineFiles, fileOf, relaxedFiles, stemOf } from '../lib/modules.mjs';
import { root } from '../lib/root.mjs';
import { writeIfChanged } from '../lib/stamps.mjs';

const always = ALWAYS_LOADED.map((name) => fileOf(name, 'simd128'));
const all = [...baselineFiles, ...relaxedFiles];
const table = (name, entries) => `export const ${name} = {\n${entries.map((entry) => `  ${entry},\n`).join('')}};\n`;

const files = all.map((file) => `'${file}': () => new URL('./${file}', import.meta.url)`);

const bytesOf = (file) => `./${stemOf(file)}-bytes.mjs`;
const imports = always.map((file) => `import ${stemOf(file)} from '${bytesOf(file)}';\n`);
const bytes = all.map((file) =>
  always.includes(file)
    ? `'${file}': () => ${stemOf(file)}`
    : `'${file}': async () => (await import('${bytesOf(file)}')).default`,
);

export function writeModuleTables() {
  const folder = join(root, 'web/wasm');
  writeIfChanged(join(folder, 'module-files.mjs'), table('moduleFiles', files));
  writeIfChanged(join(folder, 'module-bytes.mjs'), `${imports.join('')}\n${table('moduleBytes', bytes)}`);
}
