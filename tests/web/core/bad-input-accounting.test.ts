import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Architecture, type Core } from '../../../web/index.js';
import { any, testRefusals, type Refusal } from './refusals.js';

const MODEL: Architecture = { family: 'gpt-2', vocabSize: 100, dModel: 12, nLayers: 2 };

const counting =
  (change: object, tying?: unknown) =>
  ({ core }: { core: Core }) =>
    core.countParameters({ ...MODEL, ...change }, any(tying));

const refusal = (wrong: string, change: object, message: RegExp): Refusal => [
  wrong,
  counting(change),
  'invalid-argument',
  message,
];

const REFUSALS: Refusal[] = [
  [
    'no architecture',
    ({ core }) => core.countParameters(any(undefined)),
    'invalid-argument',
    /^architecture is undefined; expected an object with family, stack, vocabSize/,
  ],
  refusal(
    'an unknown field',
    { nLayer: 2 },
    /^architecture\.nLayer is not an option; expected 'nLayers', or another of family/,
  ),
  refusal(
    'an unknown family',
    { family: 'gpt2' },
    /^architecture\.family is 'gpt2'; expected one of 'gpt-2', .*did you mean 'gpt-2'\?$/,
  ),
  refusal('a family of the prototype', { family: 'constructor' }, /^architecture\.family is 'constructor'; expected/),
  refusal('no tokens', { vocabSize: 0 }, /^architecture\.vocabSize is 0; expected an integer from 1 to 2\^53 - 1$/),
  refusal(
    'a negative width',
    { dModel: -12 },
    /^architecture\.dModel is -12; expected an integer from 1 to 2\^53 - 1$/,
  ),
  refusal('half a layer', { nLayers: 1.5 }, /^architecture\.nLayers is 1\.5; expected an integer from 0/),
  refusal('negative layers', { nLayers: -1 }, /^architecture\.nLayers is -1; expected an integer from 0/),
  refusal('a size as text', { dModel: '12' }, /^architecture\.dModel is '12'; expected an integer/),
  refusal('a size as a bigint', { dModel: 12n }, /^architecture\.dModel is 12n; expected an integer/),
  refusal('null for the default', { nHeads: null }, /^architecture\.nHeads is null; expected an integer from 1/),
  refusal('null for a width', { dFeedForward: null }, /^architecture\.dFeedForward is null; expected an integer/),
  refusal(
    'a size that is not exact',
    { vocabSize: 2 ** 53 },
    /^architecture\.vocabSize is 9007199254740992; expected an integer from 1 to 2\^53 - 1$/,
  ),
  ['a size of NaN', counting({ dModel: NaN }), 'not-finite', /^architecture\.dModel is NaN; expected an integer/],
  [
    'infinite layers',
    counting({ nLayers: Infinity }),
    'not-finite',
    /^architecture\.nLayers is Infinity; expected an integer/,
  ],
  refusal(
    'heads that do not divide',
    { nHeads: 5 },
    /^architecture\.nHeads is 5; expected a divisor of architecture\.dModel, 12/,
  ),
  refusal(
    'keys that do not divide',
    { nHeads: 6, nKeyValueHeads: 4 },
    /^architecture\.nKeyValueHeads is 4; expected a divisor of architecture\.nHeads, 6$/,
  ),
  refusal('no heads', { nHeads: 0 }, /^architecture\.nHeads is 0; expected an integer from 1/),
  refusal(
    'a default width that would not be exact',
    { dModel: 2 ** 51, nHeads: 1 },
    /^architecture\.dFeedForward is 9007199254740992n; expected an integer from 1 to 2\^53 - 1: give a smaller one$/,
  ),
  refusal(
    'more experts at work than there are',
    { nExperts: 4, nActiveExperts: 5 },
    /^architecture\.nActiveExperts is 5; expected an integer from 1 to architecture\.nExperts, 4$/,
  ),
  refusal(
    'experts of which none works',
    { nExperts: 4, nActiveExperts: 0 },
    /^architecture\.nActiveExperts is 0; expected an integer from 1/,
  ),
  refusal(
    'shared experts of none',
    { nSharedExperts: 1 },
    /^architecture\.nSharedExperts is 1; expected 0 or no value; only a mixture of experts/,
  ),
  refusal(
    'more layers without experts than there are',
    { nExperts: 4, nDenseLayers: 3 },
    /^architecture\.nDenseLayers is 3; expected an integer from 0 to architecture\.nLayers, 2$/,
  ),
  refusal(
    'a width of layers that are not there',
    { dDenseFeedForward: 8 },
    /^architecture\.dDenseFeedForward is 8; expected 0 or no value/,
  ),
  refusal(
    'an encoder in a decoder',
    { nEncoderLayers: 2 },
    /^architecture\.nEncoderLayers is 2; expected 0 or no value; only stack 'encoder-decoder' has it$/,
  ),
  refusal('an unknown stack', { stack: 'encoder-encoder' }, /^architecture\.stack is 'encoder-encoder'; expected one/),
  refusal(
    'positions without rows',
    { contextLength: 0 },
    /^architecture\.contextLength is 0; expected an integer from 1/,
  ),
  refusal(
    'biases of a norm that has none',
    { norm: 'rms-norm', normBiases: true },
    /^architecture\.normBiases is true; expected false: only norm 'layer-norm' has biases$/,
  ),
  refusal('five norms a layer', { normsPerLayer: 5 }, /^architecture\.normsPerLayer is 5; expected an integer/),
  refusal('a flag that is a number', { outputBias: 1 }, /^architecture\.outputBias is 1; expected true or false$/),
  refusal(
    'a rank above the width',
    { lowRank: 13 },
    /^architecture\.lowRank is 13; expected an integer from 1 to architecture\.dModel, 12$/,
  ),
  refusal(
    'a rank of tables above the width',
    { tableRank: 13 },
    /^architecture\.tableRank is 13; expected an integer from 0 to architecture\.dModel, 12$/,
  ),
  [
    'a map before factorized tables',
    counting({ tableRank: 4 }, 'tied-linear'),
    'invalid-argument',
    /^tying is 'tied-linear'; expected another tying; factorized tables have no map before them$/,
  ],
  [
    'an unknown tying',
    counting({}, 'tide'),
    'invalid-argument',
    /^tying is 'tide'; expected one of 'tied', .*did you mean 'tied'\?$/,
  ],
  ['no tying', counting({}, null), 'invalid-argument', /^tying is null; expected one of 'tied'/],
  [
    'a tying of encoder-decoders',
    counting({}, 'tied-inputs'),
    'invalid-argument',
    /^tying is 'tied-inputs'; expected another tying; only stack 'encoder-decoder'/,
  ],
  [
    'one table for two vocabularies',
    counting({ outputVocabSize: 50 }, 'tied'),
    'invalid-argument',
    /^architecture\.outputVocabSize is 50; expected/,
  ],
  [
    'heads whose total width exceeds a shape',
    counting({ nHeads: 2 ** 50, dHead: 4 }),
    'invalid-argument',
    /^architecture\.nHeads is 1125899906842624; expected few enough for at most 2\^53 - 1 rows of queries, keys and values of width 4/,
  ],
  [
    'a head width that exceeds a shape',
    counting({ dModel: 2 ** 53 - 1 }),
    'invalid-argument',
    /^architecture\.dModel is 9007199254740991; expected small enough for at most 2\^53 - 1 rows of queries, keys and values of width/,
  ],
  [
    'more than 64 bits',
    counting({
      vocabSize: 1,
      dModel: 1,
      dFeedForward: 2 ** 53 - 1,
      nLayers: 2 ** 53 - 1,
      nHeads: 1,
      dHead: 1,
    }),
    'invalid-argument',
    /^architecture is layers\.\*\.feed_forward\.up\.weight of more than 2\^64 - 2 parameters; expected sizes with at most 2\^64 - 2 parameters in total$/,
  ],
];

testRefusals(REFUSALS);

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

test('counting works after refusals, and leaves its arguments unchanged', () => {
  const given = Object.freeze({ ...MODEL });
  const before = core.countParameters(given);
  expect(() => core.countParameters({ ...given, nHeads: 7 })).toThrow();
  expect(core.countParameters(given)).toEqual(before);
});
