// What the article says about tables that are shared for a part of training only, or trained by one role alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { couplingFacts } from '../../../web/article/build/coupling-facts.mjs';
import { checks } from '../../../web/article/build/sentence-checks.mjs';

interface Outcome {
  values: { value: string; points: { values: number[]; mean: number }[] }[];
}
const outcome = (name: string): Outcome =>
  JSON.parse(readFileSync(join(root, `claims/outcomes/${name}.json`), 'utf8')) as Outcome;
const sentences = checks.filter(({ says }) => /^(Untied after a third|If only writing does)/.test(says));
const holding = (coupling: unknown): boolean[] => sentences.map(({ holds }) => holds({ coupling }));

it('the numbers are those of the outcomes, and support both sentences', () => {
  const facts = couplingFacts(outcome('small-variants'), outcome('one-role'));
  expect(facts.seeds).toBe(5);
  for (const { mean, values } of [facts.third, facts.onlyReading] as { mean: number; values: number[] }[]) {
    expect(values.reduce((sum, value) => sum + value, 0) / 5).toBeCloseTo(mean, 6);
  }
  expect(holding(facts)).toEqual([true, true]);
});

it('one seed that contradicts a sentence refutes it, and a missing value is named', () => {
  const late = outcome('small-variants');
  late.values.find(({ value }) => value === 'loss(untie-half) - loss(tied)')!.points[0]!.values[2] = 0.01;
  expect(holding(couplingFacts(late, outcome('one-role')))).toEqual([false, true]);
  const role = outcome('one-role');
  role.values.find(({ value }) => value === 'loss(writing)')!.points[0]!.values[4] = 9;
  expect(holding(couplingFacts(outcome('small-variants'), role))).toEqual([true, false]);
  expect(() => couplingFacts({ values: [] }, role)).toThrow(
    'claims/outcomes/small-variants.json has no loss(tied) - loss(untied)',
  );
});
