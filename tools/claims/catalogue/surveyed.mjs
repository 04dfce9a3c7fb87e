// What is measured of many texts, without a model.

/** @type {import('./entry.mjs').Entry[]} */
export const surveyed = [
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
