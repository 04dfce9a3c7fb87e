import { describe, expect, it } from 'vitest';
import type { Lab } from '../../../web/core/types.js';
import { givenLabs } from '../../../web/elements/shared/lab-lease.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';
import { LabController } from '../../../web/elements/training-lab/lab-controller.js';
import { defaultSettings, type LabSettings } from '../../../web/elements/training-lab/settings.js';
import type { TextSource } from '../../../web/elements/training-lab/text-source.js';
import { labOfArm } from '../../../web/elements/training-lab/side-by-side.js';
import { TransformerController } from '../../../web/elements/training-lab/transformer/controller.js';
import { transformerDefaults } from '../../../web/elements/training-lab/transformer/settings.js';
import { fakeLab, type FakeLab } from './fake-lab.js';

const story: TextSource = {
  kind: 'own',
  name: 'mine.txt',
  text: 'New York, New York, so good they named it twice. '.repeat(8),
};
const paths: LabSettings = { ...defaultSettings, tokenizer: 'character', steps: 100 };
const gpts = { ...transformerDefaults, tokenizer: 'character', contextLength: 16, steps: 100 } as const;

/** What was asked of the trainers of a lab, as in 'tied.run(3)'. */
const runsOf = (log: readonly string[]) => log.filter((verb) => /\.run\(/.test(verb));

function controllers(labs: readonly FakeLab[]) {
  let clock = 0;
  const options = {
    host: noElement,
    labs: givenLabs(...(labs.map(({ lab }) => lab) as [Lab])),
    loadBuiltIn: () => Promise.reject(new Error('not asked for')),
    onChange: () => undefined,
    now: () => (clock += 1),
  };
  const prompting = () => ({ prompt: null, temperature: 0.5, seed: 1 });
  return { path: new LabController(options), gpt: new TransformerController({ ...options, prompting }) };
}

it('deals arms out in turn, so that no lab has two more than another', () => {
  const labs = [fakeLab().lab, fakeLab().lab];
  const dealt = [0, 1, 2, 3].map((index) => labs.indexOf(labOfArm(labs, index)));
  expect(dealt).toEqual([0, 1, 0, 1]);
  expect(() => labOfArm([], 0)).toThrow(RangeError);
});

describe('arms on two cores', () => {
  it('are dealt out to both labs, whatever their kind', async () => {
    const labs = [fakeLab(), fakeLab()];
    const { path } = controllers(labs);
    await path.configure(story, { ...paths, arms: ['tied', 'untied', 'tied-linear', 'tied-mlp'] });
    const created = labs.map(({ log }) => log.filter((verb) => verb.startsWith('createTrainer')));
    expect(created).toEqual([
      ['createTrainer tied', 'createTrainer tied-linear'],
      ['createTrainer untied', 'createTrainer tied-mlp'],
    ]);
    expect(path.takesTurns).toBe(false);
    path.dispose();
    await path.idle();
    expect(labs.map(({ alive }) => alive())).toEqual([0, 0]);
  });

  it('have no arm left where one of them cannot be made', async () => {
    const labs = [fakeLab(), fakeLab()] as const;
    labs[1].failAt('createTrainer', new Error('too much memory'));
    const { path } = controllers(labs);
    await path.configure(story, { ...paths, arms: ['tied', 'untied', 'tied-linear'] });
    expect(path.phase).toBe('failed');
    expect(labs.map(({ alive }) => alive())).toEqual([0, 0]);
  });
});

describe('arms on one core', () => {
  /** In one lab each chunk of one arm is followed by the same of the other, before the first has its next. */
  function expectFairTurns(log: readonly string[], arms: readonly string[]): void {
    const runs = runsOf(log);
    expect(runs.length).toBeGreaterThan(2 * arms.length);
    for (let at = 0; at < runs.length; at += arms.length) {
      const [steps] = runs[at]?.match(/\(\d+\)/) ?? [];
      expect(runs.slice(at, at + arms.length)).toEqual(arms.map((arm) => `${arm}.run${steps ?? ''}`));
    }
  }

  it('take turns chunk by chunk, direct paths', async () => {
    const lab = fakeLab();
    const { path } = controllers([lab]);
    await path.configure(story, { ...paths, arms: ['tied', 'untied', 'tied-linear'] });
    expect(path.takesTurns).toBe(true);
    await path.play(Number.POSITIVE_INFINITY);
    expectFairTurns(lab.log, ['tied', 'untied', 'tied-linear']);
    expect(path.arms.map(({ losses }) => losses.length)).toEqual([101, 101, 101]);
  });

  it('take turns chunk by chunk, small GPTs', async () => {
    const lab = fakeLab();
    const { gpt } = controllers([lab]);
    await gpt.configure(story, gpts);
    expect(gpt.takesTurns).toBe(true);
    await gpt.play(Number.POSITIVE_INFINITY);
    expectFairTurns(lab.log, ['tied', 'untied']);
  });

  it('are at the same step whenever somebody looks, and no curve is longer than another', async () => {
    const lab = fakeLab();
    let clock = 0;
    const lengths = new Set<number>();
    const controller = new LabController({
      host: noElement,
      labs: givenLabs(lab.lab),
      loadBuiltIn: () => Promise.reject(new Error('not asked for')),
      onChange: () => {
        lengths.add(new Set(controller.arms.map(({ losses }) => losses.length)).size);
      },
      now: () => (clock += 1),
    });
    await controller.configure(story, { ...paths, arms: ['tied', 'untied'] });
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('finished');
    expect([...lengths].filter((kinds) => kinds > 1)).toEqual([]);
  });

  it('do not take turns where there is only one', async () => {
    const { path } = controllers([fakeLab()]);
    await path.configure(story, { ...paths, arms: ['tied'] });
    expect(path.takesTurns).toBe(false);
  });
});
