import { describe } from 'vitest';
import { any, IDS, MODEL, testRefusals, TRAINING, TRANSFORMER, type Refusal, type Subject } from './refusals.js';
import { TOY_COUNTS } from './support.js';

const modelWith =
  (change: object) =>
  ({ core }: Subject) =>
    core.createTrainer({ model: { ...TRANSFORMER, ...change }, training: TRAINING, tokenIds: IDS });
const directWith =
  (change: object) =>
  ({ core }: Subject) =>
    core.createTrainer({ model: { ...MODEL, ...change }, training: TRAINING, tokenIds: IDS });
const trainingWith =
  (change: object) =>
  ({ core }: Subject) =>
    core.createTrainer({ model: TRANSFORMER, training: { ...TRAINING, ...change }, tokenIds: IDS });

const WHEN = { inputShare: { above: 0.5 }, over: 5 };

type Case = [wrong: string, change: object, message: RegExp];

const MODELS: Case[] = [
  ['heads that do not divide the width', { nHeads: 3 }, /^model\.nHeads is 3; expected a divisor of model\.dModel, 8$/],
  ['no heads', { nHeads: 0 }, /^model\.nHeads is 0; expected an integer from 1/],
  [
    'key and value heads that do not divide the heads',
    { nHeads: 4, nKeyValueHeads: 3 },
    /^model\.nKeyValueHeads is 3; expected a divisor of model\.nHeads, 4$/,
  ],
  [
    'rotary heads of an odd width',
    { nHeads: 8, positions: 'rotary' },
    /^model\.dModel \/ model\.nHeads is 1; expected an even number where positions are 'rotary'$/,
  ],
  ['no layers', { nLayers: 0 }, /^model\.nLayers is 0; expected an integer from 1 to 1000$/],
  ['half a layer', { nLayers: 1.5 }, /^model\.nLayers is 1\.5; expected an integer/],
  ['a context of nothing', { contextLength: 0 }, /^model\.contextLength is 0; expected an integer from 1/],
  ['an unknown norm', { norm: 'rms' }, /^model\.norm is 'rms'; expected one of 'rms-norm' or 'layer-norm'/],
  ['an unknown kind of positions', { positions: 'sinus' }, /^model\.positions is 'sinus'; expected one of 'learned'/],
  ['an unknown feed-forward', { feedForward: 'relu' }, /^model\.feedForward is 'relu'; expected one of 'gelu'/],
  ['biases that are a flag', { biases: true }, /^model\.biases is true; expected one of 'none'/],
  ['an epsilon of zero', { normEpsilon: 0 }, /^model\.normEpsilon is 0; expected a number from 1e-30 to 1$/],
  [
    'a rotary base where nothing turns',
    { rotaryBase: 500 },
    /^model\.rotaryBase is 500; expected it to be absent; only positions 'rotary' has it$/,
  ],
  [
    'a rotary base below one',
    { positions: 'rotary', rotaryBase: 0.5 },
    /^model\.rotaryBase is 0\.5; expected a number from 1 to 1000000000000$/,
  ],
  ['a final norm that is a word', { finalNorm: 'yes' }, /^model\.finalNorm is 'yes'; expected true or false$/],
  ['all dropped out', { dropout: 1 }, /^model\.dropout is 1; expected a number of at least 0 and below 1$/],
  ['an unknown scale', { embeddingScale: 8 }, /^model\.embeddingScale is 8; expected one of 'none'/],
  [
    'an mlp of its own',
    { tying: 'tied-mlp' },
    /^model\.tying is 'tied-mlp'; expected another tying; only kind 'direct-path' has this one$/,
  ],
  [
    'a rank of nothing',
    { tying: 'tied-low-rank', lowRank: 0 },
    /^model\.lowRank is 0; expected an integer from 1 to 8$/,
  ],
  [
    'a rank above the width',
    { tying: 'tied-low-rank', lowRank: 9 },
    /^model\.lowRank is 9; expected an integer from 1 to 8$/,
  ],
  [
    'a rank where nothing has one',
    { lowRank: 4 },
    /^model\.lowRank is 4; expected it to be absent; only tying 'tied-low-rank' has it$/,
  ],
  [
    'a schedule without a change',
    { tying: {} },
    /^model\.tying has no change; expected one of untieAtStep, tieAtStep, untieWhen, tieWhen$/,
  ],
  [
    'a schedule with two steps',
    { tying: { untieAtStep: 1, tieAtStep: 2 } },
    /^model\.tying has more than one change; expected one of untieAtStep/,
  ],
  [
    'a schedule with an unknown step',
    { tying: { untieAt: 5 } },
    /^model\.tying\.untieAt is not an option; expected one of untieAtStep, tieAtStep, untieWhen, tieWhen$/,
  ],
  [
    'a change before the first step',
    { tying: { untieAtStep: 0 } },
    /^model\.tying\.untieAtStep is 0; expected an integer from 1/,
  ],
  ['a change at half a step', { tying: { tieAtStep: 2.5 } }, /^model\.tying\.tieAtStep is 2\.5; expected an integer/],
  ['no change in a list', { tying: [] }, /^model\.tying is an array of 0; expected one change, or a list of 1 to 8$/],
  [
    'nine changes',
    { tying: Array.from({ length: 9 }, (_, i) => (i % 2 ? { tieAtStep: i + 1 } : { untieAtStep: i + 1 })) },
    /^model\.tying is an array of 9; expected one change, or a list of 1 to 8$/,
  ],
  [
    'two changes of one kind',
    { tying: [{ untieAtStep: 3 }, { untieWhen: WHEN }] },
    /^model\.tying\[1\] is untieWhen; expected tieAtStep or tieWhen, since the change before it unties as well$/,
  ],
  [
    'two changes to one table',
    { tying: [{ tieWhen: WHEN }, { untieAtStep: 5 }, { untieAtStep: 9 }] },
    /^model\.tying\[2\] is untieAtStep; expected tieAtStep or tieWhen/,
  ],
  [
    'steps that do not ascend',
    { tying: [{ untieAtStep: 30 }, { tieAtStep: 30 }] },
    /^model\.tying\[1\]\.tieAtStep is 30; expected a step after 30$/,
  ],
  [
    'steps that do not ascend over a condition',
    { tying: [{ untieAtStep: 30 }, { tieWhen: WHEN }, { untieAtStep: 20 }] },
    /^model\.tying\[2\]\.untieAtStep is 20; expected a step after 30$/,
  ],
  [
    'a hole in a list of changes',
    { tying: [{ untieAtStep: 30 }, undefined] },
    /^model\.tying\[1\] is undefined; expected an object with untieAtStep, tieAtStep, untieWhen, tieWhen$/,
  ],
  [
    'a bad condition in a list',
    { tying: [{ untieAtStep: 30 }, { tieWhen: { inputShare: { above: 2 }, over: 1 } }] },
    /^model\.tying\[1\]\.tieWhen\.inputShare\.above is 2; expected a number from 0 to 1$/,
  ],
  [
    'a step and a condition',
    { tying: { untieAtStep: 1, untieWhen: WHEN } },
    /^model\.tying has more than one change; expected one of/,
  ],
  [
    'a condition that is a number',
    { tying: { untieWhen: 0.5 } },
    /^model\.tying\.untieWhen is 0\.5; expected an object with inputShare, over, from$/,
  ],
  [
    'a condition of nothing',
    { tying: { tieWhen: { over: 5 } } },
    /^model\.tying\.tieWhen\.inputShare is undefined; expected an object with above, below$/,
  ],
  [
    'a condition without a limit',
    { tying: { tieWhen: { inputShare: {}, over: 5 } } },
    /^model\.tying\.tieWhen\.inputShare has no limit; expected one of above, below$/,
  ],
  [
    'a condition with two limits',
    { tying: { tieWhen: { inputShare: { above: 0.5, below: 0.6 }, over: 5 } } },
    /^model\.tying\.tieWhen\.inputShare has more than one limit; expected one of above, below$/,
  ],
  [
    'a share above 1',
    { tying: { untieWhen: { ...WHEN, inputShare: { above: 1.5 } } } },
    /^model\.tying\.untieWhen\.inputShare\.above is 1\.5; expected a number from 0 to 1$/,
  ],
  [
    'a share that is not a number',
    { tying: { untieWhen: { ...WHEN, inputShare: { below: NaN } } } },
    /^model\.tying\.untieWhen\.inputShare\.below is NaN; expected a number from 0 to 1$/,
  ],
  [
    'a block without a length',
    { tying: { untieWhen: { inputShare: { above: 0.5 } } } },
    /^model\.tying\.untieWhen\.over is undefined; expected an integer from 1/,
  ],
  [
    'a block of no steps',
    { tying: { untieWhen: { ...WHEN, over: 0 } } },
    /^model\.tying\.untieWhen\.over is 0; expected an integer from 1/,
  ],
  [
    'blocks from before the start',
    { tying: { untieWhen: { ...WHEN, from: -1 } } },
    /^model\.tying\.untieWhen\.from is -1; expected an integer from 0/,
  ],
  [
    'an unknown option of a condition',
    { tying: { untieWhen: { ...WHEN, every: 5 } } },
    /^model\.tying\.untieWhen\.every is not an option; expected .*of inputShare, over, from$/,
  ],
  ['no tying', { tying: null }, /^model\.tying is null; expected one of 'tied'/],
];

