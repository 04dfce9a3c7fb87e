/** What a lab promises of corpora and comparisons wherever it runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createLab,
  loadCore,
  type CompareOptions,
  type ComparisonFrame,
  type Core,
  type IrreversibilityOptions,
  type Lab,
  type LabComparison,
} from '../../../web/index.js';
import { rejection } from './lab-tests.js';

export const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(8);
const PATH = { kind: 'direct-path', dModel: 4 } as const;
export const ARMS = {
  tied: { model: { ...PATH, tying: 'tied' }, training: { learningRate: 0.05 } },
  untied: { model: { ...PATH, tying: 'untied' }, training: { learningRate: 0.05, batchSize: 8 } },
  transformer: {
    model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'tied' },
    training: { learningRate: 0.01, batchSize: 2 },
  },
} as const satisfies CompareOptions['arms'];

/** Far too long to be prepared at once. */
const longText = (): string => Array.from({ length: 400_000 }, (_, i) => (i * 7919).toString(36)).join(' ');

async function framesOf(comparison: LabComparison): Promise<ComparisonFrame[]> {
  const frames: ComparisonFrame[] = [];
  for await (const frame of comparison) frames.push(frame);
  return frames;
}

/** All columns of an arm except the time, over frames of any length. */
function columnsOf(frames: readonly ComparisonFrame[], arm: string): Record<string, number[]> {
  const columns: Record<string, number[]> = {};
  for (const frame of frames) {
    for (const [name, column] of Object.entries(frame.columns[arm]!)) {
      if (name !== 'tokensPerSecond') (columns[name] ??= []).push(...column);
    }
  }
  return columns;
}

