// The project stores the run of small GPTs that the page shows before the reader trains. Here its first steps are
// repeated: if they differ, the core, the lab's defaults or the stories have changed since it was trained.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { exactSteps, trainFinishedRun } from '../../../web/article/build/finished-transformer-run.js';
import {
  finishedTransformerArms,
  kinshipOf,
  type FinishedTransformerRun,
} from '../../../web/elements/training-lab/transformer/finished-run.js';
import { smallDevice, transformerDefaults } from '../../../web/elements/training-lab/transformer/settings.js';
import { createLab } from '../../../web/worker/lab.js';

const file = join(root, 'web/article/assets/finished-transformer-run.json');
const run = JSON.parse(readFileSync(file, 'utf8')) as FinishedTransformerRun;
const source = { textSource: run.textSource, storyLength: run.storyLength };
const trainAgain = 'differs from what the core computes now; retrain it: node tools/train-finished-run.mjs';

describe('the finished run of small GPTs', () => {
  it('begins with the core’s current results, to the last bit', { timeout: 120_000 }, async () => {
    const lab = await createLab();
    const { run: again } = await trainFinishedRun(lab, { steps: exactSteps });
    lab.dispose();
    expect(again.text, `the text ${trainAgain}`).toEqual(run.text);
    expect(again.bounds, `the floors of the text ${trainAgain}`).toEqual(run.bounds);
    again.arms.forEach(({ kind, parameters, losses, matrixShares, positionShares, heldOut }, index) => {
      const before = run.arms[index];
      const first = (values: readonly number[] = []) => values.slice(0, exactSteps);
      expect(
        { kind, parameters, losses, matrixShares, positionShares, heldOut: heldOut.losses[0] },
        `the finished run ${trainAgain}`,
      ).toEqual({
        kind: before?.kind,
        parameters: before?.parameters,
        losses: first(before?.losses),
        matrixShares: first(before?.matrixShares),
        positionShares: first(before?.positionShares),
        heldOut: before?.heldOut.losses[0],
      });
    });
    expect(again.samples, `what is written in the first steps ${trainAgain}`).toEqual(
      run.samples.filter(({ step }) => step <= exactSteps),
    );
  });

  it('has the lab’s default settings, and replaces the smaller run on phones', () => {
    expect(kinshipOf(run, source, transformerDefaults)).toBe('same');
    expect(kinshipOf(run, source, { ...transformerDefaults, ...smallDevice })).toBe('full-size');
    expect(kinshipOf(run, source, { ...transformerDefaults, seed: 2 })).toBeNull();
    expect(kinshipOf(run, source, { ...transformerDefaults, shards: 2 })).toBeNull();
    expect(kinshipOf(run, { ...source, storyLength: 5000 }, transformerDefaults)).toBeNull();
    expect(kinshipOf(run, { ...source, textSource: 'own' }, transformerDefaults)).toBeNull();
  });

  it('is not shown if records are missing', () => {
    const [arm] = run.arms;
    if (arm === undefined) throw new Error('no arm');
    const broken = { ...run, arms: [{ ...arm, losses: arm.losses.slice(1) }, ...run.arms.slice(1)] };
    expect(kinshipOf(broken, source, transformerDefaults)).toBeNull();
  });

  it('has the parameters of the training lab, and a loss below what the current token alone allows', () => {
    expect(run.arms.map(({ kind, parameters }) => [kind, parameters])).toEqual([
      ['tied', 171_696],
      ['untied', 228_336],
    ]);
    for (const { losses, heldOut } of run.arms) {
      expect(losses).toHaveLength(transformerDefaults.steps);
      expect(heldOut.steps.at(-1)).toBe(transformerDefaults.steps);
      expect(heldOut.losses.at(-1)).toBeLessThan(run.bounds.bigram);
    }
  });

  it('is drawn like the reader’s own runs', () => {
    const [arm] = finishedTransformerArms(run);
    expect(arm?.losses.length).toBe(transformerDefaults.steps);
    expect(finishedTransformerArms(run)).toBe(finishedTransformerArms(run));
  });
});