const DIRECT: Case[] = [
  ['layers', { nLayers: 2 }, /^model\.nLayers is 2; expected it to be absent; only kind 'transformer' has it$/],
  ['a context', { contextLength: 8 }, /^model\.contextLength is 8; expected it to be absent; only kind 'transformer'/],
  ['a null', { dropout: null }, /^model\.dropout is null; expected it to be absent/],
  [
    'a low-rank correction',
    { tying: 'tied-low-rank' },
    /^model\.tying is 'tied-low-rank'; expected another tying; only kind 'transformer' has this one$/,
  ],
];

const TRAININGS: Case[] = [
  [
    'no batches a step',
    { gradientAccumulation: 0 },
    /^training\.gradientAccumulation is 0; expected an integer from 1/,
  ],
  ['too many sequences a step', { batchSize: 2 ** 20, gradientAccumulation: 8 }, /^training\.\w+ is \d+; expected /],
  [
    'an empty list of scales',
    { inputGradientScale: [] },
    /^training\.inputGradientScale is an array of 0; expected a number, or 1 to 16 pairs \[step, value\]$/,
  ],
  [
    'more scales than fit',
    { inputGradientScale: Array.from({ length: 17 }, (_, i) => [i, 1]) },
    /^training\.inputGradientScale is an array of 17; expected a number, or 1 to 16 pairs/,
  ],
  [
    'a scale that is no pair',
    { inputGradientScale: [[0, 1], 5] },
    /^training\.inputGradientScale\[1\] is 5; expected a pair \[step, value\]$/,
  ],
  [
    'a scale at a step that is none',
    { inputGradientScale: [[-1, 1]] },
    /^training\.inputGradientScale\[0\]\[0\] is -1; expected an integer/,
  ],
  [
    'a scale that is not finite',
    { inputGradientScale: [[0, Infinity]] },
    /^training\.inputGradientScale\[0\]\[1\] is Infinity; expected a number/,
  ],
  [
    'scales out of order',
    {
      inputGradientScale: [
        [5, 1],
        [5, 2],
      ],
    },
    /^training\.inputGradientScale\[1\]\[0\] is 5; expected a step after the one before it, 5$/,
  ],
  [
    'an unknown role',
    { learningRateMultipliers: { embeddings: 2 } },
    /^training\.learningRateMultipliers\.embeddings is not an option; expected 'embedding'/,
  ],
  [
    'a negative multiplier',
    { learningRateMultipliers: { inner: -1 } },
    /^training\.learningRateMultipliers\.inner is -1; expected a number from 0/,
  ],
  [
    'a null multiplier',
    { learningRateMultipliers: { inner: null } },
    /^training\.learningRateMultipliers\.inner is null; expected a number/,
  ],
  ['a decay that is a number', { decayEmbeddings: 1 }, /^training\.decayEmbeddings is 1; expected true or false$/],
];

