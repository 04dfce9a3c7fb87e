import { describe, expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { any, IDS, MODEL, SQUARE, testRefusals, TRAINING, withEntry, type Refusal } from './refusals.js';
import { errorOf, EXPLORER } from './support.js';

const REFUSALS: Refusal[] = [
  ['negative steps', ({ trainer }) => trainer.run(-1), 'invalid-argument', /^steps is -1; expected an integer/],
  ['fractional steps', ({ trainer }) => trainer.run(1.5), 'invalid-argument', /^steps is 1\.5; expected an integer/],
  [
    'more records than a run stores',
    ({ trainer }) => trainer.run(2 ** 32),
    'invalid-argument',
    /^steps is 4294967296 with options\.recordEvery 1, which makes 4294967296 records; expected at most 1000000, so options\.recordEvery of at least 4295$/,
  ],
  [
    'one record more than a run stores',
    ({ trainer }) => trainer.run(2_000_001, { recordEvery: 2 }),
    'invalid-argument',
    /^steps is 2000001 with options\.recordEvery 2, which makes 1000001 records; expected at most 1000000,/,
  ],
  [
    'run options that are null',
    ({ trainer }) => trainer.run(1, any(null)),
    'invalid-argument',
    /^options is null; expected an object with onProgress, signal, recordEvery, columns$/,
  ],
  [
    'records of every null steps',
    ({ trainer }) => trainer.run(1, { recordEvery: any(null) }),
    'invalid-argument',
    /^options\.recordEvery is null; expected an integer/,
  ],
  [
    'records of every no step',
    ({ trainer }) => trainer.run(1, { recordEvery: 0 }),
    'invalid-argument',
    /^options\.recordEvery is 0; expected an integer from 1 to 4294967295$/,
  ],
  [
    'a listener that is not a function',
    ({ trainer }) => trainer.run(1, { onProgress: any('log') }),
    'invalid-argument',
    /^options\.onProgress is 'log'; expected a function$/,
  ],
  [
    'a signal that is none',
    ({ trainer }) => trainer.run(1, { signal: any({}) }),
    'invalid-argument',
    /^options\.signal is an object; expected an AbortSignal$/,
  ],
  [
    'an unknown run option',
    ({ trainer }) => trainer.run(1, any({ onprogress: () => {} })),
    'invalid-argument',
    /^options\.onprogress is not an option; expected 'onProgress'/,
  ],
  [
    'an evaluation on one token',
    ({ trainer }) => trainer.evaluate(Uint32Array.of(1)),
    'invalid-argument',
    /^tokenIds is a Uint32Array of 1; expected at least 2 tokens$/,
  ],
  [
    'an evaluation on an unknown id',
    ({ trainer }) => trainer.evaluate(Uint32Array.of(1, 9)),
    'invalid-argument',
    /^tokenIds\[1\] is 9; expected a token id below 3$/,
  ],
  [
    'a matrix that the model has not',
    ({ trainer }) => trainer.matrix('betwen'),
    'invalid-argument',
    /^name is 'betwen'; expected one of 'embedding' or 'unembedding'$/,
  ],
  [
    'a matrix of another shape',
    ({ trainer }) => trainer.setMatrix('embedding', SQUARE),
    'shape-mismatch',
    /^matrix is 2 x 2; expected 3 x 2$/,
  ],
  [
    'a matrix with NaN',
    ({ trainer }) => trainer.setMatrix('embedding', withEntry(EXPLORER, 5, NaN)),
    'not-finite',
    /^matrix\[2, 1\] is NaN; expected /,
  ],
  [
    'an empty batch',
    ({ trainer }) => trainer.gradient({ inputs: new Uint32Array(0), targets: new Uint32Array(0) }),
    'invalid-argument',
    /^batch\.inputs is a Uint32Array of 0; expected at least 1 token$/,
  ],
  [
    'a batch of two lengths',
    ({ trainer }) => trainer.gradient({ inputs: IDS, targets: Uint32Array.of(1) }),
    'shape-mismatch',
    /^batch\.targets is a Uint32Array of 1; expected as many as batch\.inputs, 6$/,
  ],
  [
    'a batch with an unknown id',
    ({ trainer }) => trainer.gradient({ inputs: Uint32Array.of(3), targets: Uint32Array.of(1) }),
    'invalid-argument',
    /^batch\.inputs\[0\] is 3; expected a token id below 3$/,
  ],
  [
    'rows of nothing',
    ({ trainer }) => trainer.nextTokenLogits({ from: new Uint32Array(0) }),
    'invalid-argument',
    /^options\.from is a Uint32Array of 0; expected at least 1 token$/,
  ],
  [
    'a column that no token has',
    ({ trainer }) => trainer.nextTokenProbabilities({ from: IDS, to: Uint32Array.of(5) }),
    'invalid-argument',
    /^options\.to\[0\] is 5; expected a token id below 3$/,
  ],
  ['a step that is not yet reached', ({ trainer }) => trainer.rewind(10), 'invalid-argument', /^step is 10; expected /],
  [
    'a trainer that is noise',
    ({ core }) => core.loadTrainer(new Uint8Array(100)),
    'bad-file',
    /^bytes is .*; expected /,
  ],
  [
    'a cut trainer',
    ({ core, trainer }) => core.loadTrainer(trainer.save().slice(0, 50)),
    'bad-file',
    /^bytes is .*; expected /,
  ],
  [
    'a trainer that is no bytes',
    ({ core }) => core.loadTrainer(any('file')),
    'invalid-argument',
    /^bytes is 'file'; expected a Uint8Array$/,
  ],
];

describe('trainers refuse', () => testRefusals(REFUSALS));

describe('a trainer', () => {
  test('stops at the last finite step', async () => {
    const core = await loadCore();
    const wild = core.createTrainer({
      model: { ...MODEL, tying: 'untied' },
      training: { ...TRAINING, optimizer: 'sgd', learningRate: 1e30, seed: 2 },
      tokenIds: IDS,
    });
    const error = errorOf(() => wild.run(200));
    expect(error.code).toBe('not-finite');
    expect(wild.step).toBeLessThan(200);
    expect(Number.isFinite(wild.evaluate().loss)).toBe(true);
    wild.rewind();
    expect(wild.evaluate().loss).toBeCloseTo(Math.log(3), 2);
  });

  test('leaks no memory when it is refused a thousand times', async () => {
    const core = await loadCore();
    for (let i = 0; i < 1000; i++) errorOf(() => core.loadTrainer(new Uint8Array(1000)));
    expect(core.symmetry(SQUARE).symmetric).toBe(false);
  });
});
