import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { alignmentFacts, likenessFacts } from '../../../web/article/build/alignment-facts.mjs';

const file = readFileSync(join(root, 'docs/experiments/tables.tsv'), 'utf8');
const facts = alignmentFacts(file);

describe('what the page states about the tables of its experiments', () => {
  it('are the means over the seeds in the file, as in docs/small-transformers.md', () => {
    const page = readFileSync(join(root, 'docs/small-transformers.md'), 'utf8');
    const rows = {
      '**output**, with tied': facts.writing,
      '**input**, with tied': facts.reading,
      'output, with tied, input gradient times 5': facts.writingTimes5,
      'input, with tied, input gradient times 5': facts.readingTimes5,
      'input, with the untied output table': facts.ownTables,
    };
    for (const [name, { mean, heldOut, chance }] of Object.entries(rows)) {
      const line = page.split('\n').find((one) => one.startsWith(`| ${name} | linear |`)) ?? '';
      for (const value of [mean, heldOut, chance]) expect(line, name).toContain(value.toFixed(3));
    }
  });

  it('support the sentences: closer to the output table in every run, closer to the input table after five times its gradient', () => {
    expect(facts.writing.least).toBeGreaterThan(facts.reading.most);
    expect(facts.writing.heldOutRange.least).toBeGreaterThan(facts.reading.heldOutRange.most);
    expect(facts.readingTimes5.least).toBeGreaterThan(facts.writingTimes5.most);
    for (const { least, chance } of Object.values(facts)) expect(least).toBeGreaterThan(chance);
  });

  it('support the similarity to the output table in every run, beyond chance', () => {
    const { cosine, frequency, frequencyByChance } = likenessFacts(file);
    for (const { bySeed } of [cosine, frequency]) {
      bySeed.tied.forEach((tied: number, seed: number) =>
        expect(Math.abs(tied - bySeed.writing[seed]!)).toBeLessThan(Math.abs(tied - bySeed.reading[seed]!)),
      );
    }
    // "The rows of frequent tokens are shorter, in the reading table longer."
    expect(Math.max(...frequency.bySeed.tied, ...frequency.bySeed.writing)).toBeLessThan(-2 * frequencyByChance);
    expect(Math.min(...frequency.bySeed.reading)).toBeGreaterThan(2 * frequencyByChance);
    expect(() => likenessFacts(file.replace(/^.*\tmean cosine, table\t.*\n/gm, ''))).toThrow(/runs of mean cosine/);
  });

  it('require more than one run of each', () => {
    expect(() => alignmentFacts(file.replace(/^.*\t[12]\toutput table to tied, linear\t.*\n/gm, ''))).toThrow(
      /too few runs of output table to tied, linear/,
    );
  });
});
