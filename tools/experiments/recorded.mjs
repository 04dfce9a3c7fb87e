// The runs recorded in docs/experiments, and whether a run on this machine gives the same numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

const files = ['tiny-shakespeare', 'tables', 'readouts', 'paths', 'widths', 'rows'];

/** @typedef {{ variant: string, seed: number, quantity: string, value: number }} Row */

/**
 * The recorded rows of one vocabulary.
 *
 * @returns {Row[]}
 */
export function recordedRows(vocabulary = 'reference') {
  return files
    .flatMap((name) => readFileSync(join(root, `docs/experiments/${name}.tsv`), 'utf8').split('\n'))
    .map((line) => line.split('\t'))
    .filter(([of]) => of === vocabulary)
    .map(([, variant = '', seed, quantity = '', value]) => ({
      variant,
      seed: Number(seed),
      quantity,
      value: Number(value),
    }));
}

/** Half a unit of the last decimal that is recorded, on either side. */
const rounding = 1.1e-6;

/**
 * Compares rows of runs with the recorded ones: one result per variant and seed that ran. Which quantities are recorded differs
 * from variant to variant; comparisons with variants that did not run are missing in a run.
 *
 * @param {Row[]} rows
 * @param {Row[]} recorded
 * @returns {[what: string, holds: boolean, found: string][]}
 */
export function repeated(rows, recorded) {
  const key = ({ variant, seed, quantity }) => [variant, seed, quantity].join('\t');
  const measured = new Map(rows.map((row) => [key(row), row.value]));
  const runs = [...new Set(rows.map(({ variant, seed }) => `${variant}, seed ${String(seed)}`))];
  const ran = new Set(rows.map(({ variant }) => variant));
  const comparesWithOthers = (quantity) => {
    const other = / table to ([^,]+),/.exec(quantity)?.[1];
    return other !== undefined && other !== 'output table' && !ran.has(other);
  };
  return runs.map((run) => {
    const expected = recorded.filter(
      ({ variant, seed, quantity }) => `${variant}, seed ${String(seed)}` === run && !comparesWithOthers(quantity),
    );
    const different = expected.filter((row) => !(Math.abs(measured.get(key(row)) - row.value) <= rounding));
    const listed = different
      .slice(0, 5)
      .map((row) => `${row.quantity}: ${String(measured.get(key(row)))} instead of ${String(row.value)}`);
    return [
      `${run}: the recorded numbers come out again`,
      expected.length > 0 && different.length === 0,
      `${String(different.length)} of ${String(expected.length)} differ${listed.length > 0 ? `: ${listed.join('; ')}` : ''}`,
    ];
  });
}
