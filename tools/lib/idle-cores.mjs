// Whether processors of this machine have nothing to do.
import { cpus, freemem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of all processors since the machine started: without work, and altogether. */
export function processorTimes(processors = cpus()) {
  const sum = (of) => processors.reduce((total, { times }) => total + of(times), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  };
}

/** The share of the time between two looks in which processors had work. */
export const busyShare = (before, now) =>
  now.all === before.all ? 1 : 1 - (now.idle - before.idle) / (now.all - before.all);

/** Long enough that a program which starts, or a page which waits for a frame, does not count as a pause. */
const LOOK_MS = 4000;
/** Of two processors, a third of one. */
const IDLE_SHARE = 1 / 6;
/** What a browser, a linker or ESLint may take. */
const MEMORY_BYTES = 3 * 2 ** 30;

/** Resolves when a sixth of the processors' time was idle and there is memory for one program more, or when `signal` ends the wait. */
export async function idleCores(signal, { look = processorTimes, memory = freemem, lookMs = LOOK_MS } = {}) {
  for (let before = look(); !signal.aborted;) {
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
    const now = look();
    if (1 - busyShare(before, now) >= IDLE_SHARE && memory() >= MEMORY_BYTES) return;
    before = now;
  }
}
