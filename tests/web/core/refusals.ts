/** Invalid input and the expected refusal, for every verb: see the bad-input tests. */
import { beforeAll, expect, test } from 'vitest';
import {
  loadCore,
  type Core,
  type ErrorCode,
  type LoadOptions,
  type Matrix,
  type TextModelConfig,
  type Tokenizer,
  type Trainer,
  type TrainingConfig,
} from '../../../web/index.js';
import { errorOf, matrixOf } from './support.js';

export const IDS = Uint32Array.of(0, 1, 2, 1, 0, 2);
export const MODEL: TextModelConfig = { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' };
export const TRANSFORMER: TextModelConfig = {
  kind: 'transformer',
  vocabSize: 3,
  dModel: 8,
  tying: 'tied',
  nLayers: 1,
  nHeads: 2,
  contextLength: 4,
};
export const TRAINING: TrainingConfig = { learningRate: 0.01, batchSize: 4, seed: 1 };
export const SQUARE = matrixOf([
  [1, 2],
  [3, 4],
]);

/** Passes a value as untyped JavaScript would. */
export const any = (value: unknown): never => value as never;

export function withEntry(matrix: Matrix, index: number, value: number): Matrix {
  const data = matrix.data.slice();
  data[index] = value;
  return { ...matrix, data };
}

/** The objects that invalid input is tried on. */
export interface Subject {
  core: Core;
  tokenizer: Tokenizer;
  trainer: Trainer;
}

/** What is wrong, the call, the code, and the message's argument, value and expectation. */
export type Refusal = [wrong: string, act: (on: Subject) => unknown, code: ErrorCode, message: RegExp];

/** One test per case, all on one core, which is loaded with `options` and must work after each. */
export function testRefusals(refusals: readonly Refusal[], options?: LoadOptions): void {
  let on: Subject;
  beforeAll(async () => {
    const core = await loadCore(options);
    on = {
      core,
      tokenizer: core.trainTokenizer('abcabc', { kind: 'character' }),
      trainer: core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: IDS }),
    };
  });

  test.each(refusals)('%s: the error names it, and everything works afterwards', (_, act, code, message) => {
    const error = errorOf(() => act(on));
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
    expect(on.core.symmetry(SQUARE).maxDifference).toBe(1);
    expect(on.tokenizer.decode(on.tokenizer.encode('cab'))).toBe('cab');
    expect(on.trainer.step).toBe(0);
    expect(on.trainer.evaluate().loss).toBeCloseTo(Math.log(3), 2);
  });
}
