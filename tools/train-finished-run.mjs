// node tools/train-finished-run.mjs: trains the two small GPTs of the article's finished run, and writes the run and the
// trained models, which continue the reader's prompts, to web/article/assets/. Needed only when the core's bits, the lab's
// defaults or the stories change, which a test reports. Takes a few minutes. Needs web/wasm (npm run build).
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { importSources } from './lib/import-sources.mjs';
import { recordLines } from './lib/record-lines.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';

const { createLab, trainFinishedRun } = await importSources(
  'train-finished-run',
  `export { trainFinishedRun } from './web/article/build/finished-transformer-run.ts';
   export { createLab } from './web/worker/lab.ts';`,
);
const lab = await createLab();
let reported = 0;
const { run, models } = await trainFinishedRun(lab, {
  onStep: (step) => {
    if (step < reported + 50) return;
    reported = step;
    console.log(`step ${step}`);
  },
});
lab.dispose();
const assets = join(root, 'web/article/assets');
const name = 'finished-transformers.safetensors';
const sha256 = createHash('sha256').update(models).digest('hex');
// Each file has its own URL, so no cache returns an earlier one.
const url = `${name}?${sha256.slice(0, 8)}`;
writeIfChanged(join(assets, name), models);
const madeBy = 'node tools/train-finished-run.mjs';
const kept = { madeBy, ...run, models: { url, bytes: models.length, sha256 } };
writeIfChanged(join(assets, 'finished-transformer-run.json'), `${recordLines(kept)}\n`);
for (const { kind, heldOut } of run.arms) console.log(`${kind}: held-out loss ${heldOut.losses.at(-1)}`);
console.log(run.samples.at(-1));