export function testCorpora(workers: number): void {
  let lab: Lab;
  let core: Core;
  beforeAll(async () => {
    [lab, core] = await Promise.all([createLab(), loadCore()]);
  });
  afterAll(() => lab.dispose());

  test('opens the same corpus as a core from a text, ids and a file', async () => {
    const tokenizer = { kind: 'word' } as const;
    const expected = core.openCorpus(TEXT, { tokenizer });
    const file = new File(['\uFEFF', TEXT], 'cats.txt');
    for (const corpus of [await lab.openCorpus(TEXT, { tokenizer }), await lab.openCorpus(file, { tokenizer })]) {
      const { vocabSize, tokens, validationTokens, characters, bounds } = corpus;
      expect({ vocabSize, tokens, validationTokens, characters, bounds }).toEqual({
        vocabSize: expected.vocabSize,
        tokens: expected.tokens,
        validationTokens: expected.validationTokens,
        characters: expected.characters,
        bounds: expected.bounds,
      });
      expect(corpus.tokenizer!.tokens).toEqual(expected.tokenizer!.tokens);
      expect(await corpus.tokenIds()).toEqual(expected.tokenIds());
      expect((await corpus.bigrams()).counts).toEqual(expected.bigrams().counts);
      expect(await corpus.frequencies()).toEqual(expected.frequencies());
      const chance = { nullRuns: 4, seed: 9 };
      expect(await corpus.irreversibility(chance)).toEqual(expected.irreversibility(chance));
      const some = { from: Uint32Array.of(1, 0) };
      expect(await corpus.nextTokenProbabilities(some)).toEqual(expected.nextTokenProbabilities(some));
      corpus.dispose();
      expect((await rejection(corpus.tokenIds())).code).toBe('disposed');
    }
    const ids = await lab.openCorpus(expected.tokenIds(), { vocabSize: expected.vocabSize, validation: 0 });
    expect(ids.tokens).toBe(expected.tokenIds().length);
    expect(ids.tokenizer).toBeNull();
  });

  test('decodes a file as text() does: invalid UTF-8 becomes U+FFFD', async () => {
    const corpus = await lab.openCorpus(new Blob([Uint8Array.of(0x61, 0xff, 0x62)]), {
      tokenizer: { kind: 'character' },
      validation: 0,
    });
    expect(await corpus.tokenizer!.decode(await corpus.tokenIds())).toBe('a\uFFFDb');
    corpus.dispose();
  });

  test('cancels opening a corpus, and answers other calls meanwhile', async () => {
    for (const source of [longText(), new Blob([longText()])]) {
      const controller = new AbortController();
      let told = 0;
      const opening = lab.openCorpus(source, {
        tokenizer: { kind: 'bpe', vocabSize: 4096 },
        signal: controller.signal,
        onProgress: () => {
          if (++told === 3) controller.abort('enough');
        },
      });
      const other = await lab.bigrams(Uint32Array.of(0, 1), 2);
      expect(other.total).toBe(1);
      const error = await rejection(opening);
      expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
    }
  });

  test('reports the progress of a null distribution, cancels it, and answers other calls meanwhile', async () => {
    const corpus = await lab.openCorpus(TEXT, { tokenizer: { kind: 'character' }, validation: 0 });
    const { counts } = await corpus.bigrams();
    const many = { ...counts, data: counts.data.map((count) => 500 * count) };
    const larger = await lab.openCorpus(TEXT.repeat(500), { tokenizer: { kind: 'character' }, validation: 0 });
    const verbs = [
      (options: IrreversibilityOptions) => lab.irreversibility(many, options),
      (options: IrreversibilityOptions) => larger.irreversibility(options),
    ];
    for (const verb of verbs) {
      const controller = new AbortController();
      const told: number[] = [];
      const drawing = verb({
        nullRuns: 1000,
        signal: controller.signal,
        onProgress: (fraction) => {
          told.push(fraction);
          if (told.length === 2) controller.abort('enough');
        },
      });
      expect((await lab.bigrams(Uint32Array.of(0, 1), 2)).total).toBe(1);
      const error = await rejection(drawing);
      expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
      expect(error.message).toMatch(/^the irreversibility was cancelled after \d+%$/);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      expect(told.at(-1)).toBeLessThan(1);
    }
    expect((await rejection(corpus.irreversibility({ nullRuns: 1 }))).message).toBe(
      'options.nullRuns is 1; expected an integer from 2 to 1000',
    );
    corpus.dispose();
    larger.dispose();
  });

  test('yields frames in for await with the bits of a core', async () => {
    const options: CompareOptions = { arms: ARMS, steps: 25, seed: 7, measure: { every: 10, tokens: 20 } };
    const corpus = await lab.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
    const comparison = await lab.compare(corpus, options);
    expect(comparison.workers).toBe(workers);
    corpus.dispose();
    const frames = await framesOf(comparison);
    const expected = [...core.compare(core.openCorpus(TEXT, { tokenizer: { kind: 'character' } }), options)];
    expect(comparison.step).toBe(25);
    expect(frames.at(-1)!.step).toBe(25);
    for (const name of comparison.names) {
      expect(columnsOf(frames, name)).toEqual(columnsOf(expected, name));
      expect(columnsOf(frames, name).step).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    }
    const measured = (some: readonly ComparisonFrame[]): unknown[] =>
      some.filter((frame) => frame.measured).map((frame) => [frame.step, frame.measured]);
    expect(measured(frames)).toEqual(measured(expected));
    comparison.dispose();
  });

  test('runs nothing ahead of the requested frames', async () => {
    const corpus = await lab.openCorpus(TEXT);
    const comparison = await lab.compare(corpus, { arms: ARMS, steps: 100 });
    for await (const { step } of comparison) {
      expect(comparison.arm('tied').step).toBe(step);
      expect((await comparison.arm('tied').save()).length).toBeGreaterThan(0);
      if (step >= 3) break;
    }
    const { step } = comparison;
    await corpus.frequencies();
    expect(comparison.step).toBe(step);
    expect((await comparison.next({ steps: 1 })).step).toBe(step + 1);
    comparison.dispose();
    corpus.dispose();
  });

  test('changes the tying of each arm at its own step', async () => {
    const condition = (over: number) => ({ untieWhen: { inputShare: { above: 0 }, over } });
    const { tied } = ARMS;
    const corpus = await lab.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
    const arms = {
      early: { ...tied, model: { ...tied.model, tying: condition(4) } },
      late: { ...tied, model: { ...tied.model, tying: condition(9) } },
      tied,
    };
    const comparison = await lab.compare(corpus, { arms });
    const early = comparison.arm('early');
    const changes = () => comparison.names.map((name) => comparison.arm(name).tyingChangedAt);
    expect(changes()).toEqual([null, null, null]);
    const frame = await comparison.next({ steps: 6 });
    expect(Object.keys(frame)).toEqual(['step', 'columns', 'measured']);
    expect(changes()).toEqual([4, null, null]);
    await comparison.next({ steps: 6 });
    expect(changes()).toEqual([4, 9, null]);
    await comparison.lookBack(8);
    expect(changes()).toEqual([4, null, null]);
    await comparison.rewind(3);
    expect([early.tyingChangedAt, ...changes()]).toEqual([null, null, null, null]);
    await comparison.next({ steps: 6 });
    expect([early.tyingChangedAt, ...changes()]).toEqual([4, 4, 9, null]);
    comparison.dispose();
    corpus.dispose();
  });

  test('plays, pauses, reads all arms at the same step while playing, looks back and rewinds', async () => {
    const corpus = await lab.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
    const { tied, untied } = ARMS;
    let seen = 0;
    const frames: ComparisonFrame[] = [];
    const comparison = await lab.compare(
      corpus,
      { arms: { tied, again: tied, untied } },
      {
        onFrame: (frame) => {
          frames.push(frame);
          if (++seen === 4) comparison.pause();
        },
      },
    );
    const playing = comparison.play({ until: Infinity });
    const [first, second] = await Promise.all([
      comparison.arm('tied').matrix('embedding'),
      comparison.arm('again').matrix('embedding'),
    ]);
    expect(first).toEqual(second);
    await playing;
    const last = comparison.step;
    expect(frames.at(-1)!.step).toBe(last);
    const newest = await comparison.arm('untied').matrix('embedding');
    await comparison.lookBack(1);
    expect(comparison.step).toBe(1);
    expect(await comparison.arm('untied').matrix('embedding')).not.toEqual(newest);
    expect((await comparison.next({ steps: 1 })).columns.untied!.step).toEqual(Float64Array.of(last + 1));
    await comparison.rewind();
    const again = await comparison.next({ steps: 1 });
    expect(again.columns.untied!.loss[0]).toBe(frames[0]!.columns.untied!.loss[0]);
    comparison.dispose();
    expect((await rejection(comparison.next())).code).toBe('disposed');
    corpus.dispose();
  });

  test('ends a comparison by its signal in the middle of a frame', async () => {
    const corpus = await lab.openCorpus(TEXT);
    const controller = new AbortController();
    const comparison = await lab.compare(corpus, { arms: ARMS }, { signal: controller.signal });
    const frame = rejection(comparison.next({ steps: 4096 }));
    await corpus.frequencies();
    controller.abort('gone');
    const error = await frame;
    expect([error.name, error.code, error.cause]).toEqual(['AbortError', 'cancelled', 'gone']);
    for (const verb of [() => comparison.next(), () => comparison.play({ until: 5 }), () => comparison.rewind()])
      expect((await rejection(verb())).code).toBe('cancelled');
    comparison.dispose();
    const late = lab.compare(corpus, { arms: ARMS }, { signal: controller.signal });
    expect((await rejection(late)).code).toBe('cancelled');
    corpus.dispose();
  });

  test('keeps the models of a cancelled comparison, as they were in its newest frame', async () => {
    const corpus = await lab.openCorpus(TEXT);
    for (const within of [false, true]) {
      const controller = new AbortController();
      const comparison = await lab.compare(corpus, { arms: ARMS, steps: 5000 }, { signal: controller.signal });
      for await (const frame of comparison) {
        if (frame.step < 3) continue;
        // In the body of the loop, or during the frame that follows.
        if (within) setTimeout(() => controller.abort(), 0);
        else controller.abort();
      }
      const { step } = comparison;
      expect([step > 0, step < 5000]).toEqual([true, true]);
      const twin = core.compare(core.openCorpus(TEXT), { arms: ARMS, steps: 5000 });
      twin.play({ until: step });
      for (const name of comparison.names) {
        expect(comparison.arm(name).step).toBe(step);
        expect(await comparison.arm(name).save()).toEqual(twin.arm(name).save());
      }
      twin.dispose();
      comparison.dispose();
      expect(() => comparison.arm('tied')).toThrow(expect.objectContaining({ code: 'disposed' }));
    }
    corpus.dispose();
  });

  test('refuses what a core refuses, and continues', async () => {
    const corpus = await lab.openCorpus(TEXT);
    const refused = core.openCorpus(TEXT);
    const wrong: unknown[] = [
      { arms: {} },
      { arms: { a: { ...ARMS.tied, model: { ...ARMS.tied.model, dModel: 0 } } } },
      { arms: { good: ARMS.untied, a: { ...ARMS.tied, training: { learningRate: -1 } } } },
      { arms: ARMS, seed: 0.5 },
      5,
    ];
    for (const options of wrong) {
      const inLab = await rejection(lab.compare(corpus, options as CompareOptions));
      let inCore: unknown;
      try {
        core.compare(refused, options as CompareOptions);
      } catch (error) {
        inCore = error;
      }
      expect(inLab.message).toBe((inCore as Error).message);
    }
    expect((await rejection(lab.openCorpus(5 as never))).message).toMatch(/^source is 5; expected/);
    const foreign = await rejection(lab.compare({} as never, { arms: ARMS }));
    expect(foreign.message).toBe('corpus is an object; expected a corpus of this lab');
    const comparison = await lab.compare(corpus, { arms: ARMS });
    expect((await rejection(comparison.next({ steps: 0 }))).message).toMatch(/^options\.steps is 0/);
    expect((await rejection(comparison.lookBack(1))).message).toMatch(/^step is 1/);
    expect((await comparison.next({ steps: 2 })).step).toBe(2);
    comparison.dispose();
  });
}
