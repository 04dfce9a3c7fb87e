// Comparison of two builds of the core, for reviews.
import { comparison } from './statistics.mjs';
import { headLines } from './report/tables.mjs';
import { columns } from './report/words.mjs';

const times = (ratio) => `${ratio.toFixed(3)} x`;

/**
 * Every case of every build that was measured twice, under the names `before, ...` and `after, ...`:
 * [{ id, name, host, ratio, low, high, verdict }], more than 1 meaning that after is faster.
 */
export function comparisons(results) {
  const rows = [];
  results.data.contenders.forEach(({ name, host }, after) => {
    const [, which] = /^after, (.*)$/.exec(name) ?? [];
    const before = which === undefined ? undefined : results.place(`before, ${which}`, host);
    if (before === undefined) return;
    for (const id of results.cases.keys()) {
      const ratios = results.speeds(after, before, id);
      if (ratios.length > 0) rows.push({ id, name: which, host, ...comparison(ratios) });
    }
  });
  return rows;
}

/** The same as a table, followed by the changes beyond noise. */
export function comparisonLines(results) {
  const rows = comparisons(results);
  const lines = headLines(results);
  for (const { name, host } of new Map(rows.map((row) => [`${row.name} ${row.host}`, row])).values()) {
    const own = rows.filter((row) => row.name === name && row.host === host);
    lines.push(
      '',
      `${name} in ${host}: how many times as fast, 10th to 90th percentile of the rounds`,
      ...columns(
        own.map(({ id, ratio, low, high, verdict }) => [
          id,
          times(ratio),
          `${times(low)} to ${times(high)}`,
          verdict === 'same' ? '' : verdict,
        ]),
      ),
    );
  }
  for (const verdict of ['slower', 'faster']) {
    const found = rows.filter((row) => row.verdict === verdict);
    lines.push('', `${verdict} beyond noise: ${found.length === 0 ? 'nothing' : found.length}`);
    lines.push(...found.map(({ id, name, host, ratio }) => `  ${id} (${name}, ${host}) ${times(ratio)}`));
  }
  return lines;
}
