// The project stores what <tied-heads> shows before the reader trains. Here its first steps are repeated: if they differ, the
// core, the figure's defaults or the stories have changed since. Times are those of the machine that measured them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { rounded } from '../../../web/article/build/rounded.mjs';
import { headsSettings } from '../../../web/elements/heads/heads.settings.js';
import { questionOf, type RaceSettings } from '../../../web/elements/heads/race-question.js';
import { RaceRun } from '../../../web/elements/heads/race-run.js';
import {
  armsOf,
  gains,
  pointAt,
  shareOfTime,
  shareOfWork,
  timeOf,
  type Race,
} from '../../../web/elements/heads/race.js';
import { initialValues } from '../../../web/elements/shared/settings/with-settings.js';
import { createLab } from '../../../web/worker/lab.js';

const finished = JSON.parse(readFileSync(join(root, 'web/article/assets/finished-heads.json'), 'utf8')) as Race;
const question = questionOf({ ...initialValues(headsSettings), text: null } as RaceSettings)!;
const again = 'measure again: node tools/measure-heads.mjs';

it('the finished race of heads begins with the core’s current results', { timeout: 240_000 }, async () => {
  expect(finished.key, again).toBe(question.key);
  expect(
    finished.arms.map(({ head, tying }) => ({ head, tying })),
    again,
  ).toEqual(armsOf());
  const lab = await createLab();
  const stop = new AbortController();
  let newest: Race | null = null;
  const run = new RaceRun(lab, question);
  await run.run(stop.signal, {
    changed: (race) => {
      newest = race;
      if (race.arms.length === armsOf().length && race.arms.every(({ points }) => points.length > 1)) stop.abort();
    },
    tooShort: () => new Error('too short'),
  });
  lab.dispose();
  const first = ({ arms }: Race) =>
    arms.map(({ points }) => points.slice(0, 2).map(({ steps, loss }) => ({ steps, loss })));
  expect(first(finished), again).toEqual(rounded(first(newest!)));
  expect(finished.costs, again).toEqual(newest!['costs']);
});

it('the finished race of heads agrees with what the article says about it', () => {
  expect(finished.complete).toBe(true);
  // "The full head is ahead after … steps": of the heads that predict all tokens.
  for (const { head, gains: of } of gains(finished, 'steps', 1))
    for (const gain of of) expect(gain, head).toBeLessThan(0);
  // "In the same seconds … its loss is …"
  const clustered = gains(finished, 'time', 1).find(({ head }) => head === 'clustered')!;
  for (const gain of clustered.gains) expect(gain).toBeGreaterThan(0.3);
  const time = timeOf(finished);
  const arm = finished.arms.find(({ head, tying }) => head === 'clustered' && tying === 'tied')!;
  expect(pointAt(arm, 'time', time)!.steps).toBeGreaterThan(1.5 * finished.steps);
  // "Counting is not timing": multiply-accumulates and time.
  expect(shareOfTime(finished, { head: 'factorized', tying: 'tied' })!).toBeGreaterThan(
    shareOfWork(finished.costs, 'factorized') + 0.05,
  );
});
