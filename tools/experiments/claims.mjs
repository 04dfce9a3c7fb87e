// Claims of docs/small-transformers.md about what small transformers show, and whether measured rows support them.
import { deviation, mean, shown, valuesOf } from './runs.mjs';

const loss = (rows, variant) => valuesOf(rows, variant, 'validation loss');
const lowerInEachSeed = (rows, lower, higher) => {
  const above = loss(rows, higher);
  return loss(rows, lower).every((value, i) => value < above[i]);
};

const isNear = (values, value, tolerance) => Math.abs(mean(values) - value) <= tolerance;

/** Claims about the loss. */
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
 * Reference values of docs/small-transformers.md: [variant, quantity, value, tolerance of the mean over seeds]. The
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

/** The difference of a quantity between two variants, by seed. */
const difference = (rows, one, other, quantity) => {
  const others = valuesOf(rows, other, quantity);
  return valuesOf(rows, one, quantity).map((value, i) => value - others[i]);
};

/** How much closer to the tied table the output table is than the input table. */
const bias = (rows, measure) => {
  const input = valuesOf(rows, 'untied', `input table to tied, ${measure}`);
  return valuesOf(rows, 'untied', `output table to tied, ${measure}`).map((value, i) => value - input[i]);
};

/** Claims about tables, gradients and states. */
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

/** Claims about the runs of --claims: [sentence, whether it holds, measured values]. */
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

/** Claims about what multiplying the input gradient changes; none unless all factors have been run with three seeds. */
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

/** Steps after which paths are measured. */
const pathSteps = [0, 20, 50, 100, 200, 400, 800];
const lastStep = pathSteps.at(-1);
/** The spectral distance between a table of the untied model and a variant's table, by seed. */
const distanceTo = (rows, which, variant) =>
  valuesOf(rows, 'untied', `${which} table to ${variant}, spectral distance`);
const chanceTo = (rows, which, variant) =>
  valuesOf(rows, 'untied', `${which} table to ${variant}, spectral distance, by chance`);

/**
 * Claims about the direct path over training and the spectral distance, declared before the first run. Unlike `claims`, these may
 * turn out not to hold: docs/small-transformers.md then says so. None without three seeds of tied and untied.
 */
export function pathClaims(rows) {
  const at = (variant, quantity, step = lastStep) => valuesOf(rows, variant, `${quantity} at step ${step}`);
  if (['tied', 'untied'].some((variant) => at(variant, 'loss, whole model').length !== 3)) return [];
  const inEachSeed = (what, larger, smaller) => [
    `${what}, in each seed`,
    larger.every((value, seed) => value > smaller[seed]),
    `${shown(larger)} beside ${shown(smaller)}`,
  ];
  const bigrams = 'correlation with bigrams';
  const gain = (variant) => {
    const before = at(variant, `${bigrams}, with final norm`);
    return at(variant, `${bigrams}, with norm and MLP0`).map((value, seed) => value - before[seed]);
  };
  const symmetric = pathSteps.flatMap((step) => [
    ...at('tied', 'asymmetry, embeddings', step),
    ...at('tied', 'breaking pairs, embeddings', step),
  ]);
  const untied = at('untied', 'asymmetry, embeddings');
  const whole = ['tied', 'untied'].map((variant) => {
    const bySeed = [0, 1, 2].map((seed) => pathSteps.map((step) => at(variant, `${bigrams}, whole model`, step)[seed]));
    const falls = bySeed.map((values) => Math.max(...values) - values.at(-1));
    return [
      `the correlation of the whole ${variant} model with the bigrams falls after its peak, by more than three deviations`,
      falls.every((fall) => fall > 0) && mean(falls) > 3 * deviation(falls),
      shown(falls),
    ];
  });
  return [
    [
      'the path of a shared table is symmetric, and no pair breaks its law, at every step',
      symmetric.length === 3 * 2 * pathSteps.length && symmetric.every((value) => value === 0),
      '',
    ],
    ['separate tables are as asymmetric as chance: 0.71 +- 0.1', isNear(untied, Math.SQRT1_2, 0.1), shown(untied)],
    inEachSeed(
      'the final norm leaves the path of a shared table less asymmetric than that of two',
      at('untied', 'asymmetry, with final norm'),
      at('tied', 'asymmetry, with final norm'),
    ),
    inEachSeed(
      'more tokens predict themselves on the path of a shared table',
      at('tied', 'self-prediction, embeddings'),
      at('untied', 'self-prediction, embeddings'),
    ),
    inEachSeed(
      'the path of two tables agrees more with the bigrams than that of a shared table',
      at('untied', `${bigrams}, embeddings`),
      at('tied', `${bigrams}, embeddings`),
    ),
    inEachSeed('the first feed-forward part adds to that in the tied model', gain('tied'), [0, 0, 0]),
    inEachSeed('and more than in the untied model', gain('tied'), gain('untied')),
    inEachSeed(
      'through the first feed-forward part more pairs break the law in the tied model than before it',
      at('tied', 'breaking pairs, with norm and MLP0'),
      at('tied', 'breaking pairs, with final norm'),
    ),
    ...whole,
    ...spectralClaims(rows),
  ];
}

