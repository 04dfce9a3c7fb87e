// The help of every verb, from its declaration.
import { allFlags, nameOfOperand } from './declare.mjs';
import { bold } from './style.mjs';

const widest = 110;

const codes =
  'Exit codes: 0 done, 1 not as --expect says, 64 an invalid argument or file, 70 a run failed, 74 a file or stdout cannot be written, 75 stopped or unfinished (run the same command again to resume).';

/** @typedef {import('./declare.mjs').Verb} Verb */

/** @param {readonly Verb[]} verbs */
export function generalHelp(verbs) {
  const rows = verbs.map((verb) => [[verb.name, ...operandsOf(verb)].join(' '), verb.summary]);
  return (
    [
      `${bold('Usage:')} tied-embeddings COMMAND\n`,
      table(rows),
      '\n',
      wrapped(
        `tied-embeddings COMMAND --help shows details, --version or -v the package's version. ${codes} Colors appear only on a terminal; NO_COLOR turns them off.`,
      ),
      '\n',
    ]
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trimEnd() + '\n'
  );
}

/** Of the verbs that begin with one word. @param {string} group @param {readonly Verb[]} verbs */
export function groupHelp(group, verbs) {
  const rows = verbs.map((verb) => [[verb.name, ...operandsOf(verb)].join(' '), verb.summary]);
  const more = `tied-embeddings ${group} COMMAND --help shows details. ${codes}`;
  return `${[`${bold('Usage:')} tied-embeddings ${group} COMMAND`, table(rows), wrapped(more)].join('\n\n')}\n`;
}

/** @param {Verb} verb */
export function helpOf(verb) {
  const { name, about, examples } = verb;
  const withHelp = allFlags(verb);
  const headings = [...new Set(Object.values(withHelp).map(({ heading = 'Options' }) => heading))];
  const lists = headings.map((heading) => {
    const rows = Object.entries(withHelp)
      .filter(([, flag]) => (flag.heading ?? 'Options') === heading)
      .map(([flagName, flag]) => [
        `--${flagName}${flag.kind === 'switch' ? '' : ` ${placeholder(flag)}`}`,
        flag.summary,
      ]);
    return `${bold(`${heading}:`)}\n${table(rows)}`;
  });
  const usage = ['tied-embeddings', name, ...operandsOf(verb), '[options]'].join(' ');
  const shown = examples.map((example) => `  ${example}`).join('\n');
  return [`${bold('Usage:')} ${usage}`, wrapped(about), ...lists, `${bold('Examples:')}\n${shown}`].join('\n\n') + '\n';
}

/** @param {Verb} verb */
const operandsOf = ({ operands }) => operands.map(nameOfOperand);

/** The placeholder for a flag's value. @param {import('./declare.mjs').Flag} flag */
export function placeholder({ kind, value, of = [] }) {
  if (value !== undefined) return value;
  if (kind === 'choice') return of.join('|').length <= 24 ? of.join('|') : 'NAME';
  return { integer: 'N', number: 'X', text: 'TEXT', file: 'FILE', folder: 'DIR' }[kind] ?? '';
}

function table(rows) {
  const width = Math.min(30, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) => {
      const [first = '', ...others] = linesOf(right, widest - width - 4);
      const margin = ' '.repeat(width + 4);
      const begin = left.length > width ? `  ${left}\n${margin}` : `  ${left.padEnd(width)}  `;
      return [`${begin}${first}`, ...others.map((line) => `${margin}${line}`)].join('\n');
    })
    .join('\n');
}

const wrapped = (text) => linesOf(text, widest).join('\n');

/** @param {string} text @param {number} width */
function linesOf(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
