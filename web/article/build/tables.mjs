import { armNames } from './arm-names.mjs';
import { alignment, hidden, ledger, lens, likeness, paths, whose } from './diagnostics-tables.mjs';
import { languages } from './languages-table.mjs';
import { count, entry, escapeHtml, nats, nats3, nats4, parameters, percent, percent0, percent1, percent2, words as spelled } from './format.mjs';
import { gapParts, law, leak } from './law-tables.mjs';
import { variantsOf } from './seed-drawings.mjs';
import { knowledge, pipeline, positionTable, properties } from './position-tables.mjs';
import { seedTable, strong, table, token, words } from './table.mjs';
import { partsTable } from './transformer-parts.mjs';

/** The page's tables, as HTML. A table that is wider than the screen scrolls sideways by itself. */

/** The decisive columns come first: on a phone, the counts are off screen. */
const pairs = (facts) =>
  table({
    name: 'Pairs of words, with probabilities and counts in both orders',
    columns: ['Pair', strong('second word after the first'), strong('first word after the second'), 'count in this order', 'reversed'],
    rows: facts.pairs.map((pair) => [
      token(`${pair.first} ${pair.second}`),
      percent(pair.probability),
      percent(pair.reverseProbability),
      count(pair.forward),
      count(pair.backward),
    ]),
  });

/** What moving to another text did to small GPTs. */
const moved = ({ moved: { tied, untied, longer, seeds } }) =>
  table({
    name: 'Small GPTs before and after they are moved to a second text',
    columns: ['', '<b class="tied">one table</b>', '<b class="untied">two tables</b>'],
    rows: [
      [`loss on the first text rises by, nats (${spelled(seeds)} seeds)`, nats(tied.forgotten.mean), nats(untied.forgotten.mean)],
      ['confidence on the second is off by, before', percent(tied.second.before.error.mean), percent(untied.second.before.error.mean)],
      ['and after', percent(tied.second.after.error.mean), percent(untied.second.after.error.mean)],
      [
        `trained longer: loss on the first rises by, nats (${spelled(longer.seeds)} seeds)`,
        nats(longer.tied.forgotten.mean),
        nats(longer.untied.forgotten.mean),
      ],
    ],
  });

/** Logits of the example's three tokens; each row is headed by the current token. */
const explorerScores = (facts) =>
  table({
    name: 'Logits of the next token',
    className: 'square',
    columns: ['after', ...facts.explorer.tokens.map((one) => token(one))],
    rows: facts.explorer.tokens.map((one, row) => [
      token(one),
      ...facts.explorer.tokens.map((_, col) => {
        const text = entry(facts.explorer.logits[row * 3 + col]);
        return row === col ? `<span class="diagonal">${text}</span>` : text;
      }),
    ]),
  });

const writers = { story: 'the story', pairs: 'its word pairs', symmetric: 'symmetric scores' };

/** Lines of the game, with their solutions. */
const lines = ({ arrow }) =>
  table({
    name: 'Lines from Story and from models of its word pairs',
    columns: ['Line', 'from', 'runs'],
    rows: arrow.lines.map(({ source, words: line, direction }) => [escapeHtml(line), writers[source], direction]),
  });

/** The pairs of words with the largest difference between both orders. */
const oneWay = ({ arrow }) =>
  table({
    name: 'Story’s strongest one-way pairs of words',
    columns: ['Pair', 'times', 'reversed'],
    rows: arrow.pairs.map(({ pair, forward, backward }) => [token(pair.join(' ')), count(forward), count(backward)]),
  });

/** Models that read a share of the pairs backward. */
const direction = ({ arrow: { shares, either, forward, tent, tied, untied } }) =>
  table({
    name: 'Losses by the share of pairs read backward, nats per character',
    columns: ['Read backward', strong('<b class="tied">one table</b>'), '<b class="untied">two tables</b>', 'symmetric floor', 'bigram floor'],
    rows: shares.map((share, at) => [
      percent0(share),
      nats3(tied.losses[at]),
      nats3(untied.losses[at]),
      nats3(either.symmetric),
      nats3(share === 0 ? forward.bigram : tent[share * (tent.length - 1)]),
    ]),
  });

