// node tools/claims/scale-law.mjs    what one table costs by width and vocabulary, from claims/outcomes/scale-*.json; written into the first page below,
// and what of it was seen in cells that were run later, into the second. The laws, and how they are judged, were declared on those pages before the first run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { intervalOf } from '../../web/article/build/intervals.mjs';
import { root } from '../lib/root.mjs';
import { readOutcome } from './outcomes.mjs';

/** A cell: width d, vocabulary V, and the tied minus the untied loss of each seed. @typedef {{ d: number, V: number, costs: number[] }} Cell */

export const page = join(root, 'docs/decisions/0124-what-one-table-costs-by-width-and-vocabulary.md');
export const laterPage = join(root, 'docs/decisions/0130-the-rest-of-the-grid-of-widths-and-vocabularies.md');
export const texts = ['plays', 'novels'];
/** The cells that a law has to predict. */
const ends = ['tall', 'wide'];
/** Cells that were run later: between those that the law was fitted to, and beyond them. */
export const later = { between: ['between'], beyond: ['taller', 'wider', 'wide-between', 'corner'] };

/** The costs of an experiment's cells; none if it has not been run. @param {string} name @returns {Cell[]} */
export function cellsOf(name) {
  const { points } = readOutcome(name)?.claims.find(({ id }) => id === 'one-table-costs') ?? { points: [] };
  return points.map(({ point, values }) => ({
    d: point['model.dModel'],
    V: point['tokenizer.vocabSize'],
    costs: values,
  }));
}

/** What a law's parameters multiply. */
const linear = {
  constant: () => [1],
  ratio: ({ d, V }) => [1, Math.log2(V / d)],
  plane: ({ d, V }) => [1, Math.log2(d), Math.log2(V)],
  twisted: ({ d, V }) => [1, Math.log2(d), Math.log2(V), Math.log2(d) * Math.log2(V)],
};
/** At the power law, how its value and the derivatives by ln A, b and c follow from them. */
/** @type {(parameters: number[], cell: { d: number, V: number }) => number} */
const power = ([a, b, c], { d, V }) => Math.exp(a + b * Math.log(d) + c * Math.log(V));
export const laws = [...Object.keys(linear), 'power'];

export const valueOf = (law, parameters, cell) =>
  law === 'power' ? power(parameters, cell) : dot(linear[law](cell), parameters);

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values) => sumOf(values) / values.length;
const rms = (errors) => Math.sqrt(meanOf(errors.map((error) => error ** 2)));

/** The x with the least |A x - b|, where `damping` times the diagonal is added to the normal equations. */
function leastSquares(A, b, damping = 0) {
  const n = A[0].length;
  const rows = Array.from({ length: n }, (_, i) => [
    ...Array.from({ length: n }, (__, j) => sumOf(A.map((row) => row[i] * row[j])) * (i === j ? 1 + damping : 1)),
    sumOf(A.map((row, k) => row[i] * b[k])),
  ]);
  for (let i = 0; i < n; i++) {
    const pivot = rows.slice(i).reduce((best, row) => (Math.abs(row[i]) > Math.abs(best[i]) ? row : best));
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(i, 0, pivot);
    for (let k = i + 1; k < n; k++) {
      const factor = rows[k][i] / pivot[i];
      rows[k] = rows[k].map((value, j) => value - factor * pivot[j]);
    }
  }
  const x = Array.from({ length: n }, () => 0);
  for (let i = n - 1; i >= 0; i--)
    x[i] = (rows[i][n] - sumOf(x.map((value, j) => (j > i ? rows[i][j] * value : 0)))) / rows[i][i];
  return x;
}

/** Levenberg and Marquardt's steps from the law of the positive costs' logarithms. */
function fitPower(cells, costs) {
  const squares = (parameters) => sumOf(cells.map((cell, i) => (power(parameters, cell) - costs[i]) ** 2));
  const positive = cells.map((cell, i) => ({ cell, cost: costs[i] })).filter(({ cost }) => cost > 0);
  const logarithms = ({ d, V }) => [1, Math.log(d), Math.log(V)];
  let parameters = leastSquares(
    positive.map(({ cell }) => logarithms(cell)),
    positive.map(({ cost }) => Math.log(cost)),
  );
  for (let damping = 1e-3; damping < 1e12;) {
    const slopes = cells.map((cell) => logarithms(cell).map((term) => term * power(parameters, cell)));
    const step = leastSquares(
      slopes,
      costs.map((cost, i) => cost - power(parameters, cells[i])),
      damping,
    );
    const next = parameters.map((value, i) => value + step[i]);
    if (squares(next) < squares(parameters)) [parameters, damping] = [next, damping / 4];
    else damping *= 4;
  }
  return parameters;
}

/** The parameters of a law by least squares: of a power law ln A, b and c. @param {string} law @param {Cell[]} cells @param {number[]} costs */
export const fit = (law, cells, costs) =>
  law === 'power'
    ? fitPower(cells, costs)
    : leastSquares(
        cells.map((cell) => linear[law](cell)),
        costs,
      );

