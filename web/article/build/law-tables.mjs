import { count, entry, nats3, nats4, percent0 } from './format.mjs';
import { strong, table } from './table.mjs';

/** Tables of what survives of the law for single tokens, what a tied path pays for, and what logits give away. */

const tiedHead = '<b class="tied">one table</b>';
const untiedHead = '<b class="untied">two tables</b>';

/** Of the models of four layers, and the whole one of one layer. */
export const law = ({ law: { tied, untied } }) =>
  table({
    name: 'Tokens that follow themselves less often than they occur',
    columns: ['In', strong(tiedHead), untiedHead],
    rows: [
      ['the direct path', percent0(tied.deep.alone), percent0(untied.deep.alone)],
      ['with the final norm', percent0(tied.deep.norm), percent0(untied.deep.norm)],
      ['with the first MLP and the norm', percent0(tied.deep.mlp), percent0(untied.deep.mlp)],
      ['a whole model of one layer', percent0(tied.shallow.whole), percent0(untied.shallow.whole)],
      ['a whole model of four layers', percent0(tied.deep.whole), percent0(untied.deep.whole)],
    ],
  });

export const gapParts = ({ law: { gap } }) =>
  table({
    name: 'What a tied direct path loses, nats per token above the pairs’ own entropy',
    columns: ['Text, cut into', 'symmetry', strong('no negative eigenvalue, at least'), 'rest, at most', 'trained path'],
    rows: Object.entries({ characters: 'plays, characters', words: 'stories, words' }).map(([name, title]) => {
      const { symmetry, eigenvalues, rest, trained } = gap[name];
      return [title, nats3(symmetry), nats3(eigenvalues), nats3(rest), nats3(trained)];
    }),
  });

export const leak = ({ law: { leak: { tied, bias, untied } } }) =>
  table({
    name: 'What the logits of direct paths of width 12 give away, means of five seeds',
    columns: ['Path', strong('width found'), 'cosine of recovered rows', 'by chance'],
    rows: [
      [tiedHead, tied],
      ['one table, output bias', bias],
      [untiedHead, untied],
    ].map(([name, { width, cosine, chance }]) => [name, count(width), cosine > 0.999 ? nats4(cosine) : entry(cosine), entry(chance)]),
  });
