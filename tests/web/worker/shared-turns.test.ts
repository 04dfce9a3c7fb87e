import { afterEach, describe, expect, test, vi } from 'vitest';
import { pause } from '../../../web/core/runtime/pause.js';
import { SharedTurns } from '../../../web/worker/shared-turns.js';

describe('turns of the event loop', () => {
  afterEach(() => vi.restoreAllMocks());

  test('are taken when the slice is over, and not before', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const turns = new SharedTurns(8);
    const order: string[] = [];
    const turn = pause().then(() => order.push('turn'));
    now = 7;
    await turns.wait();
    order.push('within the slice');
    now = 8;
    await turns.wait();
    order.push('after it');
    await turn;
    expect(order).toEqual(['within the slice', 'turn', 'after it']);
  });

  test('keep the order of waiters, including one that arrives just after a turn has begun', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const turns = new SharedTurns(8);
    const order: string[] = [];
    now = 10;
    const first = turns.wait().then(() => order.push('first'));
    const third = pause().then(async () => {
      await turns.wait();
      order.push('third');
    });
    const second = turns.wait().then(() => order.push('second'));
    await Promise.all([first, second, third]);
    expect(order).toEqual(['first', 'second', 'third']);
  });
});
