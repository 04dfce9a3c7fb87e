import { describe, expect, it } from 'vitest';
import { Task, type TaskOrder } from '../../../web/elements/shared/task.js';
import { hostOfTests, settled } from './host.js';

/** A task whose work ends on command. */
function slow(order: TaskOrder) {
  const host = hostOfTests();
  const log: string[] = [];
  const open: {
    input: number;
    signal: AbortSignal;
    answer: (value: number) => void;
    refuse: (error: Error) => void;
    report: (fraction: number) => void;
  }[] = [];
  const task = new Task<number, number>(host, {
    order,
    run: (input, signal, report) => {
      log.push(`run ${input}`);
      return new Promise((answer, refuse) => open.push({ input, signal, answer, refuse, report }));
    },
    done: (output, input) => log.push(`done ${input} ${output}${task.pending ? ' pending' : ''}`),
    failed: (error, input) => log.push(`failed ${input} ${(error as Error).message}`),
  });
  const work = (input: number) => open.find((one) => one.input === input)!;
  const answer = async (input: number): Promise<void> => {
    work(input).answer(10 * input);
    await settled();
  };
  const refuse = async (input: number): Promise<void> => {
    work(input).refuse(new Error('no'));
    await settled();
  };
  const request = (input: number): void =>
    void task.request(input).then(() => {
      log.push(`settled ${input}`);
    });
  const report = (input: number, fraction: number): void => work(input).report(fraction);
  return { host, task, log, request, answer, refuse, report, signal: (input: number) => work(input).signal };
}

describe('a task with order newest', () => {
  it('finishes the current request and then runs only the newest waiting one', async () => {
    const { task, log, request, answer } = slow('newest');
    for (const input of [1, 2, 3, 4]) request(input);
    await settled();
    expect(log).toEqual(['run 1', 'settled 2', 'settled 3']);
    await answer(1);
    await answer(4);
    expect(log.slice(3)).toEqual(['done 1 10 pending', 'run 4', 'settled 1', 'done 4 40', 'settled 4']);
    expect(task.pending).toBe(false);
  });

  it('reports a refusal unless a newer request waits, and continues after it', async () => {
    const { log, request, answer, refuse } = slow('newest');
    request(1);
    request(2);
    await refuse(1);
    expect(log).not.toContain('failed 1 no');
    await answer(2);
    request(3);
    await refuse(3);
    request(4);
    await answer(4);
    expect(log.filter((line) => /done|failed/.test(line))).toEqual(['done 2 20', 'failed 3 no', 'done 4 40']);
  });
});

describe('a task with order replace', () => {
  it('aborts the older request, starts the newer one at once, and drops the older result', async () => {
    const { log, request, answer, signal } = slow('replace');
    request(1);
    request(2);
    await settled();
    expect(signal(1).aborted).toBe(true);
    expect(log).toEqual(['run 1', 'run 2', 'settled 1']);
    await answer(2);
    await answer(1);
    expect(log.slice(3)).toEqual(['done 2 20', 'settled 2']);
  });

  it('does not report the failure of a replaced request', async () => {
    const { log, request, answer, refuse } = slow('replace');
    request(1);
    request(2);
    await refuse(1);
    await answer(2);
    expect(log.filter((line) => line.startsWith('failed'))).toEqual([]);
  });
});

describe('a task with order queue', () => {
  it('runs one request after the other, and tells each whether others wait', async () => {
    const { task, log, request, answer, refuse } = slow('queue');
    request(1);
    expect(task.overtaken).toBe(false);
    request(2);
    request(3);
    expect(task.overtaken).toBe(true);
    await refuse(1);
    await answer(2);
    await answer(3);
    expect(log.filter((line) => !line.startsWith('settled'))).toEqual([
      'run 1',
      'failed 1 no',
      'run 2',
      'done 2 20 pending',
      'run 3',
      'done 3 30',
    ]);
  });

  it('starts after a cancellation only once the aborted work has ended and been cleaned up', async () => {
    const { task, log, request, answer, signal } = slow('queue');
    request(1);
    request(2);
    task.cancel(() => log.push('tidied'));
    request(3);
    expect(signal(1).aborted).toBe(true);
    await settled();
    expect(log).toEqual(['run 1', 'settled 2']);
    await answer(1);
    expect(log.slice(2)).toEqual(['tidied', 'run 3', 'settled 1']);
  });
});

