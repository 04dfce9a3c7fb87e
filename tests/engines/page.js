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

/** What a lab reads of a file that the reader drops. */
async function checkpoint() {
  const core = await entry.loadCore();
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 4, dModel: 2, tying: 'tied' },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: { rows: 4, cols: 4, data: new Float32Array(16).fill(1) },
  });
  const lab = await entry.createLab();
  const opened = await lab.openCheckpoint([new File([trainer.toSafetensors()], 'model.safetensors')]);
  const { data } = await opened.matrix('output', { rows: { from: 2, to: 4 } });
  const isEqual = data.join() === trainer.matrix('embedding').data.slice(4).join();
  lab.dispose();
  return { tying: opened.tying, isEqual };
}

async function found() {
  return {
    bits: seedBits(await entry.loadCore()),
    experiment: await experiment(),
    checkpoint: await checkpoint(),
    usual: await useBuild(entry, 'simd128'),
    relaxed: await useBuild(entry, 'relaxed'),
    support: entry.isSupported({ simd: 'relaxed' }),
  };
}

const report = await found().catch((error) => ({ error: String(error) }));
await fetch('/report', { method: 'POST', body: JSON.stringify({ problems, ...report }) });
