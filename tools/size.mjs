// npm run size: gzip sizes of what a browser downloads, with their budgets. A size above its budget is a failure.
import { program } from './lib/steps.mjs';

async function printSizes() {
  const { kilobyte, measureSizes } = await import('./lib/sizes.mjs');
  const kb = (bytes) => `${(bytes / kilobyte).toFixed(1)} KB`.padStart(10);
  console.log(`${'gzip'.padEnd(52)}${'size'.padStart(10)}${'budget'.padStart(10)}`);
  for (const { what, bytes, budget } of measureSizes()) {
    const over = budget !== undefined && bytes > budget;
    console.log(
      `${what.padEnd(52)}${kb(bytes)}${budget === undefined ? '' : kb(budget)}${over ? '  over the budget' : ''}`,
    );
    if (over) process.exitCode = 1;
  }
}

await program(printSizes, { options: [] });
