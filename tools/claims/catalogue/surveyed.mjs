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
      'other texts, and all that a masked model sees at once, and where it is: see [masked-tying](#transformers-that-predict-hidden-tokens-from-both-sides-what-one-table-costs-them).',
  },
  {
    id: 'masked-tying',
    title: 'Transformers that predict hidden tokens from both sides: what one table costs them',
    why: 'The symmetry of a tied direct path is free where either side is read. Transformers read both sides at once, and can tell them apart by their positions. Those of the next token have batches half as large as the others, so that half hidden or a drawn number of hidden tokens are as many predictions per step. Losses of different objectives are not comparable, only what one table adds to each.',
    criteria: [
      [
        'masked-tying',
        [
          'the-mask-is-one-row',
          'one-table-costs-next',
          'one-table-costs-masked',
          'one-table-costs-diffusion',
          'masked-costs-less',
          'diffusion-costs-less',
          'few-hidden-cost-more',
          'a-map-helps-next',
          'a-map-helps-masked-less',
        ],
      ],
    ],
    values: [
      ...['next', 'masked-15', 'masked-50', 'diffusion'].flatMap((objective) => [
        shown('masked-tying', `loss(tied-${objective})`),
        shown('masked-tying', `loss(tied-${objective}) - loss(untied-${objective})`),
      ]),
      ...['next', 'masked-50'].map((objective) =>
        shown('masked-tying', `loss(tied-${objective}) - loss(map-${objective})`),
      ),
    ],
    differs:
      'one table does cost less where both sides are read, in every seed, but what that says is limited: 400 steps are few for these models. Their losses, 5.47 to 5.50 nats with one table, are near that of token frequencies alone (5.52), where models of the next token are at 4.3. A model that has learned little from its context has little that one table could cost; what is left after longer runs is asked [next](#transformers-that-have-learned-to-predict-hidden-tokens-what-one-table-costs-them). Whether 15% or half of the tokens are hidden makes no difference that three seeds agree on. A map before the shared table, which frees a direct path of its symmetry, raises the loss of next tokens by 0.03 to 0.15 nats at this rate and changes nothing in masked models, so it does not measure what symmetry costs a transformer.',
    missing:
      'other texts, widths and depths; random or unchanged tokens in place of some masks, as BERT has them; a loss of masked diffusion averaged over many draws.',
  },
  {
    id: 'masked-longer',
    title: 'Transformers that have learned to predict hidden tokens: what one table costs them',
    why: 'After the 400 steps of the experiment before, masked models predicted little better than token frequencies do, so one table had little to cost. Text, tokenizer, width and depth are those of that experiment. Rotary positions, a rate of 0.01 in place of 0.003 and 2000 steps were chosen in trials with seed 901, in the last of which models with one table ended 1.20 (half hidden) and 0.74 nats (masked diffusion) below token frequencies. No trial had a tied and an untied model of one objective, so what one table costs was not known. Since three seeds left the costs of models with half of the tokens hidden open, masked-seeds then asked the same of six others, about their means; it was declared when the first outcome was known.',
    criteria: [
      [
        'masked-longer',
        [
          'one-table-has-learned-masked',
          'two-tables-have-learned-masked',
          'one-table-has-learned-diffusion',
          'two-tables-have-learned-diffusion',
          'one-table-costs-next',
          'one-table-costs-masked',
          'one-table-costs-diffusion',
          'masked-costs-less',
          'diffusion-costs-less',
          'masked-costs-less-of-what-is-learned',
          'diffusion-costs-less-of-what-is-learned',
        ],
      ],
      [
        'masked-seeds',
        [
          'one-table-has-learned-masked',
          'two-tables-have-learned-masked',
          'one-table-costs-next',
          'one-table-costs-masked',
          'masked-costs-less',
          'masked-costs-less-of-what-is-learned',
        ],
      ],
    ],
    values: [
      shown('masked-longer', `${bounds('untied-next')}.unigram`),
      shown('masked-longer', 'loss(tied-masked-50, step=200)'),
      ...['next', 'masked-50', 'diffusion'].flatMap((objective) => {
        const at = (step) =>
          shown('masked-longer', `loss(tied-${objective}${step}) - loss(untied-${objective}${step})`);
        return [shown('masked-longer', `loss(tied-${objective})`), ...[', step=400', ', step=1000', ''].map(at)];
      }),
      ...['next', 'masked-50'].flatMap((objective) => [
        shown('masked-seeds', `loss(tied-${objective})`),
        shown('masked-seeds', `loss(tied-${objective}) - loss(untied-${objective})`),
      ]),
    ],
    differs:
      'with three seeds, the signs of what one table costs disagree: 0.01 ± 0.15 nats with half of the tokens hidden and -0.04 ± 0.14 in masked diffusion, against 0.08 ± 0.08 for next tokens; only in masked diffusion does it cost less in every seed. These models differ more by their starts than by their tables: already after 400 steps, one table is 0.09 nats better in one seed and 0.12 worse in another. Six other seeds decide: once the models have learned, one table costs 0.00 ± 0.06 nats with half of the tokens hidden and 0.07 ± 0.01 for next tokens, less by 0.07 ± 0.06. So that it costs masked models less is not only because they had learned nothing yet. As a share of what is learned, which is less in masked models, the difference stayed undecided. The 0.07 to 0.11 nats that models paid at a lower rate, before they had learned from their context, are not seen here at any step.',
    missing:
      'other texts, widths and depths; models trained until they improve no more; a loss of masked diffusion averaged over many draws.',
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
