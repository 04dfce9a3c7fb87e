import { describe, expect, it } from 'vitest';
import { givenLab } from '../../../web/elements/shared/lab-lease.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';
import { type TextError } from '../../../web/elements/training-lab/text.js';
import type { TextSource } from '../../../web/elements/training-lab/text-source.js';
import { TransformerRun } from '../../../web/elements/training-lab/transformer/run.js';
import { newestSample, PromptError } from '../../../web/elements/training-lab/transformer/samples.js';
import {
  transformerDefaults,
  type TransformerSettings,
} from '../../../web/elements/training-lab/transformer/settings.js';
import { fakeLab, inputShareAt } from './fake-lab.js';

const own = (text: string): TextSource => ({ kind: 'own', name: 'mine.txt', text });
const story = own('New York, New York, so good they named it twice. '.repeat(8));
const settings: TransformerSettings = {
  ...transformerDefaults,
  tokenizer: 'character',
  contextLength: 16,
  steps: 100,
  untieAtStep: 50,
};

function setUp() {
  const fake = fakeLab();
  let clock = 0;
  const prompting = { prompt: null as string | null, temperature: 0.5, seed: 1 };
  const controller = new TransformerRun({
    host: noElement,
    labs: givenLab(fake.lab),
    loadBuiltIn: (id) => Promise.resolve({ title: id, text: 'a text that is built in'.repeat(20) }),
    prompting: () => prompting,
    onChange: () => undefined,
    now: () => (clock += 1),
  });
  return { controller, fake, prompting };
}

describe('preparing two small GPTs', () => {
  it('holds out the last tenth of the text and measures on it, not on the training text', async () => {
    const { controller } = setUp();
    await controller.configure(story, settings);
    const length = 'New York, New York, so good they named it twice. '.length * 8;
    const heldOutTokens = Math.floor(length / 10);
    expect(controller.text).toMatchObject({ trainingTokens: length - heldOutTokens, heldOutTokens });
    expect(controller.arms.map(({ heldOut }) => heldOut.steps)).toEqual([[0], [0]]);
  });

  it('counts parameters from the trainers’ own lists', async () => {
    const { controller } = setUp();
    await controller.configure(story, settings);
    const size = (controller.text?.corpus.vocabSize ?? 0) * settings.dModel;
    expect(controller.arms.map(({ parameters }) => parameters)).toEqual([size, 2 * size]);
  });

  it('starts with the beginning of the text', async () => {
    const { controller } = setUp();
    await controller.configure(story, settings);
    expect(controller.samples.list[0]?.prompt).toBe('New York, New');
  });

  it('refuses a text shorter than a sequence, and keeps the current run', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    await controller.runTo(20);
    await controller.configure(own('New York'), settings);
    const { failure } = controller;
    expect(failure).toMatchObject({ where: 'text', runStands: true });
    expect((failure?.error as TextError).problem).toBe('too-short');
    expect((failure?.error as TextError).needed).toBe(17);
    expect(controller.step).toBe(20);
    expect(controller.source).toBe(story);
    expect(controller.phase).toBe('paused');
    await controller.runTo(30);
    expect(controller.step).toBe(30);
    expect(controller.failure).toBeNull();
    // The corpus of the refused text has been freed, that of the run has not.
    expect(fake.log.filter((verb) => verb === 'corpus.dispose')).toHaveLength(1);
  });

  it('keeps the run if the core refuses the new models', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    await controller.runTo(10);
    fake.failAt('createTrainer', new Error('too much memory'));
    await controller.configure(story, { ...settings, dModel: 128 });
    expect(controller.failure).toMatchObject({ where: 'training', runStands: true });
    expect(controller.settings?.dModel).toBe(48);
    expect(fake.alive()).toBe(2);
  });

  it('releases models and text when disposed of', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    void controller.play(Number.POSITIVE_INFINITY);
    controller.dispose();
    await controller.idle();
    expect(fake.alive()).toBe(0);
    expect(fake.log).toContain('corpus.dispose');
    expect(controller.phase).toBe('idle');
  });
});

