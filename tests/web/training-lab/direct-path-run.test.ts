import { describe, expect, it } from 'vitest';
import { givenLab } from '../../../web/elements/shared/lab-lease.js';
import type { TokenNames } from '../../../web/elements/shared/token-names.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';
import { DirectPathRun } from '../../../web/elements/training-lab/direct-path-run.js';
import { defaultSettings, type LabSettings } from '../../../web/elements/training-lab/settings.js';
import { TextError } from '../../../web/elements/training-lab/text.js';
import type { TextSource } from '../../../web/elements/training-lab/text-source.js';
import { fakeLab } from './fake-lab.js';

const own = (text: string): TextSource => ({ kind: 'own', name: 'mine.txt', text });
const abc = own('New York, New York, so good they named it twice. New York!');
const settings: LabSettings = { ...defaultSettings, tokenizer: 'character', arms: ['tied', 'untied'], steps: 100 };

function setUp({ names, ...options }: { workers?: number; names?: TokenNames } = {}) {
  const fake = fakeLab(options);
  let changes = 0;
  let clock = 0;
  const waits: number[] = [];
  const controller = new DirectPathRun({
    host: noElement,
    labs: {
      ...givenLab(fake.lab),
      lost: (error) => Promise.resolve((error as { code?: string }).code === 'stopped'),
    },
    loadBuiltIn: (id) => Promise.resolve({ title: `Title of ${id}`, text: 'a text that is built in' }),
    ...(names === undefined ? {} : { names: () => names }),
    onChange: () => {
      changes += 1;
    },
    now: () => (clock += 1),
    wait: (milliseconds) => {
      waits.push(milliseconds);
      clock += milliseconds;
      return Promise.resolve();
    },
  });
  return { controller, fake, waits, changes: () => changes };
}

