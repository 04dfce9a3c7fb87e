/** What draws a card, a comparison and a tensor: a separate script, fetched once the reader measures, compares or looks inside. */
export { cardInWords, cardOf } from './card/card-findings.js';
export { cardData } from './card/lists.js';
export { blocksMap, histogramView, statisticsTable, tensorData, windowMap } from './tensor/tensor-findings.js';
export { comparisonData, comparisonOf } from './compare/comparison-findings.js';