describe('running two small GPTs', () => {
  it('trains both in lockstep, with every record of both models', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('finished');
    const runs = (kind: string) =>
      fake.log.filter((verb) => verb.startsWith(`${kind}.run`)).map((verb) => verb.split('.')[1]);
    expect(runs('tied')).toEqual(runs('untied'));
    for (const arm of controller.arms) {
      expect(arm.losses.length).toBe(100);
      // The loss of step s belongs to the weights before it.
      expect(arm.losses.at(36)).toBe(fake.lossAt(arm.kind, 36));
      expect(arm.inputShares.matrix.at(36)).toBe(inputShareAt(37));
      expect(arm.inputShares.position.at(36)).toBeCloseTo(inputShareAt(37) / 2, 6);
    }
  });

  it('measures held-out loss sixteen times per run, including start and end', async () => {
    const { controller } = setUp();
    await controller.configure(story, { ...settings, steps: 160, untieAtStep: 80 });
    await controller.play(Number.POSITIVE_INFINITY);
    const [arm] = controller.arms;
    expect(arm?.heldOut.steps).toEqual(Array.from({ length: 17 }, (_, index) => index * 10));
    expect(arm?.heldOut.losses.at(-1)).toBe(fakeLab().lossAt('tied', 160));
  });

  it('writes at every step up to ten and later at stored steps, both arms from the same prompt and seed', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    await controller.runTo(12);
    expect(controller.samples.list.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]);
    expect(newestSample(controller.samples.list, 11)?.step).toBe(10);
    const writing = (kind: string) =>
      fake.log.filter((verb) => verb.startsWith(`${kind}.generate`)).map((verb) => verb.split('.')[1]);
    expect(writing('tied')).toEqual(writing('untied'));
  });

  it('writes again on request, paused or running, from the current prompt', async () => {
    const { controller, fake, prompting } = setUp();
    await controller.configure(story, settings);
    Object.assign(prompting, { prompt: 'York', seed: 7 });
    await controller.writeAgain();
    expect(controller.samples.list).toHaveLength(1);
    expect(newestSample(controller.samples.list, 0)).toMatchObject({ prompt: 'York', seed: 7 });
    const played = controller.runTo(60);
    await Promise.resolve();
    prompting.prompt = 'good';
    await controller.writeAgain();
    await played;
    expect(controller.samples.list.some(({ prompt }) => prompt === 'good')).toBe(true);
    expect(fake.log.some((verb) => verb.startsWith('tied.generate'))).toBe(true);
  });

  it('reports what is wrong with a prompt and continues training', async () => {
    const { controller, prompting } = setUp();
    await controller.configure(story, settings);
    prompting.prompt = '漢字';
    await controller.writeAgain();
    expect(controller.promptProblem).toBeInstanceOf(PromptError);
    await controller.runTo(5);
    expect(controller.step).toBe(5);
    prompting.prompt = 'New';
    await controller.writeAgain();
    expect(controller.promptProblem).toBeNull();
    expect(newestSample(controller.samples.list, 5)?.prompt).toBe('New');
  });

  it('recounts the parameters of a model when it unties, and when it is rewound', async () => {
    const { controller } = setUp();
    await controller.configure(story, { ...settings, arms: ['tied', 'untied-later'] });
    const together = controller.arms[1]?.parameters ?? 0;
    await controller.runTo(60);
    expect(controller.arms[1]?.parameters).toBe(2 * together);
    await controller.rewind();
    expect(controller.arms[1]?.parameters).toBe(together);
  });

  it('returns to a step exactly, and discards later steps', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    await controller.runTo(50);
    await controller.runTo(20);
    expect(fake.log).toEqual(expect.arrayContaining(['tied.rewind(20)', 'untied.rewind(20)']));
    const [arm] = controller.arms;
    expect([arm?.losses.length, arm?.inputShares.matrix.length]).toEqual([20, 20]);
    expect(Math.max(...(arm?.heldOut.steps ?? []))).toBeLessThanOrEqual(20);
    expect(controller.samples.list.at(-1)?.step).toBe(20);
    await controller.runTo(50);
    expect(controller.arms[0]?.losses.at(49)).toBe(fake.lossAt('tied', 49));
  });

  it('shows any past step, and the newest again when it continues', async () => {
    const { controller } = setUp();
    await controller.configure(story, settings);
    await controller.runTo(40);
    controller.view(17);
    expect([controller.viewedStep, controller.viewsNewest]).toEqual([17, false]);
    controller.view(99);
    expect(controller.viewsNewest).toBe(true);
    controller.view(3);
    await controller.stepOnce();
    expect(controller.viewedStep).toBe(41);
  });

  it('stops with the core’s message if one arm diverges, with the records that both have, and can be rewound', async () => {
    const { controller, fake } = setUp();
    await controller.configure(story, settings);
    await controller.runTo(12);
    const failure = Object.assign(new Error('the loss is not finite at step 13'), { code: 'not-finite' });
    fake.failAt('untied.run', failure);
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('failed');
    expect(controller.failure).toMatchObject({ where: 'training', error: failure, runStands: false });
    expect(controller.arms.map(({ losses }) => losses.length)).toEqual([12, 12]);
    await controller.rewind();
    expect(controller.phase).toBe('ready');
    expect(controller.arms.map(({ losses }) => losses.length)).toEqual([0, 0]);
  });

  it('estimates the remaining time, only while it runs to an end', async () => {
    const { controller } = setUp();
    await controller.configure(story, settings);
    expect(controller.secondsLeft).toBeNull();
    const played = controller.runTo(100);
    const told: (number | null)[] = [];
    while (controller.step < 90) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      told.push(controller.secondsLeft);
      if (controller.phase !== 'running') break;
    }
    await played;
    expect(controller.secondsLeft).toBeNull();
    expect(told.every((seconds) => seconds === null || seconds >= 0)).toBe(true);
  });
});

describe('a chain as a text', () => {
  it('has states with names', async () => {
    const { controller, prompting } = setUp();
    prompting.prompt = 'C A nothing B';
    await controller.configure({ kind: 'markov-chain', states: 5 }, settings);
    expect(controller.text?.chainBounds?.bigram).toBe(2);
    // The fake repeats the first token of the prompt.
    expect(newestSample(controller.samples.list, 0)?.texts[0]).toMatch(/^( C)+$/);
  });
});
