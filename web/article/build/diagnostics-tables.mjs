import { count, entry, nats3, percent, percent0 } from './format.mjs';
import { pairsOfTables } from './seed-drawings.mjs';
import { strong, table } from './table.mjs';

/** The page's tables about what embedding tables become: what is measured in trained models. */

export const alignment = (facts) =>
  table({
    name: 'Agreement of the tables of all runs',
    className: 'seeds',
    columns: [
      'Tables',
      strong('mean'),
      ...facts.alignment.writing.cosines.map((_, index) => `run ${index + 1}`),
      'held-out tokens',
      'by chance',
      'shared neighbors',
    ],
    rows: pairsOfTables(facts).map(({ name, pair }) => [
      name,
      nats3(pair.mean),
      ...pair.cosines.map(nats3),
      nats3(pair.heldOut),
      nats3(pair.chance),
      percent0(pair.shared),
    ]),
  });

export const whose = ({ whose: { pairs } }) =>
  table({
    name: 'Agreement of the tables of the two finished models',
    columns: [
      'Tables',
      strong('mean cosine after a linear map'),
      'by chance', 'unseen tokens, where chance is 0', 'shared neighbors of ten', 'by chance',
    ],
    rows: [
      ['<b class="tied">tied</b> and writing', pairs.writing],
      ['<b class="tied">tied</b> and reading', pairs.reading],
      ['reading and writing', pairs.own],
    ].map(([name, { alignment, overlap }]) => [
      name,
      entry(alignment.meanCosine),
      entry(alignment.null.meanCosine),
      entry(alignment.heldOut.meanCosine),
      percent0(overlap.overlap),
      percent0(overlap.null),
    ]),
  });

export const likeness = ({ likeness: { cosine, frequency, frequencyByChance }, alignment }) =>
  table({
    name: 'What each table is like',
    columns: ['Measure', strong('tied'), 'untied, writing', 'untied, reading', 'by chance'],
    rows: [
      ['nearest neighbors shared with the tied table', '', alignment.writing, alignment.reading],
      ['mean cosine of two rows', cosine],
      ['rank correlation of length and frequency', frequency],
    ].map(([name, own, writing, reading]) =>
      own === ''
        ? [name, '–', percent0(writing.shared), percent0(reading.shared), percent0(writing.sharedByChance)]
        : [name, ...[own.tied, own.writing, own.reading].map(entry), own === frequency ? `0 ± ${entry(frequencyByChance)}` : '0'],
    ),
  });

export const hidden = (facts) =>
  table({
    name: 'Hidden states beside the rows of the tokens that they predict',
    columns: ['beside the row of', strong('rest ÷ part along the row, median'), strong('mean cosine'), 'random directions, median'],
    rows: [
      ['the tied table', facts.hidden.tied],
      ['the untied writing table', facts.hidden.writing],
      ['the untied reading table', facts.hidden.reading],
    ].map(([name, { ratio, cosine, chance }]) => [name, entry(ratio), entry(cosine), entry(chance.ratio)]),
  });

export const paths = ({ paths: { tied, untied, bigrams, chance } }) => {
  const row = (name, ...values) => [name, ...values.map((value) => (value === undefined ? '' : value))];
  const both = (name, of) =>
    row(name, ...[tied, untied].flatMap((report) => [entry(of(report).correlation), self(of(report).selfPrediction)]));
  const self = (share) => (share === undefined ? '' : percent(share));
  return table({
    name: 'Agreement with the bigrams, and tokens that predict themselves',
    columns: ['path', strong('agreement, tied'), 'predict themselves, tied', strong('agreement, untied'), 'predict themselves, untied'],
    rows: [
      both('the two tables alone', ({ paths: { embeddings } }) => embeddings),
      both('with the final norm', ({ paths: { finalNorm } }) => finalNorm),
      both('and the first MLP', ({ paths: { mlp0 } }) => mlp0),
      both('whole model', ({ model }) => model),
      row('word frequencies alone', entry(chance.correlation), '', entry(chance.correlation), ''),
      row('the bigrams', '', self(bigrams.selfPrediction), '', self(bigrams.selfPrediction)),
    ],
  });
};

export const lens = ({ lens: { logit, tuned, chance } }) =>
  table({
    name: 'How far each layer is from the last one, in bits',
    columns: ['state after', ...['logit lens, tied', 'untied', 'tuned lens, tied', 'untied'].map(strong)],
    rows: [
      ...logit.tied.map((_, layer) => [
        layer === 0 ? 'the embedding' : `layer ${layer}`,
        ...[logit.tied, logit.untied, tuned.tied, tuned.untied].map((means) => entry(means[layer])),
      ]),
      ['the same after every token, at best', ...[chance.tied, chance.untied, chance.tied, chance.untied].map(entry)],
    ],
  });

export const ledger = ({ ledger: { rows } }) =>
  table({
    name: 'Writing’s share of the norms of both parts of the gradient, and the share of the logits’ gradient that reaches the hidden state',
    columns: ['training steps', ...['writing’s share, tied', 'untied', 'reaches the state, tied', 'untied'].map(strong)],
    rows: rows.map(({ step, writing, reach }) => [count(step), ...[writing.tied, writing.untied, reach.tied, reach.untied].map(percent0)]),
  });
