// Text for a terminal: headings, numbers, and strings from files, with nothing in them that it would interpret.
import { withoutControls } from './command-parts.js';

/** Only on a terminal and unless NO_COLOR is set (https://no-color.org). @param {string} text */
export function bold(text) {
  const { NO_COLOR, TERM } = process.env;
  const plain = !process.stdout.isTTY || (NO_COLOR !== undefined && NO_COLOR !== '') || TERM === 'dumb';
  return plain ? text : `\u001b[1m${text}\u001b[22m`;
}

/** 1234567 as 1,234,567. @param {number} count */
export const grouped = (count) => count.toLocaleString('en-US');

/** @param {number} count */
export const layersInWords = (count) => `${grouped(count)} ${count === 1 ? 'layer' : 'layers'}`;

/** @param {number} bytes */
export function bytesOf(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toPrecision(3)} ${units[power]}`;
}

/** @param {number} fraction */
export const percent = (fraction) => `${(100 * fraction).toFixed(1)}%`;

/** Two columns, the second right-aligned if it has numbers. @param {[string, string][]} rows */
export function columns(rows) {
  const left = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(left)}  ${value}\n`).join('');
}

/** A string from a file, with the characters that a terminal would interpret escaped. */
export const plain = withoutControls;

/** Writes a message to stderr: the one place through which names from files and arguments reach it. @param {string} message */
export const complain = (message) => {
  process.stderr.write(`tied-embeddings: ${message.split('\n').map(plain).join('\n')}\n`);
};
