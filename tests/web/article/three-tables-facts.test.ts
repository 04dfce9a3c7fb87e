// What the article says about one, two and three tables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { threeTablesFacts } from '../../../web/article/build/three-tables-facts.mjs';

interface Outcome {
  claims: { id: string; verdict: string }[];
  values: { value: string; points: { seeds: number[]; values: number[]; mean: number; halfWidth: number }[] }[];
}
const outcome = (): Outcome =>
  JSON.parse(readFileSync(join(root, 'claims/outcomes/three-tables.json'), 'utf8')) as Outcome;

it('one table ends at twice the loss of three, due to tying in the decoder and not of the inputs', () => {
  const { seeds, one, decoder, inputs, three } = threeTablesFacts(outcome());
  expect(seeds).toBe(5);
  expect(one / three).toBeGreaterThan(1.5);
  expect(decoder - three).toBeGreaterThan((one - three) / 2);
  expect(Math.abs(inputs - three)).toBeLessThan((one - three) / 10);
});

it('a run that contradicts this fails the build', () => {
  const changed = (value: string, change: (point: Outcome['values'][number]['points'][number]) => void): Outcome => {
    const other = outcome();
    change(other.values.find((one) => one.value === value)!.points[0]!);
    return other;
  };
  const against = changed('loss(one) - loss(three)', ({ values }) => (values[3] = -0.001));
  expect(() => threeTablesFacts(against)).toThrow('one is not above three in every seed');
  const apart = changed('loss(two-inputs) - loss(three)', (point) => (point.mean = 0.002));
  expect(() => threeTablesFacts(apart)).toThrow('sharing the inputs makes a difference');
  const unlearned = outcome();
  unlearned.claims.find(({ id }) => id === 'three-learns-the-task')!.verdict = 'undecided';
  expect(() => threeTablesFacts(unlearned)).toThrow('not all learn the task');
  expect(() => threeTablesFacts({ ...outcome(), values: [] })).toThrow('has no loss(one) - loss(three)');
});
