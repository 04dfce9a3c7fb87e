// The formula of the cost of a step on several cores: what it counts, and that its fit finds rates that made the times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  costOf,
  countsOf,
  linesOf,
  models,
  numbersSent,
  RATES,
  stepTime,
  termsOf,
} from '../../../bench/one-model-cost.mjs';
import { root } from '../../../tools/lib/root.mjs';

const rates = [0.00003, 0.00005, 0.000003, 0.000008, 0.0000004];
const measured = { rates: { parameter: 8, movedNumber: 0.4 } };
/** How good each of two cores is. */
const together = 0.9;

/** Results of a benchmark whose times are those of the formula. */
function results(
  names: (keyof typeof models)[],
  times = (name: keyof typeof models, members: number) => stepTime(rates, models[name]!, members, false, together),
) {
  const cases = names.flatMap((name) => [`one-model/${name}`, `one-model/${name}/one-thread`]);
  return {
    cases: cases.map((id) => ({ id })),
    contenders: [{ name: 'ours, before' }, { name: 'ours, baseline' }],
    samples: cases.flatMap((id) => {
      const members = id.endsWith('/one-thread') ? 1 : 2;
      const secondsPerCall = times(id.split('/')[1] as keyof typeof models, members) / 1000;
      return [
        {
          id,
          contender: 1,
          round: 1,
          secondsPerCall,
          facts: { threads: members, 'register loops at once': 2 * together },
        },
        { id, contender: 0, round: 1, secondsPerCall: 1, facts: { threads: 1 } },
      ];
    }),
  };
}

test('counts products, parameters and what is sent', () => {
  // B by hand: 512 tokens; per token 12 * 4 * 128^2 in layers, 4 * 128 * 64 in attention, 4096 * 128 in the head.
  expect(countsOf(models.B!)).toEqual({
    tokens: 512,
    products: 3 * 512 * (786_432 + 32_768 + 524_288),
    states: 512 * 4 * 128,
    logits: 512 * 4096,
    parameters: 786_432 + 64 * 128 + 524_288,
  });
  // The output table, everything between, and 256 rows of the input table.
  expect(numbersSent(models.B!, 2)).toBe(786_432 + 64 * 128 + 524_288 + 256 * 128);
  expect(numbersSent(models.C!, 2)).toBe(128_000 + 512 * 64);
});

test('one worker sends nothing; with shared memory, more members cost fewer copies', () => {
  expect(termsOf(models.A!, 1, false, together).at(-1)).toBe(0);
  const moved = (members: number, isolated: boolean) => termsOf(models.A!, members, isolated, together).at(-1)!;
  const { parameters } = countsOf(models.A!);
  const half = 3 * numbersSent(models.A!, 2);
  expect([moved(2, false), moved(2, true)]).toEqual([half + 2 * parameters, half + 2 * parameters]);
  const all = half + 3 * numbersSent(models.A!, 4);
  expect([moved(4, false), moved(4, true)]).toEqual([all + 4 * parameters, all + 2 * parameters]);
  expect(moved(3, false)).toBe(moved(4, false));
});

test('the fit finds the rates, and predicts models that it was not fitted to', () => {
  const cost = costOf(measured, [results(['laboratory', 'A', 'B', 'C', 'wide', 'short'])]);
  const { rates: found, points } = cost;
  expect(cost.together).toBe(together);
  expect(found).toHaveLength(RATES.length);
  for (const [at, rate] of found.entries()) expect(rate / rates[at]!).toBeCloseTo(1, 4);
  expect(points).toHaveLength(12);
  for (const { error } of points) expect(Math.abs(error)).toBeLessThan(1e-6);
  expect(linesOf(cost).join('\n')).toContain('wide*, 2 plain');
});

test('no rate is negative, whatever was measured', () => {
  const { rates: found } = costOf(measured, [results(['laboratory', 'A', 'B', 'C'], (_, members) => 30 * members)]);
  for (const rate of found) expect(rate).toBeGreaterThanOrEqual(0);
});

test('the page says what the formula gives for the recorded measurements, which it meets within 10 %', () => {
  const page = readFileSync(join(root, 'docs/one-model-cost.md'), 'utf8');
  const [alone, ...recorded] = ['one-model-rates', 'one-model', 'one-model-sizes'].map((name): unknown =>
    JSON.parse(readFileSync(join(root, `docs/benchmarks/2026-11-30-${name}.json`), 'utf8')),
  );
  const cost = costOf(alone as Parameters<typeof costOf>[0], recorded as Parameters<typeof costOf>[1]);
  expect(page).toContain(linesOf(cost).join('\n'));
  expect(new Set(cost.points.map(({ name }) => name))).toEqual(new Set(Object.keys(models)));
  for (const { error } of cost.points) expect(Math.abs(error)).toBeLessThan(0.1);
});
