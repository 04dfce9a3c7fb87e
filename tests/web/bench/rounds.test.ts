import { expect, test, vi } from 'vitest';
import { measureRounds } from '../../../bench/rounds.mjs';

interface Answer {
  seconds: number;
  calls: number;
  limit?: number;
}

function contender(name: string, ids: string[], log: string[], measure: (id: string) => Answer) {
  return {
    name,
    host: 'native' as const,
    clock: 'processor' as const,
    cases: () => ids,
    measure: (id: string) => {
      log.push(`${name} ${id}`);
      return Promise.resolve().then(() => measure(id));
    },
    close: () => Promise.resolve(),
  };
}

const fast = () => ({ seconds: 0.2, calls: 4, limit: 10 });

test('every case is run by all contenders that support it, in turn, before the next case', async () => {
  const log: string[] = [];
  const contenders = [contender('a', ['x', 'y'], log, fast), contender('b', ['y', 'x'], log, fast)];
  await measureRounds({ contenders, ids: ['x', 'y'], rounds: 1 });
  expect(log).toEqual(['a x', 'b x', 'a y', 'b y', 'b x', 'a x', 'b y', 'a y']);
});

test('the first round is discarded, and a sample is the time of one call', async () => {
  const samples = await measureRounds({ contenders: [contender('a', ['x'], [], fast)], ids: ['x'], rounds: 2 });
  expect(samples).toEqual([
    { id: 'x', contender: 0, round: 1, secondsPerCall: 0.05, calls: 4, limit: 10 },
    { id: 'x', contender: 0, round: 2, secondsPerCall: 0.05, calls: 4, limit: 10 },
  ]);
});

test('training steps are warmed up by four measurements, and slow ones by one', async () => {
  const log: string[] = [];
  const step = contender('a', ['train/x'], log, fast);
  await measureRounds({ contenders: [step], ids: ['train/x'], rounds: 1 });
  expect(log).toHaveLength(4 + 1);
  log.length = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => 3000 * log.length);
  await measureRounds({ contenders: [step], ids: ['train/x'], rounds: 1 });
  clock.mockRestore();
  expect(log).toHaveLength(1 + 1);
});

test('a failure is reported once and not retried, and the others continue', async () => {
  const log: string[] = [];
  const failing = contender('a', ['x', 'y'], log, (id) => {
    if (id === 'x') throw new Error('no such thing');
    return fast();
  });
  const failures: string[] = [];
  const samples = await measureRounds({
    contenders: [failing, contender('b', ['x'], log, fast)],
    ids: ['x', 'y'],
    rounds: 2,
    failed: ({ id, error }) => failures.push(`${id}: ${error.message}`),
  });
  expect(failures).toEqual(['x: no such thing']);
  expect(log.filter((line) => line === 'a x')).toHaveLength(1);
  expect(samples.filter(({ contender: place, id }) => place === 0 && id === 'y')).toHaveLength(2);
  expect(samples.filter(({ contender: place, id }) => place === 1 && id === 'x')).toHaveLength(2);
});

test('measurements that take seconds have only three rounds, and the first of them counts', async () => {
  const clock = vi.spyOn(performance, 'now');
  let now = 0;
  clock.mockImplementation(() => now);
  const slow = contender('a', ['x'], [], () => {
    now += 4000;
    return { seconds: 4, calls: 1 };
  });
  const samples = await measureRounds({
    contenders: [slow, contender('b', ['x'], [], fast)],
    ids: ['x'],
    rounds: 7,
  });
  clock.mockRestore();
  const roundsOf = (place: number) => samples.filter((one) => one.contender === place).map(({ round }) => round);
  expect(roundsOf(0)).toEqual([0, 1, 2]);
  expect(roundsOf(1)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
