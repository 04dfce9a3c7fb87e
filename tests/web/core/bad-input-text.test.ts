import { describe } from 'vitest';
import { any, IDS, testRefusals, type Refusal } from './refusals.js';
import { TOY_CHAIN } from './support.js';

const REFUSALS: Refusal[] = [
  [
    'an empty text',
    ({ core }) => core.trainTokenizer('', { kind: 'character' }),
    'invalid-argument',
    /^text is .*; expected /,
  ],
  [
    'a text of one token',
    ({ core }) => core.trainTokenizer('a', { kind: 'word' }),
    'invalid-argument',
    /^text is .*; expected /,
  ],
  [
    'a text of one kind of token',
    ({ core }) => core.trainTokenizer('aaaa', { kind: 'character' }),
    'invalid-argument',
    /; expected /,
  ],
  [
    'no text',
    ({ core }) => core.trainTokenizer(any(null), { kind: 'bpe' }),
    'invalid-argument',
    /^text is null; expected a string$/,
  ],
  [
    'half of a pair of surrogates',
    ({ core }) => core.trainTokenizer('a\u{1F600}b\uD83Dc', { kind: 'character' }),
    'invalid-argument',
    /^text has U\+D83D at position 4; expected each surrogate in a pair$/,
  ],
  [
    'half of a pair in what is encoded',
    ({ tokenizer }) => tokenizer.encode('\uDE00abc'),
    'invalid-argument',
    /^text has U\+DE00 at position 0; expected each surrogate in a pair$/,
  ],
  [
    'an unknown kind',
    ({ core }) => core.trainTokenizer('abc', { kind: any('words') }),
    'invalid-argument',
    /^options\.kind is 'words'; expected one of 'character', 'word', 'bpe'; did you mean 'word'\?$/,
  ],
  [
    'an alphabet that is none',
    ({ core }) => core.trainTokenizer('abc', { kind: 'bpe', alphabet: any('utf-8') }),
    'invalid-argument',
    /^options\.alphabet is 'utf-8'; expected one of 'bytes' or 'text'$/,
  ],
  [
    'an alphabet for words',
    ({ core }) => core.trainTokenizer('abc', { kind: 'word', alphabet: 'bytes' }),
    'invalid-argument',
    /^options\.alphabet is 'bytes'; expected it to be absent; only kind 'bpe' has it$/,
  ],
  [
    'no alphabet',
    ({ core }) => core.trainTokenizer('abc', { kind: 'bpe', alphabet: any(null) }),
    'invalid-argument',
    /^options\.alphabet is null; expected one of/,
  ],
  [
    'too small a vocabulary',
    ({ core }) => core.trainTokenizer('abc', { kind: 'bpe', vocabSize: 255 }),
    'invalid-argument',
    /^options\.vocabSize is 255; expected an integer from 256 to 4294967295$/,
  ],
  ['an unseen character', ({ tokenizer }) => tokenizer.encode('abz'), 'invalid-argument', /'?z'?.*; expected /],
  [
    'an id that no token has',
    ({ tokenizer }) => tokenizer.decode(Uint32Array.of(0, 3)),
    'invalid-argument',
    /^ids\[1\] is 3; expected /,
  ],
  [
    'ids that are plain numbers',
    ({ tokenizer }) => tokenizer.decode(any([0, 1])),
    'invalid-argument',
    /^ids is an array of 2; expected a Uint32Array of token ids$/,
  ],
  [
    'a tokenizer that is noise',
    ({ core }) => core.loadTokenizer(Uint8Array.of(1, 2, 3), { format: 'tied-embeddings' }),
    'bad-file',
    /^bytes is .*; expected /,
  ],
  [
    'a tokenizer of another format',
    ({ core, tokenizer }) => core.loadTokenizer(tokenizer.save(), { format: any('sentencepiece') }),
    'invalid-argument',
    /^options\.format is 'sentencepiece'; expected one of 'tied-embeddings', 'llama2c', 'gpt2'$/,
  ],
  [
    'a cut tokenizer',
    ({ core, tokenizer }) => core.loadTokenizer(tokenizer.save().slice(0, -1), { format: 'tied-embeddings' }),
    'bad-file',
    /^bytes is .*; expected /,
  ],
  [
    'bigrams of one token',
    ({ core }) => core.bigrams(Uint32Array.of(1), 3),
    'invalid-argument',
    /^tokenIds is a Uint32Array of 1; expected at least 2 tokens$/,
  ],
  [
    'an id beyond the vocabulary',
    ({ core }) => core.bigrams(Uint32Array.of(0, 7), 3),
    'invalid-argument',
    /^tokenIds\[1\] is 7; expected /,
  ],
  [
    'a vocabulary of one token',
    ({ core }) => core.bigrams(IDS, 1),
    'invalid-argument',
    /^vocabSize is 1; expected an integer from 2 to 4294967295$/,
  ],
  [
    'a table that fits nowhere',
    ({ core }) => core.bigrams(IDS, 4_000_000_000),
    'out-of-memory',
    /^vocabSize is 4000000000; expected /,
  ],
  [
    'stories of no length',
    ({ core }) => core.writeStories({ seed: 1, length: 0 }),
    'invalid-argument',
    /^options\.length is 0; expected/,
  ],
  [
    'more stories than fit',
    ({ core }) => core.writeStories({ seed: 1, length: 2 ** 31 }),
    'invalid-argument',
    /^options\.length is 2147483648; expected /,
  ],
  [
    'a negative seed',
    ({ core }) => core.writeStories({ seed: -1, length: 10 }),
    'invalid-argument',
    /^options\.seed is -1; expected an integer from 0 to 2\^53 - 1$/,
  ],
  [
    'a seed beyond the safe integers',
    ({ core }) => core.writeStories({ seed: 2 ** 53, length: 10 }),
    'invalid-argument',
    /^options\.seed is 9007199254740992; expected/,
  ],
  [
    'a chain of one state',
    ({ core }) => core.randomMarkovChain({ states: 1, seed: 1 }),
    'invalid-argument',
    /^options\.states is 1; expected/,
  ],
  [
    'no concentration',
    ({ core }) => core.randomMarkovChain({ states: 3, seed: 1, concentration: 0 }),
    'invalid-argument',
    /^options\.concentration is 0; expected a number from/,
  ],
  [
    'a sample of nothing',
    ({ core }) => core.sampleMarkovChain({ transition: TOY_CHAIN, length: 0, seed: 1 }),
    'invalid-argument',
    /^options\.length is 0; expected/,
  ],
  [
    'a row that sums to 2',
    ({ core }) =>
      core.sampleMarkovChain({
        transition: { ...TOY_CHAIN, data: TOY_CHAIN.data.map((p) => 2 * p) },
        length: 5,
        seed: 1,
      }),
    'invalid-argument',
    /^sum of options\.transition row 0 is 2; expected /,
  ],
];

describe('texts and tokenizers refuse', () => testRefusals(REFUSALS));
