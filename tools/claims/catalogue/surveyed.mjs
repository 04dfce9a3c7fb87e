// Which way texts run: of hidden tokens, and of many texts, without a model.

import { shown } from './entry.mjs';

/** Of 15%, half and 85% of the tokens, hidden. */
const hidden = [15, 50, 85];
const bounds = (arm) => `bigram-bounds(${arm})`;

/** @type {import('./entry.mjs').Entry[]} */
export const surveyed = [
  {
    id: 'hidden-tokens',
    title:
      'Direct paths that predict hidden tokens from the nearest visible one: symmetry is free if they see either side',
    why: 'What masked models and masked diffusion are trained on, as far as a direct path can be: each hidden token is predicted from one visible token, the nearest before it, or that on either side. The pairs are those expected over all choices of hidden tokens.',
    criteria: [
      [
        'hidden-tokens',
        hidden.flatMap((share) =>
          ['one-side-pays', 'either-side-is-free', 'trained-gap-shrinks', 'either-side-still-pays'].map(
            (id) => `${id}-${share}`,
          ),
        ),
      ],
    ],
    values: hidden.flatMap((share) =>
      ['forward', 'either'].flatMap((side) => {
        const [tied, untied] = ['tied', 'untied'].map((tying) => `${tying}-${side}-${share}`);
        return [
          shown('hidden-tokens', `${bounds(tied)}.symmetricLogits - ${bounds(tied)}.bigram`),
          shown('hidden-tokens', `tied-floor(${tied}) - ${bounds(tied)}.bigram`),
          shown('hidden-tokens', `loss(${tied}) - loss(${untied})`),
        ];
      }),
    ),
    missing:
      'transformers with a masked objective, which see all visible tokens at once and where they are: the core has neither attention without a mask nor a masked token.',
  },
  {
    id: 'languages',
    title: 'How one-way the letters of the world’s languages are',
    why: 'The price of symmetry of a text, JS less its mean by chance, in 484 translations of the Universal Declaration into 415 languages, read by letters ([how](science.md#how-one-way-languages-are)). It is what symmetric scores cost a tied direct path, and says which spellings can be told from their reverse, not which languages are better, older or harder, and not which way they run: a text and its reverse have the same price.',
    surveys: [
      [
        'languages',
        [
          'one-way-everywhere',
          'alphabet-explains-little',
          'length-explains-less',
          'both-explain-little',
          'halves-agree',
          'same-length-same-order',
          'spelling-matters',
          'words-run-one-way',
        ],
      ],
    ],
    differs:
      'the criterion expected that a second script changes most prices by more than their intervals. It does so in three of nine languages (Javanese, Uyghur, Turkmen), which decides nothing: Serbian, Bosnian, Azerbaijani and Uzbek in Latin and Cyrillic letters have nearly the same price, as their alphabets stand nearly letter for letter for each other.',
    missing:
      'texts in more than 75 symbols, such as Chinese, Japanese, Korean and Ethiopic ones: a table of their pairs is nearly empty after 10,000 characters. Related languages count as independent, so the intervals are rather too narrow.',
  },
  {
    id: 'other-texts',
    title: 'How one-way thirteen languages are in another text',
    surveys: [['other-texts', ['one-way-in-other-texts', 'other-texts-agree', 'other-texts-are-near']]],
    differs:
      'in everyday sentences, too, all thirteen run one way. But between both texts one language differs by 0.02 nats (median), and most of these European languages are as near to each other: whether both texts put them into the same order, thirteen do not decide. Two halves of the Declaration agree so well because their contents do. Of two languages that are this near, the price of one text does not say which is more one-way.',
  },
];
