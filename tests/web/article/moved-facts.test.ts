// What the article says about small GPTs that are moved to a second text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { movedFacts } from '../../../web/article/build/moved-facts.mjs';
import { checks } from '../../../web/article/build/sentence-checks.mjs';

interface Outcome {
  values: { value: string; points: { seeds: number[]; values: number[]; mean: number }[] }[];
}
const outcome = (name = 'moved'): Outcome =>
  JSON.parse(readFileSync(join(root, `claims/outcomes/${name}.json`), 'utf8')) as Outcome;
const longer = outcome('moved-longer');
const sentences = checks.filter(({ says }) => /forgot more|its confidence on the second|forgot no less/.test(says));
const holding = (moved: unknown): boolean[] => sentences.map(({ holds }) => holds({ moved }));

it('the numbers are those of the outcome, and support the sentences in every seed', () => {
  const facts = movedFacts(outcome(), longer);
  const { tied, untied, seeds } = facts;
  expect(seeds).toBe(5);
  expect(tied.forgotten.mean).toBeCloseTo(tied.first!.after.loss.mean - tied.first!.before.loss.mean, 10);
  expect(untied.second!.before.error.values).toHaveLength(5);
  expect(holding(facts)).toEqual([true, true, true]);
});

it('one seed that contradicts a sentence refutes it, and a missing value is named', () => {
  const turned = outcome();
  turned.values.find(({ value }) => value === 'loss(untied, on=first)')!.points[0]!.values[1] = 0;
  expect(holding(movedFacts(turned, longer))).toEqual([false, true, true]);
  const sure = outcome();
  sure.values.find(({ value }) => value === 'calibration(tied, on=second, step=600)')!.points[0]!.values[2] = 1;
  expect(holding(movedFacts(sure, longer))).toEqual([true, false, true]);
  const forgot = outcome('moved-longer');
  forgot.values.find(({ value }) => value === 'loss(untied, on=first)')!.points[0]!.values[0] = 3;
  expect(holding(movedFacts(outcome(), forgot))).toEqual([true, true, false]);
  expect(() => movedFacts({ values: [] }, longer)).toThrow(
    'claims/outcomes/moved.json has no loss(tied, on=first, step=600)',
  );
});
