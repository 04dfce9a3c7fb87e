/* global addEventListener, document */
// A browser that nobody drives opens this page, and posts what it found to the test that waits for it.
import * as entry from '/dist/tied-embeddings.js';
import { useBuild } from '/scripts/use-build.js';
import { seedBits } from '/seed-bits.js';

await fetch('/begun', { method: 'POST' });

const problems = [];
addEventListener('error', ({ message }) => problems.push(`error: ${message}`));
addEventListener('unhandledrejection', ({ reason }) => problems.push(`rejection: ${String(reason)}`));
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  problems.push(`policy: ${violatedDirective} ${blockedURI}`);
});

async function found() {
  return {
    bits: seedBits(await entry.loadCore()),
    usual: await useBuild(entry, 'simd128'),
    relaxed: await useBuild(entry, 'relaxed'),
    support: entry.isSupported({ simd: 'relaxed' }),
  };
}

const report = await found().catch((error) => ({ error: String(error) }));
await fetch('/report', { method: 'POST', body: JSON.stringify({ problems, ...report }) });
