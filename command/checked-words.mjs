// What check found, in words.
import { tyingInWords } from './command-parts.js';
import { bold, bytesOf, columns, grouped, layersInWords, plain } from './style.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./checked.mjs').checkedOf>>} Checked */

/** @param {Pick<Checked, 'relation' | 'tying'>} result */
export function verdictInWords({ relation, tying }) {
  if (relation === 'derived') return 'one table, and a map for its second role';
  if (tying.tied === null) return 'not known';
  if (!tying.tied) return 'not tied: two tables';
  return relation === 'copied' ? 'tied, but stored twice' : 'tied: one table for both roles';
}

/** @param {number} value */
const digits = (value) => value.toPrecision(4);

/** @param {NonNullable<Checked['tying']['distance']>} distance */
export function distanceInWords({ meanCosine, chance, equalRows, relative, rows }) {
  const byChance = chance === null ? '' : ` (by chance ${digits(chance)})`;
  const equal = `${Number((100 * equalRows).toPrecision(3))} % of ${grouped(rows)} rows equal`;
  return `mean cosine ${digits(meanCosine)}${byChance}; relative distance ${digits(relative)} (unrelated rows 1); ${equal}`;
}

/** @param {Checked} result */
export function inWords(result) {
  const { file, format, bytes, bytesRead, parameters, tables, relation, tying, leftOut } = result;
  const { directPath, asymmetryByChance: chance, notMeasured, withFinalNorm, cards, model, card, notes } = result;
  if (card !== null) return `${card.markdown}\n`;
  const rows = [
    ['format', `${format}, ${bytesOf(bytes)}${bytesRead < bytes ? `, of which ${bytesOf(bytesRead)} were read` : ''}`],
    ['parameters', grouped(parameters)],
    ...(model === null ? [] : [['model', modelInWords(model)]]),
    ['input embedding', tableInWords(tables.embedding, tables.unembedding, tying.tied)],
    [
      'output embedding',
      relation === 'derived' ? 'the same, and a map' : tableInWords(tables.unembedding, tables.embedding, tying.tied),
    ],
    ['tying', verdictInWords(result)],
    ['  because', plain(tying.reason)],
    ...(tying.candidates.length === 0 ? [] : [['  candidates', candidatesInWords(tying.candidates)]]),
    ...(tying.roles === null
      ? []
      : [
          ...(tying.roles.pairs.length === 1 ? [['  encoder-input', 'none: it reads no tokens']] : []),
          ...tying.roles.pairs.map((pair) => [`  ${pair.roles.join(' and ')}`, pairInWords(pair)]),
        ]),
    ...(tying.conflict === null ? [] : [['  but', plain(tying.conflict)]]),
    ...(tying.distance === null ? [] : [['  distance', distanceInWords(tying.distance)]]),
    ...(directPath === null ? [] : symmetryRows('direct path', directPath, { leftOut, tying, chance })),
    ...(withFinalNorm === null ? [] : symmetryRows('with the final norm', withFinalNorm, { leftOut: [] })),
    ...(notMeasured === null ? [] : [['direct path', `not measured, because ${plain(notMeasured)}`]]),
    ...(cards === null ? [] : cardRows(cards)),
  ];
  const worst = (directPath === null || directPath.symmetric ? [] : directPath.worst).map(
    ({ row, col, forward, backward, tokens: [from, to] = [] }) => {
      const [one, other] = [nameOfToken(row, from), nameOfToken(col, to)];
      return `  ${one} -> ${other}  ${forward.toPrecision(6)}   ${other} -> ${one}  ${backward.toPrecision(6)}\n`;
    },
  );
  return [
    `${bold(plain(file))}\n`,
    columns(/** @type {[string, string][]} */ (rows)),
    worst.length === 0 ? '' : `\n${bold('Pairs whose two orders differ most')}\n${worst.join('')}`,
    ...notes.map((note) => `\n${plain(note)}\n`),
  ].join('');
}

/** A table or, if it has no tensor of its own, what is known about it. */
function tableInWords(table, other, tied) {
  if (table !== null) return `${plain(table.name)} [${table.shape.join(', ')}], ${table.type}`;
  if (tied === null || other === null) return 'not known';
  return tied ? 'the same' : 'its own, which cannot be read';
}

const mostCandidates = 8;

const candidatesInWords = (names) =>
  [
    ...names.slice(0, mostCandidates).map(plain),
    ...(names.length > mostCandidates ? [`and ${names.length - mostCandidates} more`] : []),
  ].join(', ');

const pairInWords = ({ tied, evidence }) =>
  tied === null ? 'not known' : `${tied ? 'tied' : 'not tied'} (${evidence.replaceAll('-', ' ')})`;

const nameOfToken = (id, token) => (token === undefined || token === '' ? String(id) : `"${plain(token)}"`);

const modelInWords = ({ kind, nLayers, tying, step, tyingChanges = [] }) =>
  `${kind}${nLayers === undefined ? '' : `, ${layersInWords(nLayers)}`}, ${tyingInWords({ tying, tyingChanges })}, step ${step}`;

/**
 * @param {string} name @param {NonNullable<Checked['directPath']>} path
 * @param {{ leftOut: readonly string[], tying?: Checked['tying'], chance?: number | null }} of
 */
function symmetryRows(name, { symmetric, asymmetry, maxDifference, norm }, { leftOut, tying, chance = null }) {
  if (norm === 0) return [[name, 'zero: every pair has the score 0, so its asymmetry is not defined']];
  const isRounded = !symmetric && tying?.evidence === 'equal-values';
  const rounded = isRounded ? ', because one table was rounded in two ways' : '';
  const words = symmetric
    ? leftOut.length === 0
      ? 'symmetric: both orders of a pair have the same score'
      : 'symmetric, but the output adds more'
    : `not symmetric${rounded}`;
  return [
    [name, words],
    ...(leftOut.length === 0
      ? []
      : [
          ['  without', `${candidatesInWords(leftOut)}, with which the two orders of a pair may have different scores`],
        ]),
    ['  asymmetry', `${digits(asymmetry)}${chance === null ? '' : ` (by chance ${digits(chance)})`}`],
    ...(maxDifference === null || symmetric ? [] : [['  largest difference', digits(maxDifference)]]),
  ];
}

/** @param {NonNullable<Checked['cards']>} cards @returns {[string, string][]} */
function cardRows(cards) {
  if ('notMeasured' in cards) return [['IsoScore', `not measured, because ${plain(cards.notMeasured)}`]];
  return /** @type {const} */ ([
    ['embedding', cards.input],
    ['unembedding', cards.output],
  ]).flatMap(([name, one]) =>
    one === null
      ? []
      : [
          [`IsoScore of the ${name}`, besideChance(one.isoScore, one.null.isoScore)],
          ['  mean cosine', besideChance(one.meanCosine, one.null.meanCosine)],
          ['  effective rank', besideChance(one.effectiveRank, one.null.effectiveRank, (x) => x.toFixed(1))],
        ],
  );
}

/** What has no direction to vary in has no measure of its variance. */
const besideChance = (value, chance, words = digits) =>
  Number.isFinite(value) ? `${words(value)} (by chance ${words(chance)})` : 'not defined, because all rows are equal';
