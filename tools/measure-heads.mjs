// node tools/measure-heads.mjs: trains the models of <tied-heads> with its defaults and writes what the figure shows before the
// reader trains, to web/article/assets/. Needed only when the core's bits, the figure's defaults or the stories change, which a test
// reports. Takes half a minute on an idle machine; run nothing else meanwhile, because times are measured. Needs web/wasm (npm run build).
import { join } from 'node:path';
import { importSources } from './lib/import-sources.mjs';
import { recordLines } from './lib/record-lines.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';

const { createLab, headsSettings, initialValues, questionOf, RaceRun, rounded } = await importSources(
  'measure-heads',
  `export { headsSettings } from './web/elements/heads/heads.settings.ts';
   export { questionOf } from './web/elements/heads/race-question.ts';
   export { RaceRun } from './web/elements/heads/race-run.ts';
   export { initialValues } from './web/elements/shared/settings/with-settings.ts';
   export { rounded } from './web/article/build/rounded.mjs';
   export { createLab } from './web/worker/lab.ts';`,
);
const lab = await createLab();
const question = questionOf({ ...initialValues(headsSettings), text: null });
let reported = 0;
const changed = (_, done) => {
  if (done < reported + 0.1) return;
  reported = done;
  console.log(`${Math.round(100 * done)} %`);
};
const race = await new RaceRun(lab, question).run(new AbortController().signal, {
  changed,
  tooShort: () => new Error(),
});
lab.dispose();
const kept = { madeBy: 'node tools/measure-heads.mjs', ...rounded(race) };
writeIfChanged(join(root, 'web/article/assets/finished-heads.json'), `${recordLines(kept)}\n`);
for (const { head, tying, points } of race.arms) console.log(head, tying, points.at(-1));
