// Finds out whether cores of this machine are idle.
import { cpus, freemem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** CPU time of all cores since the machine started, in milliseconds: idle, and in all. */
export function processorTimes(processors = cpus()) {
  const sum = (of) => processors.reduce((total, { times }) => total + of(times), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  };
}

/** The fraction of the CPU time between two looks that was busy. */
export const busyShare = (before, now) =>
  now.all === before.all ? 1 : 1 - (now.idle - before.idle) / (now.all - before.all);

/** Long enough that a program that is starting, or a page that waits for a frame, does not count as idle. */
const LOOK_MS = 4000;
/** With two cores, a third of one. */
const IDLE_SHARE = 1 / 6;
/** What a browser or a linker may use. */
const MEMORY_BYTES = 3 * 2 ** 30;

/** Resolves when a sixth of the CPU time was idle and there is memory for one more program, or when `signal` ends the wait. */
export async function idleCores(signal, { look = processorTimes, memory = freemem, lookMs = LOOK_MS } = {}) {
  for (let before = look(); !signal.aborted;) {
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
    const now = look();
    if (1 - busyShare(before, now) >= IDLE_SHARE && memory() >= MEMORY_BYTES) return;
    before = now;
  }
}
