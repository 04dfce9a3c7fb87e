// The walks of the roundabout: a film that goes on beyond both of its ends, and whose backward half has the statistics of the chain in reverse.
import { describe, expect, test } from 'vitest';
import {
  noTurns,
  restingWalk,
  trailLength,
  turned,
  Walk,
  type Joint,
} from '../../../web/article/figures/roundabout/walk.js';
import { randomNumbers } from '../../../web/elements/shared/shuffled.js';
import { readRecord } from '../../../tools/build/site.mjs';

const { flow, symmetricFlow } = readRecord().toy as { flow: Joint; symmetricFlow: Joint };
const walk = (joint: Joint, seed = 1) => new Walk(joint, randomNumbers(seed), 0);
const steps = 60_000;

/** How often each step was made, of all steps. */
function shares(joint: Joint, direction: 'forward' | 'backward'): number[] {
  const one = walk(joint);
  const counts = new Array<number>(9).fill(0);
  for (let step = 0; step < steps; step++) {
    const { from, to } = one.advance(direction);
    counts[3 * from + to]! += 1;
  }
  return counts.map((count) => count / steps);
}

describe('a walk', () => {
  // Steps depend on each other; twelve standard deviations of independent ones.
  const tolerance = 12 * Math.sqrt(0.25 / steps) * 0.5;

  test.each([
    ['the chain', flow],
    ['the symmetric chain', symmetricFlow],
  ])('takes the steps of %s as often as they are, forward, and in reverse, backward', (_, joint) => {
    const [forward, backward] = [shares(joint, 'forward'), shares(joint, 'backward')];
    joint.forEach((row, from) => {
      row.forEach((share, to) => {
        expect(Math.abs(forward[3 * from + to]! - share)).toBeLessThan(tolerance);
        expect(Math.abs(backward[3 * to + from]! - share)).toBeLessThan(tolerance);
      });
    });
  });

  test('goes round in the chain, against the traffic when it is played backward, and no way in the symmetric one', () => {
    const turnsOf = (joint: Joint, direction: 'forward' | 'backward') => {
      const one = walk(joint);
      let turns = noTurns;
      for (let step = 0; step < 5000; step++) turns = turned(turns, one.advance(direction));
      return turns.clockwise / (turns.clockwise + turns.counterclockwise);
    };
    expect(turnsOf(flow, 'forward')).toBeGreaterThan(0.75);
    expect(turnsOf(flow, 'backward')).toBeLessThan(0.25);
    for (const direction of ['forward', 'backward'] as const) {
      expect(Math.abs(turnsOf(symmetricFlow, direction) - 0.5)).toBeLessThan(0.05);
    }
  });

  test('is a film: backward, it passes the same words again, and forward again, too', () => {
    const one = walk(flow, 3);
    const there = Array.from({ length: 40 }, () => one.advance('forward'));
    const back = Array.from({ length: 40 }, () => one.advance('backward'));
    expect(back).toEqual(there.map(({ from, to }) => ({ from: to, to: from })).reverse());
    for (let step = 0; step < 20; step++) one.advance('backward');
    for (let step = 0; step < 20; step++) one.advance('forward');
    expect(Array.from({ length: 40 }, () => one.advance('forward'))).toEqual(there);
  });

  test('writes its last words in the order in which they are played', () => {
    const one = new Walk(flow, randomNumbers(restingWalk.seed), restingWalk.steps);
    expect(one.trail('forward')).toHaveLength(trailLength);
    const last = one.current;
    expect(one.trail('forward').at(-1)).toBe(last);
    expect(one.trail('backward')).toEqual([last]);
    const { to } = one.advance('backward');
    expect(one.trail('backward')).toEqual([last, to]);
  });

  test('a repetition is no turn', () => {
    expect(turned(noTurns, { from: 1, to: 1 })).toEqual(noTurns);
    expect(turned(noTurns, { from: 2, to: 0 })).toEqual({ clockwise: 1, counterclockwise: 0 });
    expect(turned(noTurns, { from: 0, to: 2 })).toEqual({ clockwise: 0, counterclockwise: 1 });
  });
});
