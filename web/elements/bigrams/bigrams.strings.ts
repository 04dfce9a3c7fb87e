import { builtInTexts } from '../../texts/index.js';
import { chanceStrings } from '../shared/chance.js';
import { ownTextProblems, ownTextStrings } from '../shared/own-text.js';
import type { MapValues, TextOrder } from './bigrams.settings.js';

/** English texts of `<tied-bigrams>`. Numbers arrive formatted. */
export const bigramsStrings = {
  ...ownTextStrings,
  ...ownTextProblems,
  ...chanceStrings,
  title: 'Can you tell whether your text runs backward?',
  repeatHint: 'In a terminal with Node this command measures the same text, with the same numbers.',
  textSource: 'Text',
  textSources: {
    ...Object.fromEntries(builtInTexts.map(({ id, title }) => [id, title])),
    stories: 'Generated stories',
    own: 'Your own text',
  } as Readonly<Record<string, string>>,
  tokenizer: 'Cut into',
  tokenizers: { character: 'Characters', word: 'Words' },
  vocabSize: 'Vocabulary',
  textOrder: 'Read',
  textOrders: { written: 'As written', backwards: 'Backward', shuffled: 'Shuffled' } as Record<TextOrder, string>,
  mapValues: 'Show',
  mapValuesNames: { flow: 'Net flow', counts: 'Counts', probabilities: 'Next token' } as Record<MapValues, string>,
  mapTokens: 'Tokens',
  emptyText: 'Paste some text first.',
  oneToken: {
    character: 'Every character of this text is the same. Give a text with at least two different characters.',
    word: 'This text is a single word. Give a text with at least two words, or cut it into characters.',
  },
  useModelsText: 'Use the text of your models',
  waitingForText: 'Paste a text, choose a file or drop one here.',
  counting: (percent: string) => `Counting pairs and drawing reversible texts: ${percent}%`,
  facts: (tokens: string, different: string) => `${tokens} tokens, ${different} different`,

  axisTitle: 'How irreversible: JS in nats',
  axisLabel: (rows: string) => `How irreversible the text is, in nats, on an axis from 0 to ln 2. ${rows}`,
  reversible: 'reversible',
  oneWay: 'one way only',
  share: (percent: string) => `${percent}%`,
  shareTitle: 'share',
  nullKey: 'reversible texts, by chance',
  textKey: 'this text',
  row: (order: string, js: string, mean: string, share: string) =>
    `${order}: ${js}; reversible texts of this length, by chance: ${mean}; share ${share}.`,

  mapTitles: {
    flow: 'Net flow J − Jᵀ, in % of all pairs',
    counts: 'How often one token follows another',
    probabilities: 'Probability of the next token',
  } as Record<MapValues, string>,
  current: 'current token',
  next: 'next token',
  pairsTitle: 'Strongest one-way pairs',
  noPairs: 'Every pair occurs as often in one order as in the other.',
  arrow: (from: string, to: string) => `${from}\u00a0→\u00a0${to}`,
  times: (count: string) => (count === '0' ? 'never' : count === '1' ? 'once' : `${count} times`),
  pair: (forward: string, there: string, backward: string, back: string) => `${forward} ${there}, ${backward} ${back}`,
  back: (count: string) => (count === '0' ? 'never back' : `${count} back`),
  cyclesTitle: 'Strongest cycles of three, and how likely each way round is',
  cycle: (a: string, b: string, c: string) => [a, b, c, a].join(' → '),
  oneIn: (times: string) => (times === '1' ? 'nearly always' : `1 in ${times}`),
  always: 'always',
  twice: (name: string, times: string) => `${name} twice in a row: ${times}`,

  irreversible: 'This text has a direction.',
  noDirection: 'This text shows no direction.',
  noOrder: 'No order is left.',
  found: (js: string) => `Its pairs differ from the same pairs read backward by ${js} nats.`,
  byChance: (mean: string) => `By chance, reversible texts of this length reach ${mean}.`,
  control: (js: string) => `With its tokens shuffled it reaches ${js}.`,
  cost: (share: string, token: string) =>
    `The excess is ${share} of what a ${token} tells about the next one. Symmetric scores cannot use it.`,
  cycles: (token: string, bits: string, chance: string) =>
    `Around cycles of three ${token}s, one direction is likelier than the other by ${bits} bits on average${chance}.`,
  cyclesByChance: (bits: string) => `; in reversible texts, by ${bits}`,
  cyclesWithoutChance: '; there are too few pairs to tell what reversible texts reach',
  noCycles: (token: string) =>
    `No cycle of three ${token}s occurs in both directions, so its preference for one cannot be given in bits.`,
  tokenWords: { character: 'character', word: 'word' },
  backwardsFound:
    'Backward, every flow reverses and the distance stays the same. Symmetric scores fit this text and its reverse equally well, apart from its ends.',
  shuffledFound: (js: string) => `The shuffled text has the same tokens and reaches ${js} nats.`,
  sparse:
    'It is above chance because many pairs occur only once or twice here, which makes the chance level too low. A longer text or fewer different tokens bring the two together.',
  caption:
    'Rows are the first token, columns the next. Read the text backward, and the map of net flow turns into its mirror image. Shuffle it, and the map fades. Then try a text of your own: a song, or a page of code.',

  dataOrders: 'Irreversibility, nats',
  dataHead: ['', 'JS', 'Null, mean', 'Null, SD', 'JS, held out', 'Mutual information', 'Share'] as readonly string[],
  dataCycles: (compared: string, oneWay: string) =>
    `Cycles of three tokens, by their net flow (${compared} occur in both directions, ${oneWay} in one only)`,
  dataCyclesHead: ['', 'This way', 'The other way', 'Bits', 'Net flow'] as readonly string[],
  noBits: '–',
  dataPairs: 'One-way pairs, by the difference of their counts',
  dataPairsHead: ['', 'This way', 'The other way'] as readonly string[],
};

export type BigramsStrings = typeof bigramsStrings;
