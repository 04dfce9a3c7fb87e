/** Elementary functions with the same bits everywhere, compared with values of 32 digits (tests/reference/elementary_reference.py). */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  atan,
  cos,
  exp,
  exponentOf,
  hypot,
  log,
  log1p,
  powerOfTwo,
  sin,
  sinh,
} from '../../../web/core/runtime/elementary.js';
import { ELEMENTARY_BITS, elementaryBits } from '../elementary-bits.js';

const functions = { exp, log, log1p, sin, cos, atan, sinh };
type Row = readonly [x: number, high: number, low: number];
const reference = JSON.parse(
  readFileSync(new URL('../../reference/elementary_reference.json', import.meta.url), 'utf8'),
) as Record<string, Row[]>;

/** The distance of the next double, at |x|. */
const unitOf = (x: number): number => Math.max(2 ** -1074, 2 ** (exponentOf(Math.abs(x)) - 52));

describe.each(Object.entries(reference))('%s', (name, rows) => {
  test(`is within ${name === 'sinh' ? 'two units' : 'one unit'} in the last place of the reference`, () => {
    const of = functions[name as keyof typeof functions];
    expect(rows.length).toBeGreaterThan(180);
    const wrong = rows
      .map(([x, high, low]) => ({ x, units: Math.abs(of(x) - high - low) / unitOf(high) }))
      .filter(({ units }) => !(units < (name === 'sinh' ? 2 : 1)));
    expect(wrong).toEqual([]);
  });
});

test('exact and special values', () => {
  expect([exp(0), exp(-0), exp(Infinity), exp(-Infinity), exp(NaN)]).toEqual([1, 1, Infinity, 0, NaN]);
  expect([exp(709.79), exp(-745.2), exp(-745)]).toEqual([Infinity, 0, 5e-324]);
  expect([log(1), log(0), log(-0), log(Infinity), log(-1), log(NaN)]).toEqual([
    0,
    -Infinity,
    -Infinity,
    Infinity,
    NaN,
    NaN,
  ]);
  expect([log1p(0), log1p(-0), log1p(-1), log1p(-2), log1p(Infinity), log1p(NaN)]).toEqual([
    0,
    -0,
    -Infinity,
    NaN,
    Infinity,
    NaN,
  ]);
  expect([sin(0), sin(-0), cos(0), sin(Infinity), cos(NaN), sin(1e6)]).toEqual([0, -0, 1, NaN, NaN, NaN]);
  expect([sinh(0), sinh(-0), sinh(-Infinity), sinh(NaN), sinh(711)]).toEqual([0, -0, -Infinity, NaN, Infinity]);
  expect([atan(-0), atan(Infinity), atan(-Infinity), atan(NaN)]).toEqual([-0, Math.PI / 2, -Math.PI / 2, NaN]);
  expect([hypot(3, 4), hypot(0, -2)]).toEqual([5, 2]);
  for (const n of [-1074, -1073, -1023, -1022, -1, 0, 1, 52, 1023]) {
    expect(exponentOf(2 ** n)).toBe(n);
    if (n > -1023) expect(powerOfTwo(n)).toBe(2 ** n);
    if (n > -1022) expect(exponentOf(2 ** n * (1 - 2 ** -53))).toBe(n - 1);
  }
});

test('the bits of 700,000 values are the recorded ones', () => {
  expect(elementaryBits(functions)).toBe(ELEMENTARY_BITS);
});
