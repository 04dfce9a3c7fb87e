// npm run experiments: trains the laboratory's transformers on tiny-shakespeare, several at a time, and prints what was
// measured beside the claims of docs/science.md. Minutes of work, so it is no part of `npm test`; nothing depends on a
// clock.
//
//   npm run experiments                 every variant, three seeds
//   npm run experiments -- --claims     only what the claims about the loss need; fails where one does not hold
//   npm run experiments -- tied:0 ...   some runs
//   --vocabulary=text                   with the package's own byte pair encoding, which begins with the text's own bytes;
//   --vocabulary=bytes                  which begins with all 256. By default: the tokens of the reference numbers.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { capture } from './lib/run.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

const text = join(root, '../shared/data/corpora/tiny-shakespeare.txt');
const seeds = [0, 1, 2];
const variants = [
  ...['tied', 'untied', 'tied-sqrt', 'untied-sqrt', 'tied-linear', 'tied-low-rank-4'],
  ...['untie-at-2/3', 'tied-input-x5', 'tied-72'],
];
const jobsOf = (names) => seeds.flatMap((seed) => names.map((name) => `${name}:${seed}`));

/** Values of one quantity, one a seed, in the order of seeds. */
const valuesOf = (rows, variant, quantity) =>
  rows
    .filter((row) => row.variant === variant && row.quantity === quantity)
    .sort((a, b) => a.seed - b.seed)
    .map((row) => row.value);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
const shown = (values) =>
  values.length > 1 ? `${mean(values).toFixed(4)} +- ${deviation(values).toFixed(4)}` : mean(values).toFixed(4);

const loss = (rows, variant) => valuesOf(rows, variant, 'validation loss');
const lowerInEachSeed = (rows, lower, higher) => {
  const above = loss(rows, higher);
  return loss(rows, lower).every((value, i) => value < above[i]);
};

// The claims about the loss: [sentence, holds, what was measured].
function claims(rows) {
  const near = (variant, value) => Math.abs(mean(loss(rows, variant)) - value) <= 0.03;
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

async function train(executable, vocabulary, jobs) {
  const rows = [];
  const queue = [...jobs];
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const output = await capture(executable, [text, vocabulary, job]);
      if (output === undefined) throw new Error(`${executable} failed at ${job}`);
      for (const line of output.trim().split('\n')) {
        const [, variant, seed, quantity, value] = line.split('\t');
        // The number of tokens and the hash say which data and which bits these are.
        if (quantity === 'tokens' || quantity === 'hash') console.log(`${job}: ${quantity} ${value}`);
        else rows.push({ variant, seed: Number(seed), quantity, value: Number(value) });
      }
      console.log(`${job}: validation loss ${rows.findLast((row) => row.quantity === 'validation loss').value}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return rows;
}

await program(async () => {
  if (!existsSync(text)) {
    console.log('not run: the experiments read ../shared/data/corpora/tiny-shakespeare.txt, which is not there');
    return;
  }
  const words = process.argv.slice(2);
  const checks = words.includes('--claims');
  const vocabulary = words.find((word) => word.startsWith('--vocabulary='))?.split('=')[1] ?? 'reference';
  const chosen = words.filter((word) => !word.startsWith('--'));
  const jobs = chosen.length > 0 ? chosen : jobsOf(checks ? ['tied', 'untied', 'tied-sqrt', 'untied-sqrt'] : variants);

  const { buildPreset } = await import('./build/cmake.mjs');
  let folder;
  const build = async () => {
    folder = await buildPreset('native-release', ['experiments']);
  };
  await withLock(() => runSteps([...setupSteps(), { title: 'Building the experiments, native', run: build }]));
  const rows = await train(join(folder, 'tests/experiments/experiments'), vocabulary, jobs);

  mkdirSync(join(root, 'build/experiments'), { recursive: true });
  const lines = rows.map((row) => [row.variant, row.seed, row.quantity, row.value].join('\t'));
  writeFileSync(join(root, `build/experiments/${vocabulary}.tsv`), `${lines.join('\n')}\n`);
  for (const variant of new Set(rows.map((row) => row.variant))) {
    console.log(`\n${variant}`);
    for (const quantity of new Set(rows.filter((row) => row.variant === variant).map((row) => row.quantity))) {
      console.log(`  ${quantity.padEnd(44)} ${shown(valuesOf(rows, variant, quantity))}`);
    }
  }
  if (!checks) return;
  console.log('');
  for (const [sentence, holds, measured] of claims(rows)) {
    console.log(`${holds ? 'holds        ' : 'DOES NOT HOLD'} ${sentence}   ${measured}`);
    if (!holds) process.exitCode = 1;
  }
});
