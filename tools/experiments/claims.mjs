// Claims of docs/science.md about what small transformers show, and whether measured rows bear them out.
import { deviation, mean, shown, valuesOf } from './runs.mjs';

const loss = (rows, variant) => valuesOf(rows, variant, 'validation loss');
const lowerInEachSeed = (rows, lower, higher) => {
  const above = loss(rows, higher);
  return loss(rows, lower).every((value, i) => value < above[i]);
};

const isNear = (values, value, tolerance) => Math.abs(mean(values) - value) <= tolerance;

/** Of the loss. */
function lossClaims(rows) {
  const near = (variant, value) => isNear(loss(rows, variant), value, 0.03);
  return [
    ['tied: 3.89 +- 0.03 nats per token', near('tied', 3.89), shown(loss(rows, 'tied'))],
    ['untied: 3.78 +- 0.03', near('untied', 3.78), shown(loss(rows, 'untied'))],
    ['untied is lower in each seed', lowerInEachSeed(rows, 'untied', 'tied'), ''],
    ['sqrt(d) lowers tied in each seed', lowerInEachSeed(rows, 'tied-sqrt', 'tied'), shown(loss(rows, 'tied-sqrt'))],
    [
      'sqrt(d) lowers untied in each seed',
      lowerInEachSeed(rows, 'untied-sqrt', 'untied'),
      shown(loss(rows, 'untied-sqrt')),
    ],
  ];
}

/**
 * Reference values of sections 9 and 10 of docs/science.md: [variant, quantity, value, tolerance of the mean over seeds]. The
 * tolerance of shares and cosines is about the largest deviation over seeds that was measured (0.029); that of bits and ratios,
 * about twice that of the reference values' own seeds.
 */
const references = [
  ['tied', 'output share at step 20', 0.95, 0.03],
  ['tied', 'output share at step 100', 0.55, 0.03],
  ['untied', 'input table to tied, linear', 0.63, 0.03],
  ['untied', 'output table to tied, linear', 0.77, 0.03],
  ['untied', 'input table to tied, linear, held out', 0.47, 0.03],
  ['untied', 'output table to tied, linear, held out', 0.68, 0.03],
  ['untied', 'input table to tied, linear, by chance', 0.33, 0.03],
  ['tied', 'tuned lens, layer 0', 0.58, 0.06],
  ['untied', 'tuned lens, layer 0', 0.35, 0.03],
  ['tied', 'perpendicular over parallel, predicted', 1.57, 0.04],
  ['tied', 'perpendicular over parallel, right', 2.28, 0.04],
  ['tied', 'cosine with the output row, predicted', 0.54, 0.03],
  ['untied', 'cosine with the output row, predicted', 0.57, 0.03],
  ['untied', 'cosine with the input row, predicted', 0.06, 0.03],
];

/** By seed. */
const difference = (rows, one, other, quantity) => {
  const others = valuesOf(rows, other, quantity);
  return valuesOf(rows, one, quantity).map((value, i) => value - others[i]);
};

/** How much closer to the tied table the output table is than the input table. */
const bias = (rows, measure) => {
  const input = valuesOf(rows, 'untied', `input table to tied, ${measure}`);
  return valuesOf(rows, 'untied', `output table to tied, ${measure}`).map((value, i) => value - input[i]);
};

/** Of tables, gradients and states. */
function measureClaims(rows) {
  const biases = ['orthogonal', 'linear', 'linear, held out', 'shared neighbours'].map((measure) => {
    const values = bias(rows, measure);
    const holds = values.every((value) => value > 0) && mean(values) > 3 * deviation(values);
    return [
      `the output table is closer to the tied one, by more than three deviations: ${measure}`,
      holds,
      shown(values),
    ];
  });
  const gaps = [0, 1].map((layer) => {
    const values = difference(rows, 'tied', 'untied', `tuned lens, layer ${layer}`);
    return [
      `layer ${layer} is further from the answer in the tied model, in each seed`,
      values.every((value) => value > 0),
      shown(values),
    ];
  });
  const near = references.map(([variant, quantity, value, tolerance]) => {
    const values = valuesOf(rows, variant, quantity);
    return [`${variant}, ${quantity}: ${value} +- ${tolerance}`, isNear(values, value, tolerance), shown(values)];
  });
  return [...biases, ...gaps, ...near];
}

/** Of the runs of --claims: [sentence, whether it holds, measured values]. */
export const claims = (rows) => [...lossClaims(rows), ...measureClaims(rows)];

/**
 * Variants by the factor of their input gradient.
 *
 * @type {[factor: number, variant: string][]}
 */
const scaled = [
  [1, 'tied'],
  [2, 'tied-input-x2'],
  [5, 'tied-input-x5'],
  [10, 'tied-input-x10'],
];
/** The 0.975 quantile of Student's t with two degrees of freedom: three seeds. */
const quantile = 4.303;

/** The least-squares slope of values over the decimal logarithm of the factors. */
function slopeOf(values) {
  const decades = scaled.map(([factor]) => Math.log10(factor));
  const middle = mean(decades);
  const squares = decades.reduce((sum, decade) => sum + (decade - middle) ** 2, 0);
  return decades.reduce((sum, decade, i) => sum + (decade - middle) * values[i], 0) / squares;
}

/** What multiplying the input gradient changes; nothing unless all factors have been run with three seeds. */
export function scaleClaims(rows) {
  if (scaled.some(([, variant]) => loss(rows, variant).length !== 3)) return [];
  const trend = (what, sign, of) => {
    const bySeed = [0, 1, 2].map((seed) => scaled.map(([, variant]) => of(variant)[seed]));
    const monotone = bySeed.every((values) =>
      values.every((value, i) => i === 0 || sign * (value - values[i - 1]) > 0),
    );
    const slopes = bySeed.map(slopeOf);
    const interval = (quantile * deviation(slopes)) / Math.sqrt(slopes.length);
    return [
      `a larger input gradient ${what}: in each seed, and the interval of the slope excludes 0`,
      monotone && Math.abs(mean(slopes)) > interval,
      `${mean(slopes).toFixed(4)} +- ${interval.toFixed(4)} a decade`,
    ];
  };
  const table = (which) => (variant) => valuesOf(rows, 'untied', `${which} table to ${variant}, linear`);
  return [
    trend('brings the tied table nearer to the input table', 1, table('input')),
    trend('takes it away from the output table', -1, table('output')),
    trend('brings layer 0 nearer to the answer', -1, (variant) => valuesOf(rows, variant, 'tuned lens, layer 0')),
  ];
}
