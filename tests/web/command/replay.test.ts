// `replay` repeats the run of a figure from its link, to the bit.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkScript, writeScript } from '../../../command/pytorch.mjs';
import { openRun, trainAll } from '../../../command/replay-run.mjs';
import { RunState } from '../../../command/run-state.mjs';
import { Stop } from '../../../command/stop.mjs';
import { hashOfWeights } from '../../../web/core/experiment/run-job.js';
import { createLab, type Lab } from '../../../web/index.js';
import { givenLab } from '../../../web/elements/shared/lab-lease.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';
import { DirectPathRun } from '../../../web/elements/training-lab/direct-path-run.js';
import { partsOfLink } from '../../../web/elements/replay/link-values.js';
import { isRunLink, readRunLink, type LinkedRun } from '../../../web/elements/replay/run-link.js';
import { defaultSettings } from '../../../web/elements/training-lab/settings.js';
import { loadBuiltIn, type TextSource } from '../../../web/elements/training-lab/text-source.js';
import { TransformerRun } from '../../../web/elements/training-lab/transformer/run.js';
import { transformerDefaults } from '../../../web/elements/training-lab/transformer/settings.js';

let lab: Lab;
let folder: string;
beforeAll(async () => {
  lab = await createLab();
  folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-replay-'));
});
afterAll(() => {
  lab.dispose();
  rmSync(folder, { recursive: true });
});

const attributesOf = (link: string): ReadonlyMap<string, string> => partsOfLink(link)!.attributes;
const read = (link: string): LinkedRun => readRunLink(attributesOf(link));
const progress = { add: () => undefined, end: () => undefined } as never;

/** Runs that save their state, as on slow machines, are not resumed by others. */
let runs = 0;

async function replayed(linked: LinkedRun, { stop = new Stop(), id = `run-${runs++}` } = {}) {
  try {
    const opened = await openRun(linked as never, stop.signal);
    const stateOf = (name: string) => new RunState(join(folder, `${id}-${name}.state`), id);
    return { opened, trained: await trainAll(opened.starts, linked.step, { stateOf, stop, progress }) };
  } finally {
    stop.release();
  }
}

/** The models of a run in the figure. */
class OpenDirectPaths extends DirectPathRun {
  arm = (name: string) => this.comparison!.arm(name);
}
class OpenTransformers extends TransformerRun {
  arm = (name: string) => this.comparison!.arm(name);
}

const options = { host: noElement, loadBuiltIn, onChange: () => undefined };

async function shown(figure: OpenDirectPaths | OpenTransformers, source: TextSource, settings: object, step: number) {
  await figure.configure(source, settings as never);
  await figure.runTo(step);
  if (figure.failure !== null) throw figure.failure.error;
  const models = figure.arms.map(async ({ kind, losses }) => ({
    name: kind,
    weights: await hashOfWeights(figure.arm(kind)),
    // Curves are stored in single precision.
    losses: Array.from(losses.values().subarray(0, step)),
    evaluation: await figure.arm(kind).evaluate(),
  }));
  const found = await Promise.all(models);
  figure.dispose();
  await figure.idle();
  return found;
}

const asShown = ({ trained }: Awaited<ReturnType<typeof replayed>>) =>
  trained.map(({ name, weights, losses, evaluation }) => ({
    name,
    weights,
    losses: losses.map(Math.fround),
    evaluation,
  }));

const small = 'd-model=16&n-layers=2&n-heads=2&context-length=16&batch-size=4&vocab-size=300&steps=40';

