import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from './experiment-facts.mjs';
import { intervalOf } from './intervals.mjs';

/**
 * The models trained on the plays at several widths, measured once over several seeds; the files explain how to repeat
 * them. The first seeds of width 64 are the default configuration, which has a file of its own.
 */
const file = 'docs/experiments/widths.tsv';
const defaultsFile = 'docs/experiments/tiny-shakespeare.tsv';
const sizes = { vocabSize: 512, nLayers: 4, steps: 800 };
const defaultWidth = 64;

/** Fewer runs give no interval. */
const leastRuns = 3;

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Values of a quantity by seed. */
function bySeed(rows, variant, quantity) {
  const found = rows
    .filter(([of, name, , what]) => of === 'reference' && name === variant && what === quantity)
    .map((row) => [Number(row[2]), Number(row[4])]);
  if (!found.every(([, value]) => Number.isFinite(value))) throw new Error(`${file} has no number for ${variant}, ${quantity}`);
  return new Map(found.toSorted(([a], [b]) => a - b));
}

/** What one table costs at a width: a run for each seed that both models have, nats per token; null if there is none. */
function costAt(rows, width) {
  const valuesOf = (tying, quantity) => {
    const names = [`${tying}-${width}`, ...(width === defaultWidth ? [tying] : [])];
    return new Map(names.flatMap((name) => [...bySeed(rows, name, quantity)]).toSorted(([a], [b]) => a - b));
  };
  const [tied, untied] = ['tied', 'untied'].map((tying) => valuesOf(tying, 'validation loss'));
  const runs = [...tied].filter(([seed]) => untied.has(seed)).map(([seed, loss]) => ({ seed, tied: loss, untied: untied.get(seed) }));
  if (runs.length === 0) return null;
  const costs = runs.map((run) => run.tied - run.untied);
  const interval = runs.length < leastRuns ? null : intervalOf(costs);
  return { width, runs, costs, cost: meanOf(costs), interval };
}

/** |h⊥| / |h∥| of the tied model for the predicted token, by seed; not recorded of every width. */
function splitAt(rows, width) {
  const ratios = [...bySeed(rows, `tied-${width}`, 'perpendicular over parallel, predicted').values()];
  return { ratios, ratio: meanOf(ratios) };
}

/** @param {string} text widths.tsv @param {string} defaults tiny-shakespeare.tsv @returns {any} */
export function widthFacts(text, defaults) {
  const rows = [...rowsOf(text), ...rowsOf(defaults)];
  const widths = new Set(rows.flatMap(([, variant]) => /^tied-(\d+)$/.exec(variant)?.slice(1) ?? []).map(Number));
  const all = [...widths.add(defaultWidth)].toSorted((a, b) => a - b).flatMap((width) => costAt(rows, width) ?? []);
  // A width with fewer runs has no interval, and no sentence rests on it.
  const known = all.filter(({ interval }) => interval !== null);
  const split = known.map(({ width }) => ({ width, ...splitAt(rows, width) })).filter(({ ratios }) => ratios.length > 0);
  const widest = known.at(-1);
  return {
    ...sizes,
    all,
    narrowest: known[0],
    middle: known.find(({ width }) => width === defaultWidth),
    wide: known.at(-2),
    widest: { ...widest, count: widest.costs.length, gained: widest.costs.filter((cost) => cost < 0).length },
    split: { narrowest: split[0], widest: split.at(-1) },
  };
}

/** What the figure for a decision shows, written beside the page. */
export const decisionRun = ({ vocabSize, nLayers, all }) => ({
  vocabSize,
  nLayers,
  widths: all.map(({ width, runs, costs, cost, interval }) => ({
    width,
    costs: costs.map((value) => Number(value.toFixed(6))),
    mean: Number(cost.toFixed(6)),
    halfWidth: interval && Number(interval.halfWidth.toFixed(6)),
    untied: Number(meanOf(runs.map(({ untied }) => untied)).toFixed(6)),
  })),
});

export const readWidthFacts = async (root) => {
  const [text, defaults] = await Promise.all([file, defaultsFile].map((name) => readFile(join(root, name), 'utf8')));
  return widthFacts(text, defaults);
};
