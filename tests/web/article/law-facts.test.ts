// What the article says about the law of repeating, its cost, and what logits give away.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { lawFacts } from '../../../web/article/build/law-facts.mjs';

interface Outcome {
  experiment: string;
  values: { value: string; points: { mean: number; values: number[] }[] }[];
}
const outcomes = (): Outcome[] =>
  ['sharp-law', 'tied-gap', 'tied-gap-words', 'table-leaks', 'sharp-law-speeches'].map(
    (name) => JSON.parse(readFileSync(join(root, `claims/outcomes/${name}.json`), 'utf8')) as Outcome,
  );

test('the numbers are means of the recorded seeds', () => {
  const read = outcomes();
  const facts = lawFacts(read);
  const meanOf = (of: number, name: string) => {
    const { values } = read[of]!.values.find(({ value }) => value === name)!.points[0]!;
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  expect(facts.tied.deep.whole).toBeCloseTo(meanOf(0, 'self-transitions(tied-4).below'), 10);
  expect(facts.untied.shallow.repeats).toHaveLength(3);
  const { symmetry, eigenvalues, rest, trained } = facts.gap.words;
  expect(symmetry + eigenvalues + rest).toBeCloseTo(trained, 12);
  expect(facts.speeches.mlp).toBeCloseTo(meanOf(4, 'path-repetition(tied-4, finalNorm=true, mlp0=true).below'), 10);
  expect(facts.leak.tied.cosine).toBeCloseTo(meanOf(3, 'recovered-table(tied).cosine'), 10);
});

test('a value that an outcome lacks is named', () => {
  const read = outcomes();
  read[1] = { ...read[1]!, values: [] };
  expect(() => lawFacts(read)).toThrow(
    'claims/outcomes/tied-gap.json has no tied-floor(tied).symmetric - tied-floor(tied).bigram',
  );
});
