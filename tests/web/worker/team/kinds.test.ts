// Steps of the real core that several trainers share, over channels in one thread: every kind of model, head and optimizer has the bits of one
// trainer alone, whether the others come, go or are interrupted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../../../web/index.js';
import { startVerb } from '../../../../web/core/runtime/verb.js';
import { sharedSteps } from '../../../../web/core/training/shared-steps.js';
import type { CoreTrainer } from '../../../../web/core/training/trainer.js';
import { run } from '../../../../web/core/training/training-run.js';
import type { Core, TrainerOptions } from '../../../../web/core/types.js';
import { channelsBetween } from '../../../../web/worker/team/channels.js';
import { Follower } from '../../../../web/worker/team/follower.js';
import { Lead } from '../../../../web/worker/team/lead.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'stories'] });
});
afterAll(() => core.dispose());

const tokenIds = Uint32Array.from({ length: 400 }, (_, at) => (at * at + (at >> 3)) % 13);
const training = { learningRate: 0.01, batchSize: 9, seed: 3, shards: 5 } as const;
const path = { kind: 'direct-path', vocabSize: 13, dModel: 4, tying: 'tied' } as const;
const gpt = {
  kind: 'transformer',
  vocabSize: 13,
  dModel: 8,
  nLayers: 2,
  nHeads: 2,
  contextLength: 6,
  tying: 'tied',
} as const;

const KINDS: readonly [name: string, options: () => TrainerOptions][] = [
  ['a tied path', () => ({ model: path, training, tokenIds })],
  [
    'untied paths with momentum',
    () => ({
      model: { ...path, tying: 'untied' },
      training: { ...training, optimizer: 'sgd', momentum: 0.9 },
      tokenIds,
    }),
  ],
  ['a GPT', () => ({ model: gpt, training, tokenIds })],
  [
    'a GPT of GPT-2 with dropout, clipped gradients and batches that add up',
    () => ({
      model: { ...gpt, tying: 'untied', norm: 'layer-norm', biases: 'all', dropout: 0.2 },
      training: { ...training, gradientClip: 0.5, gradientAccumulation: 2, labelSmoothing: 0.1 },
      tokenIds,
    }),
  ],
  [
    'a GPT of llama2.c that is untied later',
    () => ({
      model: { ...gpt, positions: 'rotary', feedForward: 'swiglu', nKeyValueHeads: 1, tying: { untieAtStep: 5 } },
      training,
      tokenIds,
    }),
  ],
  [
    'a GPT that is untied by its share',
    () => ({ model: { ...gpt, tying: { untieWhen: { inputShare: { above: 0.1 }, over: 3 } } }, training, tokenIds }),
  ],
  ['tied value embeddings', () => ({ model: { ...gpt, valueEmbeddings: 'tied' }, training, tokenIds })],
  [
    'a factorized table and n-grams',
    () => ({ model: { ...gpt, tableRank: 3, ngrams: { order: 3, rows: 17 } }, training, tokenIds }),
  ],
  [
    'a sampled head',
    () => ({ model: { ...gpt, head: { kind: 'sampled', samples: 5, proposal: 'log-uniform' } }, training, tokenIds }),
  ],
  [
    'an adaptive head',
    () => ({ model: { ...gpt, head: { kind: 'adaptive', cutoffs: [4, 8], divisor: 2 } }, training, tokenIds }),
  ],
  ['a clustered head', () => ({ model: { ...gpt, head: { kind: 'clustered', clusters: 3 } }, training, tokenIds })],
  ['a culled head', () => ({ model: { ...gpt, head: { kind: 'culled', kept: 7 } }, training, tokenIds })],
  [
    'an encoder-decoder',
    () => {
      const texts = core.writePairs({ task: 'reversal', seed: 1, count: 40, length: 3 });
      const tokenizer = core.pairTokenizer(texts);
      const { pairs, sourceLength, contextLength } = core.encodePairs({ pairs: texts, tokenizer });
      const { vocabSize } = tokenizer;
      return {
        model: {
          kind: 'encoder-decoder',
          dModel: 8,
          nEncoderLayers: 1,
          nDecoderLayers: 1,
          nHeads: 2,
          vocabSize,
          tying: 'all',
          sourceLength,
          contextLength,
        },
        training,
        pairs,
      };
    },
  ],
];

