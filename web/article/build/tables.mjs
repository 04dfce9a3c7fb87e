import { count, entry, escapeHtml, nats4, parameters, percent, percent1 } from './format.mjs';

/** Tables of the page, as HTML. Each scrolls sideways by itself where it is wider than the screen. */

const cell = (content, { head = false, scope = 'col', className = '' } = {}) => {
  const attributes = `${head ? ` scope="${scope}"` : ''}${className === '' ? '' : ` class="${className}"`}`;
  return head ? `<th${attributes}>${content}</th>` : `<td${attributes}>${content}</td>`;
};

/** `columns`: { title, numeric?, className? }[]; `rows`: content[][], the first of each heads its row. */
function table({ name, columns, rows, className = '' }) {
  const classOf = (column) => [column.numeric ? 'numeric' : '', column.className ?? ''].filter(Boolean).join(' ');
  const head = columns.map((column) => cell(column.title, { head: true, className: classOf(column) })).join('');
  const body = rows
    .map((row) => {
      const cells = row.map((content, index) =>
        cell(content, { head: index === 0, scope: 'row', className: classOf(columns[index]) }),
      );
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="table-frame" role="region" aria-label="${escapeHtml(name)}">
<table${className === '' ? '' : ` class="${className}"`}><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

const token = (name) => `<i>${escapeHtml(name)}</i>`;

const pairs = (facts) =>
  table({
    name: 'Pairs of words and their counts in both orders',
    columns: [
      { title: 'Pair' },
      { title: 'in this order', numeric: true },
      { title: 'reversed', numeric: true },
      { title: 'P(second | first)', numeric: true },
      { title: 'P(first | second)', numeric: true },
    ],
    rows: facts.pairs.map((pair) => [
      token(`${pair.first} ${pair.second}`),
      count(pair.forward),
      count(pair.backward),
      percent(pair.probability),
      percent(pair.reverseProbability),
    ]),
  });

/** A square table of the three tokens of the example; the current token heads the row. */
const square = (facts, name, values, write) =>
  table({
    name,
    className: 'square',
    columns: [{ title: 'after' }, ...facts.explorer.tokens.map((one) => ({ title: token(one), numeric: true }))],
    rows: facts.explorer.tokens.map((one, row) => [
      token(one),
      ...facts.explorer.tokens.map((_, col) => {
        const text = write(values(row, col));
        return row === col ? `<span class="diagonal">${text}</span>` : text;
      }),
    ]),
  });

const explorerScores = (facts) =>
  square(facts, 'Logits of the next token', (row, col) => facts.explorer.logits[row * 3 + col], entry);

const explorerProbabilities = (facts) =>
  square(facts, 'Probabilities of the next token', (row, col) => facts.explorer.probabilities[row][col], percent1);

const floors = (facts) =>
  table({
    name: 'Floors of the story’s loss',
    columns: [
      { title: 'Cut into' },
      { title: 'token counts only', numeric: true },
      { title: 'symmetric scores', numeric: true },
      { title: 'all bigrams', numeric: true },
      { title: 'price of symmetry', numeric: true, className: 'strong' },
    ],
    rows: facts.floors.map((one) => [
      `${count(one.vocabSize)} ${one.name}`,
      nats4(one.unigram),
      nats4(one.symmetricLogits),
      nats4(one.bigram),
      nats4(one.price),
    ]),
  });

const toy = (facts) => {
  const { toy: chain } = facts;
  return table({
    name: 'Losses on a chain of three tokens',
    columns: [{ title: 'Model or floor' }, { title: 'loss, nats per token', numeric: true }],
    rows: [
      ['Floor with the current token known', nats4(chain.bigram)],
      ['<b class="untied">Untied</b>, trained, two dimensions', nats4(chain.untied)],
      ['Floor with symmetric scores', nats4(chain.symmetricLogits)],
      ['<b class="tied">Tied</b>, trained, one dimension', nats4(chain.tiedNarrow)],
      ['<b class="tied">Tied</b>, trained, three dimensions', nats4(chain.tiedWide)],
      ['Floor with the current token ignored', nats4(chain.unigram)],
    ],
  });
};

export const armNames = {
  tied: 'Tied',
  untied: 'Untied',
  'tied-linear': 'Tied through a map',
  'tied-mlp': 'Tied through a network',
};

const training = (facts) =>
  table({
    name: 'Losses at the end of training',
    columns: [{ title: 'Nats per token' }, { title: 'loss', numeric: true }, { title: 'above the bigram entropy', numeric: true }],
    rows: [
      ...facts.lab.arms.map((arm) => [
        `<b class="${arm.tying}">${armNames[arm.tying]}</b>`,
        nats4(arm.loss),
        nats4(arm.gap),
      ]),
      ['Floor: symmetric scores', nats4(facts.lab.symmetricLogits), nats4(facts.lab.gap.symmetric)],
      ['Floor: bigram entropy', nats4(facts.lab.bigram), nats4(0)],
    ],
  });

/** Names of the groups of parameters, in the order in which a model uses them. */
const groupNames = {
  tables: 'Tables of tokens',
  positions: 'Positions',
  attention: 'Attention',
  'feed-forward': 'Feed-forward',
  norms: 'Norms',
  head: 'Head, besides its table',
};

const calculator = (facts) => {
  const { gpt2 } = facts.accounting;
  return table({
    name: 'Parameters of GPT-2 small, with one table and with two',
    columns: [
      { title: 'Numbers in' },
      { title: '<b class="tied">tied</b>', numeric: true },
      { title: '<b class="untied">untied</b>', numeric: true },
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
    columns: [{ title: 'The last product' }, { title: 'how many', numeric: true }],
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
    name: 'One table as a share of published models',
    className: 'full',
    columns: [
      { title: 'Model' },
      { title: 'tables' },
      { title: '<var>V</var>', numeric: true },
      { title: '<var>d</var>', numeric: true },
      { title: 'parameters', numeric: true },
      { title: 'tying saves, of the tied model', numeric: true },
      { title: 'of the untied', numeric: true },
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

const favours = {
  tied: '<b class="tied">for tying</b>',
  untied: '<b class="untied">against</b>',
  neither: 'neither',
};

const advice = (facts) =>
  table({
    name: 'Reasons for and against tying',
    columns: [{ title: 'Reason' }, { title: 'speaks' }],
    rows: facts.accounting.advice.reasons.map((reason) => [escapeHtml(reason.because), favours[reason.favours]]),
  });

/** Reading and writing with the table of the example, for section 1. */
function twoJobs(facts) {
  const { tokens, embedding, logits } = facts.explorer;
  const number = (value) => value.toFixed(1);
  const read = 1;
  const vector = [embedding[2 * read], embedding[2 * read + 1]];
  const reading = table({
    name: 'Reading: the row of a token',
    className: 'reading',
    columns: [{ title: 'read' }, { title: 'its row', numeric: true }],
    rows: tokens.map((one, row) => {
      const text = `${number(embedding[2 * row])}, ${number(embedding[2 * row + 1])}`;
      return row === read ? [`<mark>${token(one)}</mark>`, `<mark>${text}</mark>`] : [token(one), text];
    }),
  });
  const writing = table({
    name: 'Writing: the score of every token',
    className: 'writing',
    columns: [{ title: 'write' }, { title: `its row · (${vector.map(number).join(', ')})`, numeric: true }, { title: 'score', numeric: true }],
    rows: tokens.map((one, row) => [
      token(one),
      `${number(embedding[2 * row])} × ${number(vector[0])} + ${number(embedding[2 * row + 1])} × ${number(vector[1])}`,
      `<b>${entry(logits[read * 3 + row])}</b>`,
    ]),
  });
  return `<div class="two-jobs">${reading}${writing}</div>`;
}

/** All tables by name. */
export const makeTables = (facts) => ({
  pairs: pairs(facts),
  'explorer-scores': explorerScores(facts),
  'explorer-probabilities': explorerProbabilities(facts),
  floors: floors(facts),
  toy: toy(facts),
  training: training(facts),
  calculator: calculator(facts),
  compute: compute(facts),
  models: models(facts),
  advice: advice(facts),
  'two-jobs': twoJobs(facts),
});

