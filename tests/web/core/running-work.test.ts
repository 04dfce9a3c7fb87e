// How much work is asked for at a time, by a clock that the test sets.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunningWork, type Work } from '../../../web/core/runtime/work.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Work whose parts take this long each; with `shared`, it does one at a time whatever it is asked for, and waits before each. */
function* parts(asked: number[], milliseconds: () => number, shared: () => boolean): Work<void> {
  for (let part = yield 0; ;) {
    asked.push(part);
    if (shared()) {
      vi.advanceTimersByTime(milliseconds() / 2);
      yield Promise.resolve();
      vi.advanceTimersByTime(milliseconds() / 2);
      part = yield { done: 0.5, parts: 1 };
    } else {
      vi.advanceTimersByTime(milliseconds() * part);
      part = yield 0.5;
    }
  }
}

test('work that does one part where many are asked for is not asked for more than a slice afterwards', () => {
  const asked: number[] = [];
  let [milliseconds, shared] = [0.01, false];
  const work = new RunningWork(
    'work',
    parts(
      asked,
      () => milliseconds,
      () => shared,
    ),
  );
  for (let slice = 0; slice < 20; slice++) work.takeFor(4);
  expect(asked.at(-1)).toBeGreaterThan(50);
  [milliseconds, shared] = [2, true];
  for (let slice = 0; slice < 40; slice++) work.takeFor(4);
  shared = false;
  asked.length = 0;
  work.takeFor(4);
  // 1 ms of each part comes after its wait, so it seems half as long as it is.
  expect(asked[0]).toBeLessThanOrEqual(2);
});

test('a slice ends where work waits, and the wait says nothing of how long its parts take', () => {
  const asked: number[] = [];
  const work = new RunningWork(
    'work',
    parts(
      asked,
      () => 8,
      () => true,
    ),
  );
  work.takeFor(4);
  expect(work.waitsFor).toBeInstanceOf(Promise);
  vi.advanceTimersByTime(10_000);
  for (let slice = 0; slice < 10; slice++) work.takeFor(20);
  expect(asked.every((count) => count === 1)).toBe(true);
});