function team(options: TrainerOptions, followers: number) {
  const trainer = core.createTrainer(options) as CoreTrainer;
  const places = Array.from({ length: followers + 1 }, (_, place) => place);
  const ports = channelsBetween(places);
  const others = places
    .slice(1)
    .map(
      (place) => new Follower(place, ports.get(place)!, (file) => sharedSteps(core.loadTrainer(file) as CoreTrainer)),
    );
  const lead = new Lead(sharedSteps(trainer), { ask: () => undefined, leave: () => expect.fail('a partner left') });
  lead.connect(ports.get(0)!);
  trainer.partners = lead;
  const end = (): void => {
    for (const other of others) other.end();
    for (const place of places.slice(1)) lead.lose(place);
    trainer.dispose();
  };
  return { trainer, lead, end };
}

/** As a lab runs it; `until` cancels it while it waits. */
async function runs(trainer: CoreTrainer, steps: number, until = (): boolean => false): Promise<void> {
  const work = startVerb(run, trainer, [steps, {}], false);
  while (!work.finished && !until()) {
    work.take(100);
    if (work.waitsFor && !until()) await work.waitsFor;
  }
  work.end();
}

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

function alone(options: TrainerOptions, act: (trainer: CoreTrainer) => void): Uint8Array {
  const trainer = core.createTrainer(options) as CoreTrainer;
  act(trainer);
  const file = trainer.save();
  trainer.dispose();
  return file;
}

type Table = ReturnType<CoreTrainer['matrix']>;

function setNegative(trainer: CoreTrainer): Table {
  const table = trainer.matrix('embedding');
  const changed = { ...table, data: table.data.map((value) => -value) };
  trainer.setMatrix('embedding', changed);
  return changed;
}

/** The file of one trainer whose embedding is set between `step` steps and three more. */
const aloneWith = (changed: Table, options: TrainerOptions, step: number): Uint8Array =>
  alone(options, (twin) => {
    twin.run(step);
    twin.setMatrix('embedding', changed);
    twin.run(3);
  });

describe.each([1, 2])('with %i others', (followers) => {
  test.each(KINDS)('%s has the bits of one trainer', async (_, optionsOf) => {
    const options = optionsOf();
    const { trainer, lead, end } = team(options, followers);
    await runs(trainer, 8);
    expect(lead.size).toBe(followers);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(8)),
      ),
    ).toBe(true);
    end();
  });
});

describe('what was computed before a cancel is', () => {
  const [, optionsOf] = KINDS[2]!;

  async function cancelled(): Promise<ReturnType<typeof team> & { options: TrainerOptions; step: number }> {
    const options = optionsOf();
    const made = team(options, 1);
    let waits = 0;
    await runs(made.trainer, 100, () => ++waits > 15);
    const { step } = made.trainer;
    expect(step).toBeGreaterThan(2);
    return { ...made, options, step };
  }

  test('used by the next run', async () => {
    const { trainer, options, step, end } = await cancelled();
    await runs(trainer, 3);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step + 3)),
      ),
    ).toBe(true);
    end();
  });

  test('used by a trainer that goes on alone', async () => {
    const { trainer, lead, options, step, end } = await cancelled();
    lead.lose(1);
    trainer.run(3);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step + 3)),
      ),
    ).toBe(true);
    end();
  });

  test('not used after a matrix was set', async () => {
    const { trainer, options, step, end } = await cancelled();
    const changed = setNegative(trainer);
    await runs(trainer, 3);
    expect(same(trainer.save(), aloneWith(changed, options, step))).toBe(true);
    end();
  });

  test('not used after a matrix was set by a trainer that goes on alone', async () => {
    const { trainer, lead, options, step, end } = await cancelled();
    lead.lose(1);
    const changed = setNegative(trainer);
    trainer.run(3);
    expect(same(trainer.save(), aloneWith(changed, options, step))).toBe(true);
    end();
  });

  test('not used after a rewind', async () => {
    const { trainer, options, step, end } = await cancelled();
    trainer.rewind(1);
    await runs(trainer, step + 2);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step + 3)),
      ),
    ).toBe(true);
    end();
  });

  test('not part of a file', async () => {
    const { trainer, options, step, end } = await cancelled();
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step)),
      ),
    ).toBe(true);
    end();
  });
});