describe('what an update wants', () => {
  it.each(['replace', 'newest', 'queue'] as const)('is not asked again once it has failed (%s)', async (order) => {
    const { host, task, log, refuse } = slow(order);
    // As an element does whose update finds the answer missing: its failure updates it.
    host.requestUpdate = () => void queueMicrotask(() => task.want(1));
    task.want(1);
    await refuse(1);
    await settled();
    expect(log).toEqual(['run 1', 'failed 1 no']);
    expect(task.pending).toBe(false);
  });

  it('is asked once, however many updates find it missing', async () => {
    const { task, log, answer } = slow('newest');
    for (let update = 0; update < 3; update++) task.want(1);
    await answer(1);
    expect(log).toEqual(['run 1', 'done 1 10']);
    task.want(1);
    expect(log.at(-1)).toBe('run 1');
  });

  it('is tried again with another input, on request, and when the element returns', async () => {
    const { host, task, log, request, refuse } = slow('newest');
    task.want(1);
    await refuse(1);
    task.want(2);
    await refuse(2);
    request(2);
    expect(log.filter((line) => line === 'run 2')).toHaveLength(2);
    host.remove();
    await settled();
    host.putBack();
    task.want(2);
    expect(log.filter((line) => line === 'run 2')).toHaveLength(3);
  });

  it('is compared by the rule of the task', async () => {
    const runs: number[] = [];
    const task = new Task<{ id: number }>(hostOfTests(), {
      order: 'newest',
      same: (one, other) => one.id === other.id,
      run: ({ id }) => {
        runs.push(id);
        return Promise.reject(new Error('no'));
      },
    });
    for (const id of [1, 1, 2]) {
      task.want({ id });
      await settled();
    }
    expect(runs).toEqual([1, 2]);
  });
});

describe('progress', () => {
  it('is that of the running request, and null before its first report and at rest', async () => {
    const { task, request, report, answer } = slow('replace');
    request(1);
    await settled();
    expect(task.fraction).toBeNull();
    report(1, 0.25);
    expect(task.fraction).toBe(0.25);
    request(2);
    await settled();
    report(1, 0.75);
    expect(task.fraction).toBeNull();
    report(2, 0.5);
    expect(task.fraction).toBe(0.5);
    await answer(2);
    expect(task.fraction).toBeNull();
  });
});

describe('stopping', () => {
  it('is remembered until another request, a cancellation or leaving, if there was something to stop', async () => {
    const { host, task, request } = slow('replace');
    task.stop();
    expect(task.stopped).toBe(false);
    for (const after of [() => request(2), () => task.cancel(), () => host.remove()]) {
      request(1);
      await settled();
      task.stop();
      expect([task.pending, task.stopped]).toEqual([false, true]);
      after();
      await settled();
      expect(task.stopped).toBe(false);
      task.cancel();
    }
  });
});

describe('cancelling', () => {
  it.each(['replace', 'newest'] as const)('returns at once, however long the work takes (%s)', async (order) => {
    const { task, log, request, answer } = slow(order);
    request(1);
    task.cancel();
    expect(task.pending).toBe(false);
    await task.idle();
    await settled();
    expect(log).toEqual(['run 1', 'settled 1']);
    await answer(1);
    expect(log).toEqual(['run 1', 'settled 1']);
  });

  it('cleans up at once if nothing runs', () => {
    const { task, log } = slow('queue');
    task.cancel(() => log.push('tidied'));
    expect(log).toEqual(['tidied']);
  });
});

describe('an element that leaves', () => {
  it.each(['replace', 'newest', 'queue'] as const)('aborts its tasks, and gets no more results (%s)', async (order) => {
    const { host, log, request, answer, signal } = slow(order);
    request(1);
    host.remove();
    await settled();
    expect(signal(1).aborted).toBe(true);
    await answer(1);
    expect(log.filter((line) => line.startsWith('done'))).toEqual([]);
  });

  it('starts nothing while disconnected, and works again once reconnected', async () => {
    const { host, log, request, answer } = slow('newest');
    host.remove();
    request(1);
    await settled();
    expect(log).toEqual(['settled 1']);
    host.putBack();
    request(2);
    await answer(2);
    expect(log).toContain('done 2 20');
  });

  it('keeps its tasks when only moved', async () => {
    const { host, log, request, answer } = slow('queue');
    request(1);
    host.remove();
    host.putBack();
    await settled();
    await answer(1);
    expect(log).toContain('done 1 10');
  });
});
