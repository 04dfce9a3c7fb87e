/** An identity card as a block for a model card: its numbers to four digits, each with its chance level. */
import { plain, written } from '../../diagnostics/model-card/markdown.js';
import { rolesInWords } from '../tying/roles-in-words.js';
import { withoutAdvice } from '../tying/settling.js';
import type { Checkpoint, CheckpointTensor, TyingEvidence } from '../types.js';
import type { CardToken, IdentityCardData, IdentityTable } from './identity-card-types.js';

const MOST_LISTED = 10;
type Row = readonly string[];

export const markdownTable = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const number = (value: number | null): string => written(value === null || Number.isFinite(value) ? value : null);
/** Characters of a token in a list. */
const LONGEST_TOKEN = 64;
/** A token that is all blanks or control characters could not be told from others like it. */
export function tokenName({ id, text }: CardToken): string {
  const isVisible = text !== null && /[^\s\p{C}]/u.test(text);
  if (!isVisible) return `token ${id}`;
  const characters = [...text.replace(/\p{C}/gu, ' ')];
  const isLong = characters.length > LONGEST_TOKEN;
  return `“${plain(characters.slice(0, LONGEST_TOKEN).join(''))}${isLong ? '…' : ''}”`;
}

const EVIDENCE = {
  'missing-output': 'the file has no separate output table',
  'missing-input': 'the file has no separate input table',
  alias: 'the file names one table as both',
  'equal-bytes': 'both tables are in the file, with equal bytes',
  'equal-values': 'both tables are in the file, with values that are equal up to rounding',
  different: 'both tables are in the file, and they differ',
  'same-storage': 'one tensor is named for both roles',
  'packed-output': 'the file has a packed output table of its own',
  'packed-input': 'the file has a packed input table of its own',
} as const satisfies Partial<Record<TyingEvidence, string>>;

export function identityMarkdown(data: IdentityCardData): string {
  return [
    '#### Token tables',
    tyingOf(data),
    tablesOf(data),
    numbersOf(data),
    ...listsOf(data),
    ...(data.notes.length === 0 ? [] : [data.notes.map(plain).join(' ')]),
    `${data.sample.tokens === 1 ? '1 token was' : `${data.sample.tokens} tokens were`} compared with all others (seed ${data.sample.seed}); ${restOf(data)} Measured with tied-embeddings.`,
  ].join('\n\n');
}

/** The verdict and the tables of a checkpoint that cannot be measured, and why. */
export function unmeasuredMarkdown(
  { format, tying, tables }: Pick<Checkpoint, 'format' | 'tying' | 'tables'>,
  why: string,
): string {
  return [
    '#### Token tables',
    tyingOf({ format, tying, saving: null }),
    tablesOf({ tables }),
    `Not measured: ${plain(why)}. Read with tied-embeddings.`,
  ].join('\n\n');
}

const restOf = ({ tying: { distance } }: IdentityCardData): string =>
  distance === null
    ? 'all other numbers cover all rows.'
    : `the rows of the same token are those of ${counted(distance.rows, 'token')}; all other numbers cover all rows.`;

function tyingOf({ format, tying, saving }: Pick<IdentityCardData, 'format' | 'tying' | 'saving'>): string {
  const { tied, evidence, reason, conflict, roles } = tying;
  const name = tied === null ? 'Tying: not known' : tied ? 'Tied' : 'Not tied';
  // Without a verdict, its reason is all that there is to say. Who reads a card does not open the file.
  const why =
    evidence in EVIDENCE ? `: ${EVIDENCE[evidence as keyof typeof EVIDENCE]}.` : `. ${plain(withoutAdvice(reason))}`;
  const ofRoles = roles === null ? '' : ` ${rolesInWords(roles)}`;
  const saved =
    saving === null
      ? ''
      : ` ${savedBy(saving)} ${counted(saving.parameters, 'parameter')}, ${counted(saving.bytes, 'byte')} as ${format === 'json' ? 'floats' : 'they are stored here'}.`;
  return `**${name}**${why}${ofRoles}${conflict === null ? '' : ` ${plain(conflict)}.`}${saved}`;
}

