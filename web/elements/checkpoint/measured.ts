/** What draws a card and a comparison: a separate script, fetched once the reader measures or compares. */
export { cardInWords, cardOf } from './card/card-findings.js';
export { cardData } from './card/lists.js';
export { comparisonData, comparisonOf } from './compare/comparison-findings.js';
