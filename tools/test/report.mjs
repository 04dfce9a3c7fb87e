// Runs phases in parallel, prints a line for each when it ends, and adds up their counts.
import { availableParallelism } from 'node:os';
import { busyShare, idleCores, processorTimes } from '../lib/idle-cores.mjs';
import { inBackground } from '../lib/run.mjs';
import { runSideBySide } from '../lib/schedule.mjs';
import { runSteps, seconds } from '../lib/steps.mjs';
import { asPhase } from './phases.mjs';

/** `instead`: why a phase did nothing, in a few words. */
function counted({ passed, failed, skipped, unchanged, instead = unchanged && 'unchanged' }, time) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return `${counts} (${instead || time})`;
}

/** One more than the number of cores, however busy they are; at most four. */
export const phasesAtATime = (cores = availableParallelism()) => Math.min(4, cores + 1);

/** How many more may run while cores are idle: browsers, schedulers, and tests that kill and restart programs wait much of the time. */
const PHASES_MORE = 3;

/** Writes a line for each phase that ends; on a terminal the last line says what is running. */
function terminal(count, done) {
  const started = new Map();
  const live = process.stdout.isTTY;
  const status = () => {
    const running = [...started].map(([title, since]) => `${title} ${seconds(since)}`).join(', ');
    process.stdout.write(`\r\x1b[K${running.slice(0, (process.stdout.columns ?? 80) - 1)}`);
  };
  const timer = live ? setInterval(status, 1000) : undefined;
  return {
    start: ({ title }) => {
      started.set(title, Date.now());
      if (live) status();
    },
    end: ({ title }, result) => {
      const time = seconds(started.get(title));
      started.delete(title);
      process.stdout.write(`${live ? '\r\x1b[K' : ''}[${++done}/${count}] ${title} ... ${counted(result, time)}\n`);
      if (live) status();
    },
    close: () => {
      clearInterval(timer);
      if (live) process.stdout.write('\r\x1b[K');
    },
  };
}

/** Runs all phases, whatever fails, so one run shows everything; resolves with their results, in the order of the list. */
export async function runPhases(
  phases,
  { count = phases.length, done = 0, limit = phasesAtATime(), room = idleCores } = {},
) {
  const results = new Map();
  const lines = terminal(count, done);
  const run = async (phase) => {
    lines.start(phase);
    const result = await (phase.background ? inBackground(() => asPhase(phase.run)) : asPhase(phase.run));
    results.set(phase, { title: phase.title, ...result });
    lines.end(phase, result);
  };
  try {
    await runSideBySide(phases, { limit, most: limit + PHASES_MORE, run, room });
  } finally {
    lines.close();
  }
  return phases.map((phase) => results.get(phase));
}

/**
 * What a check leaves, in a line each: to the next one (`later` of the results), and to `npm test` (`leaves` of the results, and `always`).
 * @param {{ later?: string[], leaves?: string[] }[]} results @param {string[]} always
 */
export function linesOfLeft(results, always) {
  const all = (key) => results.flatMap((result) => result[key] ?? []);
  const line = (start, texts) => (texts.length === 0 ? [] : [`${start}: ${texts.join('; ')}.`]);
  return [
    ...line('Left to the next npm run check', all('later')),
    ...line('Left to npm test', always.length === 0 ? [] : [...all('leaves'), ...always]),
  ];
}

/**
 * Runs set-up steps (a failure there ends everything), then phases; prints what failed and, alone on the last line,
 * "N passed, N failed". Exit code 1 if anything failed. `onSkips(count)`: what to say of skipped tests, and whether they are failures. `leaves`: what
 * these phases never run.
 *
 * @param {object[]} setup @param {object[]} phases
 * @param {{ onSkips?: (skipped: number) => { fails: boolean, says: string | undefined }, leaves?: string[] }} [options]
 */
export async function runAndReport(
  setup,
  phases,
  { onSkips = () => ({ fails: false, says: undefined }), leaves = [] } = {},
) {
  const count = setup.length + phases.length;
  await runSteps(setup, { count });
  const [started, before] = [Date.now(), processorTimes()];
  const results = await runPhases(phases, { count, done: setup.length });
  const busy = Math.round(100 * busyShare(before, processorTimes()));
  console.log(`\nThe phases took ${seconds(started)}; the machine's cores were busy for ${busy}% of it.`);
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    for (const key of Object.keys(total)) total[key] += result[key];
    const said = ['failed', 'skipped'].filter((key) => result[key] > 0).map((key) => `${result[key]} ${key}`);
    if (said.length > 0) console.log(`\n---- ${result.title}: ${said.join(', ')}\n${result.notes.join('\n\n')}`);
  }
  for (const { table } of results) if (table !== undefined) console.log(`\n${table}`);
  const { fails, says } = onSkips(total.skipped);
  if (says !== undefined) console.log(`\n${says}`);
  const left = linesOfLeft(results, leaves);
  if (left.length > 0) console.log(`\n${left.join('\n')}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  if (total.failed > 0 || fails) process.exitCode = 1;
}
