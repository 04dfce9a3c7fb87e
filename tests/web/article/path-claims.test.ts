import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { rowsOf } from '../../../web/article/build/experiment-facts.mjs';

const rows = rowsOf(readFileSync(join(root, 'docs/experiments/paths.tsv'), 'utf8'));

// "On the plays, agreement only rises."
it('agreement of the whole models of the plays with the bigrams only rises, in every run', () => {
  const runs = new Map<string, [step: number, value: number][]>();
  for (const [, variant, seed, quantity = '', value] of rows) {
    const [, step] = /^correlation with bigrams, whole model at step (\d+)$/.exec(quantity) ?? [];
    if (step === undefined) continue;
    const run = `${variant} ${seed}`;
    runs.set(run, [...(runs.get(run) ?? []), [Number(step), Number(value)]]);
  }
  expect(runs.size).toBeGreaterThanOrEqual(6);
  for (const [run, points] of runs) {
    const values = [...points].sort(([a], [b]) => a - b).map(([, value]) => value);
    expect(values.length, run).toBeGreaterThan(4);
    expect(values, run).toEqual([...values].sort((a, b) => a - b));
  }
});
