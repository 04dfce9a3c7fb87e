// What a figure's measurement does with a question, from the reader's wish to a result or a failure.
import { expect, it } from 'vitest';
import { Measurement, type MeasurementOptions } from '../../../web/elements/shared/measurement.js';
import { hostOfTests, settled } from './host.js';

interface Result {
  readonly of: string;
}

/** A measurement whose questions are words, and which ends on command. */
function opened(options: Partial<MeasurementOptions<string, Result>> = {}) {
  const host = hostOfTests();
  const work = {
    question: 'a',
    begun: [] as string[],
    aborted: 0,
    reported: [] as string[],
    failures: [] as unknown[],
  };
  let end: (result: Result | null) => void;
  let fail: (error: Error) => void;
  let progress: (fraction: number) => void;
  let part: (result: Result) => void;
  const measurement = new Measurement<string, Result>(host, {
    order: 'replace',
    question: () => work.question,
    same: Object.is,
    answers: ({ of }, question) => of === question,
    given: () => [],
    measure: (question, { signal, onProgress, onPart }) =>
      new Promise((resolve, reject) => {
        work.begun.push(question);
        signal.addEventListener('abort', () => (work.aborted += 1));
        [end, fail, progress, part] = [resolve, reject, onProgress, onPart];
      }),
    failed: (error) => work.failures.push(error),
    report: ({ of }) => work.reported.push(of) > 0,
    ...options,
  });
  const update = async (): Promise<void> => {
    await settled();
    host.update();
  };
  return {
    host,
    work,
    measurement,
    update,
    progress: (fraction: number) => progress(fraction),
    part: (result: Result) => part(result),
    ask: () => {
      measurement.ask();
      return update();
    },
    end: (result: Result | null = { of: work.begun.at(-1)! }) => {
      end(result);
      return update();
    },
    fail: () => {
      fail(new Error('no'));
      return update();
    },
  };
}

it('begins when the reader asks, and is then shown and reported once', async () => {
  const { measurement, work, update, ask, end, progress } = opened();
  await update();
  expect([measurement.state, measurement.shown, work.begun]).toEqual(['idle', null, []]);
  await ask();
  expect([measurement.state, measurement.fraction]).toEqual(['working', null]);
  progress(0.25);
  expect(measurement.fraction).toBe(0.25);
  await update();
  expect(work.begun).toEqual(['a']);
  await end();
  expect([measurement.state, measurement.shown]).toEqual(['shown', { of: 'a' }]);
  await update();
  expect(work.reported).toEqual(['a']);
});

it('follows the settings from then on, and shows the last result meanwhile', async () => {
  const { measurement, work, update, ask, end } = opened();
  await ask();
  await end();
  work.question = 'b';
  await update();
  expect([measurement.state, measurement.fitting, measurement.shown]).toEqual(['working', null, { of: 'a' }]);
  work.question = 'a';
  await update();
  expect([measurement.state, work.aborted, measurement.shown]).toEqual(['shown', 1, { of: 'a' }]);
});

it('shows what the page provides, and reports it if the reader comes to it by a setting', async () => {
  const { measurement, work, update } = opened({ given: () => [{ of: 'x' }, { of: 'b' }] });
  await update();
  expect([measurement.state, measurement.fitting, measurement.shown]).toEqual(['idle', null, { of: 'x' }]);
  work.question = 'b';
  await update();
  expect([measurement.state, work.reported]).toEqual(['shown', []]);
  measurement.change(false);
  await update();
  expect([work.reported, work.begun]).toEqual([['b'], []]);
});

it('waits until it may begin, and is impossible without anything to measure', async () => {
  const may = { begin: false, exist: true };
  const { measurement, work, update, ask } = opened({ ready: () => may.begin, possible: () => may.exist });
  await ask();
  expect([measurement.state, work.begun]).toEqual(['asked', []]);
  may.exist = false;
  expect(measurement.state).toBe('impossible');
  may.begin = true;
  await update();
  expect(work.begun).toEqual([]);
  may.exist = true;
  await update();
  expect([measurement.state, work.begun]).toEqual(['working', ['a']]);
});

