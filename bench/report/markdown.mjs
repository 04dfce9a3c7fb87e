// The results as a page of the documentation.
import { askedGoals, caseSections, factRows, headLines } from './tables.mjs';

/** @param {string[][]} rows the first of them is the head */
function table([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/ +/g, ' ')).join(' | ')} |`;
  return [line(head), `|${head.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`, ...rows.map(line)];
}

/** Names and hosts in one row, and ids as code. */
function section({ title, rows }) {
  const [names, hosts, ...cases] = rows;
  const head = names.map((name, i) => (i === 0 ? '' : `${name} (${hosts[i]})`));
  return ['', `## ${title}`, '', ...table([head, ...cases.map(([id, ...cells]) => [`\`${id}\``, ...cells])])];
}

/**
 * A page with all tables; `source` names the file of the results, in the same folder; with `partial`, goals without a result are
 * only counted.
 * @param {import('../results.mjs').Results} results
 * @param {{ source: string, partial?: boolean }} options
 */
export function asMarkdown(results, { source, partial = false }) {
  const facts = factRows(results);
  const { rows: goals, others } = askedGoals(results, partial);
  const met = goals.filter((row) => row.at(-1).startsWith('met')).length;
  const lines = [
    '# Benchmark',
    '',
    `Written by \`npm run bench -- --from ${source} --markdown ...\`; how it is measured: [bench/README.md](../bench/README.md).`,
    '',
    ...headLines(results).map((line) => `- ${line}`),
    '',
    `## Goals: ${met} of ${goals.length - 1} met`,
    '',
    ...table(goals),
    ...others.flatMap((line) => ['', line]),
    ...caseSections(results).flatMap(section),
  ];
  if (facts.length > 0) {
    lines.push('', '## Values other than times', '', ...table([['case', 'what', 'value', 'contender'], ...facts]));
  }
  return `${lines.join('\n')}\n`;
}
