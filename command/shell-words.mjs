/** A shell word for exactly this text. @param {string} text */
export const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
