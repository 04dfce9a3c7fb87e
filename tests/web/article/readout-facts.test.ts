import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { readoutFacts } from '../../../web/article/build/readout-facts.mjs';

const file = readFileSync(join(root, 'docs/experiments/readouts.tsv'), 'utf8');
const facts = readoutFacts(file);

describe('what the page states about the lenses and losses of its experiments', () => {
  it('are means over the seeds in the file', () => {
    const layer0 = file.split('\n').filter((line) => /^reference\ttied\t\d\ttuned lens, layer 0\t/.test(line));
    expect(layer0).toHaveLength(3);
    const mean = layer0.reduce((sum, line) => sum + Number(line.split('\t')[4]), 0) / 3;
    expect(facts.lens.tied).toBeCloseTo(mean, 10);
  });

  it('support the sentences in every run', () => {
    const { lens, rare, frequent } = facts;
    // "There the gap is at the embedding."
    lens.bySeed.tied.forEach((bits: number, seed: number) =>
      expect(bits).toBeGreaterThan(lens.bySeed.untied[seed]! + 0.1),
    );
    // "Five times the reading gradient brings it nearer."
    lens.bySeed.timesFive.forEach((bits: number, seed: number) =>
      expect(bits).toBeLessThan(lens.bySeed.tied[seed]! - 0.02),
    );
    // "Nine tenths early, about half at the end."
    expect(Math.min(...facts.writing.bySeed.early)).toBeGreaterThan(0.85);
    for (const share of facts.writing.bySeed.end) expect(Math.abs(share - 0.53)).toBeLessThan(0.05);
    // "Tying cost more on the less frequent tokens."
    expect(facts.rarer.shown).toBe(true);
    rare.bySeed.forEach((gap: number, seed: number) => expect(gap).toBeGreaterThan(1.5 * frequent.bySeed[seed]!));
    expect(Math.min(...frequent.bySeed)).toBeGreaterThan(0);
  });

  it('are reported as missing if the file lacks runs', () => {
    expect(() => readoutFacts('reference\ttied\t0\ttuned lens, layer 0\t0.5\n')).toThrow(/too few runs/);
  });
});