const irreversibility = ({ irreversibility: { js, null: chance, share } }) =>
  table({
    name: 'How irreversible the story is by characters, beside chance',
    columns: ['text', 'JS, nats', 'share'],
    rows: [
      ['the story, forward or backward', nats4(js), percent(share)],
      ['reversible texts of the same length', nats4(chance.mean), ''],
    ],
  });

const floors = (facts) =>
  table({
    name: 'Floors of Story’s loss',
    columns: [
      'Cut into',
      'unigram floor',
      'symmetric floor',
      'bigram floor',
      strong('price of symmetry'),
      'of the same tokens in random order',
      'each pair judged by the others',
    ],
    rows: facts.floors.map((one) => [
      `${count(one.vocabSize)} ${one.name}`,
      nats3(one.unigram),
      nats3(one.symmetricLogits),
      nats3(one.bigram),
      nats3(one.price),
      nats3(one.shuffled),
      nats3(one.heldOut),
    ]),
  });

const toy = (facts) => {
  const { toy: chain } = facts;
  return table({
    name: 'Losses on a chain of three tokens',
    columns: ['Model or floor', 'loss, nats per token'],
    rows: [
      ['Bigram floor', nats4(chain.bigram)],
      ['<b class="untied">Untied</b>, trained, two dimensions', nats4(chain.untied)],
      ['Symmetric floor', nats4(chain.symmetricLogits)],
      ['<b class="tied">Tied</b>, trained, one dimension', nats4(chain.tiedNarrow)],
      ['<b class="tied">Tied</b>, trained, three dimensions', nats4(chain.tiedWide)],
      ['Unigram floor', nats4(chain.unigram)],
    ],
  });
};

/** The tasks of the game about repetition, for readers without scripts. */
const repeatTasks = ({ odds, alphabet }) =>
  table({
    name: 'Three tasks for one shared table',
    columns: ['Task', words('with one table'), ''],
    rows: [
      [
        '<i>York</i> follows <i>New</i>, but <i>New</i> hardly follows <i>York</i>',
        'possible',
        `${percent(odds.yorkAfterNew)}, ${percent(odds.newAfterYork)}`,
      ],
      [
        'A one-way road through the alphabet: after each letter the next',
        'possible',
        percent2(alphabet.probability),
      ],
      ['A token follows itself less often than it occurs', 'impossible', ''],
    ],
  });

const training = (facts) =>
  table({
    name: 'Losses at the end of training',
    columns: ['Nats per token', 'loss', 'above the bigram floor'],
    rows: [
      ...facts.lab.arms.map((arm) => [
        `<b class="${arm.tying}">${armNames[arm.tying]}</b>`,
        nats4(arm.loss),
        nats4(arm.gap),
      ]),
      ['Symmetric floor', nats4(facts.lab.symmetricLogits), nats4(facts.lab.gap.symmetric)],
      ['Bigram floor', nats4(facts.lab.bigram), nats4(0)],
    ],
  });

/** The two small transformers that readers train. */
const gpt = ({ gpt: { steps, tied, untied } }) =>
  table({
    name: 'Two small transformers',
    columns: ['Model', 'Parameters', `Held-out loss after ${count(steps)} steps, nats per token`],
    rows: Object.entries({ tied, untied }).map(([name, { parameters: all, loss }]) => [name, count(all), nats3(loss)]),
  });

const experiment = (facts) =>
  seedTable({
    name: 'Held-out losses of all runs, nats per token',
    head: 'Variant',
    rows: variantsOf(facts).map(({ name, arm }) => ({ label: name, mean: arm.mean, values: arm.losses })),
  });

const labSeeds = (facts) =>
  seedTable({
    name: 'Gaps above the bigram floor of all runs, nats per token',
    head: 'Model',
    rows: facts.lab.seeds.map(({ tying, mean, gaps }) => ({ label: armNames[tying], mean, values: gaps })),
  });

/**
 * From Press and Wolf: perplexity on the Penn Treebank in training and test, after parameters in millions. Typed in as
 * published; the last column is computed.
 */
const pressAndWolf = [
  { model: 'Large LSTM, dropout', untied: [66, 37.8, 78.4], tied: [51, 48.5, 74.3] },
  { model: 'Large LSTM, Bayesian dropout', untied: [66, 24.3, 75.2], tied: [51, 28.2, 73.2] },
  { model: 'Small LSTM, no dropout', untied: [4.65, 38, 114.5], tied: [2.65, 36.4, 112.4] },
];

