// node bench/one-model-cost.mjs RATES RESULTS...    what `node bench/one-model-rates.mjs --json FILE` and `npm run bench -- --only one-model --json FILE` wrote
// What a step of one model costs on several cores, by a formula of which two rates were measured by themselves and the others are fitted to
// some of the measured cases; it predicts the rest.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compared, others } from './pages/one-model/models.mjs';
import { median } from './statistics.mjs';

export const models = { ...compared, ...others };

/** The formula is fitted to these; it predicts the others. */
export const fittedTo = Object.keys(compared);

/** A message there and back, in milliseconds: measured once between two workers, for buffers of 64 KB to 4 MB alike. */
const MESSAGE = 0.1;

/** What the formula counts of a model's step. */
export function countsOf({ kind, vocabSize, dModel, nLayers = 0, contextLength = 1, tying, batchSize }) {
  const tokens = batchSize * contextLength;
  const layers = kind === 'transformer' ? 12 * nLayers * dModel ** 2 : 0;
  // Causal: half of all pairs of positions, once for the scores and once for the values.
  const attention = kind === 'transformer' ? nLayers * dModel * contextLength : 0;
  const head = vocabSize * dModel;
  const inner = layers + (kind === 'transformer' ? contextLength * dModel : 0);
  return {
    tokens,
    /** Multiply-adds: forward, and twice as many backward. */
    products: 3 * tokens * (layers + attention + head),
    /** Elements of hidden states. */
    states: tokens * nLayers * dModel,
    logits: tokens * vocabSize,
    parameters: inner + (tying === 'tied' ? 1 : 2) * head,
  };
}

/** Numbers in the message of a branch with one of so many equal parts of the batch: rows of the input table that none of its tokens reads are left out. */
export function numbersSent(model, parts) {
  const { tokens, parameters } = countsOf(model);
  const read = Math.min(model.vocabSize, tokens / parts) * model.dModel;
  const tables = model.vocabSize * model.dModel * (model.tying === 'tied' ? 1 : 2);
  return parameters - tables + model.vocabSize * model.dModel + read;
}

/** How often branches are added, one after the other, until all members are one. */
const levels = (members) => Math.ceil(Math.log2(members));

/**
 * Numbers that are copied or added one after the other, in the longest way to the lead and back: in each level gradients are copied to send
 * them, copied where they are received, and added, and weights are copied twice; all levels read the same copy if memory is shared.
 */
export function numbersMoved(model, members, isolated) {
  const { parameters } = countsOf(model);
  const depth = levels(members);
  const up = sum(Array.from({ length: depth }, (_, level) => 3 * numbersSent(model, 2 ** (level + 1))));
  return up + 2 * (isolated ? Math.min(depth, 1) : depth) * parameters;
}

/** The terms of a step's time, each to be multiplied by one of the rates. `together`: how good each of several cores is, compared with one alone. */
export function termsOf(model, members, isolated, together) {
  const { products, states, logits, parameters } = countsOf(model);
  const share = members === 1 ? 1 : members * together;
  return [products / share, states / share, logits / share, parameters, numbersMoved(model, members, isolated)];
}
export const RATES = ['a multiply-add', 'an element of a state', 'a logit', 'a parameter', 'a number that is moved'];

/** The number of rates that are fitted; those after them are measured by themselves. */
const FITTED = 3;

const fixed = (members) => MESSAGE * levels(members);

