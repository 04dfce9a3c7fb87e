import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from './experiment-facts.mjs';
import { intervalOf } from './intervals.mjs';

/**
 * The models trained on the plays at other widths, measured once over several seeds; the file explains how to repeat
 * them.
 */
const file = 'docs/experiments/widths.tsv';
const [narrowest, widest] = [16, 128];

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function valuesOf(rows, variant, quantity) {
  const found = rows
    .filter(([, name, , what]) => name === variant && what === quantity)
    .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
    .map((row) => Number(row[4]));
  if (found.length < 2 || !found.every(Number.isFinite)) throw new Error(`${file} has too few runs of ${variant}, ${quantity}`);
  return found;
}

/** For one width: what tying costs in nats, by seed, and |h⊥| / |h∥| of the tied model for the predicted token. */
function atWidth(rows, width) {
  const loss = (variant) => valuesOf(rows, `${variant}-${width}`, 'validation loss');
  const untied = loss('untied');
  const costs = loss('tied').map((tied, seed) => tied - untied[seed]);
  const ratios = valuesOf(rows, `tied-${width}`, 'perpendicular over parallel, predicted');
  return { width, costs, cost: meanOf(costs), interval: intervalOf(costs), ratios, ratio: meanOf(ratios) };
}

export function widthFacts(text) {
  const rows = rowsOf(text);
  return { narrowest: atWidth(rows, narrowest), widest: atWidth(rows, widest) };
}

export const readWidthFacts = async (root) => widthFacts(await readFile(join(root, file), 'utf8'));
