// The project stores what <tied-direct-path> shows before the reader measures. Here its first steps are repeated: if they
// differ, the core, the lab's defaults or the stories have changed since.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { rounded } from '../../../web/article/build/rounded.mjs';
import { measurePaths, shownSteps, type Measured } from '../../../web/elements/direct-path/measure.js';
import { createLab } from '../../../web/worker/lab.js';

const file = join(root, 'web/article/assets/finished-direct-paths.json');
const finished = JSON.parse(readFileSync(file, 'utf8')) as Measured;

it('the finished direct paths begin with the core’s current results', { timeout: 120_000 }, async () => {
  const lab = await createLab();
  const listening = { signal: new AbortController().signal, onProgress: () => undefined };
  const steps = shownSteps.slice(0, 2);
  const again = await measurePaths(lab, { seed: finished.seed, steps }, listening);
  lab.dispose();
  for (const kind of ['tied', 'untied'] as const) {
    expect(finished.reports[kind]).toHaveLength(shownSteps.length);
    expect(finished.reports[kind].slice(0, steps.length), 'measure again: node tools/measure-direct-paths.mjs').toEqual(
      rounded(again.reports[kind]),
    );
  }
});

it('the finished direct paths agree with what the article says about them', () => {
  const [tied, untied] = [finished.reports.tied.at(-1)!, finished.reports.untied.at(-1)!];
  // "Less than that of word frequencies."
  expect(tied.paths.embeddings.correlation).toBeLessThan(tied.chance.correlation);
  expect(tied.paths.embeddings.breaking).toBe(0);
  // "The first MLP is where this tied model gets around its table": beyond the untied tables, and close to its own full model.
  expect(tied.paths.mlp0.correlation).toBeGreaterThan(untied.paths.embeddings.correlation);
  expect(tied.paths.mlp0.correlation).toBeGreaterThan(0.9 * tied.model.correlation);
  expect(untied.paths.mlp0.correlation).toBeGreaterThan(untied.paths.embeddings.correlation + 0.05);
  // "By more at its best than at the end."
  for (const reports of Object.values(finished.reports)) {
    const whole = reports.map(({ model }) => model.correlation);
    expect(Math.max(...whole)).toBeGreaterThan(whole.at(-1)! + 0.03);
  }
});
