// npm run size: what a reader's browser has to load, gzip, against its budgets.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './lib/root.mjs';

// 1 KB = 1,000 bytes: the stricter reading.
const kilobyte = 1000;
// The wasm of models and training with its glue; and that of all modules, text and decompositions included (one variant).
const coreBudget = 60 * kilobyte;
const allBudget = 110 * kilobyte;

function gzipBytes(path) {
  return gzipSync(readFileSync(join(root, path)), { level: 9 }).length;
}

/** Rows { what, bytes, budget? }; without a budget a row is for information. */
export function measureSizes() {
  const core = gzipBytes('web/wasm/core.wasm');
  const analysis = gzipBytes('web/wasm/analysis.wasm');
  // The same for both modules (tests/web/core/bindings.test.ts), and loaded once.
  const glue = gzipBytes('web/wasm/core.mjs');
  const rows = [
    { what: 'core.wasm', bytes: core },
    { what: 'analysis.wasm', bytes: analysis },
    { what: 'glue of both', bytes: glue },
    { what: 'core.wasm and glue', bytes: core + glue, budget: coreBudget },
    { what: 'all wasm and glue', bytes: core + analysis + glue, budget: allBudget },
  ];
  for (const name of ['tied-embeddings.js', 'slim.js', 'worker.js', 'elements.js', 'tied-embeddings.global.js']) {
    if (existsSync(join(root, 'dist', name))) rows.push({ what: `dist/${name}`, bytes: gzipBytes(`dist/${name}`) });
  }
  return rows;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const kb = (bytes) => `${(bytes / kilobyte).toFixed(1)} KB`.padStart(10);
  console.log(`${'gzip'.padEnd(32)}${'size'.padStart(10)}${'budget'.padStart(10)}`);
  for (const { what, bytes, budget } of measureSizes()) {
    const over = budget !== undefined && bytes > budget;
    console.log(
      `${what.padEnd(32)}${kb(bytes)}${budget === undefined ? '' : kb(budget)}${over ? '  over the budget' : ''}`,
    );
    if (over) process.exitCode = 1;
  }
}
