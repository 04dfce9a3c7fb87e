/** A comparison as a block for a model card: its numbers to four digits, each with its chance level. */
import { plain, written } from '../diagnostics/model-card/markdown.js';
import type { CheckpointComparisonData, ComparedCheckpoint, LengthAgreement, TableChange } from './comparison-types.js';
import { markdownTable, tokenName } from './identity-markdown.js';

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
    ...movedOf(checkpoints),
    ...turnedOf(checkpoints),
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

function movedOf(checkpoints: readonly ComparedCheckpoint[]): string[] {
  const last = checkpoints.at(-1)!;
  const { change } = last;
  return (['input', 'output'] as const).flatMap((role) => {
    const found = change[role];
    if (found === null || found.moved.length === 0 || (role === 'output' && found === change.input)) return [];
    const rows = found.moved
      .slice(0, MOST_LISTED)
      .map(({ token, distance, before, after }) => [tokenName(token), number(distance), number(before), number(after)]);
    const title = `rows of the ${role} table that moved most, to ${plain(last.name)}`;
    return [markdownTable([title, 'distance', 'length before', 'length after'], rows)];
  });
}

function turnedOf(checkpoints: readonly ComparedCheckpoint[]): string[] {
  const last = checkpoints.at(-1)!;
  const { change } = last;
  return (['input', 'output'] as const).flatMap((role) => {
    const found = change[role];
    if (found === null || found.turned.length === 0 || (role === 'output' && found === change.input)) return [];
    const rows = found.turned
      .slice(0, MOST_LISTED)
      .map(({ token, cosine, before, after }) => [tokenName(token), number(cosine), number(before), number(after)]);
    const title = `rows of the ${role} table that turned most, to ${plain(last.name)}`;
    return [markdownTable([title, 'cosine', 'length before', 'length after'], rows)];
  });
}
