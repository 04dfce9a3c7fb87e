// node tools/train-finished-leak.mjs: trains the models of <article-leak> and writes what the figure shows before the reader trains,
// to web/article/assets/. Needed only when the core's bits, the figure's plan or the story change, which a test reports. Takes a
// second. Needs web/wasm (npm run build).
import { join } from 'node:path';
import { importSources } from './lib/import-sources.mjs';
import { recordLines } from './lib/record-lines.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';

const { builtInTexts, characterPairs, createLab, finishedRun, rounded, trainAndRead } = await importSources(
  'train-finished-leak',
  `export { builtInTexts } from './web/texts/index.ts';
   export { characterPairs } from './web/article/figures/direction/floors.ts';
   export { finishedRun, trainAndRead } from './web/article/figures/leak/measure.ts';
   export { rounded } from './web/article/build/rounded.mjs';
   export { createLab } from './web/worker/lab.ts';`,
);
const lab = await createLab();
const pairs = characterPairs(await builtInTexts[0].load());
const leaks = await trainAndRead(lab, pairs, finishedRun, new AbortController().signal);
lab.dispose();
const kept = { madeBy: 'node tools/train-finished-leak.mjs', leaks: rounded(leaks) };
writeIfChanged(join(root, 'web/article/assets/finished-leak.json'), `${recordLines(kept)}\n`);
for (const { kind, width, found } of leaks) console.log(kind, width, found);