const means = (cells) => cells.map(({ costs }) => meanOf(costs));

/** The errors of a law, fitted to some cells, at others. @param {string} law @param {Cell[]} fitted @param {Cell[]} cells */
const errorsAt = (law, fitted, cells) => {
  const parameters = fit(law, fitted, means(fitted));
  return cells.map((cell) => valueOf(law, parameters, cell) - meanOf(cell.costs));
};

/** The errors at each cell of the law that is fitted to all others. */
export const errorsLeftOut = (law, cells) =>
  cells.map((cell, i) => {
    const others = cells.filter((_, j) => j !== i);
    return valueOf(law, fit(law, others, means(others)), cell) - meanOf(cell.costs);
  });

/** What a law says of a cell: the mean over the seeds of what is fitted to each, with its interval. */
export const predicted = (law, cells, cell) =>
  intervalOf(
    cells[0].costs.map((_, seed) =>
      valueOf(
        law,
        fit(
          law,
          cells,
          cells.map(({ costs }) => costs[seed]),
        ),
        cell,
      ),
    ),
  );

/** The parameters of a law, fitted to each seed by itself, with their intervals. */
export function parametersOf(law, cells) {
  const bySeed = cells[0].costs.map((_, seed) =>
    fit(
      law,
      cells,
      cells.map(({ costs }) => costs[seed]),
    ),
  );
  return bySeed[0].map((_, i) => intervalOf(bySeed.map((parameters) => parameters[i])));
}

/** How often one of `higher` is above one of `lower`; a half where they are equal. */
export const above = (higher, lower) =>
  meanOf(higher.flatMap((a) => lower.map((b) => (a > b ? 1 : a === b ? 0.5 : 0))));

/**
 * @param {Record<string, { fitted: Cell[], beyond: Cell[] }>} measured By text.
 */
export function judged(measured) {
  const all = Object.values(measured);
  const found = laws.map((law) => ({
    law,
    leftOut: rms(all.flatMap(({ fitted }) => errorsLeftOut(law, fitted))),
    beyond: rms(all.flatMap(({ fitted, beyond }) => errorsAt(law, fitted, beyond))),
  }));
  const best = found.reduce((least, one) => (one.leftOut < least.leftOut ? one : least));
  const isTried = all.some(({ beyond }) => beyond.length > 0);
  return { found, best, predicts: isTried ? best.beyond < found[0].beyond / 2 : null };
}

const number = (value) => (Number.isNaN(value) ? '-' : value.toFixed(3)).padStart(7);
const within = ({ mean, halfWidth }) => `${number(mean)} ± ${halfWidth.toFixed(3)}`;

/** @param {string} law @param {Cell[]} fitted @param {{ cell: Cell, mark: string }[]} rows */
const tableOf = (law, fitted, rows) => [
  '      d     V   measured          by the law',
  ...rows.map(({ cell, mark }) => {
    const place = `${mark} ${String(cell.d).padStart(5)} ${String(cell.V).padStart(5)}`;
    return `${place}  ${within(intervalOf(cell.costs))}  ${within(predicted(law, fitted, cell))}`;
  }),
];

/** What was measured, beside the law. @param {Record<string, { fitted: Cell[], beyond: Cell[] }>} measured */
export function linesOf(measured) {
  const { found, best, predicts } = judged(measured);
  const lines = ['root mean square errors, nats per token: each cell left out, cells beyond'];
  for (const { law, leftOut, beyond } of found) lines.push(`  ${law.padEnd(9)}${number(leftOut)}${number(beyond)}`);
  const verdict =
    predicts === null
      ? 'no cell beyond has been run'
      : `it ${predicts ? 'predicts' : 'does not predict'} the cells beyond`;
  lines.push(`the law that is told: ${best.law}; ${verdict}`);
  for (const [text, { fitted, beyond }] of Object.entries(measured)) {
    lines.push(`${text}: parameters ${parametersOf(best.law, fitted).map(within).join(', ')}`);
    const rows = [...fitted.map((cell) => ({ cell, mark: ' ' })), ...beyond.map((cell) => ({ cell, mark: '*' }))];
    lines.push(...tableOf(best.law, fitted, rows));
  }
  return lines;
}

/**
 * What the law says of public models, by extrapolation, beside what they chose.
 *
 * @param {Record<string, { fitted: Cell[], beyond: Cell[] }>} measured
 * @param {readonly { tying: string, architecture: { dModel: number, vocabSize: number } }[]} models
 */
