/** What a lab promises about long verbs, wherever it runs: progress, and cancellation on request. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLab, type Lab, type LabTokenizer, type LabTrainer, type WorkOptions } from '../../../web/index.js';
import { rejection } from './lab-tests.js';

/** Far too much to be processed at once. */
const longText = (): string => Array.from({ length: 400_000 }, (_, i) => (i * 7919).toString(36)).join(' ');
const LONG = 100_000_000;

export function testSlices(): void {
  let lab: Lab;
  let tokenizer: LabTokenizer;
  let trainer: LabTrainer;
  beforeAll(async () => {
    lab = await createLab();
    tokenizer = await lab.trainTokenizer('0123456789 abcdefghijklmnopqrstuvwxyz', { kind: 'bpe' });
    trainer = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, batchSize: 2, seed: 1 },
      tokenIds: Uint32Array.of(0, 1, 2, 0),
    });
  });
  afterAll(() => lab.dispose());

  test.each<[verb: string, what: string, begin: (options: WorkOptions) => Promise<unknown>]>([
    [
      'trainTokenizer',
      'training of the tokenizer',
      (options) => lab.trainTokenizer(longText(), { kind: 'bpe', vocabSize: 60_000, ...options }),
    ],
    ['encode', 'encoding', (options) => tokenizer.encode(longText().repeat(30), options)],
    ['writeStories', 'writing', (options) => lab.writeStories({ seed: 1, length: LONG, ...options })],
    [
      'sampleMarkovChain',
      'sampling',
      async (options) => {
        const transition = await lab.randomMarkovChain({ states: 100, seed: 1 });
        return lab.sampleMarkovChain({ transition, length: LONG, seed: 1, ...options });
      },
    ],
  ])('%s reports progress, can be cancelled, and lets other calls be answered', async (_, what, begin) => {
    const controller = new AbortController();
    const told: number[] = [];
    const working = rejection(
      begin({
        signal: controller.signal,
        onProgress: (fraction) => {
          told.push(fraction);
          if (told.length === 2) controller.abort('enough');
        },
      }),
    );
    expect((await lab.bigrams(Uint32Array.of(0, 1), 2)).total).toBe(1);
    const error = await working;
    expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
    expect(error.message).toMatch(new RegExp(`^the ${what} was cancelled after \\d+%$`));
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBeLessThan(1);
    const again = await rejection(begin({ signal: controller.signal }));
    expect(again.message).toBe(`the ${what} was cancelled before it began`);
  });

  test('short verbs report their end as progress', async () => {
    const told: number[] = [];
    const onProgress = (fraction: number): void => void told.push(fraction);
    await tokenizer.encode('1 2 3', { onProgress });
    await trainer.save({ onProgress });
    await trainer.toSafetensors({ onProgress });
    expect(told).toEqual([1, 1, 1]);
  });

  test('refuses unknown options of a verb by name', async () => {
    for (const answer of [
      tokenizer.encode('1', { sginal: 1 } as never),
      trainer.save({ sginal: 1 } as never),
      trainer.toSafetensors({ sginal: 1 } as never),
      lab.writeStories({ seed: 1, length: 1, sginal: 1 } as never),
    ]) {
      expect((await rejection(answer)).message).toMatch(/^options\.sginal is not an option/);
    }
    expect((await rejection(trainer.save({ signal: 5 } as never))).message).toBe(
      'options.signal is 5; expected an AbortSignal',
    );
  });

  test('makes a corpus of a chain without sending its states to the page', async () => {
    const transition = await lab.randomMarkovChain({ states: 9, seed: 4 });
    const chain = { transition, length: 2000, seed: 5 };
    const stages = new Set<string>();
    const corpus = await lab.openCorpus(chain, { validation: 0.1, onProgress: (_, stage) => stages.add(stage) });
    const ids = await lab.sampleMarkovChain(chain);
    expect(await corpus.tokenIds()).toEqual(ids.slice(0, 1800));
    expect(await corpus.tokenIds('validation', { first: 3, count: 5 })).toEqual(ids.slice(1803, 1808));
    expect([corpus.vocabSize, corpus.tokenizer, corpus.characters]).toEqual([9, null, null]);
    expect(stages).toContain('counting');
    const error = await rejection(lab.openCorpus({ ...chain, transition: { rows: 1 } } as never));
    expect(error.message).toMatch(/^source\.transition/);
    corpus.dispose();
  });
}
