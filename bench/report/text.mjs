// The results for a terminal.
import { caseSections, factRows, goalRows, headLines } from './tables.mjs';
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
  if (facts.length > 0) lines.push('', 'Numbers that are no times', ...columns(facts));

  const [head, ...goals] = goalRows(results);
  const told = partial ? goals.filter((row) => !row.at(-1).startsWith('not measured')) : goals;
  // The last column is long and ragged, and does not widen the others.
  const rows = [head, ...told];
  const left = columns(rows.map((row) => row.slice(0, -1)));
  const width = Math.max(...left.map(({ length }) => length));
  lines.push('', 'Goals', ...left.map((line, i) => `${line.padEnd(width)}  ${rows[i].at(-1)}`.trimEnd()));
  if (told.length < goals.length) lines.push(`${goals.length - told.length} more need what was not asked for.`);
  return lines;
}
