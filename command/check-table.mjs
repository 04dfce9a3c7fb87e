// check A B ... --markdown: a row for each file, folder or URL.
import { isUrl, openAny } from './checkpoint.mjs';
import { checkedOf } from './checked.mjs';
import { distanceInWords, verdictInWords } from './checked-words.mjs';
import { exitCodeOf } from './check-expected.mjs';
import { inMarkdown } from './command-parts.js';
import { originOf } from './origin.mjs';
import { Refusal, refusalOf } from './exit-codes.mjs';
import { complain, grouped } from './style.mjs';

const heading = [
  'file',
  'date',
  'revision',
  'tables',
  'share of parameters',
  'verdict',
  'evidence',
  'asymmetry',
  'distance',
];

/**
 * Files that cannot be read get a row too; the exit code then is that of the first of them.
 * @param {import('./tied-embeddings.js').Core} core @param {readonly string[]} places @param {Record<string, any>} flags
 */
export async function writeTable(core, places, flags) {
  const { embedding, unembedding } = flags;
  const results = [];
  /** @type {Refusal[]} */
  const refusals = [];
  const rows = [];
  for (const place of places) {
    // The tables of a model at a URL may take gigabytes: its row has what its headers and a sample of rows tell.
    const how = { embedding, unembedding, wholeFile: flags['whole-file'] === true, rows: !isUrl(place) };
    const origin = await originOf(place);
    try {
      const result = await checkedOf(core, place, flags, await openAny(core, place, how));
      results.push(result);
      rows.push(rowOf(result, origin));
    } catch (error) {
      const refusal = refusalOf(error, place);
      if (!(refusal instanceof Refusal)) throw error;
      refusals.push(refusal);
      const why = refusal.message.replace(`${place}: `, '');
      rows.push([place, origin.date ?? '–', origin.revision ?? '–', '–', '–', 'not read', why, '–', '–']);
    }
  }
  if (flags.json === true) process.stdout.write(`${JSON.stringify(results)}\n`);
  else
    process.stdout.write(
      [heading, heading.map(() => '---'), ...rows.map((row) => row.map(inMarkdown))].map(lineOf).join(''),
    );
  const code = exitCodeOf(flags.expect, results);
  for (const { message } of refusals) complain(message);
  return refusals.length > 0 ? refusals[0].exitCode : code;
}

const lineOf = (cells) => `| ${cells.join(' | ')} |\n`;

/** Not known if the model has tensors in files that were not opened. @param {Awaited<ReturnType<typeof checkedOf>>} result */
function shareOf({ parameters, tables, isWhole }) {
  const shapes = [tables.embedding, tables.unembedding].flatMap((table) => (table === null ? [] : [table.shape]));
  const own = shapes.reduce((sum, shape) => sum + shape.reduce((product, size) => product * size, 1), 0);
  if (!isWhole || own === 0) return '–';
  return `${((100 * own) / parameters).toPrecision(3)} % of ${grouped(parameters)}`;
}

/**
 * @param {Awaited<ReturnType<typeof checkedOf>>} result @param {Awaited<ReturnType<typeof originOf>>} origin
 */
function rowOf(result, { date, revision }) {
  const { file, tables, tying, directPath, leftOut } = result;
  const names = [tables.embedding, tables.unembedding].flatMap((table) =>
    table === null ? [] : [`${table.name} [${table.shape.join(', ')}], ${table.type}`],
  );
  const without = leftOut.length === 0 ? '' : ` without ${leftOut.join(', ')}`;
  return [
    file,
    date ?? '–',
    revision ?? '–',
    names.join('; '),
    shareOf(result),
    verdictInWords(result),
    tying.tied === null ? tying.reason : tying.evidence,
    directPath === null ? '–' : `${directPath.asymmetry.toPrecision(4)}${without}`,
    tying.distance === null ? '–' : distanceInWords(tying.distance),
  ];
}
