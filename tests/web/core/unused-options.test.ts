/** Options are checked even if a call does not use them. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadCore,
  type Core,
  type ErrorCode,
  type TextModelConfig,
  type Tokenizer,
  type TrainingConfig,
} from '../../../web/index.js';
import { isRevoked } from '../../../web/core/runtime/arrays.js';
import { tinyModel, VOCAB } from '../../browser/llama2c-files.js';
import { any, IDS, MODEL, TRAINING } from './refusals.js';
import { expectError, TOY_COUNTS } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('batch sizes that training on a table ignores', () => {
  const withTable = (training: Partial<Record<keyof TrainingConfig, unknown>>) =>
    core.createTrainer({ model: MODEL, training: any({ ...TRAINING, ...training }), bigramCounts: TOY_COUNTS });

  test.each<[name: keyof TrainingConfig, wrong: unknown]>([
    ['batchSize', 'all of it'],
    ['batchSize', -3],
    ['batchSize', null],
    ['batchSize', NaN],
    ['gradientAccumulation', 'all of it'],
    ['gradientAccumulation', 0],
    ['gradientAccumulation', 1.5],
    ['gradientAccumulation', null],
  ])('%s %o is refused', (name, wrong) => {
    expectError(
      () => withTable({ [name]: wrong }),
      Number.isNaN(wrong) ? 'not-finite' : 'invalid-argument',
      RegExp(name),
    );
    if (name !== 'batchSize') {
      const training = any({ learningRate: 0.1, seed: 1, [name]: wrong });
      expectError(() => core.estimateMemory(MODEL, training), 'invalid-argument', RegExp(name));
    }
  });

  test('valid ones change nothing', () => {
    const without = withTable({ batchSize: undefined });
    const ignored = withTable({ batchSize: 7, gradientAccumulation: 3 });
    expect(ignored.run(3).map(({ loss }) => loss)).toEqual(without.run(3).map(({ loss }) => loss));
    expect(ignored.training).toEqual(without.training);
  });
});

describe('a model of another program', () => {
  test.each([null, false, 0, '', NaN])('is refused with training %o, not loaded without training', (training) => {
    const load = (more: object) =>
      core.loadModel(tinyModel({ tied: true }), any({ format: 'llama2c', training, ...more }));
    expectError(() => load({ tokenIds: IDS }), 'invalid-argument', /^training is .*; expected an object with/);
  });
});

test('a sequence length is refused for a direct path, which has no sequences', () => {
  const pairs = core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: IDS });
  const table = core.createTrainer({ model: MODEL, training: TRAINING, bigramCounts: TOY_COUNTS });
  const batch = { inputs: IDS, targets: IDS, sequenceLength: 1 };
  for (const trainer of [pairs, table]) {
    expectError(
      () => trainer.gradient(batch),
      'invalid-argument',
      /^batch\.sequenceLength is 1; expected it to be absent/,
    );
  }
});

describe('numbers that single precision would round to 0 or 1', () => {
  test.each<[model: Partial<TextModelConfig>, training: Partial<TrainingConfig>, message: RegExp]>([
    [{}, { beta1: 1 - 2 ** -40 }, /^training\.beta1 is 0\.9+\d+; expected a number of at least 0 and below 1$/],
    [{}, { beta2: 1 - 2 ** -40 }, /^training\.beta2 is 0\.9+\d+; expected a number of at least 0 and below 1$/],
    [{}, { optimizer: 'sgd', momentum: 1 - 2 ** -40 }, /^training\.momentum is 0\.9+\d+; expected/],
    [{ initStd: 5e-324 }, {}, /^model\.initStd is 5e-324; expected a number from 1e-30 to 1000000$/],
    [{ initStd: 1e-46 }, {}, /^model\.initStd is 1e-46; /],
    [{ kind: 'transformer', nHeads: 1, normEpsilon: 1e-50 }, {}, /^model\.normEpsilon is 1e-50; /],
    [{}, { learningRate: 1e-300 }, /^training\.learningRate is 1e-300; /],
    [{}, { gradientClip: 1e-60 }, /^training\.gradientClip is 1e-60; /],
  ])('%o %o is refused', (model, training, message) => {
    const [some, trained] = [{ ...MODEL, ...model } as TextModelConfig, { ...TRAINING, ...training }];
    expectError(
      () => core.createTrainer({ model: some, training: trained, tokenIds: IDS }),
      'invalid-argument',
      message,
    );
    expectError(() => core.estimateMemory(some, trained), 'invalid-argument', message);
  });

  test('the smallest accepted initialization can be trained', () => {
    const trainer = core.createTrainer({
      model: { ...MODEL, tying: 'untied', initStd: 1e-30 },
      training: TRAINING,
      tokenIds: IDS,
    });
    const before = trainer.matrix('embedding').data;
    expect(before.some((value) => value !== 0)).toBe(true);
    for (const record of trainer.run(20)) {
      for (const value of Object.values(record)) expect(value).toSatisfy(Number.isFinite);
    }
    expect(trainer.matrix('embedding').data).not.toEqual(before);
  });
});

test('a hole in the points of inputGradientScale is refused', () => {
  const holed: unknown[] = [[0, 1]];
  holed[2] = [5, 2];
  const training = { ...TRAINING, inputGradientScale: any(holed) };
  expectError(
    () => core.estimateMemory(MODEL, training),
    'invalid-argument',
    /^training\.inputGradientScale\[1\] is undefined; expected a pair/,
  );
});

describe('an object passed as a trainer’s tokenizer that does not save as one', () => {
  const given = (tokenizer: unknown) =>
    core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: IDS, tokenizer: any(tokenizer) });
  const saves = (bytes: unknown, vocabSize = 3) => ({ vocabSize, save: () => bytes });
  const saved = (text: string) => {
    const tokenizer: Tokenizer = core.trainTokenizer(text, { kind: 'character' });
    const bytes = tokenizer.save();
    tokenizer.dispose();
    return bytes;
  };

  test.each<[what: string, tokenizer: () => unknown, code: ErrorCode, message: RegExp]>([
    ['a revoked proxy', () => revoked({}), 'invalid-argument', /^options\.tokenizer is .*; expected a tokenizer/],
    [
      'a method that is a revoked proxy',
      () => ({ vocabSize: 3, save: revoked(() => undefined) }),
      'invalid-argument',
      /^options\.tokenizer is .*; expected a tokenizer/,
    ],
    ['text', () => saves('abc'), 'invalid-argument', /^options\.tokenizer\.save\(\) is 'abc'; expected a Uint8Array/],
    [
      'any bytes',
      () => saves(Uint8Array.of(1, 2, 3)),
      'bad-file',
      /^options\.tokenizer\.save\(\) is not a saved tokenizer/,
    ],
    ['no bytes', () => saves(new Uint8Array()), 'bad-file', /^options\.tokenizer\.save\(\) is not a saved tokenizer/],
    ['a cut tokenizer', () => saves(saved('abc').slice(0, -1)), 'bad-file', /not a saved tokenizer/],
    [
      'a tokenizer with more tokens than it claims',
      () => saves(saved('abcde')),
      'shape-mismatch',
      /save\(\) has 5 tokens/,
    ],
  ])('%s is refused when the trainer is created', (_, tokenizer, code, message) => {
    expectError(() => given(tokenizer()), code, message);
    const of = tokenizer();
    const ofModel = any(isRevoked(of) ? of : { ...(of as object), vocabSize: VOCAB.length });
    const model = tinyModel({ tied: true });
    expectError(() => core.loadModel(model, { format: 'llama2c', tokenizer: ofModel }), code, message);
  });

  test('an object that saves a tokenizer of the same size is accepted', () => {
    const trainer = given(saves(saved('abc')));
    expect(trainer.evaluate().bitsPerByte).toBeGreaterThan(0);
    expect(trainer.generate({ prompt: 'ab', tokens: 3 }).text).toHaveLength(3);
  });
});

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
