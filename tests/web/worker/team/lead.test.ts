// Workers that train one model, over real channels in one thread, with a stand-in for the trainer: who computes what, epochs, losses and cancels.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RunningWork } from '../../../../web/core/runtime/work.js';
import { channelsBetween } from '../../../../web/worker/team/channels.js';
import { Follower } from '../../../../web/worker/team/follower.js';
import { Lead } from '../../../../web/worker/team/lead.js';
import { PATIENCE } from '../../../../web/worker/team/patience.js';
import { watch } from '../../../../web/worker/team/watch.js';
import { alone, FakeTrainer } from './fake-trainer.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A lead with followers at places 1, 2, …, and what the page would hear. */
function team(shards: number, followers: number, value = 1) {
  const trainer = new FakeTrainer(shards, value);
  const copies = new Map<number, FakeTrainer[]>();
  const asked: number[] = [];
  const left: number[] = [];
  const lead = new Lead(trainer, { ask: (most) => asked.push(most), leave: (places) => left.push(...places) });
  const all = Array.from({ length: followers + 1 }, (_, place) => place);
  const connect = (): Map<number, Follower> => {
    const ports = channelsBetween(all);
    const made = all.slice(1).map((place): [number, Follower] => {
      const load = (file: Uint8Array): FakeTrainer => {
        const copy = FakeTrainer.load(file);
        copies.set(place, [...(copies.get(place) ?? []), copy]);
        prepare(place, copy);
        return copy;
      };
      return [place, new Follower(place, ports.get(place)!, load)];
    });
    lead.connect(ports.get(0)!);
    for (const [, follower] of made) closing.push(() => follower.end());
    closing.push(() => lead.end());
    return new Map(made);
  };
  let prepare: (place: number, copy: FakeTrainer) => void = () => undefined;
  const whenLoaded = (then: typeof prepare): void => void (prepare = then);
  return { trainer, lead, copies, asked, left, connect, whenLoaded };
}

/** The steps of a run, as its loop does them. */
function* steps(lead: Lead, trainer: FakeTrainer, count: number) {
  yield 0;
  for (let done = 0; done < count; done++) {
    yield* lead.give();
    trainer.advance();
    lead.stepped(1);
    yield (done + 1) / count;
  }
}

/** Does all of it; `until` ends it while it waits, as a cancel does. */
async function run(lead: Lead, trainer: FakeTrainer, count: number, until = (): boolean => false): Promise<void> {
  const work = new RunningWork('run', steps(lead, trainer, count));
  while (!work.finished && !until()) {
    work.take(1);
    if (work.waitsFor && !until()) await work.waitsFor;
  }
  work.end();
}

const SIZES = [
  [2, 1],
  [3, 1],
  [4, 3],
  [5, 2],
  [8, 2],
  [8, 7],
] as const;

