// npm test, and npm run test:all (--whole): sets up what the tests need, builds, and runs the phases of that set (sets.mjs).
import { withLock } from '../lib/lock.mjs';
import { SetupProblem, program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { keysOf } from './sets.mjs';

const help = `npm test                        one browser, and the set of tests for every change: some of each area
npm run test:all                everything, with what only some tests need: other engines, arm64, Slurm, zsh, PyTorch

  npm test -- --list            the phases of the set, by key and title
  npm test -- unitTests lint    only these phases, and none that they need
  npm test -- --all             also phases that have passed on the same files

Each run ends with "N passed, N failed". Logs are in build/logs. See docs/testing.md.`;

const asked = process.argv.slice(2);
const set = asked.includes('--whole') ? 'all' : 'quick';
const known = ['--whole', '--list', '--all', '--help', '-h'];
const unknown = asked.find((word) => word.startsWith('-') && !known.includes(word));

/** The phases of these keys; a key may stand for several. */
async function phasesOf(keys) {
  const phases = await import('./phases.mjs');
  const all = { ...phases, ...(await import('./fuzz-phases.mjs')), ...(await import('./setup-phases.mjs')) };
  return keys.map((key) => [key, [all[key]].flat()]);
}

await program(async () => {
  if (asked.includes('--help') || asked.includes('-h')) return console.log(help);
  if (unknown !== undefined) throw new SetupProblem(`"${unknown}" is not an option.\n\n${help}`);
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
  await withLock(() =>
    runAndReport(
      setupSteps({ chromium: true }),
      due.flatMap(([, phases]) => phases),
      set === 'all' ? verdictOnSkips : undefined,
    ),
  );
});