describe('preparing', () => {
  it('shows the text of a finished run until there are models', async () => {
    const { controller: other } = setUp();
    await other.configure(abc, settings);
    const rest = { ...other.text!, pair: { from: 1, to: 0 } };
    const options = { host: noElement, labs: givenLab(fakeLab().lab), onChange: () => undefined };
    const loadBuiltIn = () => Promise.reject(new Error('none'));
    const controller = new DirectPathRun({ ...options, loadBuiltIn }, () => rest);
    expect([controller.text, controller.pair, controller.settings]).toEqual([rest, rest.pair, null]);
    expect(controller.inText(rest.pair)).toEqual(other.inText(rest.pair));
    await controller.choosePair({ from: 0, to: 2 });
    expect(controller.phase).toBe('idle');
    await controller.configure(abc, settings);
    expect(controller.text).not.toBe(rest);
    expect(controller.pair).toEqual({ from: 0, to: 2 });
  });

  it('reads the text again if another figure has replaced the lab that had it', async () => {
    const [first, second] = [fakeLab(), fakeLab()];
    let current = first;
    const controller = new DirectPathRun({
      host: noElement,
      labs: { lab: () => Promise.resolve(current.lab), lost: () => Promise.resolve(false) },
      loadBuiltIn: () => Promise.reject(new Error('none')),
      onChange: () => undefined,
    });
    await controller.configure(abc, settings);
    current = second;
    await controller.configure(abc, { ...settings, dModel: 64 });
    expect([controller.phase, controller.failure]).toEqual(['ready', null]);
    expect(second.log).toContain('openCorpus character 2048');
    expect(first.alive()).toBe(0);
  });

  it('does nothing before it is requested', () => {
    const { controller, fake } = setUp();
    expect(controller.phase).toBe('idle');
    expect(controller.stops).toEqual([]);
    expect(fake.log).toEqual([]);
  });

  it('reads the text, counts, bounds and starts every arm at step 0 with its loss measured', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    expect(controller.phase).toBe('ready');
    expect(controller.text?.name).toBe('mine.txt');
    expect(controller.text?.bounds.bigram).toBe(2);
    expect(controller.arms.map(({ kind }) => kind)).toEqual(['tied', 'untied']);
    expect(controller.arms[0]?.losses.last).toBe(fake.lossAt('tied', 0));
    expect(controller.stops.map(({ step }) => step)).toEqual([0]);
    expect(fake.log.filter((verb) => verb.startsWith('openCorpus'))).toEqual(['openCorpus character 2048']);
  });

  it('selects the most one-way pair first', async () => {
    const { controller } = setUp();
    await controller.configure(own('abababab cdcd'), settings);
    const { tokens } = controller.text ?? { tokens: [] };
    expect([tokens[controller.pair?.from ?? -1], tokens[controller.pair?.to ?? -1]]).toEqual(['a', 'b']);
    expect(controller.pair && controller.inText(controller.pair)).toEqual({ forward: 1, backward: 0.75, repeated: 0 });
  });

  it('keeps the selected pair if another text has it, and restores it after a text that does not', async () => {
    const { controller } = setUp();
    const names = (): string => {
      const { tokens } = controller.text ?? { tokens: [] };
      return `${tokens[controller.pair?.from ?? -1] ?? ''}${tokens[controller.pair?.to ?? -1] ?? ''}`;
    };
    await controller.configure(own('abababab cdcd'), settings);
    expect(names()).toBe('ab');
    // Here x before y is the most one-way pair.
    await controller.configure(own('xyxyxyxyxyxyxy ab ba'), settings);
    expect(names()).toBe('ab');
    await controller.configure(own('xyxyxyxy zz'), settings);
    expect(names()).toBe('xy');
    await controller.configure(own('xyxyxyxyxyxyxy ab ba'), settings);
    expect(names()).toBe('ab');
    const { tokens = [], mapIds = new Uint32Array() } = controller.text ?? {};
    expect(Array.from(mapIds, (id) => tokens[id])).toEqual(expect.arrayContaining(['a', 'b']));
    const x = tokens.indexOf('x');
    await controller.choosePair({ from: x, to: x });
    await controller.configure(own('abx abx'), settings);
    expect(names()).toBe('xx');
  });

  it('shows no internal tokens of the vocabulary, and puts none into its pairs', async () => {
    const { controller, fake } = setUp();
    fake.tokens(['<join>', '<unk>', 'a', 'b', 'c']);
    const ids = [0, 2, 0, 2, 0, 2, 1, 3, 1, 3, 4, 2, 4, 2, 3];
    fake.ids(Uint32Array.from(ids));
    await controller.configure(own('whatever it says'), { ...settings, tokenizer: 'word' });
    expect(controller.text?.tokens).toEqual(['(no space)', '(rare word)', 'a', 'b', 'c']);
    const { from = 0, to = 0 } = controller.pair ?? {};
    expect([from, to]).toEqual([4, 2]);
  });

  it('names the internal tokens in the language of the figure', async () => {
    const { controller, fake } = setUp({ names: { rareWord: '(seltenes Wort)', noSpace: '(ohne Abstand)' } });
    fake.tokens(['<join>', '<unk>', 'a']);
    fake.ids(Uint32Array.of(2, 1, 0, 2, 1, 0));
    await controller.configure(own('whatever it says'), { ...settings, tokenizer: 'word' });
    expect(controller.text?.tokens).toEqual(['(ohne Abstand)', '(seltenes Wort)', 'a']);
  });

  it('refuses an empty text and a text of one token with its own messages, and works afterwards', async () => {
    const { controller } = setUp();
    await controller.configure(own('  \n '), settings);
    expect(controller.phase).toBe('failed');
    expect(controller.failure?.where).toBe('text');
    expect((controller.failure?.error as TextError).problem).toBe('empty-text');
    await controller.configure(own('aaaa'), settings);
    expect(controller.failure?.error).toBeInstanceOf(TextError);
    expect((controller.failure?.error as TextError).detail).toBe('a');
    await controller.configure(abc, settings);
    expect(controller.phase).toBe('ready');
    expect(controller.failure).toBeNull();
  });

  it('knows the exact floors of a chain and names its states', async () => {
    const { controller } = setUp();
    await controller.configure({ kind: 'markov-chain', states: 5 }, settings);
    expect(controller.text?.chainBounds?.bigram).toBe(2);
    expect(controller.text?.tokens).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it('keeps the text when only a setting of the run changes, and reads it again when the tokens change', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    await controller.configure(abc, { ...settings, seed: 2 });
    expect(fake.log.filter((verb) => verb.startsWith('openCorpus'))).toHaveLength(1);
    await controller.configure(abc, { ...settings, tokenizer: 'word', vocabSize: 20 });
    expect(fake.log.filter((verb) => verb.startsWith('openCorpus'))).toHaveLength(2);
    expect(fake.alive()).toBe(2);
  });

  it('generates new stories when the seed changes', async () => {
    const { controller, fake } = setUp();
    const stories: TextSource = { kind: 'stories', length: 100 };
    await controller.configure(stories, settings);
    await controller.configure(stories, { ...settings, learningRate: 0.01 });
    await controller.configure(stories, { ...settings, learningRate: 0.01, seed: 2 });
    expect(fake.log.filter((verb) => verb.startsWith('writeStories'))).toEqual(['writeStories 1', 'writeStories 2']);
  });

  it('can be cancelled, and discards later results', async () => {
    const { controller, fake } = setUp();
    const release = fake.hold();
    const configured = controller.configure(abc, settings);
    await Promise.resolve();
    controller.cancel();
    expect(controller.phase).toBe('idle');
    release();
    await configured;
    expect(controller.phase).toBe('idle');
    expect(controller.text).toBeNull();
    expect(fake.alive()).toBe(0);
  });

  it('lets the last of several changes win', async () => {
    const { controller, fake } = setUp();
    const all = [2, 3, 4].map((seed) => controller.configure(abc, { ...settings, seed }));
    await Promise.all(all);
    expect(controller.phase).toBe('ready');
    expect(fake.alive()).toBe(2);
  });

  it('refuses settings that cannot be run', async () => {
    const { controller, fake } = setUp();
    await expect(controller.configure(abc, { ...settings, dModel: 0 })).rejects.toThrow(RangeError);
    expect(fake.log).toEqual([]);
  });
});

