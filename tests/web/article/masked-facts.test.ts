// What the article says about transformers that predict hidden tokens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { maskedFacts } from '../../../web/article/build/masked-facts.mjs';
import { checks } from '../../../web/article/build/sentence-checks.mjs';

interface Outcome {
  claims: { id: string; verdict: string }[];
  values: { value: string; points: { values: number[]; mean: number; halfWidth: number }[] }[];
}
const outcome = (name: string): Outcome =>
  JSON.parse(readFileSync(join(root, `claims/outcomes/${name}.json`), 'utf8')) as Outcome;
const names = ['masked-tying', 'masked-longer', 'masked-seeds'];
const sentences = checks.filter(({ says }) =>
  /one table cost it|how frequent each token is|one table then cost/.test(says),
);
const holding = (masked: unknown): boolean[] => sentences.map(({ holds }) => holds({ masked }));
const pointIn = ({ values }: Outcome, what: string) => values.find(({ value }) => value === what)!.points[0]!;
const costs = (objective: string): string => `loss(tied-${objective}) - loss(untied-${objective})`;

it('the numbers are those of the outcomes, and support the sentences', () => {
  const [early, longer, seeds] = names.map(outcome) as [Outcome, Outcome, Outcome];
  const facts = maskedFacts(early, longer, seeds);
  expect(facts.early.next.least).toBe(Math.min(...pointIn(early, costs('next')).values));
  expect(facts.early.hidden.most).toBe(Math.max(...pointIn(early, costs('masked-50')).values));
  const { mean, halfWidth } = pointIn(seeds, costs('masked-50'));
  expect(facts.learned.hidden).toMatchObject({ mean, halfWidth });
  const frequencies = pointIn(longer, 'bigram-bounds(untied-next).unigram').mean;
  expect(facts.learned.below).toBeCloseTo(frequencies - pointIn(seeds, 'loss(tied-masked-50)').mean, 12);
  expect(holding(facts)).toEqual([true, true, true]);
});

it('numbers that contradict a sentence refute it, and a missing value is named', () => {
  const changed = (index: number, change: (one: Outcome) => void): boolean[] => {
    const outcomes = names.map(outcome);
    change(outcomes[index]!);
    return holding(maskedFacts(...outcomes));
  };
  const dear = (one: Outcome) => (pointIn(one, costs('masked-50')).values[1] = 0.2);
  expect(changed(0, dear)).toEqual([false, true, true]);
  const learned = (one: Outcome) => (pointIn(one, 'loss(tied-masked-50)').mean = 5);
  expect(changed(0, learned)).toEqual([true, false, true]);
  const unlearned = (one: Outcome) => (pointIn(one, 'loss(tied-masked-50)').mean = 5.4);
  expect(changed(2, unlearned)).toEqual([true, true, false]);
  const undecided = (one: Outcome) => (one.claims.find(({ id }) => id === 'masked-costs-less')!.verdict = 'undecided');
  expect(changed(2, undecided)).toEqual([true, true, false]);
  const [early, longer] = names.map(outcome);
  expect(() => maskedFacts(early, longer, { claims: [], values: [] })).toThrow(
    `claims/outcomes/masked-seeds.json has no ${costs('next')}`,
  );
});
