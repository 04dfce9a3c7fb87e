// What the article says about how far the tables of the models of the plays move.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { changesTried, driftFacts, optimizerFacts, turnFacts } from '../../../web/article/build/drift-facts.mjs';

interface Outcome {
  values: { value: string; points: { seeds: number[]; values: number[]; mean: number }[] }[];
}
const outcome = (): Outcome =>
  JSON.parse(readFileSync(join(root, 'claims/outcomes/shared-tables.json'), 'utf8')) as Outcome;

it('the output table moves further at first, and the tied table nearly as far', () => {
  const { step, seeds, tied, reading, writing } = driftFacts(outcome());
  expect([step, seeds]).toEqual([100, 3]);
  // "Nearly as far": closer to the output table than to the input table.
  expect(writing - tied).toBeLessThan(tied - reading);
  expect(reading).toBeGreaterThan(1);
});

it('a run in which one seed contradicts this fails the build', () => {
  const turned = outcome();
  const found = turned.values.find(({ value }) => value === 'unembedding-drift(untied, step=100)')!;
  found.points[0]!.values[1] = 0;
  expect(() => driftFacts(turned)).toThrow(/not ahead in every seed/);
  expect(() => driftFacts({ values: [] })).toThrow(/has no embedding-drift/);
});

it('of eight changes none takes the lead from writing, and one that does fails the build', () => {
  const found = JSON.parse(readFileSync(join(root, 'claims/outcomes/early-pull.json'), 'utf8')) as {
    claims: { id: string; says: string; verdict: string }[];
  };
  expect(changesTried(found)).toBe(8);
  found.claims.find(({ id }) => id === 'output-pulls-more-sgd')!.verdict = 'fails';
  expect(() => changesTried(found)).toThrow(/does not lead in every run: 1 - input-share\(sgd/);
});

it('tables turn further from their start with every step drawn, and a run in which reading turns further fails the build', () => {
  const widths = () => JSON.parse(readFileSync(join(root, 'claims/outcomes/widths.json'), 'utf8')) as Outcome;
  const turns = turnFacts(widths());
  expect(turns.map(({ step }) => step)).toEqual(['20', '50', '100', '200', 'end']);
  for (const table of ['reading', 'writing', 'tied'] as const) {
    const means = turns.map((turn) => turn[table].mean);
    expect(means).toEqual([...means].sort((one: number, other: number) => other - one));
  }
  const changed = widths();
  const found = changed.values.find(({ value }) => value === 'start-cosine(untied-64.unembedding, step=50)')!;
  found.points[0]!.values[2] = 1;
  expect(() => turnFacts(changed)).toThrow(/By step 50, the reading table has turned further/);
});

it('with Muon writing leads by less than with AdamW, and a run in which it does not lead fails the build', () => {
  const found = () => JSON.parse(readFileSync(join(root, 'claims/outcomes/muon.json'), 'utf8')) as Outcome;
  const { muon, adamw, seeds } = optimizerFacts(found());
  expect(seeds).toBe(5);
  expect(muon.least).toBeGreaterThan(0.5);
  expect(muon.largest).toBeLessThan(adamw.least);
  const changed = found();
  changed.values.find(({ value }) => value.includes('share(muon-tied'))!.points[1]!.values[0] = 0.4;
  expect(() => optimizerFacts(changed)).toThrow(/does not lead in every run/);
});
