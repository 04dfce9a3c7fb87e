// Statistics of a survey, each as { value, low, high, count }. The 95% intervals are in closed form, so nothing is drawn. They take languages for
// independent, though related ones are alike, so they are rather too narrow.

/** The 97.5% quantile of the normal distribution. */
const z = 1.959964;

/** Ranks from 1; equal values share the mean of theirs. @param {readonly number[]} values */
export function ranksOf(values) {
  const order = values.map((_, at) => at).sort((a, b) => values[a] - values[b]);
  const ranks = new Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let at = from; at < to; at++) ranks[order[at]] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson's correlation; 0 if one side does not vary. */
function correlation(a, b) {
  const [meanA, meanB] = [mean(a), mean(b)];
  const sum = (one, other) => one.reduce((total, value, at) => total + value * other[at], 0);
  const [left, right] = [a.map((value) => value - meanA), b.map((value) => value - meanB)];
  const size = Math.sqrt(sum(left, left) * sum(right, right));
  return size > 0 ? sum(left, right) / size : 0;
}

/** The interval of a correlation by Fisher's z, with the factor of Bonett and Wright (2000) for ranks. */
function fisher(r, count, scale) {
  const width = count > 3 ? z * Math.sqrt(scale / (count - 3)) : Infinity;
  const bounded = Math.min(Math.max(r, -1 + 1e-12), 1 - 1e-12);
  return [Math.tanh(Math.atanh(bounded) - width), Math.tanh(Math.atanh(bounded) + width)];
}

/** Spearman's correlation of ranks. */
export function rank(a, b) {
  const value = correlation(ranksOf(a), ranksOf(b));
  const [low, high] = fisher(value, a.length, 1 + (value * value) / 2);
  return { value, low, high, count: a.length };
}

/** The part of the variance of the ranks of `of` that those of `by`, two lists, explain together by least squares. */
export function explained(of, by) {
  const [y, first, second] = [of, ...by].map(ranksOf);
  const [one, other, both] = [correlation(y, first), correlation(y, second), correlation(first, second)];
  const value = (one * one + other * other - 2 * one * other * both) / (1 - both * both);
  const [low, high] = fisher(Math.sqrt(value), of.length, 1);
  return { value, low: Math.max(0, low) ** 2, high: high ** 2, count: of.length };
}

/** The fraction of a list that holds, with Wilson's interval. @param {readonly boolean[]} outcomes */
export function fraction(outcomes) {
  const count = outcomes.length;
  const value = outcomes.filter(Boolean).length / count;
  const denominator = 1 + (z * z) / count;
  const middle = (value + (z * z) / (2 * count)) / denominator;
  const width = (z / denominator) * Math.sqrt((value * (1 - value)) / count + ((z / count) * (z / count)) / 4);
  return { value, low: Math.max(0, middle - width), high: Math.min(1, middle + width), count };
}

/** The median, with the interval that order statistics give. @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  const value = (sorted[Math.floor((count - 1) / 2)] + sorted[Math.ceil((count - 1) / 2)]) / 2;
  // The largest rank with P(fewer than so many are below the median) <= 2.5%.
  let [below, least, term] = [0, 0, 0.5 ** count];
  for (; below + term <= 0.025; least++) {
    below += term;
    term *= (count - least) / (least + 1);
  }
  const at = Math.max(0, least - 1);
  return { value, low: sorted[at], high: sorted[count - 1 - at], count };
}

/** "abs(rank(price, symbols)) < 0.5" as its parts. */
export function parsed(says) {
  const [, absolute, inner, plain, sign, bound] = /^(?:(abs)\((.+)\)|(.+?)) ([<>]) ([\d.]+)$/.exec(says) ?? [];
  if (bound === undefined)
    throw new Error(`'${says}' is no criterion; expected as in 'abs(rank(price, symbols)) < 0.5'`);
  return { value: inner ?? plain, isAbsolute: absolute !== undefined, sign, bound: Number(bound) };
}

/**
 * `holds` if the whole interval lies on the side of the criterion, `fails` if it lies on the other, and otherwise `undecided`.
 *
 * @param {string} says
 * @param {Readonly<Record<string, { value: number, low: number, high: number, count: number }>>} values by name
 */
export function judged(says, values) {
  const { value: name, isAbsolute, sign, bound } = parsed(says);
  const found = values[name];
  if (found === undefined) throw new Error(`'${says}' names '${name}'; known are ${Object.keys(values).join(', ')}`);
  const { low, high } = found;
  const isAcross = low < 0 && high > 0;
  const [least, most] = isAbsolute
    ? [isAcross ? 0 : Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]
    : [low, high];
  if (sign === '<' ? most < bound : least > bound) return 'holds';
  return (sign === '<' ? least >= bound : most <= bound) ? 'fails' : 'undecided';
}
