/** Numbers as a reader sees them: true minus signs, fixed digits by kind of quantity. */

const minus = (text) => text.replace('-', '−');

/** Thousands are separated by commas, as in English prose. */
export const count = (value) => minus(Math.round(value).toLocaleString('en-GB'));

const smallNumbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Counts in a sentence: small ones are spelled out. */
export const words = (value) => smallNumbers[value] ?? count(value);

/** The same, as "once", "twice", "three times". */
export const times = (value) => ['never', 'once', 'twice'][value] ?? `${words(value)} times`;

/** Counts at the beginning of a sentence. */
export const capital = (value) => words(value).replace(/^./, (letter) => letter.toUpperCase());

/** Losses and entropies, to the hundredth of a nat; small ones keep two significant digits. */
export const nats = (value) => minus(Math.abs(value) >= 0.095 || value === 0 ? value.toFixed(2) : precise(value));

const precise = (value) => (Math.abs(value) < 0.001 ? 'less than 0.001' : value.toPrecision(2));

/** Losses that are compared with each other, to three decimals. */
export const nats3 = (value) => minus(value.toFixed(3));

/** Losses in a table, to four decimals. */
export const nats4 = (value) => minus(value.toFixed(4));

/** Shares of 1. Tiny ones are not rounded away to 0%. */
export function percent(value) {
  if (value === 0) return '0%';
  if (Math.abs(value) < 0.001) return 'less than 0.1%';
  return `${minus((100 * value).toFixed(Math.abs(value) < 0.0995 ? 1 : 0))}%`;
}

/** Shares of 1 to one decimal. */
export const percent1 = (value) => `${minus((100 * value).toFixed(1))}%`;

/** Shares of 1 without decimals. */
export const percent0 = (value) => `${minus((100 * value).toFixed(0))}%`;

/** Shares of 1 to two decimals. */
export const percent2 = (value) => `${minus((100 * value).toFixed(2))}%`;

/** A mean with its 95% interval, to three decimals. */
export const interval = ({ mean, halfWidth }) => `${minus(mean.toFixed(3))} ± ${halfWidth.toFixed(3)}`;

/** The angle between a vector and its projection, from the ratio of the rest to the projection. */
export const angle = (ratio) => `${((180 / Math.PI) * Math.atan(ratio)).toFixed(0)}°`;

/** Matrix entries. */
export const entry = (value) => minus(value.toFixed(2));

/** Counts of parameters: 38.6 million, 1.24 billion. */
export function parameters(value) {
  if (value >= 1e9) return `${(value / 1e9).toPrecision(3)} billion`;
  return `${(value / 1e6).toFixed(1)} million`;
}

export const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]);
