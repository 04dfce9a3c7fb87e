import { entry, nats3 } from './format.mjs';
import { table, token, words } from './table.mjs';

/** Tables about one position: worked by hand, in general, and what both roles of a table are for. */

const letter = (name, index = '') => `<var>${name}</var>${index === '' ? '' : `<sub>${index}</sub>`}`;

/** All six steps of the figure that scripts replace. */
export const positionTable = ({ position: { words: names, read, target, rows, worked } }) =>
  table({
    name: 'One position by hand',
    columns: ['', 'its row', ...[`logit ${letter('z')}`, `e<sup>${letter('z')}</sup>`, letter('p'), letter('y')], `${letter('p')} − ${letter('y')}`],
    rows: names.map((name, row) => [
      row === read ? `<b class="input">${token(name)}</b>` : token(name),
      rows[row].join(', '),
      entry(worked.logits[row]),
      entry(worked.exponentials[row]),
      row === target ? `<b>${nats3(worked.probabilities[row])}</b>` : nats3(worked.probabilities[row]),
      String(worked.wanted[row]),
      `<b class="output">${nats3(worked.residuals[row])}</b>`,
    ]),
  });

/** The forward pass of a language model, in order. */
export const pipeline = () =>
  table({
    name: 'From a text to its next token',
    columns: ['', words('what is computed'), words('shape')],
    rows: [
      ['tokenizer', 'token ids, from 0 to <var>V</var> − 1', 'B × T'],
      ['embedding', `rows of ${letter('W', 'E')}, times <var>s</var> (1 or √<var>d</var>), plus vectors for their positions`, 'B × T × d'],
      ['layers', `add attention and feed-forward parts: ${letter('H')}`, 'B × T × d'],
      ['logits', `${letter('H')} ${letter('W', 'U')}<sup>T</sup> + ${letter('b')}: one bias per token, or none`, 'B × T × V'],
      ['softmax', `${letter('p')}: exponentials, divided by their sum`, 'B × T × V'],
      ['sampling', `a token is drawn from the last position’s ${letter('p')}`, 'B'],
    ],
  });

/** What a row is for, by role. */
export const knowledge = () =>
  table({
    name: 'What each table has to know about a token',
    columns: ['', words('<b class="input">reading</b>: what may follow it'), words('<b class="output">writing</b>: what it may follow')],
    rows: [
      ['grammar', 'its kind of word, and what kinds come next', 'where a sentence has a place for it'],
      ['meaning', 'what it says about the words to come', 'which subjects lead to it'],
      ['form', 'what must agree with it', 'what it must agree with'],
      ['use', 'what attention should look for', 'how common it is'],
      ['facts', 'what is known about it', 'which facts it completes'],
    ],
  });

/** What differs between one table and two. */
export const properties = () =>
  table({
    name: 'What differs between one table and two',
    className: 'properties',
    columns: [words('What differs'), words('<b class="tied">One table</b>'), words('<b class="untied">Two tables</b>')],
    rows: [
      ['parameters of the tables', '<var>V d</var>', '2 <var>V d</var>'],
      ['scores of the direct path', 'symmetric, no negative eigenvalue', 'any matrix of rank <var>d</var> or less'],
      [`${token('York')} after ${token('New')}, ${token('New')} after ${token('York')}`, 'one score for both', 'a score for each'],
      ['a token after itself', 'its vector’s length squared, never below 0', 'any score'],
      ['a row’s gradient', 'reading plus writing', 'reading in one, writing in the other'],
      ['rows a step touches', 'all, since writing touches all', 'for reading only those of the tokens read'],
      ['work for each token', 'all <var>V</var> rows are scored', 'the same'],
    ],
  });