describe('a link', () => {
  test.each<[string, string, TextSource, object, number]>([
    [
      'to direct paths on all pairs',
      '#tied=lab&arms=tied+untied+tied-linear+tied-mlp&d-model=8&vocab-size=120&seed=3&steps=30&at-step=25',
      { kind: 'built-in', id: 'a-year-in-new-york' },
      { ...defaultSettings, dModel: 8, vocabSize: 120, seed: 3, steps: 30 },
      25,
    ],
    [
      'to direct paths on batches, beyond the planned end',
      'https://example.org/page#tied=mine&text-source=markov-chain&states=9&arms=tied,untied&batch-size=32&optimizer=sgd&output-bias=&seed=4294967295&steps=20&at-step=30',
      { kind: 'markov-chain', states: 9 },
      {
        ...defaultSettings,
        ...{ arms: ['tied', 'untied'], batchSize: 32, optimizer: 'sgd', outputBias: true, seed: 4294967295, steps: 20 },
      },
      30,
    ],
  ])('%s gives what the figure shows', async (_, link, source, settings, step) => {
    const linked = read(link);
    const figure = new OpenDirectPaths({ ...options, labs: givenLab(lab) });
    expect(asShown(await replayed(linked))).toEqual(await shown(figure, source, settings, step));
  });

  test('to small GPTs gives what the figure shows, on held-out text too', async () => {
    const linked = read(
      `#tied=gpt&model=transformer&text-source=stories&story-length=20000&arms=untied-later+tied-low-rank&untie-at-step=20&low-rank=3&input-gradient-scale=2&seed=6&shards=2&${small}`,
    );
    const prompting = () => ({ prompt: null, temperature: 1, seed: 1 });
    const figure = new OpenTransformers({ ...options, labs: givenLab(lab), prompting });
    const settings = {
      ...transformerDefaults,
      ...{ dModel: 16, nLayers: 2, nHeads: 2, contextLength: 16, batchSize: 4, vocabSize: 300, steps: 40 },
      ...{
        arms: ['untied-later', 'tied-low-rank'],
        untieAtStep: 20,
        lowRank: 3,
        inputGradientScale: 2,
        seed: 6,
        shards: 2,
      },
    };
    const models = await shown(figure, { kind: 'stories', length: 20_000 }, settings, 40);
    const again = await replayed(linked);
    expect(asShown(again)).toEqual(models);
    expect(again.opened.text.heldOutTokens).toBeGreaterThan(100);
    expect(again.trained.map(({ tyingChangedAt }) => tyingChangedAt)).toEqual([20, null]);
  });

  // The same bits on every machine, and in every version that does not change the meaning of seeds.
  test.each([
    [
      '#tied=lab&text-source=a-year-in-new-york&arms=tied+untied&d-model=8&vocab-size=100&seed=1&steps=20',
      [
        'c6f40eebb9f489fff8e0f4f9bdc151fa40b491103aa7b6aa3019658ecfc4a3e2',
        'c094aa8bfce5996d1f9b28d80a5e5ed1de92fbf722e74d436b3d3ca796f5f886',
      ],
    ],
    [
      `#tied=gpt&model=transformer&text-source=stories&story-length=20000&arms=tied+untied&seed=1&tokenizer=bpe&learning-rate=0.003&${small}`,
      [
        'd6a59b14f8e1df671de6825e2fda1544a567d10f7981dc18b0649baa57a08c45',
        'cf45cac8c6c49e5f50c28947c96796361d8727da8843543e299070b799be5e20',
      ],
    ],
  ])('%s has these weights', async (link, weights) => {
    expect((await replayed(read(link))).trained.map((model) => model.weights)).toEqual(weights);
  });

  test('whose run is interrupted resumes to the same bits', async () => {
    const linked = read('#tied=lab&arms=tied+untied&d-model=4&vocab-size=60&seed=9&steps=4000');
    const stop = new Stop();
    const opened = await openRun(linked as never, stop.signal);
    const stateOf = (name: string) => new RunState(join(folder, `stopped-${name}.state`), 'stopped');
    const stopping = {
      add: (steps: number) => {
        stop.asked ||= steps > 0;
      },
    } as never;
    await expect(trainAll(opened.starts, linked.step, { stateOf, stop, progress: stopping })).rejects.toMatchObject({
      exitCode: 75,
    });
    stop.release();
    expect(['tied', 'untied'].some((name) => stateOf(name).exists)).toBe(true);
    const whole = await replayed(linked);
    expect((await replayed(linked, { id: 'stopped' })).trained).toEqual(whole.trained);
  });
});

