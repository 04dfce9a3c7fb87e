// When a trainer asks for partners and when it lets them go, by a clock that the test sets.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pace } from '../../../../web/worker/team/pace.js';
import { PATIENCE } from '../../../../web/worker/team/patience.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Steps without partners; whether any of them asks. */
function asks(pace: Pace, steps: number, milliseconds: number): boolean {
  let asked = false;
  for (let step = 0; step < steps; step++) {
    pace.begin();
    vi.advanceTimersByTime(milliseconds);
    asked = pace.asks(1) || asked;
  }
  return asked;
}

/** Steps with partners, until it lets them go; how many they were. */
function stepsUntilEnd(pace: Pace, most: number, milliseconds: number): number {
  pace.restart();
  for (let step = 1; step <= most; step++) {
    pace.begin();
    // The first also hands out the state.
    vi.advanceTimersByTime(step === 1 ? 1000 : milliseconds);
    if (pace.ends()) return step;
  }
  return most;
}

describe('a trainer', () => {
  test('asks for partners once its steps have taken long enough, one by one and in total', () => {
    const pace = new Pace();
    // The first are slow, as they are in a worker that has just been opened.
    expect(asks(pace, PATIENCE.warmUp, 1000)).toBe(false);
    const enough = PATIENCE.aloneMs / 10;
    expect(asks(pace, enough - 1, 10)).toBe(false);
    expect(asks(pace, 1, 10)).toBe(true);
  });

  test('never asks while its steps are short', () => {
    expect(asks(new Pace(), 10_000, PATIENCE.stepMs / 2)).toBe(false);
  });

  test('asks when its steps become long', () => {
    const pace = new Pace();
    expect(asks(pace, 10_000, 0.1)).toBe(false);
    expect(asks(pace, 100, 10)).toBe(true);
  });

  test('asks again after a pause, if nobody came', () => {
    const pace = new Pace();
    expect(asks(pace, 100, 10)).toBe(true);
    const pace2 = new Pace();
    asks(pace2, PATIENCE.warmUp + PATIENCE.aloneMs / 10, 10);
    expect(asks(pace2, PATIENCE.pauseMs / 10 - 1, 10)).toBe(false);
    expect(asks(pace2, 2, 10)).toBe(true);
  });

  test('keeps partners with which its steps take less time', () => {
    const pace = new Pace();
    asks(pace, 100, 10);
    expect(stepsUntilEnd(pace, 1000, 6)).toBe(1000);
  });

  test('lets partners go with which its steps take no less time, and asks again much later', () => {
    const pace = new Pace();
    asks(pace, 100, 10);
    expect(stepsUntilEnd(pace, 1000, 11)).toBe(PATIENCE.trial + 1);
    expect(asks(pace, (PATIENCE.pauseMs * PATIENCE.growth) / 10 - 1, 10)).toBe(false);
    expect(asks(pace, 2, 10)).toBe(true);
  });
});