const perplexities = () =>
  table({
    name: 'Perplexities on the Penn Treebank, after Press and Wolf',
    columns: [
      'Perplexity of',
      'test text, <b class="untied">two</b> tables',
      strong('<b class="tied">one</b> table'),
      'training text, <b class="untied">two</b>',
      '<b class="tied">one</b>',
      'parameters, millions, <b class="untied">two</b>',
      '<b class="tied">one</b>',
      'gain on test text, nats',
    ],
    rows: pressAndWolf.map(({ model, untied, tied }) => [
      model,
      untied[2].toFixed(1),
      tied[2].toFixed(1),
      untied[1].toFixed(1),
      tied[1].toFixed(1),
      String(untied[0]),
      String(tied[0]),
      nats3(Math.log(untied[2] / tied[2])),
    ]),
  });

/** Names of the groups of parameters, in the order in which a model uses them. */
const groupNames = {
  tables: 'Token tables',
  positions: 'Positions',
  attention: 'Attention',
  'feed-forward': 'Feed-forward',
  norms: 'Norms',
  head: 'Rest of the head',
};

const calculator = (facts) => {
  const { gpt2 } = facts.accounting;
  return table({
    name: 'Parameters of GPT-2 small, with one table and with two',
    columns: [
      'Parameters in',
      '<b class="tied">tied</b>',
      '<b class="untied">untied</b>',
    ],
    rows: [
      ...Object.entries(gpt2.groups)
        .filter(([, [tied, untied]]) => tied + untied > 0)
        .map(([group, counts]) => [groupNames[group], ...counts.map(count)]),
      ['All', count(gpt2.tied), count(gpt2.untied)],
      ['Tying saves', percent1(gpt2.savedOfStored), percent1(gpt2.savedOfUntied)],
    ],
  });
};

const compute = (facts) => {
  const { forward, backward, total, logitsBytes } = facts.accounting.head;
  return table({
    name: 'Multiply-accumulates of the last product',
    columns: ['The last product', 'how many'],
    rows: [
      ['Multiply-accumulates, forward', count(forward)],
      ['Backward', count(backward)],
      ['A step of training', count(total)],
      ['Bytes of the scores, as 32-bit floats', count(logitsBytes)],
    ],
  });
};

const models = (facts) =>
  table({
    name: 'What tying saves published models',
    className: 'full',
    columns: [
      'Model',
      words('tables'),
      '<var>V</var>',
      '<var>d</var>',
      'parameters',
      'tying saves, of the tied model',
      'of the untied',
    ],
    rows: facts.accounting.models.list.map((model) => [
      escapeHtml(model.name),
      model.tied ? '<b class="tied">shared</b>' : '<b class="untied">apart</b>',
      count(model.vocabSize),
      count(model.dModel),
      parameters(model.total),
      percent1(model.savedOfTied),
      percent1(model.savedOfUntied),
    ]),
  });

/** What the parameters of a few models do. */
const roles = (facts) =>
  table({
    name: 'Where the parameters of a model are',
    columns: ['Model', 'parameters', 'read and write', 'only read', 'only write', 'compute'],
    rows: Object.values(facts.accounting.roles).map(({ name, total, both, reads, writes, computes }) => [
      escapeHtml(name),
      parameters(total),
      ...[both, reads, writes, computes].map(percent1),
    ]),
  });

const favours = {
  tied: '<b class="tied">for tying</b>',
  untied: '<b class="untied">against</b>',
  neither: 'neither',
};

const advice = (facts) =>
  table({
    name: 'Reasons for and against tying',
    columns: ['Reason', words('argues')],
    rows: facts.accounting.advice.reasons.map((reason) => [escapeHtml(reason.because), favours[reason.favours]]),
  });

const headNames = {
  ...{ full: 'Full', sampled: 'Sampled', adaptive: 'Adaptive', clustered: 'Clustered', culled: 'Culled' },
  ...{ factorized: 'Factorized', ngrams: 'Reads pairs' },
};
/** A head without a name is a fault of this file. */
function headName(head) {
  if (headNames[head] === undefined) throw new Error(`headNames has no name for the head '${head}'`);
  return headNames[head];
}

