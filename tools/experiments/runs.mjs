// Trains the training lab's transformers on tiny-shakespeare, several at a time, and checks the results against the
// claims of docs/science.md. Nothing depends on time.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { capture } from '../lib/run.mjs';

/** Input of the experiments, which are skipped without it. */
export const text = join(root, '../shared/data/corpora/tiny-shakespeare.txt');
const seeds = [0, 1, 2];
/** Variants joined by '+' are one job, which also compares their tables. */
export const variants = [
  ...[
    'tied+untied+tied-input-x5',
    'tied-sqrt',
    'untied-sqrt',
    'tied-linear',
    'tied-low-rank-4',
    'untie-at-2/3',
    'tied-72',
  ],
];
/** Longer jobs should be first in `names`, so that no processor waits at the end. */
export const jobsOf = (names) => names.flatMap((name) => seeds.map((seed) => `${name}:${seed}`));

/** Values of one quantity, one per seed in seed order. */
export const valuesOf = (rows, variant, quantity) =>
  rows
    .filter((row) => row.variant === variant && row.quantity === quantity)
    .sort((a, b) => a.seed - b.seed)
    .map((row) => row.value);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
export const shown = (values) =>
  values.length > 1 ? `${mean(values).toFixed(4)} +- ${deviation(values).toFixed(4)}` : mean(values).toFixed(4);

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
 * tolerance is about the largest deviation over seeds that was measured (0.029).
 */
const references = [
  ['tied', 'output share at step 20', 0.95, 0.03],
  ['tied', 'output share at step 100', 0.55, 0.03],
  ['untied', 'input table to tied, linear', 0.63, 0.03],
  ['untied', 'output table to tied, linear', 0.77, 0.03],
  ['untied', 'input table to tied, linear, held out', 0.47, 0.03],
  ['untied', 'output table to tied, linear, held out', 0.68, 0.03],
  ['untied', 'input table to tied, linear, by chance', 0.33, 0.03],
];

/** How much closer to the tied table the output table is than the input table. */
const bias = (rows, measure) => {
  const input = valuesOf(rows, 'untied', `input table to tied, ${measure}`);
  return valuesOf(rows, 'untied', `output table to tied, ${measure}`).map((value, i) => value - input[i]);
};

/** Of the tables. */
function tableClaims(rows) {
  const differences = ['orthogonal', 'linear', 'linear, held out', 'shared neighbours'].map((measure) => {
    const values = bias(rows, measure);
    const holds = values.every((value) => value > 0) && mean(values) > 3 * deviation(values);
    return [
      `the output table is closer to the tied one, by more than three deviations: ${measure}`,
      holds,
      shown(values),
    ];
  });
  const near = references.map(([variant, quantity, value, tolerance]) => {
    const values = valuesOf(rows, variant, quantity);
    return [`${variant}, ${quantity}: ${value} +- ${tolerance}`, isNear(values, value, tolerance), shown(values)];
  });
  return [...differences, ...near];
}

/** [sentence, whether it holds, measured values] */
export const claims = (rows) => [...lossClaims(rows), ...tableClaims(rows)];

export async function train(executable, vocabulary, jobs, report = console.log) {
  const rows = [];
  const queue = [...jobs];
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const output = await capture(executable, [text, vocabulary, job]);
      if (output === undefined) throw new Error(`${executable} failed at ${job}`);
      for (const line of output.trim().split('\n')) {
        const [, variant, seed, quantity, value] = line.split('\t');
        // The number of tokens and the hash identify data and bits.
        if (quantity === 'tokens' || quantity === 'hash') report(`${job}: ${quantity} ${value}`);
        else rows.push({ variant, seed: Number(seed), quantity, value: Number(value) });
      }
      const [names, seed] = job.split(':');
      for (const name of names.split('+')) {
        const [value] = valuesOf(
          rows.filter((row) => row.seed === Number(seed)),
          name,
          'validation loss',
        );
        report(`${job}: validation loss of ${name} ${value}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return rows;
}

/** The variants that the claims need. */
export const claimVariants = ['tied+untied', 'tied-sqrt', 'untied-sqrt'];

/** Builds the training program and returns its path. */
export async function buildExperiments() {
  const { buildPreset } = await import('../build/cmake.mjs');
  const folder = await buildPreset('native-release', ['experiments']);
  return join(folder, 'tests/experiments/experiments');
}