const cases = (list: Case[], act: (change: object) => (on: Subject) => unknown, of = ''): Refusal[] =>
  list.map(([wrong, change, message]) => {
    const code = /Infinity|NaN/.test(message.source) ? 'not-finite' : 'invalid-argument';
    return [`${wrong}${of}`, act(change), code, message];
  });

const OTHERS: Refusal[] = [
  [
    'a text no longer than the context',
    ({ core }) => core.createTrainer({ model: TRANSFORMER, training: TRAINING, tokenIds: IDS.subarray(0, 4) }),
    'invalid-argument',
    /^options\.tokenIds.* is 4; expected more tokens than the context, 4$/,
  ],
  [
    'a table of bigrams for a model that reads a context',
    ({ core }) => core.createTrainer({ model: TRANSFORMER, training: TRAINING, bigramCounts: TOY_COUNTS }),
    'invalid-argument',
    /^options\.bigramCounts is .*; expected it to be absent; only kind 'direct-path' has it$/,
  ],
  [
    'a model that fits nowhere',
    modelWith({ dModel: 2 ** 16, nLayers: 20 }),
    'out-of-memory',
    /^model\.dModel is 65536 \(.*\); expected at most \d+, for 1792 MiB$/,
  ],
  [
    'a context that does not fit, where a shorter one would',
    modelWith({ contextLength: 2 ** 20, dModel: 256 }),
    'out-of-memory',
    /^model\.contextLength is 1048576 \(.*\); expected at most \d+, for 1792 MiB$/,
  ],
  [
    'an estimate of a transformer without a batch',
    ({ core }) => core.estimateMemory(TRANSFORMER, { learningRate: 1, seed: 1 }),
    'invalid-argument',
    /^training\.batchSize is undefined; expected/,
  ],
  [
    'a tokenizer that is none',
    ({ core }) => core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: IDS, tokenizer: any({}) }),
    'invalid-argument',
    /^options\.tokenizer is an object; expected a tokenizer$/,
  ],
  [
    'a tokenizer of another vocabulary',
    ({ core, tokenizer }) =>
      core.createTrainer({ model: { ...MODEL, vocabSize: 4 }, training: TRAINING, tokenIds: IDS, tokenizer }),
    'shape-mismatch',
    /^options\.tokenizer has 3 tokens; expected as many as the model, 4$/,
  ],
  [
    'a tokenizer beside a table',
    ({ core, tokenizer }) =>
      core.createTrainer(any({ model: MODEL, training: TRAINING, bigramCounts: TOY_COUNTS, tokenizer })),
    'invalid-argument',
    /^options\.tokenizer is .*; expected it to be absent when bigramCounts is given/,
  ],
  [
    'a tokenizer that is gone',
    ({ core }) => {
      const tokenizer = core.trainTokenizer('abc', { kind: 'character' });
      tokenizer.dispose();
      return core.createTrainer({ model: MODEL, training: TRAINING, tokenIds: IDS, tokenizer });
    },
    'disposed',
    /^the tokenizer has been disposed of/,
  ],
];

