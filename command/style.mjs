// Bold headings, only on a terminal and unless NO_COLOR is set (https://no-color.org).
/** @param {string} text */
export function bold(text) {
  const { NO_COLOR, TERM } = process.env;
  const plain = !process.stdout.isTTY || (NO_COLOR !== undefined && NO_COLOR !== '') || TERM === 'dumb';
  return plain ? text : `\u001b[1m${text}\u001b[22m`;
}

/** 1234567 as 1,234,567. @param {number} count */
export const grouped = (count) => count.toLocaleString('en-US');

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

/** A string from a file, with the characters that a terminal would interpret escaped. @param {string} text */
export const plain = (text) =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (one) => `\\u{${/** @type {number} */ (one.codePointAt(0)).toString(16)}}`,
  );
