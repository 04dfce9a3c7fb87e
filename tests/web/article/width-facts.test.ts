import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { studentQuantile } from '../../../web/core/experiment/statistics.js';
import { widthFacts } from '../../../web/article/build/width-facts.mjs';

const file = readFileSync(join(root, 'docs/experiments/widths.tsv'), 'utf8');
const defaults = readFileSync(join(root, 'docs/experiments/tiny-shakespeare.tsv'), 'utf8');
const { narrowest, wide, widest, split } = widthFacts(file, defaults);

describe('what the page states about the width of its models', () => {
  it('are the means over the seeds in the file, as in docs/small-transformers.md', () => {
    const page = readFileSync(join(root, 'docs/small-transformers.md'), 'utf8');
    const ratios = page.split('\n').find((line) => line.startsWith('| tied, predicted token | 1.')) ?? '';
    const costs = page.split('\n').find((line) => line.startsWith('| tied minus untied, nats')) ?? '';
    for (const { ratio } of [split.narrowest, split.widest]) expect(ratios).toContain(` ${ratio.toFixed(2)} ±`);
    for (const { cost } of [narrowest, wide, widest]) expect(costs).toContain(cost.toFixed(3));
  });

  it('stand beside the median of random directions, which is above √(d - 1)', () => {
    const page = readFileSync(join(root, 'docs/small-transformers.md'), 'utf8');
    // The cosine of a random direction, times √(d - 1) / sin, is Student's t with d - 1 degrees of freedom.
    const medians = [16, 32, 64, 128].map((d) => (Math.sqrt(d - 1) / studentQuantile(0.5, d - 1)).toFixed(2));
    expect(page).toContain(`| by chance, median of random directions | ${medians.join(' | ')} |`);
  });

  it('support the sentences in every run: with larger width the ratio grows, and tying costs less', () => {
    expect(Math.min(...narrowest.costs)).toBeGreaterThan(5 * Math.max(...widest.costs));
    expect(Math.max(...split.narrowest.ratios)).toBeLessThan(Math.min(...split.widest.ratios) - 0.5);
    // Above nothing in every run, but three runs cannot tell it from nothing.
    expect(Math.min(...wide.costs)).toBeGreaterThan(0);
    expect(wide.interval!.shown).toBe(false);
    expect(widest.costs.filter((cost: number) => cost < 0)).toHaveLength(widest.gained);
    expect(widest.interval!.shown).toBe(false);
    expect(narrowest.interval!.shown).toBe(true);
  });

  it('end where runs are missing', () => {
    const { widest, all } = widthFacts(file.replaceAll('untied-128', 'other'), defaults) as {
      widest: { width: number };
      all: { width: number }[];
    };
    expect(all.map(({ width }) => width)).not.toContain(128);
    expect(widest.width).toBe(256);
  });
});