describe('a failure', () => {
  const refused = Object.assign(new Error('the model does not fit'), { code: 'out-of-memory' });

  it('for lack of memory at a new size keeps the run and the lab, however often', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    await controller.stepOnce();
    fake.failAt('createTrainer', refused);
    for (const dModel of [64, 128, 256]) {
      await controller.configure(abc, { ...settings, dModel });
      expect(controller.failure).toMatchObject({ error: refused, runStands: true, lostAt: null });
      expect(controller.step).toBe(1);
      expect(fake.alive()).toBe(2);
    }
  });

  it('of a stopped core reports the step at which its models were lost, and discards them and the text', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    await controller.stepOnce();
    fake.failAt('createTrainer', Object.assign(new Error('the core stopped'), { code: 'stopped' }));
    await controller.configure(abc, { ...settings, dModel: 64 });
    expect(controller.failure).toMatchObject({ runStands: false, lostAt: 1 });
    expect(controller.phase).toBe('failed');
    expect([controller.text, controller.step, fake.alive()]).toEqual([null, 0, 0]);
  });
});

describe('running', () => {
  it('plays to the planned end with every arm at the same step, and every loss recorded', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('finished');
    expect(controller.step).toBe(100);
    for (const arm of controller.arms) {
      expect(arm.losses.length).toBe(101);
      expect(arm.losses.at(37)).toBe(fake.lossAt(arm.kind, 37));
      expect(arm.losses.last).toBe(fake.lossAt(arm.kind, 100));
    }
    const runs = (tying: string) =>
      fake.log.filter((verb) => verb.startsWith(`${tying}.run`)).map((v) => v.split('.')[1]);
    expect(runs('tied')).toEqual(runs('untied'));
  });

  it('stores every step up to ten, then twelve per decade', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.stops.map(({ step }) => step)).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      ...[12, 15, 18, 22, 26, 32, 38, 46, 56, 68, 83, 100],
    ]);
  });

  it('takes one step at a time', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    await controller.stepOnce();
    await controller.stepOnce();
    expect(controller.step).toBe(2);
    expect(controller.phase).toBe('paused');
  });

  it('takes all requested steps, even if requested before the first is done, and then other requests', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    await Promise.all([controller.stepOnce(), controller.stepOnce(), controller.stepOnce()]);
    expect([controller.step, controller.phase, controller.busy]).toEqual([3, 'paused', false]);
    const [, rewound] = [controller.stepOnce(), controller.rewind()];
    expect(controller.busy).toBe(true);
    await rewound;
    expect([controller.step, controller.phase]).toEqual([0, 'ready']);
  });

  it('returns to the weights of an earlier step on request', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    await controller.runTo(50);
    await controller.runTo(20);
    expect(fake.log).toContain('tied.rewind(20)');
    expect(controller.step).toBe(20);
    expect(controller.stops.at(-1)?.step).toBe(20);
    expect(controller.arms[0]?.losses.length).toBe(21);
    expect(controller.arms[0]?.losses.last).toBe(fake.lossAt('tied', 20));
  });

  it('rewinds to the start and clears the curves', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    await controller.runTo(30);
    await controller.rewind();
    expect(controller.phase).toBe('ready');
    expect(controller.step).toBe(0);
    expect(controller.arms[0]?.losses.length).toBe(1);
    expect(controller.stops.map(({ step }) => step)).toEqual([0]);
    expect(fake.log).toContain('untied.rewind(0)');
  });

  it('stops within the current chunk when paused, and continues from there', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    const played = controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('running');
    await Promise.resolve();
    controller.pause();
    expect(controller.phase).toBe('paused');
    await played;
    expect(controller.step).toBeLessThan(100);
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.step).toBe(100);
  });

  it('makes a pause and new settings wait for the current frame, and aborts the frame when disposed of', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    const release = fake.hold();
    const playing = controller.play(Number.POSITIVE_INFINITY);
    await Promise.resolve();
    controller.pause();
    const configured = controller.configure(abc, { ...settings, seed: 2 });
    expect(fake.log).not.toContain('comparison.dispose');
    controller.dispose();
    // Before any call of the models has returned.
    expect(fake.log).toContain('comparison.dispose');
    release();
    await Promise.all([playing, configured, controller.idle()]);
    expect(fake.alive()).toBe(0);
  });

  it('takes no step if a run is paused before its turn', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    const release = fake.hold();
    const stepping = controller.stepOnce();
    const playing = controller.play(Number.POSITIVE_INFINITY);
    controller.pause();
    release();
    await Promise.all([stepping, playing]);
    expect(controller.step).toBe(1);
    expect(controller.phase).toBe('paused');
  });

  it('pauses off screen and continues by itself', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    const played = controller.runTo(80);
    await Promise.resolve();
    controller.suspend();
    await played;
    expect(controller.phase).toBe('paused');
    expect(controller.suspended).toBe(true);
    await controller.resume();
    expect(controller.step).toBe(80);
    expect(controller.suspended).toBe(false);
  });

  it('waits until it is visible if the run was asked for off screen', async () => {
    const { controller } = setUp();
    const configured = controller.configure(abc, settings);
    controller.suspend();
    await configured;
    await controller.runTo(80);
    expect([controller.step, controller.phase, controller.suspended]).toEqual([0, 'paused', true]);
    await controller.resume();
    expect([controller.step, controller.suspended]).toEqual([80, false]);
  });

  it('does not continue by itself if the reader paused', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    const played = controller.runTo(80);
    await Promise.resolve();
    controller.pause();
    await played;
    const { step } = controller;
    await controller.resume();
    expect(controller.step).toBe(step);
  });

  it('reports that arms take turns if they share one worker, but not for a single arm', async () => {
    for (const [workers, arms, turns] of [
      [1, ['tied', 'untied'], true],
      [1, ['tied'], false],
      [2, ['tied', 'untied'], false],
    ] as const) {
      const { controller } = setUp({ workers });
      await controller.configure(abc, { ...settings, arms });
      expect(controller.takesTurns).toBe(turns);
    }
  });

  it('waits between steps at slow speed', async () => {
    const { controller, waits } = setUp();
    await controller.configure(abc, settings);
    await controller.runTo(5, 4);
    expect(waits).toHaveLength(4);
    expect(Math.max(...waits)).toBeLessThanOrEqual(250);
    expect(Math.min(...waits)).toBeGreaterThan(200);
  });

  it('starts over at step 0 if settings change during a run', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    const played = controller.play(Number.POSITIVE_INFINITY);
    await Promise.resolve();
    await controller.configure(abc, { ...settings, seed: 9 });
    await played;
    expect(controller.phase).toBe('ready');
    expect(controller.step).toBe(0);
    expect(fake.alive()).toBe(2);
  });

  it('reports a loss that is no longer a number, and can be rewound', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    fake.divergeAt(30);
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('failed');
    expect(controller.failure).toMatchObject({ error: { code: 'not-finite' }, step: 26 });
    expect(controller.failure?.where).toBe('training');
    await controller.play(Number.POSITIVE_INFINITY);
    expect(controller.phase).toBe('failed');
    await controller.rewind();
    expect(controller.phase).toBe('ready');
  });

  it('draws the loss of batches as it comes, and measures the whole text separately', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, { ...settings, batchSize: 16 });
    await controller.runTo(40);
    expect(controller.arms[0]?.losses.length).toBe(40);
    expect(controller.arms[0]?.measured).toEqual({ step: 40, loss: fake.lossAt('tied', 40) });
  });
});

describe('looking back', () => {
  it('moves back to stored steps and forward to the newest', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    await controller.play(Number.POSITIVE_INFINITY);
    controller.view(10);
    expect(controller.viewed?.step).toBe(10);
    expect(controller.viewsNewest).toBe(false);
    expect(controller.valuesOf({ from: 0, to: 1 })?.[0]?.forward).toBeCloseTo(0.01, 6);
    controller.view(null);
    expect(controller.viewed?.step).toBe(100);
  });

  it('gives the probabilities of any pair at once', async () => {
    const { controller } = setUp();
    await controller.configure(abc, settings);
    await controller.choosePair({ from: 1, to: 2 });
    expect(controller.pair).toEqual({ from: 1, to: 2 });
    expect(controller.valuesOf({ from: 1, to: 2 })).toHaveLength(2);
  });

  it('disposes of every trainer when disposed of', async () => {
    const { controller, fake } = setUp();
    await controller.configure(abc, settings);
    void controller.play(Number.POSITIVE_INFINITY);
    controller.dispose();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fake.alive()).toBe(0);
    expect(controller.phase).toBe('idle');
  });
});
