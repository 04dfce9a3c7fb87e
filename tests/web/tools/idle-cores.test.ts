import { expect, test } from 'vitest';
import { busyShare, idleCores, processorTimes } from '../../../tools/lib/idle-cores.mjs';

const giB = 2 ** 30;
const options = (idle: number[], memory = 8 * giB) => {
  let looks = 0;
  let passed = 0;
  return {
    looks: () => looks,
    look: () => {
      passed += looks === 0 ? 0 : idle[Math.min(looks - 1, idle.length - 1)]!;
      return { idle: passed, all: 100 * looks++ };
    },
    memory: () => memory,
    lookMs: 1,
  };
};

test('times of all CPUs are added up', () => {
  const times = (idle: number) => ({ model: '', speed: 0, times: { user: 5, nice: 1, sys: 2, irq: 1, idle } });
  expect(processorTimes([times(10), times(30)])).toEqual({ idle: 40, all: 58 });
  expect(busyShare({ idle: 40, all: 58 }, { idle: 45, all: 78 })).toBe(0.75);
});

test('one more program may run if CPUs were idle between two checks', async () => {
  const busyAtFirst = options([0, 5, 16, 40]);
  await idleCores(new AbortController().signal, busyAtFirst);
  // The first, and one after each time of 0, 5, 16 and 40 %.
  expect(busyAtFirst.looks()).toBe(5);
});

test('no program may start without memory for it, and none waits after the signal', async () => {
  const over = new AbortController();
  const full = options([90], giB);
  let found = false;
  const wait = idleCores(over.signal, full).then(() => (found = true));
  await expect.poll(full.looks).toBeGreaterThan(5);
  expect(found).toBe(false);
  over.abort();
  await wait;
});
