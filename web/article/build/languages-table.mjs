import { count, escapeHtml, nats3, percent0 } from './format.mjs';
import { strong, table } from './table.mjs';

/** Some of the recorded texts, the least one-way first. */
export const languages = ({ languages: { texts, shown } }) =>
  table({
    name: `The price of symmetry of ${count(shown.length)} of ${count(texts)} texts, nats per letter`,
    columns: ['Language', strong('price'), '95%: ±', 'by chance', 'of what a letter tells'],
    rows: shown.map(({ name, price, halfWidth, chance, share }) => [
      escapeHtml(name),
      nats3(price),
      nats3(halfWidth),
      nats3(chance),
      percent0(share),
    ]),
  });
