// Our own cold starts: a page with one script, as a bundler makes it from the package, from navigation to the first
// step.
import { build } from 'esbuild';
import { basename, join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { coldContender, pageOf } from './cold-start.mjs';

/** The author's part of the script; the rest is the package. */
const script = `
import { loadCore } from './tied-embeddings.js';
const models = {
  A: { kind: 'transformer', vocabSize: 65, dModel: 64, nLayers: 4, nHeads: 4, contextLength: 64, tying: 'tied' },
  C: { kind: 'direct-path', vocabSize: 2000, dModel: 64, tying: 'untied' },
};
const batchSizes = { A: 16, C: 1024 };
try {
  const name = new URLSearchParams(location.search).get('model');
  const model = models[name];
  const core = await loadCore();
  const tokenIds = new Uint32Array(50_000);
  for (let at = 0; at < tokenIds.length; at++) tokenIds[at] = (at * 7919 + (at >> 3)) % model.vocabSize;
  const training = { learningRate: 0.001, batchSize: batchSizes[name], seed: 1 };
  core.createTrainer({ model, training, tokenIds }).run(1);
  globalThis.finished = performance.now();
} catch (error) {
  globalThis.failed = String(error);
}
`;

/** The page's script including the package, and its lazily loaded parts: text by address. */
async function bundled() {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: join(root, 'dist'), loader: 'js' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: '/',
    entryNames: 'start',
    outExtension: { '.js': '.mjs' },
    write: false,
    logLevel: 'silent',
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [`/${basename(path)}`, text]));
}

/** @param {import('playwright-core').Browser} browser */
export async function startContender(browser, name) {
  return coldContender(browser, {
    name,
    pages: { '/': pageOf('/start.mjs'), ...(await bundled()) },
    addresses: { 'cold/A': '/?model=A', 'cold/C': '/?model=C' },
  });
}
