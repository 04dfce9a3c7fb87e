// The results for a terminal.
import { askedGoals, caseSections, factRows, headLines } from './tables.mjs';
import { columns } from './words.mjs';

/**
 * Everything as lines. With `partial`, for a partial run, goals without a result are only counted.
 * @param {import('../results.mjs').Results} results
 * @param {{ partial?: boolean }} [options]
 * @returns {string[]}
 */
export function asLines(results, { partial = false } = {}) {
  const lines = headLines(results);
  for (const { title, rows } of caseSections(results)) lines.push('', title, ...columns(rows));
  const facts = factRows(results);
  if (facts.length > 0) lines.push('', 'Values other than times', ...columns(facts));

  const { rows, others } = askedGoals(results, partial);
  // The last column is long and ragged, and does not widen the others.
  const left = columns(rows.map((row) => row.slice(0, -1)));
  const width = Math.max(...left.map(({ length }) => length));
  lines.push('', 'Goals', ...left.map((line, i) => `${line.padEnd(width)}  ${rows[i].at(-1)}`.trimEnd()));
  return [...lines, ...others];
}
