// Trains the training lab's transformers on tiny-shakespeare, several at a time. Nothing depends on time.
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
    'tied+untied+tied-input-x2+tied-input-x5+tied-input-x10',
    'tied-256',
    'untied-256',
    'tied-128',
    'untied-128',
    'tied-sqrt',
    'untied-sqrt',
    'tied-linear',
    'tied-low-rank-4',
    'untie-at-2/3',
    'tied-72',
    'tied-32',
    'untied-32',
    'tied-16',
    'untied-16',
  ],
];
/** Longer jobs should be first in `names`, so no core waits at the end. */
export const jobsOf = (names) => names.flatMap((name) => seeds.map((seed) => `${name}:${seed}`));

/** Values of one quantity, one per seed in seed order. */
export const valuesOf = (rows, variant, quantity) =>
  rows
    .filter((row) => row.variant === variant && row.quantity === quantity)
    .sort((a, b) => a.seed - b.seed)
    .map((row) => row.value);
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
export const deviation = (values) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
export const shown = (values) =>
  values.length > 1 ? `${mean(values).toFixed(4)} +- ${deviation(values).toFixed(4)}` : mean(values).toFixed(4);

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