describe('a team', () => {
  test.each([false, true].flatMap((isolated) => SIZES.map((size) => [...size, isolated] as const)))(
    'of %i shards with %i partners gives the numbers of one worker, isolated: %o',
    async (shards, followers, isolated) => {
      vi.stubGlobal('crossOriginIsolated', isolated);
      const { trainer, lead, copies, connect, left } = team(shards, followers);
      connect();
      expect(lead.size).toBe(0);
      await run(lead, trainer, 12);
      expect(trainer.value).toBe(alone(shards, 12));
      expect(lead.size).toBe(followers);
      // Everybody computed a share of each step; nobody computed one twice.
      for (let step = 0; step < 12; step++) {
        const computed = [trainer, ...[...copies.values()].flat()].flatMap((each) => each.computed.get(step) ?? []);
        expect(computed.sort((a, b) => a - b)).toEqual(Array.from({ length: shards }, (_, i) => i));
      }
      expect([...copies.values()].map(({ length }) => length)).toEqual(Array.from({ length: followers }, () => 1));
      expect(left).toEqual([]);
    },
  );

  test('goes on with the same copies in the next run, and computes nothing without one', async () => {
    const { trainer, lead, copies, connect } = team(4, 2);
    connect();
    await run(lead, trainer, 3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [copy] of copies.values()) {
      expect(copy!.step).toBe(3);
      expect([...copy!.computed.keys()]).toEqual([0, 1, 2, 3]);
    }
    await run(lead, trainer, 4);
    expect(trainer.value).toBe(alone(4, 7));
    expect([...copies.values()].map(({ length }) => length)).toEqual([1, 1]);
  });

  test.each([[1, 2], ...Array.from({ length: 7 }, (_, i) => [1 + i, 7] as const)] as const)(
    'goes on without partner %i of %i, which takes far longer than its own share, and not before',
    async (silent, followers) => {
      const { trainer, lead, left } = team(8, 0);
      const all = Array.from({ length: followers + 1 }, (_, place) => place);
      const ports = channelsBetween(all);
      const copies: FakeTrainer[] = [];
      const load = (file: Uint8Array): FakeTrainer => {
        const copy = FakeTrainer.load(file);
        copies.push(copy);
        return copy;
      };
      for (const place of all) {
        if (place === 0 || place === silent) continue;
        const follower = new Follower(place, ports.get(place)!, load);
        closing.push(() => follower.end());
      }
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
      lead.connect(ports.get(0)!);
      closing.push(() => lead.end());
      const computed = () => [trainer, ...copies].flatMap((each) => [...each.computed.values()].flat()).length;
      // Until all that are not silent wait: nobody has computed anything for a while, however slow the machine is.
      const messages = async () => {
        for (let before = -1; computed() !== before;) {
          before = computed();
          for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      const done = run(lead, trainer, 3);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), 30_000);
      await messages();
      vi.advanceTimersByTime(PATIENCE.hungMs - PATIENCE.tickMs);
      await messages();
      expect([trainer.step, left, lead.size]).toEqual([0, [], followers]);
      vi.advanceTimersByTime(PATIENCE.tickMs);
      await done;
      // Nobody else is let go, however deep in a branch it is.
      expect([trainer.step, left, lead.size]).toEqual([3, [silent], followers - 1]);
      expect(trainer.value).toBe(alone(8, 3));
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('waits for partners as many times its own share as it says', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const hung = vi.fn();
    const late = vi.fn();
    const stop = watch(1000, late, hung);
    const half = (1000 * PATIENCE.hungShares) / 2;
    vi.advanceTimersByTime(half - 1);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(half);
    expect(late).toHaveBeenCalledTimes(half / PATIENCE.tickMs);
    expect(hung).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(hung).toHaveBeenCalledOnce();
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('gets the state again after any change that was not a step', async () => {
    const { trainer, lead, copies, connect } = team(4, 2);
    connect();
    await run(lead, trainer, 3);
    trainer.set(7);
    trainer.step = 0;
    await run(lead, trainer, 5);
    expect(trainer.value).toBe(alone(4, 5, 7));
    for (const [first, second] of copies.values()) {
      expect(first!.disposed).toBe(true);
      expect(second!.computed.size).toBeGreaterThan(4);
    }
  });

  test('gets the state again after a step that failed', async () => {
    const { trainer, lead, copies, connect } = team(4, 1);
    connect();
    await run(lead, trainer, 2);
    const before = trainer.value;
    // The step begins and fails, and the way back restores the weights.
    const giving = lead.give();
    for (let at = giving.next(0); !at.done; at = giving.next(0)) await at.value;
    trainer.set(before);
    await run(lead, trainer, 2);
    expect(trainer.value).toBe(alone(4, 4));
    expect(copies.get(1)).toHaveLength(2);
  });

  test.each([3, 4, 5, 6, 7, 8, 9])('goes on after a cancel at the %ith message', async (message) => {
    const { trainer, lead, connect, left } = team(5, 2);
    connect();
    let waits = 0;
    await run(lead, trainer, 5, () => waits++ > message);
    await run(lead, trainer, 8 - trainer.step);
    expect(trainer.value).toBe(alone(5, 8));
    expect([lead.size, left]).toEqual([2, []]);
  });

  test('uses what was sent before a cancel, if the state is still the same', async () => {
    const { trainer, lead, copies, connect } = team(4, 1);
    connect();
    await run(lead, trainer, 2);
    let waits = 0;
    await run(lead, trainer, 5, () => waits++ > 2);
    const { step } = trainer;
    expect(step).toBeLessThan(7);
    // It does no more steps.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(trainer.step).toBe(step);
    await run(lead, trainer, 7 - step);
    expect(trainer.value).toBe(alone(4, 7));
    expect(copies.get(1)).toHaveLength(1);
    expect(copies.get(1)![0]!.computed.get(step)).toEqual([2, 3]);
    expect(trainer.computed.get(step)).toEqual([0, 1]);
  });

  test('that loses a member after a cancel completes the step that was begun, and deals the next one out anew', async () => {
    const { trainer, lead, connect, left } = team(5, 2);
    const followers = connect();
    await run(lead, trainer, 2);
    let waits = 0;
    await run(lead, trainer, 5, () => waits++ > 2);
    const { step } = trainer;
    expect(trainer.computed.get(step)).toEqual([0]);
    followers.get(1)!.end();
    lead.lose(1);
    await run(lead, trainer, 4);
    expect(trainer.value).toBe(alone(5, step + 4));
    expect(trainer.computed.get(step + 2)).toEqual([0, 1]);
    expect([lead.size, left]).toEqual([1, []]);
  });

  test.each([1, 2])('that loses member %i in a step goes on with the other, and the same numbers', async (lost) => {
    const { trainer, lead, copies, connect, left } = team(5, 2);
    const followers = connect();
    await run(lead, trainer, 3);
    let waited = 0;
    const work = run(lead, trainer, 6, () => {
      if (++waited === 5) {
        followers.get(lost)!.end();
        lead.lose(lost);
      }
      return false;
    });
    await work;
    expect(trainer.value).toBe(alone(5, 9));
    expect(lead.size).toBe(1);
    expect(copies.get(3 - lost)).toHaveLength(2);
    // The page knows.
    expect(left).toEqual([]);
  });

  test('that loses everybody while it waits goes on alone', async () => {
    const { trainer, lead, connect, whenLoaded } = team(4, 1);
    const followers = connect();
    // A follower that never sends anything.
    whenLoaded((_, copy) => void (copy.compute = () => 0));
    followers.get(1)!.end();
    const running = run(lead, trainer, 4);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(trainer.step).toBe(0);
    lead.lose(1);
    await running;
    expect(trainer.value).toBe(alone(4, 4));
    expect(lead.size).toBe(0);
  });

  test('that ends while it waits does not wait any longer', async () => {
    const { trainer, lead, connect, left } = team(4, 1);
    connect().get(1)!.end();
    const running = run(lead, trainer, 4);
    await new Promise((resolve) => setTimeout(resolve, 20));
    lead.end();
    await running;
    expect(trainer.value).toBe(alone(4, 4));
    expect(left).toEqual([1]);
  });

  test.each([0, 3])('dismisses a follower that fails at step %i', async (at) => {
    const { trainer, lead, connect, whenLoaded, left } = team(6, 2);
    connect();
    whenLoaded((place, copy) => {
      if (place === 2) copy.fails = { at, code: 'out-of-memory' };
    });
    await run(lead, trainer, 8);
    expect(trainer.value).toBe(alone(6, 8));
    expect(left).toEqual([2]);
    expect(lead.size).toBe(1);
  });

  test('passes on all weights once, and then what each step has changed', async () => {
    const { trainer, lead, copies, connect } = team(4, 3);
    connect();
    await run(lead, trainer, 3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [copy] of copies.values()) expect(copy!.followed).toEqual(['all', 'changed', 'changed', 'changed']);
    trainer.set(5);
    await run(lead, trainer, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [, copy] of copies.values()) expect(copy!.followed).toEqual(['all', 'changed']);
  });

  test('lets its partners go if its own core refuses to compute shards, and leaves the error to the step', async () => {
    const { trainer, lead, connect, left } = team(4, 1);
    connect();
    trainer.fails = { at: 2, code: 'unsupported' };
    await expect(run(lead, trainer, 4)).rejects.toThrow('on purpose');
    expect(trainer.step).toBe(2);
    expect(left).toEqual([1]);
    expect(lead.size).toBe(0);
  });

  test('that is formed again after its end begins with a new state', async () => {
    const { trainer, lead, copies, connect, left } = team(4, 1);
    connect();
    await run(lead, trainer, 3);
    connect();
    await run(lead, trainer, 3);
    expect(trainer.value).toBe(alone(4, 6));
    expect(copies.get(1)).toHaveLength(2);
    expect(left).toEqual([]);
  });
});
