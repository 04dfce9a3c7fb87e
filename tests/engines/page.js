/* global addEventListener, document */
// A browser without a driver opens this page, which posts its findings to the waiting test.
import * as entry from '/dist/tied-embeddings.js';
import { useBuild } from '/scripts/use-build.js';
import { seedBits } from '/seed-bits.js';
import { timeless, transformers } from '/specs.js';

await fetch('/begun', { method: 'POST' });

const problems = [];
addEventListener('error', ({ message }) => problems.push(`error: ${message}`));
addEventListener('unhandledrejection', ({ reason }) => problems.push(`rejection: ${String(reason)}`));
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  problems.push(`policy: ${violatedDirective} ${blockedURI}`);
});

/** The records of an experiment, trained and measured in workers. */
async function experiment() {
  const lab = await entry.createLab();
  const records = await lab.runExperiment(transformers);
  lab.dispose();
  return timeless(records);
}

async function found() {
  return {
    bits: seedBits(await entry.loadCore()),
    experiment: await experiment(),
    usual: await useBuild(entry, 'simd128'),
    relaxed: await useBuild(entry, 'relaxed'),
    support: entry.isSupported({ simd: 'relaxed' }),
  };
}

const report = await found().catch((error) => ({ error: String(error) }));
await fetch('/report', { method: 'POST', body: JSON.stringify({ problems, ...report }) });
