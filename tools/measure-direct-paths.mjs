// node tools/measure-direct-paths.mjs: trains the two small GPTs of <tied-direct-path> and writes what the figure shows before the
// reader measures, to web/article/assets/. Needed only when the core's bits, the lab's defaults or the stories change, which a
// test reports. Takes a minute or two. Needs web/wasm (npm run build).
import { join } from 'node:path';
import { importSources } from './lib/import-sources.mjs';
import { recordLines } from './lib/record-lines.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';

const { createLab, measurePaths, rounded } = await importSources(
  'measure-direct-paths',
  `export { measurePaths } from './web/elements/direct-path/measure.ts';
   export { rounded } from './web/article/build/rounded.mjs';
   export { createLab } from './web/worker/lab.ts';`,
);
const lab = await createLab();
let reported = 0;
const onProgress = (fraction) => {
  if (fraction < reported + 0.1) return;
  reported = fraction;
  console.log(`${Math.round(100 * fraction)} %`);
};
const measured = await measurePaths(lab, { seed: 1 }, { signal: new AbortController().signal, onProgress });
lab.dispose();
const kept = { madeBy: 'node tools/measure-direct-paths.mjs', ...rounded(measured) };
writeIfChanged(join(root, 'web/article/assets/finished-direct-paths.json'), `${recordLines(kept)}\n`);
for (const [kind, reports] of Object.entries(kept.reports)) console.log(kind, reports.at(-1));