function spectralClaims(rows) {
  const nearer = (what, near, far) => {
    const values = far.map((value, seed) => value - near[seed]);
    const holds = values.every((value) => value > 0) && mean(values) > 3 * deviation(values);
    return [`${what}, by more than three deviations: spectral distance`, holds, shown(values)];
  };
  const found = [
    nearer(
      'the output table is closer to the tied one',
      distanceTo(rows, 'output', 'tied'),
      distanceTo(rows, 'input', 'tied'),
    ),
    ...['input', 'output'].map((which) =>
      nearer(
        `the ${which} table is closer to the tied one than by chance`,
        distanceTo(rows, which, 'tied'),
        chanceTo(rows, which, 'tied'),
      ),
    ),
  ];
  const scaledInput = distanceTo(rows, 'input', 'tied-input-x5');
  if (scaledInput.length !== 3) return found;
  const reversed = 'with the input gradient times 5 the input table is closer to the tied one';
  return [...found, nearer(reversed, scaledInput, distanceTo(rows, 'output', 'tied-input-x5'))];
}

/** @type {[width: number, variant: (tying: string) => string][]} */
const widths = [
  [16, (tying) => `${tying}-16`],
  [32, (tying) => `${tying}-32`],
  [64, (tying) => tying],
  [128, (tying) => `${tying}-128`],
];

/** Claims about |h_perp| / |h_par| by width, declared before the first run like `pathClaims`; none unless all widths have three seeds. */
export function widthClaims(rows) {
  const ratios = (tying, token) =>
    widths.map(([, variant]) => valuesOf(rows, variant(tying), `perpendicular over parallel, ${token}`));
  const found = [];
  for (const tying of ['tied', 'untied']) {
    for (const token of ['predicted', 'right']) {
      const byWidth = ratios(tying, token);
      if (byWidth.some((values) => values.length !== 3)) return [];
      const grows = (values) => values.every((value, i) => i === 0 || value > values[i - 1]);
      const bySeed = [0, 1, 2].map((seed) => byWidth.map((values) => values[seed]));
      const ofChance = bySeed.map((values) => values.map((value, i) => -value / Math.sqrt(widths[i][0] - 1)));
      const exponents = bySeed.map((values) => exponentOf(values));
      found.push(
        [
          `${tying}, ${token} token: the ratio grows with the width, in each seed`,
          bySeed.every(grows),
          byWidth.map(shown).join(', '),
        ],
        [
          `${tying}, ${token} token: it grows more slowly than by chance, sqrt(d - 1), in each seed`,
          ofChance.every(grows),
          `as a power of d: ${shown(exponents)}`,
        ],
      );
    }
  }
  return found;
}

/**
 * The widths at which the cost of one table is measured, with the name of the runs.
 * @type {[width: number, variant: (tying: string) => string][]}
 */
const costWidths = [...widths, [256, (tying) => `${tying}-256`]];

/**
 * Claims about what one table costs by width, in nats per token: tied minus untied, seed by seed. Declared before the first run at
 * width 256 and before any run with a seed above 2, when the costs of three seeds at the other widths were known. Reported only.
 * None unless every width has three seeds.
 */
export function costClaims(rows) {
  const costs = costWidths.map(([, variant]) =>
    difference(rows, variant('tied'), variant('untied'), 'validation loss'),
  );
  if (costs.some((values) => values.length < 3)) return [];
  const last = costWidths.length - 1;
  const means = costs.map(mean);
  const all = costs.map(shown).join(', ');
  const first = costs[0].slice(0, 3).map((value, seed) => value - costs[last][seed]);
  const slopes = [0, 1, 2].map((seed) => slopeByDoubling(costs.map((values) => values[seed])));
  const margin = (values) => (quantile * deviation(values)) / Math.sqrt(values.length);
  return [
    [
      'one table costs less at width 256 than at 16: the interval of the difference over three seeds is above 0',
      mean(first) > margin(first),
      `${mean(first).toFixed(4)} +- ${margin(first).toFixed(4)}`,
    ],
    [
      'the cost of one table falls with each doubling of the width, by a slope whose interval over three seeds is below 0',
      mean(slopes) < -margin(slopes),
      `${mean(slopes).toFixed(4)} +- ${margin(slopes).toFixed(4)} a doubling`,
    ],
    [
      'on average the cost falls from each width to the next',
      means.every((value, i) => i === 0 || value < means[i - 1]),
      all,
    ],
    ['one table costs something at every width, in each seed', costs.flat().every((value) => value > 0), all],
  ];
}

/** The least-squares slope of one value a width over the binary logarithm of the widths. */
function slopeByDoubling(values) {
  const logs = costWidths.map(([width]) => Math.log2(width));
  const middle = mean(logs);
  const squares = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  return logs.reduce((sum, log, i) => sum + (log - middle) * values[i], 0) / squares;
}

/** The least-squares slope of the logarithm of values over that of the widths. */
function exponentOf(values) {
  const logs = widths.map(([width]) => Math.log(width));
  const middle = mean(logs);
  const squares = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  return logs.reduce((sum, log, i) => sum + (log - middle) * Math.log(values[i]), 0) / squares;
}
