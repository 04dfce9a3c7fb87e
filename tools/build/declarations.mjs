// Writes the package's type declarations: those that its entries import, directly or indirectly.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';
import { publicDeclarations } from './public-declarations.mjs';

/** Paths of the declaration files that a declaration file imports. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const paths = [...text.matchAll(/(?:from|import|import\()\s*['"](\.{1,2}\/[^'"]+)\.js['"]/g)];
  return paths.map(([, path]) => join(dirname(file), `${path}.d.ts`));
}

/** The compiler indents by four columns, which is a tenth of the declarations. */
const narrower = (indentation) => ' '.repeat(indentation.length / 4);

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(folder, path));

/** Removes what no user can name, the declarations below `folder` that no entry reaches, and most of the white space of the others. */
function keepReachable(folder, entries) {
  for (const file of filesBelow(folder)) writeFileSync(file, publicDeclarations(readFileSync(file, 'utf8')));
  const reached = new Set(entries);
  for (const file of reached) for (const imported of importsOf(file)) reached.add(imported);
  for (const file of filesBelow(folder)) {
    if (reached.has(file)) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^(?: {4})+/gm, narrower));
    else rmSync(file);
  }
}

/**
 * Writes one declaration file per entry into `folder`, pointing into types/; `sources` maps entries to files of web/.
 */
export async function declareEntries(folder, sources) {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(folder, 'types')], { log: 'types' });
  const entries = Object.entries(sources).map(([entry, source]) => {
    const file = join(folder, `${entry}.d.ts`);
    const up = entry.includes('/') ? '..' : '.';
    writeFileSync(file, `export * from '${up}/types/${source.replace(/\.ts$/, '.js')}';\n`);
    return file;
  });
  keepReachable(join(folder, 'types'), entries);
}