describe('replay refuses', () => {
  test.each([
    ['#tied=lab&arms=tied+shared', /arms has no choice named “shared”/],
    ['#tied=lab&arms=', /at least one model/],
    ['#tied=lab&arms=tied&seed=-1', /seed is -1; the smallest possible is 0/],
    ['#tied=lab&arms=tied&learning-rate=fast', /learning-rate needs a number/],
    ['#tied=lab&arms=tied&steps=1.5', /steps is 1.5; it needs an integer/],
    ['#tied=lab&arms=tied&text-source=hamlet', /text-source has no choice named “hamlet”/],
    ['#tied=lab&arms=tied&at-step=200000', /at-step is 200000; the largest possible is 100000/],
    ['#tied=lab&arms=tied&n-layers=2', /n-layers is no setting of a training lab with this model/],
    ['#tied=lab&model=rnn&arms=tied', /model has no choice named “rnn”/],
    ['#tied=gpt&model=transformer&arms=tied', /Choose two different models/],
    ['#tied=gpt&model=transformer&arms=tied+untied&n-heads=5', /5 heads do not divide the width/],
  ])('%s', (link, said) => {
    expect(() => read(link)).toThrow(said);
  });

  test('links of other figures, which it recognizes', () => {
    expect(partsOfLink('https://example.org/#chapter')).toBe(null);
    expect(isRunLink(attributesOf('#tied=calculator&model=gpt2'))).toBe(false);
    expect(isRunLink(attributesOf('#tied=lab&arms=tied'))).toBe(true);
    expect(read('#tied=lab&text-source=own&arms=tied').source).toBe(null);
  });
});

describe('a script for PyTorch', () => {
  test('contains a link as data, whatever is in it', async () => {
    const link = `#tied=lab&arms=tied&d-model=2&vocab-size=40&steps=3&text-source=a-year-in-new-york`;
    const linked = read(link);
    const { opened, trained } = await replayed(linked);
    const file = join(folder, 'again.py');
    writeScript(file, `#x='''\n"""\\'''import os${link}`, linked as never, opened, trained);
    const script = readFileSync(file, 'utf8');
    const [, literal = ''] = /RUN = json\.loads\(r'''([^']*)'''\)/.exec(script) ?? [];
    const run = JSON.parse(literal) as { link: string; models: Record<string, { losses: Record<string, number> }> };
    expect(run.link).toBe(`#x='''\n"""\\'''import os${link}`);
    expect(Object.values(run.models['tied']!.losses)).toEqual(trained[0]!.losses);
    expect(script).not.toMatch(/tied_embeddings|\bundefined\b/);
    const tokens = readFileSync(join(folder, 'again.tokens.npy'));
    const ids = new Uint16Array(Uint8Array.from(tokens.subarray(-2 * opened.tokenIds.length)).buffer);
    expect([...ids]).toEqual([...opened.tokenIds]);
    expect((tokens.length - ids.byteLength) % 64).toBe(0);
  });

  test('records the losses of each model beside its own start, in whatever order the models began and ended', async () => {
    const linked = read('#tied=lab&arms=tied+untied+tied-linear&d-model=2&vocab-size=40&steps=3');
    const { opened, trained } = await replayed(linked);
    const file = join(folder, 'orders.py');
    const scriptOf = (starts: typeof opened.starts, ended: typeof trained): string => {
      writeScript(file, '#tied=lab', linked as never, { ...opened, starts }, ended);
      return readFileSync(file, 'utf8');
    };
    const script = scriptOf(opened.starts, trained);
    expect(scriptOf([...opened.starts].reverse(), trained)).toBe(script);
    const [, literal = ''] =
      /RUN = json\.loads\(r'''([^']*)'''\)/.exec(scriptOf(opened.starts, [...trained].reverse())) ?? [];
    const { models } = JSON.parse(literal) as {
      models: Record<string, { model: object; initialWeights: string; losses: Record<string, number> }>;
    };
    for (const { name, losses } of trained) {
      const { weights, options } = opened.starts.find((start) => start.name === name)!;
      const written = models[name]!;
      expect([written.model, written.initialWeights]).toEqual([options.model, weights]);
      expect(Object.values(written.losses)).toEqual(losses);
    }
    expect(() => scriptOf(opened.starts.slice(1), trained)).toThrow(/0 models named 'tied'/);
  });

  test('has a name that Python can run, and a loss to compare', () => {
    const linked = read('#tied=lab&arms=tied&at-step=0');
    expect(() => checkScript('run', linked as never)).toThrow(/--pytorch is 'run'/);
    expect(() => checkScript('run.py', linked as never)).toThrow(/step 0/);
  });
});
