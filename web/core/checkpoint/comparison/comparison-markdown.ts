/** A comparison as a block for a model card: its numbers to four digits, each with its chance level. */
import { plain, written } from '../../diagnostics/model-card/markdown.js';
import type { CheckpointComparisonData, ComparedCheckpoint, LengthAgreement, TableChange } from './comparison-types.js';
import { markdownTable, tokenName } from '../card/identity-markdown.js';

const MOST_LISTED = 10;

const number = (value: number | null | undefined): string =>
  written(value === null || value === undefined || !Number.isFinite(value) ? null : value);
const besideChance = (value: number | undefined, chance: number | undefined): string =>
  value === undefined ? number(null) : `${number(value)} (${number(chance)})`;

export function comparisonMarkdown({ against, seed, checkpoints, notes }: CheckpointComparisonData): string {
  const how = against === 'first' ? 'the first' : 'the one before it';
  return [
    '#### Comparison of checkpoints',
    `Each is compared with ${how}, row by row. In brackets: by chance, with the rows in a random order.`,
    verdictsOf(checkpoints),
    ...changesOf(checkpoints),
    ...lengthsOf(checkpoints),
    tablesOf(checkpoints),
    ...mostChanged(checkpoints, 'moved'),
    ...mostChanged(checkpoints, 'turned'),
    ...(notes.length === 0 ? [] : [notes.map(plain).join(' ')]),
    `All numbers cover all rows (seed ${seed}). Measured with tied-embeddings.`,
  ].join('\n\n');
}

const tiedInWords = ({ tied, evidence }: ComparedCheckpoint['tying']): string =>
  `${tied === null ? 'not known' : tied ? 'tied' : 'not tied'} (${evidence.replaceAll('-', ' ')})`;

const verdictsOf = (checkpoints: readonly ComparedCheckpoint[]): string =>
  checkpoints.map(({ name, tying }) => `${plain(name)}: ${tiedInWords(tying)}.`).join(' ');

/** The roles in which a checkpoint has a separate table. */
const rolesOf = ({ tables: { input, output } }: ComparedCheckpoint): ('input' | 'output')[] => {
  if (input === null || output === null) return input === null ? ['output'] : ['input'];
  return input.name === output.name ? ['input'] : ['input', 'output'];
};
const roleName = (one: ComparedCheckpoint, role: 'input' | 'output'): string =>
  one.tables.input !== null && one.tables.output !== null && rolesOf(one).length === 1 ? 'input and output' : role;

function changesOf(checkpoints: readonly ComparedCheckpoint[]): string[] {
  const row = (
    name: string,
    role: string,
    { distance, differingRows, rows: all, meanCosine, meanCosineNull, rotated }: TableChange,
  ): string[] => [
    ...[plain(name), role, `${differingRows} of ${all}`, number(distance), besideChance(meanCosine, meanCosineNull)],
    besideChance(rotated?.cosine, rotated?.null),
  ];
  const rows = checkpoints.flatMap((one) => {
    const { name, change } = one;
    if (change.input !== null && change.input === change.output) return [row(name, 'both', change.input)];
    return (['input', 'output'] as const).flatMap((role) => (change[role] ? [row(name, role, change[role])] : []));
  });
  if (rows.length === 0) return [];
  return [
    markdownTable(
      ['', 'table', 'rows that differ', 'distance', 'mean cosine of rows', 'cosine after a rotation'],
      rows,
    ),
  ];
}

/** For tables of another shape. */
function lengthsOf(checkpoints: readonly ComparedCheckpoint[]): string[] {
  const row = (name: string, role: string, { tokens, rankCorrelation, deviation }: LengthAgreement): string[] => [
    ...[plain(name), role, String(tokens)],
    `${number(rankCorrelation)} (0 ± ${number(deviation)})`,
  ];
  const rows = checkpoints.flatMap(({ name, lengths }) => {
    if (lengths === null) return [];
    if (lengths.input !== null && lengths.input === lengths.output) return [row(name, 'both', lengths.input)];
    return (['input', 'output'] as const).flatMap((role) => (lengths[role] ? [row(name, role, lengths[role])] : []));
  });
  if (rows.length === 0) return [];
  return [markdownTable(['of another shape', 'table', 'tokens of both', 'rank correlation of lengths'], rows)];
}

function tablesOf(checkpoints: readonly ComparedCheckpoint[]): string {
  const rows = checkpoints.flatMap((one) =>
    rolesOf(one).map((role) => {
      const { normQuantiles, centered, meanCosine, isoScore } = one.tables[role]!;
      return [
        ...[plain(one.name), roleName(one, role), besideChance(one.asymmetry?.asymmetry, one.asymmetry?.null)],
        ...[number(normQuantiles[4]), besideChance(centered.effectiveRank, centered.null.effectiveRank)],
        ...[number(meanCosine), number(isoScore)],
      ];
    }),
  );
  const head = [
    'asymmetry of W_E W_Uᵀ',
    'median length of a row',
    'effective rank',
    'mean cosine of pairs',
    'IsoScore',
  ];
  return markdownTable(['', 'table', ...head], rows);
}

/** The rows of the last checkpoint's tables that moved or turned most. */
function mostChanged(checkpoints: readonly ComparedCheckpoint[], how: 'moved' | 'turned'): string[] {
  const { name, change } = checkpoints.at(-1)!;
  return (['input', 'output'] as const).flatMap((role) => {
    const found = change[role];
    if (found === null || found[how].length === 0 || (role === 'output' && found === change.input)) return [];
    const rows = found[how]
      .slice(0, MOST_LISTED)
      .map((row) => [
        tokenName(row.token),
        ...['distance' in row ? row.distance : row.cosine, row.before, row.after].map((value) => number(value)),
      ]);
    const title = `rows of the ${role} table that ${how} most, to ${plain(name)}`;
    return [markdownTable([title, how === 'moved' ? 'distance' : 'cosine', 'length before', 'length after'], rows)];
  });
}
