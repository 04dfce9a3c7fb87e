// The recorded runs of docs/experiments bear out the claims that `npm run experiments` checks, and docs/science.md states their
// numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claims, scaleClaims } from '../../../tools/experiments/claims.mjs';
import { deviation, mean, valuesOf } from '../../../tools/experiments/runs.mjs';
import { root } from '../../../tools/lib/root.mjs';

interface Row {
  variant: string;
  seed: number;
  quantity: string;
  value: number;
}
type Claim = [sentence: string, holds: boolean, measured: string];

const recorded: Row[] = ['tiny-shakespeare', 'tables', 'readouts']
  .flatMap((name) => readFileSync(join(root, `docs/experiments/${name}.tsv`), 'utf8').split('\n'))
  .filter((line) => line.startsWith('reference\t'))
  .map((line) => line.split('\t'))
  .map(([, variant, seed, quantity, value]) => ({
    variant: variant!,
    seed: Number(seed),
    quantity: quantity!,
    value: Number(value),
  }));
const failing = (all: Claim[]): string[] => all.filter(([, holds]) => !holds).map(([sentence]) => sentence);
const changed = (quantity: string, change: (row: Row) => number): Row[] =>
  recorded.map((row) => (row.quantity === quantity ? { ...row, value: change(row) } : row));

describe('the claims', () => {
  it('hold of the recorded runs', () => {
    expect(failing(claims(recorded) as Claim[])).toEqual([]);
    expect(scaleClaims(recorded)).toHaveLength(3);
    expect(failing(scaleClaims(recorded) as Claim[])).toEqual([]);
  });

  it('do not hold of others', () => {
    // In one seed, both models are as far from their answers.
    const alike = changed('tuned lens, layer 1', (row) => (row.seed === 1 ? 0.1 : row.value));
    expect(failing(claims(alike) as Claim[])).toEqual([
      'layer 1 is further from the answer in the tied model, in each seed',
    ]);
    const further = changed('tuned lens, layer 0', (row) => row.value + 0.1);
    expect(failing(claims(further) as Claim[])).toEqual([
      'tied, tuned lens, layer 0: 0.58 +- 0.06',
      'untied, tuned lens, layer 0: 0.35 +- 0.03',
    ]);
    const back = changed('input table to tied-input-x10, linear', () => 0.7);
    expect(failing(scaleClaims(back) as Claim[])).toHaveLength(1);
  });

  it('about scales need all of them', () => {
    expect(scaleClaims(recorded.filter(({ variant }) => variant !== 'tied-input-x2'))).toEqual([]);
  });
});

it('docs/science.md has the means and deviations of the recorded runs', () => {
  const science = readFileSync(join(root, 'docs/science.md'), 'utf8');
  const section = science.slice(science.indexOf('### Measured through the head'), science.indexOf('## 11.'));
  const shown = (variant: string, quantity: string, decimals: number): string => {
    const values = valuesOf(recorded, variant, quantity) as number[];
    expect(values, `${variant}, ${quantity}`).toHaveLength(3);
    return `${mean(values).toFixed(decimals)} ± ${deviation(values).toFixed(decimals)}`;
  };
  const row = (quantity: string, decimals: number): string =>
    `| ${['tied', 'untied', 'tied-input-x5'].map((variant) => shown(variant, quantity, decimals)).join(' | ')} |`;
  const steps = (variant: string, quantity: string, decimals: number): string =>
    `| ${[1, 20, 100, 800].map((step) => shown(variant, `${quantity} at step ${String(step)}`, decimals)).join(' | ')} |`;
  for (const layer of [0, 1, 2, 3]) expect(section).toContain(row(`tuned lens, layer ${String(layer)}`, 3));
  for (const [quantity, decimals] of [
    ['logit lens, layer 0', 1],
    ['perpendicular over parallel, predicted', 2],
    ['perpendicular over parallel, right', 2],
    ['cosine with the output row, predicted', 3],
    ['cosine with the input row, predicted', 3],
  ] as const) {
    expect(section).toContain(row(quantity, decimals));
  }
  for (const variant of ['tied', 'untied']) {
    for (const quantity of ['output share', 'output share by position', 'held-out output share', 'reach']) {
      expect(section).toContain(steps(variant, quantity, quantity === 'reach' ? 3 : 2));
    }
  }
  for (const scale of [2, 5, 10]) {
    const variant = `tied-input-x${String(scale)}`;
    for (const table of ['input', 'output']) {
      expect(section).toContain(shown('untied', `${table} table to ${variant}, linear`, 3));
    }
    expect(section).toContain(shown(variant, 'tuned lens, layer 0', 3));
  }
  for (const band of ['100 to 316', '317 to 999', '1000 to 3162', '3163 to 9999', '31623 to 99999']) {
    expect(section).toContain(
      `| ${shown('tied', `loss, tokens with ${band}`, 3)} | ${shown('untied', `loss, tokens with ${band}`, 3)} |`,
    );
  }
});
