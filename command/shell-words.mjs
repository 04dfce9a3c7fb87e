/** A word of a shell that stands for just this text. @param {string} text */
export const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
