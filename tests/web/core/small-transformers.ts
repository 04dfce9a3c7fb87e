/** A transformer small enough for hundreds of steps per second, and a text for it to learn. */
import type {
  Core,
  TextModelConfig,
  TransformerConfig,
  StepRecord,
  Trainer,
  TrainingConfig,
  TyingSchedule,
  Tying,
} from '../../../web/index.js';
import { expect } from 'vitest';
import { hashOf } from '../seed-bits.js';

export const VOCAB_SIZE = 12;

export const SMALL = {
  kind: 'transformer',
  vocabSize: VOCAB_SIZE,
  dModel: 16,
  nLayers: 2,
  nHeads: 2,
  contextLength: 8,
} as const satisfies Partial<TextModelConfig>;

export const SMALL_TRAINING: TrainingConfig = { learningRate: 0.01, batchSize: 4, seed: 3 };

export const TYINGS: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-low-rank'];
export const SCHEDULES: readonly TyingSchedule[] = [
  { untieAtStep: 10 },
  { tieAtStep: 10 },
  // These hold in the first block.
  { untieWhen: { inputShare: { above: 0 }, over: 7, from: 3 } },
  { tieWhen: { inputShare: { below: 1 }, over: 10, from: 0 } },
];
export const ALL_TYINGS: readonly TextModelConfig['tying'][] = [...TYINGS, ...SCHEDULES];

/** Text from a Markov chain: the distribution after a token is far from uniform. */
export function stream(core: Core): Uint32Array {
  const transition = core.randomMarkovChain({ states: VOCAB_SIZE, seed: 8 });
  return core.sampleMarkovChain({ transition, length: 3000, seed: 9 });
}

/** Learns, and continues with the same bits from its file; rewound by half, it has those of the file again. */
export function checkContinues(core: Core, trainer: Trainer, steps = 20): void {
  const before = trainer.evaluate().loss;
  trainer.run(steps);
  const half = trainer.save();
  trainer.run(steps);
  const end = trainer.save();
  expect(trainer.evaluate().loss).toBeLessThan(before);
  const loaded = core.loadTrainer(half);
  expect(loaded.model).toEqual(trainer.model);
  loaded.run(steps);
  expect(loaded.save()).toEqual(end);
  trainer.rewind(steps);
  expect(trainer.save()).toEqual(half);
}

/** Greedy generation, token by token and beyond the context, agrees with the logits of the whole window. */
export function checkGeneration(trainer: Trainer, prompt: Uint32Array): void {
  const text = [...prompt];
  for (const token of trainer.generate({ prompt, tokens: 12, seed: 1, temperature: 0 }).tokenIds) {
    const { data } = trainer.logits(Uint32Array.from(text.slice(-SMALL.contextLength)));
    const last = [...data.slice(-VOCAB_SIZE)];
    expect(token).toBe(last.indexOf(Math.max(...last)));
    text.push(token);
  }
}

export interface Differently {
  model?: Partial<TransformerConfig>;
  training?: Partial<TrainingConfig>;
}

export function smallTrainer(
  core: Core,
  tokenIds: Uint32Array,
  tying: TextModelConfig['tying'],
  { model, training }: Differently = {},
): Trainer {
  return core.createTrainer({
    model: { ...SMALL, tying, ...model },
    training: { ...SMALL_TRAINING, ...training },
    tokenIds,
  });
}

export function bitsOf(trainer: Trainer): string {
  return hashOf(trainer.parameters().map(({ name }) => trainer.matrix(name).data));
}

/** Everything that a step determines, so not the time. */
export function timeless(records: readonly StepRecord[]): Omit<StepRecord, 'tokensPerSecond'>[] {
  return records.map(({ tokensPerSecond: _, ...record }) => record);
}

export function countOf(trainer: Trainer): number {
  return trainer.parameters().reduce((sum, { count }) => sum + count, 0);
}