/** All rates: those with the least sum of squared relative errors, none of them negative, then the `measured` ones. */
export function fitted(points, measured) {
  let used = RATES.slice(0, FITTED).map((_, at) => at);
  for (;;) {
    const rows = points.map(({ terms, time, members }) => ({
      x: used.map((at) => terms[at] / time),
      y: (time - fixed(members) - sum(measured.map((rate, at) => rate * terms[FITTED + at]))) / time,
    }));
    const found = solved(
      used.map((_, i) => used.map((_, j) => sum(rows.map(({ x }) => x[i] * x[j])))),
      used.map((_, i) => sum(rows.map(({ x, y }) => x[i] * y))),
    );
    const worst = found.indexOf(Math.min(...found));
    if (found[worst] >= 0)
      return [...RATES.slice(0, FITTED).map((_, at) => (used.includes(at) ? found[used.indexOf(at)] : 0)), ...measured];
    used = used.filter((_, i) => i !== worst);
  }
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** Gaussian elimination, for a positive definite matrix. */
function solved(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (const [i, pivot] of rows.entries())
    for (const [k, row] of rows.entries()) {
      if (k === i) continue;
      const factor = row[i] / pivot[i];
      for (let j = i; j < row.length; j++) row[j] -= factor * pivot[j];
    }
  return rows.map((row, i) => row.at(-1) / row[i]);
}

/** Milliseconds of a step. */
export const stepTime = (rates, model, members, isolated, together) =>
  sum(termsOf(model, members, isolated, together).map((term, at) => term * rates[at])) + fixed(members);

/** How good each of two cores is, compared with one alone, by the register loops of the same run. */
function togetherOf(results) {
  const gains = results.flatMap(({ samples }) => samples.map(({ facts }) => facts['register loops at once']));
  const known = gains.filter((gain) => gain !== undefined);
  return known.length === 0 ? 1 : Math.min(1, median(known) / 2);
}

/** Measured medians of our cases, in milliseconds: { name, members, isolated, time }. */
export function pointsOf(results) {
  const points = [];
  for (const { cases, contenders, samples } of results) {
    for (const { id } of cases) {
      const [topic, ...rest] = id.split('/');
      const name = rest.find((part) => part in models);
      const own = samples.filter((one) => one.id === id && contenders[one.contender].name === 'ours, baseline');
      if (topic !== 'one-model' || name === undefined || own.length === 0) continue;
      points.push({
        name,
        members: own[0].facts.threads,
        isolated: rest[0] === 'isolated',
        time: 1000 * median(own.map(({ secondsPerCall }) => secondsPerCall)),
      });
    }
  }
  return points;
}

/**
 * Everything that the page says: the rates, and the points with what the formula gives for them.
 * @param {{ rates: { parameter: number, movedNumber: number } }} measured In nanoseconds.
 */
export function costOf({ rates: { parameter, movedNumber } }, results) {
  const points = pointsOf(results);
  const together = togetherOf(results);
  const rates = fitted(
    points
      .filter(({ name }) => fittedTo.includes(name))
      .map(({ name, members, isolated, time }) => ({
        terms: termsOf(models[name], members, isolated, together),
        time,
        members,
      })),
    [parameter, movedNumber].map((nanoseconds) => nanoseconds / 1e6),
  );
  const withFormula = points.map((point) => {
    const formula = stepTime(rates, models[point.name], point.members, point.isolated, together);
    return { ...point, formula, error: formula / point.time - 1 };
  });
  return { rates, together, points: withFormula };
}

const MORE_CORES = [2, 4, 8, 16];

/** The lines that the program prints. */
export function linesOf({ rates, together, points }) {
  const cell = (value) => value.toFixed(1).padStart(8);
  return [
    'nanoseconds of each: ' + RATES.map((what, at) => `${what} ${(1e6 * rates[at]).toFixed(3)}`).join(', '),
    `of several cores, each does ${together.toFixed(2)} of what one does alone`,
    'milliseconds of a step: measured, by the formula, its error; * = the formula was not fitted to it',
    ...points.map(({ name, members, isolated, time, formula, error }) =>
      [
        `${name}${fittedTo.includes(name) ? '' : '*'}, ${members} ${isolated ? 'isolated' : 'plain'}`.padEnd(24),
        cell(time),
        cell(formula),
        `${(100 * error).toFixed(1)}%`.padStart(8),
      ].join(''),
    ),
    `times as fast as one core, by the formula, in a plain and in an isolated page, with ${MORE_CORES.join(', ')} cores`,
    ...Object.entries(models).flatMap(([name, model]) => {
      const faster = (isolated) =>
        MORE_CORES.map((cores) =>
          cell(stepTime(rates, model, 1, isolated, together) / stepTime(rates, model, cores, isolated, together)),
        ).join('');
      const [plain, isolated] = [faster(false), faster(true)];
      const rows = plain === isolated ? { either: plain } : { plain, isolated };
      return Object.entries(rows).map(([page, cells]) => `${name}, ${page}`.padEnd(24) + cells);
    }),
  ];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = process.argv.slice(2);
  if (files.length < 2) {
    console.error(
      'node bench/one-model-cost.mjs RATES RESULTS...   expected what `node bench/one-model-rates.mjs --json FILE` and `npm run bench -- --only one-model --json FILE` wrote',
    );
    process.exit(2);
  }
  const [measured, ...results] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  console.log(linesOf(costOf(measured, results)).join('\n'));
}
