import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Lab } from '../../../web/core/types.js';
import { ArmLabs, labOfArm, labsWanted } from '../../../web/elements/shared/arm-labs.js';
import { setLabOpener } from '../../../web/elements/shared/shared-lab.js';
import { LabController } from '../../../web/elements/training-lab/lab-controller.js';
import { defaultSettings, type LabSettings } from '../../../web/elements/training-lab/settings.js';
import type { TextSource } from '../../../web/elements/training-lab/text-source.js';
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
    lab: () => Promise.resolve((labs[0] as FakeLab).lab),
    labsFor: () => Promise.resolve(labs.map(({ lab }) => lab)),
    loadBuiltIn: () => Promise.reject(new Error('not asked for')),
    onChange: () => undefined,
    now: () => (clock += 1),
  };
  const prompting = () => ({ prompt: null, temperature: 0.5, seed: 1 });
  return { path: new LabController(options), gpt: new TransformerController({ ...options, prompting }) };
}

describe('how many labs', () => {
  it.each([
    [2, 'worker', 2, 2],
    [2, 'worker', 1, 1],
    [2, 'worker', undefined, 1],
    [2, 'worker', 16, 2],
    [4, 'worker', 8, 2],
    [1, 'worker', 8, 1],
    [2, 'same-thread', 8, 1],
  ] as const)('%i arms beside a lab of mode %s on %i cores take %i', (arms, mode, cores, wanted) => {
    expect(labsWanted(arms, { mode }, cores)).toBe(wanted);
  });

  it('deals arms out in turn, so that no lab has two more than another', () => {
    const labs = [fakeLab().lab, fakeLab().lab];
    const dealt = [0, 1, 2, 3].map((index) => labs.indexOf(labOfArm(labs, index)));
    expect(dealt).toEqual([0, 1, 0, 1]);
    expect(() => labOfArm([], 0)).toThrow(RangeError);
  });
});

describe('the second lab of a page', () => {
  const first = { mode: 'worker' } as Lab;
  const opened: { lab: Lab; disposed: boolean }[] = [];
  const open = (mode: Lab['mode'] = 'worker') => {
    setLabOpener(() => {
      const one = { lab: { mode, dispose: () => (one.disposed = true) } as unknown as Lab, disposed: false };
      opened.push(one);
      return Promise.resolve(one.lab);
    });
  };
  const cores = (hardwareConcurrency: number) => vi.stubGlobal('navigator', { hardwareConcurrency });

  afterEach(() => {
    setLabOpener(null);
    vi.unstubAllGlobals();
    opened.length = 0;
  });

  it('is one for all figures, and ends with the last that lets it go', async () => {
    cores(2);
    open();
    const [one, other] = [new ArmLabs(), new ArmLabs()];
    const labs = await one.beside(first, 2);
    expect(labs).toEqual([first, opened[0]?.lab]);
    expect(await other.beside(first, 3)).toEqual(labs);
    expect(await one.beside(first, 2)).toEqual(labs);
    expect(opened).toHaveLength(1);
    one.release();
    one.release();
    await Promise.resolve();
    expect(opened[0]?.disposed).toBe(false);
    other.release();
    await Promise.resolve();
    expect(opened[0]?.disposed).toBe(true);
    await one.beside(first, 2);
    expect(opened).toHaveLength(2);
    one.release();
  });

  it('is not opened for one arm, nor on one core', async () => {
    open();
    cores(8);
    expect(await new ArmLabs().beside(first, 1)).toEqual([first]);
    cores(1);
    expect(await new ArmLabs().beside(first, 2)).toEqual([first]);
    expect(opened).toEqual([]);
  });

  it('is done without where it is no worker of its own', async () => {
    cores(2);
    open('same-thread');
    const labs = new ArmLabs();
    expect(await labs.beside(first, 2)).toEqual([first]);
    expect(opened[0]?.disposed).toBe(true);
    labs.release();
  });

  it('is replaced once it has failed, and those who still have it keep it until they let it go', async () => {
    cores(2);
    open();
    const [one, other] = [new ArmLabs(), new ArmLabs()];
    await one.beside(first, 2);
    await other.beside(first, 2);
    one.discard();
    expect(await one.beside(first, 2)).toEqual([first, opened[1]?.lab]);
    expect(opened.map(({ disposed }) => disposed)).toEqual([false, false]);
    other.release();
    await Promise.resolve();
    expect(opened.map(({ disposed }) => disposed)).toEqual([true, false]);
    one.release();
  });
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
      lab: () => Promise.resolve(lab.lab),
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