const GENERATION: Refusal[] = [
  [
    'no options',
    ({ trainer }) => trainer.generate(any(undefined)),
    'invalid-argument',
    /^options is undefined; expected/,
  ],
  [
    'no prompt',
    ({ trainer }) => trainer.generate(any({ tokens: 1 })),
    'invalid-argument',
    /^options\.prompt is undefined; expected a text, or a Uint32Array of token ids$/,
  ],
  [
    'an empty prompt',
    ({ trainer }) => trainer.generate({ prompt: new Uint32Array(0), tokens: 1 }),
    'invalid-argument',
    /^options\.prompt is a Uint32Array of 0; expected at least 1 token$/,
  ],
  [
    'a prompt with an unknown id',
    ({ trainer }) => trainer.generate({ prompt: Uint32Array.of(0, 3), tokens: 1 }),
    'invalid-argument',
    /^options\.prompt\[1\] is 3; expected a token id below 3$/,
  ],
  [
    'a text without a tokenizer',
    ({ trainer }) => trainer.generate({ prompt: 'abc', tokens: 1 }),
    'invalid-argument',
    /^options\.prompt is 'abc'; expected token ids: the trainer has no tokenizer$/,
  ],
  [
    'negative tokens',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: -1 }),
    'invalid-argument',
    /^options\.tokens is -1; expected an integer from 0 to 10000000$/,
  ],
  [
    'a negative temperature',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, temperature: -1 }),
    'invalid-argument',
    /^options\.temperature is -1; expected a number of at least 0$/,
  ],
  [
    'a temperature of NaN',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, temperature: NaN }),
    'not-finite',
    /^options\.temperature is NaN; expected/,
  ],
  [
    'the top none',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, topK: 0 }),
    'invalid-argument',
    /^options\.topK is 0; expected an integer from 1/,
  ],
  [
    'another way beyond the context',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, beyondContext: any('kept') }),
    'invalid-argument',
    /^options\.beyondContext is 'kept'; expected one of 'read' or 'keep'/,
  ],
  [
    'half a seed',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, seed: 0.5 }),
    'invalid-argument',
    /^options\.seed is 0\.5; expected an integer/,
  ],
  [
    'a listener that is none',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, onTokens: any(5) }),
    'invalid-argument',
    /^options\.onTokens is 5; expected a function$/,
  ],
  [
    'a signal that is none',
    ({ trainer }) => trainer.generate({ prompt: IDS, tokens: 1, signal: any({}) }),
    'invalid-argument',
    /^options\.signal is an object; expected an AbortSignal$/,
  ],
  [
    'an unknown option',
    ({ trainer }) => trainer.generate(any({ prompt: IDS, tokens: 1, topk: 4 })),
    'invalid-argument',
    /^options\.topk is not an option; expected 'topK'/,
  ],
];

