import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { experimentFacts } from '../../../web/article/build/experiment-facts.mjs';

const file = readFileSync(join(root, 'docs/experiments/tiny-shakespeare.tsv'), 'utf8');
const facts = experimentFacts(file);

describe('what the page states about its experiments', () => {
  it('are the means over the seeds in the file, as in docs/small-transformers.md', () => {
    const page = readFileSync(join(root, 'docs/small-transformers.md'), 'utf8');
    const rows = {
      'validation loss, tied': facts.tied,
      'validation loss, untied': facts.untied,
      'tied-linear': facts.tiedMap,
      'tied, d = 72 (292,392 parameters)': facts.tiedWide,
      'tied, then untied after two thirds': facts.untiedLate,
      'tied, input gradient times 5': facts.tiedInputTimes5,
      'tied, lookup times √d': facts.tiedScaled,
      'untied, lookup times √d': facts.untiedScaled,
    };
    for (const [name, { mean }] of Object.entries(rows)) expect(page).toContain(`| ${name} | ${mean.toFixed(3)} ±`);
  });

  it('support the sentences: untied wins every run, a map hurts, more parameters do not close the gap', () => {
    expect(facts.tied.least).toBeGreaterThan(facts.untied.most);
    expect(facts.tiedMap.least).toBeGreaterThan(facts.tied.most);
    expect(facts.tiedWide.least).toBeGreaterThan(facts.untied.most);
    for (const closed of facts.wideCloses.bySeed) expect(closed).toBeLessThan(0.5);
    expect(facts.wideCloses.inWords).toBe('42% and 10%');
    const { late, inputTimes5, map, scaledTied, scaledUntied } = facts.gains;
    // What the intervals include is not called a gain.
    for (const one of [late, inputTimes5]) expect(one).toMatchObject({ runs: 3, shown: false });
    for (const one of [map, scaledTied, scaledUntied, facts.difference]) expect(one.shown).toBe(true);
    expect(late.bySeed.map((gain) => Number(gain.toFixed(3)))).toEqual([0.029, -0.01, 0.054]);
    expect([late.mean.toFixed(3), late.halfWidth.toFixed(3)]).toEqual(['0.025', '0.081']);
  });

  it('cover every variant in the file, and require more than one run of each', () => {
    expect(() => experimentFacts(`${file}\nreference\tnew-idea\t0\tvalidation loss\t3.5\n`)).toThrow(/new-idea/);
    expect(() => experimentFacts(file.replace(/^reference\ttied-72\t1.*\n/m, ''))).toThrow(/too few runs of tied-72/);
  });
});
