// Modules named `*.values.ts` export plain data that they compute from much code. A bundle gets the data without the code.
import { build } from 'esbuild';
import { root } from '../lib/root.mjs';

async function valuesOf(path) {
  const { outputFiles } = await build({ entryPoints: [path], absWorkingDir: root, bundle: true, format: 'esm', platform: 'node', write: false, minify: true, logLevel: 'silent' });
  const values = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}

/** @type {import('esbuild').Plugin} */
export const valuesOnly = {
  name: 'values-only',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.values\.ts$/ }, async ({ path }) => ({ contents: await valuesOf(path), loader: 'js' }));
  },
};