/** What each head costs per step, and the losses after equal steps and after equal time. */
const heads = ({ heads: { rows, steps, seconds } }) =>
  table({
    name: 'What heads cost, and the losses of models with them',
    columns: [
      'head',
      ...['counted', 'measured'].map((how) => `a step, ${how}`),
      ...['tied', 'untied'].map((one) => `${one}, after ${count(steps)} steps`),
      ...['tied', 'untied'].map((one) => strong(`${one}, after ${entry(seconds)} s`)),
    ],
    rows: rows.map(({ head, counted, measured, atSteps, atTime }) => [
      headName(head),
      percent0(counted),
      percent0(measured),
      entry(atSteps.tied),
      entry(atSteps.untied),
      entry(atTime.tied.loss),
      entry(atTime.untied.loss),
    ]),
  });

/** Losses of a model with two tables, and with one of them in both roles. */
const lost = ({ files }) =>
  table({
    name: 'Losses with both tables and without one of them',
    columns: ['step', 'both tables', strong('no writing table'), 'no reading table', 'guessing'],
    rows: files.lost.rows.map(({ step, both, head, input }) => [
      count(step),
      ...[both.mean, head.mean, input.mean, files.lost.guessing].map(nats3),
    ]),
  });

/** What tables weigh in files, and how well models predict with them. */
const packedTables = ({ files }) =>
  table({
    name: 'Kilobytes of tables and bits per byte of text, by the kind of file',
    columns: ['file', 'one table, KB', strong('bits per byte'), 'two tables, KB', strong('bits per byte'), 'saved'],
    rows: files.bits.rows.map(({ packing, tied, untied, saved }) => [
      packing,
      count(tied.kilobytes),
      nats3(tied.loss.mean),
      count(untied.kilobytes),
      nats3(untied.loss.mean),
      percent1(saved),
    ]),
  });

/** Two sizes side by side: tables of the size that is often quoted, and those of the models that were trained. */
const threeTables = ({ accounting: { translator }, seq2seq }) => {
  const millions = (parameters) => (parameters / 1e6).toFixed(1);
  const trained = (tying) => [percent0(seq2seq[tying].exactMatch), nats3(seq2seq[tying].loss)];
  const shared = (name, { stored, savedShare }, tying) => [
    name,
    millions(stored),
    percent1(savedShare),
    ...trained(tying),
  ];
  return table({
    name: 'Parameters of three tables, two and one, and models with each',
    columns: ['Tables', strong('millions'), strong('saved'), 'words right', 'loss, nats'],
    rows: [
      ['<b class="untied">three</b>', millions(translator.three), '', ...trained('none')],
      shared('two', translator.two, 'decoder'),
      shared('<b class="tied">one</b>', translator.one, 'all'),
    ],
  });
};

const written = ({ seq2seq: { written, examples } }) => {
  const shown = [0, 4, 8, written.length - 1].map((index) => written[index]);
  return table({
    name: 'What the model with one table wrote',
    columns: ['to be reversed', ...shown.map(({ step }) => words(`step ${count(step)}`))],
    rows: examples.map(({ source }, index) => [token(source), ...shown.map(({ texts }) => escapeHtml(texts[index]))]),
  });
};

/** All tables by name. */
export const makeTables = (facts) => ({
  pairs: pairs(facts),
  'explorer-scores': explorerScores(facts),
  floors: floors(facts),
  irreversibility: irreversibility(facts),
  lines: lines(facts),
  'one-way': oneWay(facts),
  direction: direction(facts),
  toy: toy(facts),
  'repeat-tasks': repeatTasks(facts),
  training: training(facts),
  experiment: experiment(facts),
  alignment: alignment(facts),
  likeness: likeness(facts),
  whose: whose(facts),
  hidden: hidden(facts),
  ledger: ledger(facts),
  heads: heads(facts),
  lens: lens(facts),
  paths: paths(facts),
  'lab-seeds': labSeeds(facts),
  perplexities: perplexities(),
  calculator: calculator(facts),
  compute: compute(facts),
  models: models(facts),
  lost: lost(facts),
  packed: packedTables(facts),
  roles: roles(facts),
  'three-tables': threeTables(facts),
  written: written(facts),
  law: law(facts),
  'gap-parts': gapParts(facts),
  moved: moved(facts),
  leak: leak(facts),
  languages: languages(facts),
  advice: advice(facts),
  position: positionTable(facts),
  pipeline: pipeline(),
  properties: properties(),
  gpt: gpt(facts),
  knowledge: knowledge(),
  parts: partsTable(facts),
});