it('does not try again what failed, until the reader asks, returns, or asks something else', async () => {
  const { measurement, work, update, ask, fail } = opened();
  await ask();
  await fail();
  await update();
  expect([measurement.state, work.begun, work.failures]).toEqual(['failed', ['a'], [new Error('no')]]);
  await ask();
  await fail();
  measurement.wake();
  expect(work.begun).toEqual(['a', 'a', 'a']);
  await fail();
  work.question = 'b';
  await update();
  expect(work.begun).toEqual(['a', 'a', 'a', 'b']);
  await fail();
  measurement.dismiss();
  measurement.wake();
  expect([measurement.state, work.begun.length]).toEqual(['idle', 4]);
});

it('does not try again a question that is too short', async () => {
  const told: string[] = [];
  const { measurement, work, update, ask, end } = opened({ tooShort: () => told.push('short') });
  await ask();
  await end(null);
  await update();
  expect([measurement.state, work.begun, told]).toEqual(['failed', ['a'], ['short']]);
});

it('can be stopped, and begins again only when it is asked for', async () => {
  const { measurement, work, update, ask } = opened();
  await ask();
  measurement.stop();
  await update();
  expect([measurement.state, measurement.stopped, work.aborted]).toEqual(['idle', true, 1]);
  await ask();
  expect([measurement.state, measurement.stopped, work.begun]).toEqual(['working', false, ['a', 'a']]);
});

it('can be interrupted, and continues once it may', async () => {
  const may = { begin: true };
  const { measurement, work, update, ask } = opened({ ready: () => may.begin });
  expect(measurement.tried).toBeNull();
  await ask();
  expect(measurement.tried).toBe('a');
  may.begin = false;
  measurement.cancel();
  await update();
  expect([measurement.state, work.aborted, work.begun]).toEqual(['asked', 1, ['a']]);
  may.begin = true;
  await update();
  expect([measurement.state, work.begun]).toEqual(['working', ['a', 'a']]);
});

it('reports what the figure says that it shows, but not because the reader has stopped', async () => {
  const there: { part: Result | null } = { part: null };
  const { measurement, work, update, ask, part } = opened({ reported: () => there.part });
  await ask();
  part((there.part = { of: 'a part' }));
  measurement.change(false);
  await update();
  measurement.stop();
  await update();
  expect([measurement.shown, measurement.state, work.reported]).toEqual([{ of: 'a part' }, 'idle', []]);
  measurement.change(false);
  await update();
  expect(work.reported).toEqual(['a part']);
});

it('is repeated when the figure returns to its page, which ended it', async () => {
  const { host, measurement, work, ask } = opened();
  await ask();
  host.remove();
  await settled();
  expect([measurement.pending, work.aborted]).toEqual([false, 1]);
  host.putBack();
  measurement.wake();
  expect(work.begun).toEqual(['a', 'a']);
});

it('is made without being asked for, if the figure says so', async () => {
  const { work, update } = opened({ unasked: () => true });
  await update();
  expect(work.begun).toEqual(['a']);
});

it('is reported later if the figure is not ready for that', async () => {
  const done = { all: false };
  const reported: string[] = [];
  const { update, ask, end } = opened({
    report: ({ of }) => {
      if (done.all) reported.push(of);
      return done.all;
    },
  });
  await ask();
  await end();
  expect(reported).toEqual([]);
  done.all = true;
  await update();
  await update();
  expect(reported).toEqual(['a']);
});

it('shows what is measured so far, which answers nothing and is not reported', async () => {
  const { measurement, work, update, ask, end, part, fail } = opened();
  await ask();
  part({ of: 'a' });
  expect([measurement.shown, measurement.fitting, measurement.state]).toEqual([{ of: 'a' }, null, 'working']);
  await update();
  expect(work.reported).toEqual([]);
  await end();
  expect([measurement.fitting, work.reported]).toEqual([{ of: 'a' }, ['a']]);
  work.question = 'b';
  await update();
  part({ of: 'b' });
  work.question = 'c';
  await update();
  part({ of: 'c' });
  await fail();
  expect([measurement.shown, measurement.state]).toEqual([{ of: 'c' }, 'failed']);
});

it('ends once there is nothing to measure any more', async () => {
  const there = { something: true };
  const { measurement, work, update, ask, part } = opened({ possible: () => there.something });
  await ask();
  there.something = false;
  await update();
  expect([measurement.state, work.aborted]).toEqual(['impossible', 1]);
  part({ of: 'a' });
  expect(measurement.shown).toBeNull();
});
