// npm test                        one browser, and the set of tests for every change: some of each area
// npm run test:all                everything, with what only some tests need: other engines, arm64, Slurm, zsh, PyTorch
//
//   npm test -- --list            the phases of the set, by key and title
//   npm test -- unitTests lint    only these phases, and none that they need
//   npm test -- --all             also phases that have passed on the same files
//
// Each run ends with "N passed, N failed". Logs are in build/logs. See docs/testing.md.
import { withLock } from '../lib/lock.mjs';
import { SetupProblem, program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { keysOf } from './sets.mjs';

/** The phases of these keys; a key may stand for several. */
async function phasesOf(keys) {
  const phases = await import('./phases.mjs');
  const all = { ...phases, ...(await import('./fuzz-phases.mjs')), ...(await import('./setup-phases.mjs')) };
  return keys.map((key) => [key, [all[key]].flat()]);
}

async function test(asked) {
  const set = asked.includes('--whole') ? 'all' : 'quick';
  const keys = keysOf(set);
  const only = asked.filter((word) => !word.startsWith('-'));
  const wrong = only.find((key) => !keys.includes(key));
  if (wrong !== undefined) throw new SetupProblem(`"${wrong}" is not a phase of this set: ${keys.join(', ')}`);
  const due = await phasesOf(only.length > 0 ? keys.filter((key) => only.includes(key)) : keys);
  if (asked.includes('--list')) {
    for (const [key, phases] of due) console.log(phases.map(({ title }) => `${key.padEnd(20)}${title}`).join('\n'));
    return;
  }
  const { runAndReport } = await import('./report.mjs');
  const { verdictOnSkips } = await import('./skips.mjs');
  const phases = due.flatMap(([, some]) => some);
  const onSkips = set === 'all' ? verdictOnSkips : undefined;
  await withLock(() => runAndReport(setupSteps({ chromium: true }), phases, { onSkips }));
}

await program(test, { options: ['--whole', '--list', '--all'], words: true });
