// check A B ... --markdown: a row for each file.
import { openAny } from './checkpoint.mjs';
import { checkedOf } from './checked.mjs';
import { distanceInWords, verdictInWords } from './checked-words.mjs';
import { exitCodeOf } from './check-expected.mjs';
import { inMarkdown } from './command-parts.js';
import { Refusal, refusalOf } from './exit-codes.mjs';
import { complain } from './style.mjs';

const heading = ['file', 'tables', 'verdict', 'evidence', 'asymmetry', 'distance'];

/**
 * Files that cannot be read get a row too; the exit code then is that of the first of them.
 * @param {import('./tied-embeddings.js').Core} core @param {readonly string[]} places @param {Record<string, any>} flags
 */
export async function writeTable(core, places, flags) {
  const { embedding, unembedding } = flags;
  const how = { embedding, unembedding, wholeFile: flags['whole-file'] === true };
  const results = [];
  /** @type {Refusal[]} */
  const refusals = [];
  const rows = [];
  for (const place of places) {
    try {
      const result = await checkedOf(core, place, flags, await openAny(core, place, how));
      results.push(result);
      rows.push(rowOf(result));
    } catch (error) {
      const refusal = refusalOf(error, place);
      if (!(refusal instanceof Refusal)) throw error;
      refusals.push(refusal);
      rows.push([place, '–', 'not read', refusal.message.replace(`${place}: `, ''), '–', '–']);
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

/** @param {Awaited<ReturnType<typeof checkedOf>>} result */
function rowOf(result) {
  const { file, tables, tying, directPath, leftOut } = result;
  const names = [tables.embedding, tables.unembedding].flatMap((table) =>
    table === null ? [] : [`${table.name} [${table.shape.join(', ')}], ${table.type}`],
  );
  const without = leftOut.length === 0 ? '' : ` without ${leftOut.join(', ')}`;
  return [
    file,
    names.join('; '),
    verdictInWords(result),
    tying.tied === null ? tying.reason : tying.evidence,
    directPath === null ? '–' : `${directPath.asymmetry.toPrecision(4)}${without}`,
    tying.distance === null ? '–' : distanceInWords(tying.distance),
  ];
}