const savedBy = ({ tied, storedTwice }: NonNullable<IdentityCardData['saving']>): string =>
  storedTwice ? 'Stored once, it would save' : tied ? 'Tying saves' : 'Tying would save';

function tablesOf({ tables: { input, output } }: { readonly tables: Checkpoint['tables'] }): string {
  const row = (role: string, one: CheckpointTensor | null): Row =>
    one === null
      ? [role, '–', '–', '–', '–']
      : [role, plain(one.name), one.shape.join(' × '), plain(one.dtype), String(one.bytes)];
  return markdownTable(['role', 'tensor', 'shape', 'type', 'bytes'], [row('reads', input), row('writes', output)]);
}

/** The measured tables; for one table the second is the first again. */
const tablesIn = ({ tables, tying, alignment }: IdentityCardData): (readonly [string, IdentityTable | null])[] => [
  ['input', tables.input],
  ['output', tying.tied === true && alignment === null ? null : tables.output],
];

function numbersOf(data: IdentityCardData): string {
  const { asymmetry, folded, alignment, selfPrediction, text, tying } = data;
  const rows: Row[] = [];
  if (asymmetry) rows.push(['asymmetry of W_E W_Uᵀ', number(asymmetry.asymmetry), number(asymmetry.null)]);
  if (folded) rows.push(['the same with the final norm’s weight', number(folded.asymmetry), number(folded.null)]);
  if (selfPrediction) {
    const { of, count, chance } = selfPrediction;
    rows.push([`tokens that predict themselves, of ${of}`, number(count / of), number(chance)]);
  }
  if (tying.distance) {
    const { meanCosine, chance, equalRows, relative } = tying.distance;
    rows.push(['mean cosine of the two rows of a token', number(meanCosine), number(chance)]);
    rows.push(['distance of the two rows of a token, relative to their lengths', number(relative), '1']);
    rows.push(['share of tokens whose two rows are equal', number(equalRows), '0']);
  }
  if (alignment) {
    rows.push(['cosine of the two tables after a rotation', number(alignment.cosine), number(alignment.cosineNull)]);
    rows.push(['residual of a linear map to the output table', number(alignment.linear), number(alignment.linearNull)]);
  }
  if (text)
    rows.push([`loss on ${counted(text.pairs, 'pair')} of a text, nats`, number(text.loss), number(text.uniform)]);
  if (text && text.withNorm !== null)
    rows.push(['the same with rows through the final norm', number(text.withNorm), number(text.uniform)]);
  for (const [role, one] of tablesIn(data)) {
    if (one === null) continue;
    const { meanCosine, isoScore, isoScoreNull, centered, normQuantiles } = one;
    const name = `${role} table`;
    rows.push(
      [`mean cosine, ${name}`, number(meanCosine), '0'],
      [`IsoScore, ${name}`, number(isoScore), number(isoScoreNull)],
      [`effective rank, ${name}`, number(centered.effectiveRank), number(centered.null.effectiveRank)],
      [`median length of a row, ${name}`, number(normQuantiles[4]!), '–'],
    );
  }
  return markdownTable(['', 'value', 'by chance'], rows);
}

function listsOf(data: IdentityCardData): string[] {
  const found: string[] = [];
  const { oneWay } = data;
  for (const [role, one] of tablesIn(data)) {
    if (one === null || one.shortRows.count === 0) continue;
    const { count, tokens } = one.shortRows;
    const named = tokens.slice(0, MOST_LISTED).map(({ token }) => tokenName(token));
    found.push(
      `Rows of the ${role} table shorter than half its median row: ${count}. The shortest: ${named.join(', ')}.`,
    );
  }
  if (oneWay.length > 0) {
    const rows = oneWay
      .slice(0, MOST_LISTED)
      .map(({ from, to, forward, backward }) => [
        `${tokenName(from)} ${tokenName(to)}`,
        number(forward),
        number(backward),
      ]);
    found.push(markdownTable(['pairs that differ most by their order', 'forward', 'backward'], rows));
  }
  return found;
}
