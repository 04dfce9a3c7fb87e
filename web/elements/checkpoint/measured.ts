/** What is drawn of a card and of a comparison: a script of its own, fetched once the reader measures or compares. */
export { cardInWords, cardOf } from './card/card-findings.js';
export { cardData } from './card/lists.js';
export { comparisonData, comparisonOf } from './compare/comparison-findings.js';