const LOOKING: Refusal[] = (['logits', 'hiddenStates', 'attention'] as const).flatMap((verb): Refusal[] => [
  [
    `no tokens for ${verb}`,
    ({ trainer }) => trainer[verb](new Uint32Array(0)),
    'invalid-argument',
    /^tokenIds is a Uint32Array of 0; expected at least 1 token$/,
  ],
  [
    `an unknown id for ${verb}`,
    ({ trainer }) => trainer[verb](Uint32Array.of(0, 7)),
    'invalid-argument',
    /^tokenIds\[1\] is 7; expected a token id below 3$/,
  ],
  [
    `more tokens for ${verb} than the context holds`,
    ({ core }) => modelWith({})({ core } as Subject)[verb](IDS),
    'invalid-argument',
    /^tokenIds.* is 6; expected .*4/,
  ],
]);

const BATCHES: Refusal[] = [
  [
    'sequences that do not divide the batch',
    ({ core }) => modelWith({})({ core } as Subject).gradient({ inputs: IDS, targets: IDS, sequenceLength: 4 }),
    'invalid-argument',
    /^batch\.\S+ is \d+; expected /,
  ],
  [
    'sequences longer than the context',
    ({ core }) => modelWith({})({ core } as Subject).gradient({ inputs: IDS, targets: IDS, sequenceLength: 6 }),
    'invalid-argument',
    /^batch\.sequenceLength is 6; expected .*4/,
  ],
  [
    'sequences of nothing',
    ({ core }) => modelWith({})({ core } as Subject).gradient({ inputs: IDS, targets: IDS, sequenceLength: 0 }),
    'invalid-argument',
    /^batch\.sequenceLength is 0; expected an integer from 1/,
  ],
];

const NULLS: Refusal[] = [
  ...['nLayers', 'nHeads', 'nKeyValueHeads', 'contextLength', 'norm', 'normEpsilon', 'positions', 'feedForward'],
  ...['finalNorm', 'biases', 'dropout', 'dFeedForward', 'embeddingScale'],
].map((name) => [
  `null for ${name}`,
  modelWith({ [name]: null }),
  'invalid-argument',
  new RegExp(`^model\\.${name} is null; expected `),
]);

describe('transformers refuse', () =>
  testRefusals([...cases(MODELS, modelWith), ...cases(TRAININGS, trainingWith), ...NULLS, ...OTHERS]));
describe('direct paths refuse', () => testRefusals(cases(DIRECT, directWith)));
describe('generations refuse', () => testRefusals(GENERATION));
describe('looking inside refuses', () => testRefusals([...LOOKING, ...BATCHES]));
