// Runs phases as numbered steps and adds up what they counted.
import { runSteps } from '../lib/steps.mjs';
import { asPhase } from './phases.mjs';

function counted({ passed, failed, skipped }, seconds) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds} s)`;
}

/** The phases as steps: they do not stop at a failure, so that one run shows everything. `phases` is filled. */
export function asSteps(phases, results) {
  return phases.map(({ title, run }) => ({
    title,
    run: async () => {
      const started = Date.now();
      const result = await asPhase(run);
      results.push({ title, ...result });
      return counted(result, ((Date.now() - started) / 1000).toFixed(1));
    },
  }));
}

/**
 * Runs set-up steps (a failure there ends everything), then phases; prints what failed and, alone on the last line,
 * "N passed, N failed". Exit code 1 if anything failed.
 */
export async function runAndReport(setup, phases) {
  const results = [];
  await runSteps([...setup, ...asSteps(phases, results)]);
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    for (const key of Object.keys(total)) total[key] += result[key];
    const said = ['failed', 'skipped'].filter((key) => result[key] > 0).map((key) => `${result[key]} ${key}`);
    if (said.length > 0) console.log(`\n---- ${result.title}: ${said.join(', ')}\n${result.notes.join('\n\n')}`);
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  if (total.failed > 0) process.exitCode = 1;
}
