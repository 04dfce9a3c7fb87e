// npm run experiments: trains the training lab's transformers on tiny-shakespeare and prints the measurements. `npm run test:all`
// repeats one seed of --claims and compares it with the recorded numbers.
//
//   npm run experiments                 every variant, three seeds
//   npm run experiments -- --claims     only the runs that check claims; fails if one does not hold
//   npm run experiments -- tied:0 ...   some runs; tied+untied:0 also compares their tables
// Claims about the scale of the input gradient are checked whenever all scales have been run; those about the direct path, the
// spectral distance, the width, rows and layers, whenever their runs have three seeds. The latter are reported only:
// docs/small-transformers.md says which hold.
//   --vocabulary=text                   with the package's own byte pair encoding, starting from the bytes of the text;
//   --vocabulary=bytes                  the same, starting from all 256 bytes. By default: the tokens of the reference values.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { claims, costClaims, pathClaims, scaleClaims, widthClaims } from './experiments/claims.mjs';
import { rowClaims } from './experiments/row-claims.mjs';
import {
  buildExperiments,
  claimVariants,
  jobsOf,
  shown,
  text,
  train,
  valuesOf,
  variants,
} from './experiments/runs.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

async function experiments(words) {
  if (!existsSync(text)) {
    console.log('not run: the experiments read ../shared/data/corpora/tiny-shakespeare.txt, which is not there');
    return;
  }
  const checks = words.includes('--claims');
  const vocabulary = words.find((word) => word.startsWith('--vocabulary='))?.split('=')[1] ?? 'reference';
  const chosen = words.filter((word) => !word.startsWith('--'));
  const jobs = chosen.length > 0 ? chosen : jobsOf(checks ? claimVariants : variants);

  let executable;
  const build = async () => {
    executable = await buildExperiments();
  };
  await withLock(() => runSteps([...setupSteps(), { title: 'Building the experiments, native', run: build }]));
  const rows = await train(executable, vocabulary, jobs);

  mkdirSync(join(root, 'build/experiments'), { recursive: true });
  const lines = rows.map((row) => [row.variant, row.seed, row.quantity, row.value].join('\t'));
  writeFileSync(join(root, `build/experiments/${vocabulary}.tsv`), `${lines.join('\n')}\n`);
  for (const variant of new Set(rows.map((row) => row.variant))) {
    console.log(`\n${variant}`);
    for (const quantity of new Set(rows.filter((row) => row.variant === variant).map((row) => row.quantity))) {
      console.log(`  ${quantity.padEnd(44)} ${shown(valuesOf(rows, variant, quantity))}`);
    }
  }
  console.log('');
  const required = [...(checks ? claims(rows) : []), ...scaleClaims(rows)];
  const reported = [...pathClaims(rows), ...widthClaims(rows), ...costClaims(rows), ...rowClaims(rows)];
  for (const [sentence, holds, measured] of [...required, ...reported]) {
    console.log(`${holds ? 'holds        ' : 'DOES NOT HOLD'} ${sentence}   ${measured}`);
  }
  if (required.some(([, holds]) => !holds)) process.exitCode = 1;
}

await program(experiments, { options: ['--claims', '--vocabulary=text', '--vocabulary=bytes'], words: true });