export function linesOfModels(measured, models) {
  const { law } = judged(measured).best;
  const sizes = models.map(({ tying, architecture: { dModel: d, vocabSize: V } }) => ({ tying, cell: { d, V } }));
  const chosen = (tying, by) => sizes.filter((one) => one.tying === tying).map(({ cell }) => by(cell));
  const untiedAbove = (by) => above(chosen('untied', by), chosen('tied', by)).toFixed(2);
  const lines = [
    `public models, extrapolated: ${chosen('tied', () => 0).length} tied, ${chosen('untied', () => 0).length} untied`,
  ];
  for (const [text, { fitted }] of Object.entries(measured)) {
    const parameters = fit(law, fitted, means(fitted));
    const by = (cell) => valueOf(law, parameters, cell);
    const below = sizes.filter(({ cell }) => by(cell) <= 0).length;
    lines.push(
      `  by the law of ${text}: an untied model costs more than a tied one with probability ${untiedAbove(by)}; ${below} costs of 0 or less`,
    );
  }
  lines.push(
    `  V / d is larger with probability ${untiedAbove(({ d, V }) => V / d)}, d with ${untiedAbove(({ d }) => d)}`,
  );
  return lines;
}

/** Of the texts that have been run. */
export const measuredCells = () =>
  Object.fromEntries(
    texts
      .map((text) => ({
        text,
        fitted: cellsOf(`scale-${text}`),
        beyond: ends.flatMap((end) => cellsOf(`scale-${text}-${end}`)),
      }))
      .filter(({ fitted }) => fitted.length > 0)
      .map(({ text, ...cells }) => [text, cells]),
  );

/** Cells of a text in which all texts that have been run agree, so that no error is of one text only. */
const inAll = (cellsByText) => {
  const lists = Object.values(cellsByText);
  const isIn = (cell) => lists.every((cells) => cells.some(({ d, V }) => d === cell.d && V === cell.V));
  return Object.fromEntries(Object.entries(cellsByText).map(([text, cells]) => [text, cells.filter(isIn)]));
};

/** The cells that were run later, by text, between those of the law and beyond them. */
export function laterCells() {
  const of = (parts) =>
    inAll(Object.fromEntries(texts.map((text) => [text, parts.flatMap((part) => cellsOf(`scale-${text}-${part}`))])));
  const [between, beyond] = [of(later.between), of(later.beyond)];
  return Object.fromEntries(texts.map((text) => [text, { between: between[text], beyond: beyond[text] }]));
}

/**
 * How the law, as it was fitted before, fares in the cells that were run later: between its own and beyond them. Null: not run.
 *
 * @param {Record<string, { fitted: Cell[], beyond: Cell[] }>} measured
 * @param {Record<string, { between: Cell[], beyond: Cell[] }>} added
 */
export function judgedLater(measured, added) {
  const { law } = judged(measured).best;
  const names = Object.keys(added);
  const groups = {
    between: (text) => added[text].between,
    beyond: (text) => added[text].beyond,
    'beyond, with the earlier': (text) =>
      added[text].beyond.length === 0 ? [] : [...measured[text].beyond, ...added[text].beyond],
  };
  return Object.entries(groups).map(([name, cells]) => {
    const [constant, ofLaw] = ['constant', law].map((which) =>
      rms(names.flatMap((text) => errorsAt(which, measured[text].fitted, cells(text)))),
    );
    const count = sumOf(names.map((text) => cells(text).length));
    return { name, count, constant, ofLaw, predicts: count === 0 ? null : ofLaw < constant / 2 };
  });
}

/**
 * What was measured later, beside the law.
 *
 * @param {Record<string, { fitted: Cell[], beyond: Cell[] }>} measured
 * @param {Record<string, { between: Cell[], beyond: Cell[] }>} added
 */
export function linesOfLater(measured, added) {
  const { law } = judged(measured).best;
  const lines = [`${'root mean square errors, nats per token'.padEnd(41)} constant  ${law}`];
  for (const { name, count, constant, ofLaw, predicts } of judgedLater(measured, added)) {
    const verdict = predicts === true ? 'predicted' : 'not predicted';
    const errors = `${`${name} (${String(count)} cells)`.padEnd(40)}${number(constant)}  ${number(ofLaw)}  ${verdict}`;
    lines.push(predicts === null ? `  ${name}: not run` : `  ${errors}`);
  }
  for (const [text, { between, beyond }] of Object.entries(added)) {
    lines.push(text);
    const rows = [...between.map((cell) => ({ cell, mark: ' ' })), ...beyond.map((cell) => ({ cell, mark: '*' }))];
    lines.push(...tableOf(law, measured[text].fitted, rows));
  }
  return lines;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { loadCore } = await import(pathToFileURL(`${root}/dist/tied-embeddings.js`).href);
  const measured = measuredCells();
  const models = (await loadCore()).knownModels();
  /** @type {[file: string, lines: string[]][]} */
  const pages = [
    [page, [...linesOf(measured), ...linesOfModels(measured, models)]],
    [laterPage, linesOfLater(measured, laterCells())],
  ];
  for (const [file, lines] of pages) {
    const text = lines.join('\n');
    console.log(text);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^```text\n[^`]*```$/m, () => `\`\`\`text\n${text}\n\`\`\``),
    );
  }
}
