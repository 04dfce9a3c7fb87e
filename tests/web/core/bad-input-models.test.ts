import { describe } from 'vitest';
import { any, IDS, MODEL, SQUARE, testRefusals, TRAINING, withEntry, type Refusal, type Subject } from './refusals.js';
import { TOY_COUNTS } from './support.js';

const modelWith =
  (change: object) =>
  ({ core }: Subject) =>
    core.createTrainer({ model: { ...MODEL, ...change }, training: TRAINING, tokenIds: IDS });
const trainingWith =
  (change: object) =>
  ({ core }: Subject) =>
    core.createTrainer({ model: MODEL, training: { ...TRAINING, ...change }, tokenIds: IDS });

const REFUSALS: Refusal[] = [
  [
    'no options',
    ({ core }) => core.createTrainer(any(undefined)),
    'invalid-argument',
    /^options is undefined; expected an object with model/,
  ],
  [
    'an unknown model option',
    modelWith({ dmodel: 4 }),
    'invalid-argument',
    /^model\.dmodel is not an option; expected 'dModel'/,
  ],
  [
    'an unknown kind of model',
    modelWith({ kind: 'bigram' }),
    'invalid-argument',
    /^model\.kind is 'bigram'; expected one of 'direct-path', 'transformer', 'encoder-decoder'$/,
  ],
  [
    'an unknown tying',
    modelWith({ tying: 'tide' }),
    'invalid-argument',
    /^model\.tying is 'tide'; expected one of .*did you mean 'tied'/,
  ],
  [
    'a model of one token',
    modelWith({ vocabSize: 1 }),
    'invalid-argument',
    /^model\.vocabSize is 1; expected an integer from 2 to 4294967295$/,
  ],
  ['a negative width', modelWith({ dModel: -2 }), 'invalid-argument', /^model\.dModel is -2; expected an integer/],
  [
    'a bias that is a number',
    modelWith({ outputBias: 1 }),
    'invalid-argument',
    /^model\.outputBias is 1; expected true or false$/,
  ],
  [
    'a start of NaN',
    modelWith({ initStd: NaN }),
    'not-finite',
    /^model\.initStd is NaN; expected a number from 1e-30 to 1000000$/,
  ],
  [
    'a start of zero',
    modelWith({ initStd: 0 }),
    'invalid-argument',
    /^model\.initStd is 0; expected a number from 1e-30 to 1000000$/,
  ],
  [
    'too wide a start',
    modelWith({ initStd: 2e6 }),
    'invalid-argument',
    /^model\.initStd is 2000000; expected a number from 1e-30 to 1000000$/,
  ],
  [
    'a vocabulary beyond 32 bits',
    modelWith({ vocabSize: 2 ** 32 }),
    'invalid-argument',
    /^model\.vocabSize is 4294967296; expected an integer from 2 to 4294967295$/,
  ],
  [
    'a hidden width where nothing is hidden',
    modelWith({ dFeedForward: 8 }),
    'invalid-argument',
    /^model\.dFeedForward is 8; expected it to be absent/,
  ],
  [
    'a model that fits nowhere',
    modelWith({ vocabSize: 4_000_000_000, dModel: 2 ** 20 }),
    'out-of-memory',
    /^model\.vocabSize is 4000000000 \(\d+ MiB in all\); expected at most \d+, for 1792 MiB$/,
  ],
  [
    'an unknown training option',
    trainingWith({ learningrate: 1 }),
    'invalid-argument',
    /^training\.learningrate is not an option; expected 'learningRate'/,
  ],
  [
    'no learning rate',
    trainingWith({ learningRate: undefined }),
    'invalid-argument',
    /^training\.learningRate is undefined; expected a number from 1e-30 to 1e\+30$/,
  ],
  [
    'an infinite learning rate',
    trainingWith({ learningRate: Infinity }),
    'not-finite',
    /^training\.learningRate is Infinity; expected a number from 1e-30 to 1e\+30$/,
  ],
  [
    'a learning rate out of single precision',
    trainingWith({ learningRate: 2e30 }),
    'invalid-argument',
    /^training\.learningRate is 2e\+30; expected a number from 1e-30 to 1e\+30$/,
  ],
  [
    'a decay of weights out of single precision',
    trainingWith({ weightDecay: 2e30 }),
    'invalid-argument',
    /^training\.weightDecay is 2e\+30; expected a number from 0 to 1e\+30$/,
  ],
  [
    'an epsilon of zero',
    trainingWith({ epsilon: 0 }),
    'invalid-argument',
    /^training\.epsilon is 0; expected a number from 1e-30 to 1e\+30$/,
  ],
  [
    'an unknown optimizer',
    trainingWith({ optimizer: 'adam' }),
    'invalid-argument',
    /^training\.optimizer is 'adam'; expected one of 'adamw', 'sgd', 'coupled-adamw', 'muon'; did you mean 'adamw'\?$/,
  ],
  [
    'an option of another optimizer',
    trainingWith({ momentum: 0.9 }),
    'invalid-argument',
    /^training\.momentum is 0\.9; expected it to be absent; only optimizer 'sgd' or 'muon' has it$/,
  ],
  [
    'a cosine without an end',
    trainingWith({ decay: 'cosine' }),
    'invalid-argument',
    /^training\.totalSteps is undefined; expected an integer from 1 to 4294967295$/,
  ],
  [
    'a cosine that ends within its warm-up',
    trainingWith({ decay: 'cosine', warmupSteps: 10, totalSteps: 5 }),
    'invalid-argument',
    /^training\.totalSteps is 5; expected more steps than the warm-up has/,
  ],
  [
    'a batch of nothing',
    trainingWith({ batchSize: 0 }),
    'invalid-argument',
    /^training\.batchSize is 0; expected an integer from 1 to 4194304$/,
  ],
  [
    'no batch',
    trainingWith({ batchSize: undefined }),
    'invalid-argument',
    /^training\.batchSize is undefined; expected/,
  ],
  [
    'a batch that fits nowhere',
    trainingWith({ batchSize: 4_000_000_000 }),
    'invalid-argument',
    /^training\.batchSize is 4000000000; expected an integer from 1 to 4194304$/,
  ],
  ['half a seed', trainingWith({ seed: 0.5 }), 'invalid-argument', /^training\.seed is 0\.5; expected an integer/],
  [
    'a decay rate of one',
    trainingWith({ beta1: 1 }),
    'invalid-argument',
    /^training\.beta1 is 1; expected a number of at least 0 and below 1$/,
  ],
  [
    'no data',
    ({ core }) => core.createTrainer(any({ model: MODEL, training: TRAINING })),
    'invalid-argument',
    /^options\.tokenIds is undefined; expected a Uint32Array of token ids, or options\.bigramCounts$/,
  ],
  [
    'no data and, as for a table, no batch',
    ({ core }) => core.createTrainer(any({ model: MODEL, training: { ...TRAINING, batchSize: undefined } })),
    'invalid-argument',
    /^options\.tokenIds is undefined; expected a Uint32Array of token ids, or options\.bigramCounts$/,
  ],
  [
    'a stream of one token',
    ({ core }) => core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: Uint32Array.of(1) }),
    'invalid-argument',
    /^options\.tokenIds is a Uint32Array of 1; expected at least 2 tokens$/,
  ],
  [
    'a stream with an unknown id',
    ({ core }) => core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: Uint32Array.of(0, 3) }),
    'invalid-argument',
    /^options\.tokenIds\[1\] is 3; expected /,
  ],
  [
    'two kinds of data',
    ({ core }) =>
      core.createTrainer(any({ model: MODEL, training: TRAINING, tokenIds: IDS, bigramCounts: TOY_COUNTS })),
    'invalid-argument',
    /^options\.tokenIds is a Uint32Array of 6; expected/,
  ],
  [
    'counts of another vocabulary',
    ({ core }) => core.createTrainer({ model: MODEL, training: TRAINING, bigramCounts: SQUARE }),
    'shape-mismatch',
    /^options\.bigramCounts is 2 x 2; expected 3 x 3$/,
  ],
  [
    'counts with NaN',
    ({ core }) => core.createTrainer({ model: MODEL, training: TRAINING, bigramCounts: withEntry(TOY_COUNTS, 4, NaN) }),
    'not-finite',
    /^options\.bigramCounts\[1, 1\] is NaN; expected /,
  ],
  [
    'an estimate without a model',
    ({ core }) => core.estimateMemory(any(undefined), TRAINING),
    'invalid-argument',
    /^model is undefined; expected an object/,
  ],
];

const NULL_MODEL: Refusal[] = (['embeddingScale', 'outputBias', 'initStd', 'dFeedForward'] as const).map((name) => [
  `null for ${name}`,
  modelWith({ tying: 'tied-mlp', [name]: null }),
  'invalid-argument',
  new RegExp(`^model\\.${name} is null; expected `),
]);

const NULL_TRAINING: Refusal[] = [
  ...['optimizer', 'warmupSteps', 'decay', 'totalSteps', 'finalLearningRateFraction', 'weightDecay', 'gradientClip'],
  ...['momentum', 'beta1', 'beta2', 'epsilon', 'batchSize', 'gradientAccumulation', 'inputGradientScale'],
  ...['learningRateMultipliers', 'decayEmbeddings', 'seed', 'initSeed'],
].map((name) => [
  `null for ${name}`,
  trainingWith({ ...(name === 'momentum' ? { optimizer: 'sgd' } : {}), [name]: null }),
  'invalid-argument',
  new RegExp(`^training\\.${name} is null; expected `),
]);

describe('models and their training refuse', () => testRefusals([...REFUSALS, ...NULL_MODEL, ...NULL_TRAINING]));
