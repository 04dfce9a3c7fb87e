// The table of public models: rows of check, and their page.

const begin = '<!-- the table, written by tools/public-models.mjs -->';
const end = '<!-- the end of the table -->';

/** The rows of a table that check wrote: the cells of each. @param {string} markdown @returns {string[][]} */
export const rowsOf = (markdown) =>
  markdown
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** Why a row says nothing of a model: nobody has seen it. */
const notHad = /cannot be reached|could not be|has status|ENOTFOUND|EAI_AGAIN|cannot be read: ENOENT/;

/**
 * Models that could be had, and whether their files say something; the others have no row, because nothing is known of them.
 * @param {readonly (readonly string[] | null)[]} all
 */
export function outcomesOf(all) {
  const rows = all.filter((cells) => cells !== null && !(cells[5] === 'not read' && notHad.test(cells[6] ?? '')));
  return { rows: /** @type {(readonly string[])[]} */ (rows), missing: all.length - rows.length };
}

const heading = ['model', 'date', 'revision', 'tables', 'share of parameters', 'verdict', 'evidence', 'distance'];

/** Without the asymmetry, which is not measured at a URL. @param {readonly string[]} cells */
const shown = (cells) => [...cells.slice(0, 7), cells[8] ?? '–'];

const lineOf = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;

/**
 * The page with another table.
 * @param {string} page @param {ReturnType<typeof outcomesOf>} outcomes @param {{ date: string, version: string, asked: number }} run
 */
export function pageWith(page, { rows }, { date, version, asked }) {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/public-models.md has no place for the table');
  const rest = asked - rows.length;
  const others = `**The other ${rest} could not be reached from there: nothing is known of them here**, and whoever has the network can run it again.`;
  const said = `Run on ${date} with tied-embeddings ${version}: ${rows.length} of ${asked} models could be had where it ran, and have a row.${rest === 0 ? '' : ` ${others}`}`;
  const table = [heading, heading.map(() => '---'), ...rows.map(shown)].map(lineOf);
  return `${page.slice(0, from)}${begin}\n\n${said}\n\n${table.join('\n')}\n\n${page.slice(to)}`;
}
