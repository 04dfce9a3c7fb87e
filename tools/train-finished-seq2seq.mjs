// node tools/train-finished-seq2seq.mjs: trains the encoder-decoders that <tied-seq2seq> shows in the article before the reader
// trains, and writes the run to web/article/assets/. Needed only when the core's bits or the figure's defaults change, which a test
// reports. Takes a minute or two. Needs web/wasm (npm run build).
import { join } from 'node:path';
import { importSources } from './lib/import-sources.mjs';
import { recordLines } from './lib/record-lines.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';

const { createLab, trainFinishedSeq2seq } = await importSources(
  'train-finished-seq2seq',
  `export { trainFinishedSeq2seq } from './web/article/build/finished-seq2seq.ts';
   export { createLab } from './web/worker/lab.ts';`,
);
const lab = await createLab();
let reported = 0;
const history = await trainFinishedSeq2seq(lab, {
  onStep: (step) => {
    if (step < reported + 50) return;
    reported = step;
    console.log(`step ${step}`);
  },
});
lab.dispose();
const kept = { madeBy: 'node tools/train-finished-seq2seq.mjs', ...history };
writeIfChanged(join(root, 'web/article/assets/finished-seq2seq.json'), `${recordLines(kept)}\n`);
for (const { tying, moments } of history.models) {
  const { step, loss, exactMatch, characterErrorRate } = moments.at(-1);
  console.log(
    `${tying}: after ${step} steps loss ${loss}, exact match ${exactMatch}, character error rate ${characterErrorRate}`,
  );
}
