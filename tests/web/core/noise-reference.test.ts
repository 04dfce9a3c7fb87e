// The theoretical values of `spectrum` and `isotropy` for noise against tables drawn with numpy: tests/reference/noise_reference.py.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { partitionByChance } from '../../../web/core/diagnostics/partition-by-chance.js';
import { spectrumByChance } from '../../../web/core/diagnostics/spectrum-by-chance.js';

/** Means over tables, and their standard errors. */
interface Sampled {
  mean: number[];
  error: number[];
}

interface Reference {
  /** Standard deviations of the entries, for the partition. */
  sizes: number[];
  /** `plain`, `centered`: participation ratio and effective rank. The others: -ln(partition) for each size. */
  tables: ({ rows: number; cols: number } & Record<
    'plain' | 'centered' | 'partition' | 'centeredPartition',
    Sampled
  >)[];
}

const path = join(root, 'tests/reference/noise_reference.json');
const { sizes, tables } = JSON.parse(readFileSync(path, 'utf8')) as Reference;

/** The means are estimates: four standard errors, plus what theory neglects. */
const within = (expected: number, error: number, neglected: number): number => neglected * expected + 4 * error;

describe.each(tables)('in tables of noise, $rows rows and $cols columns,', ({ rows, cols, ...found }) => {
  test.each(['plain', 'centered'] as const)('dimensions agree with theory: %s', (kind) => {
    const { participationRatio, effectiveRank } = spectrumByChance(kind === 'plain' ? rows : rows - 1, cols);
    const { mean, error } = found[kind];
    [participationRatio, effectiveRank].forEach((level, i) => {
      expect(Math.abs(level - mean[i]!)).toBeLessThan(within(mean[i]!, error[i]!, 0.01));
    });
  });

  const partitions = (['partition', 'centeredPartition'] as const).flatMap((of) =>
    sizes.map((size) => [of, size] as const),
  );
  test.each(partitions)('%s agrees with theory, with entries of %f', (of, size) => {
    const centered = of === 'centeredPartition';
    const level = -Math.log(partitionByChance(rows, cols, size ** 2, centered));
    const { mean, error } = found[of];
    const at = sizes.indexOf(size);
    const used = centered ? rows - 1 : rows;
    const largest = (size * (Math.sqrt(used) + Math.sqrt(cols))) ** 2 / used;
    if (largest > Math.log(used) / 2) expect(level).toBeNaN();
    else expect(Math.abs(level - mean[at]!)).toBeLessThan(within(mean[at]!, error[at]!, size > 0.5 ? 0.07 : 0.05));
  });
});

describe('without noise', () => {
  test('that could be summed there is no level', () => {
    for (const [rows, size] of [
      [1, 1],
      [0, 1],
      [50, 1e30],
      [50, Infinity],
      [50, NaN],
    ] as const) {
      expect(partitionByChance(rows, 4, size)).toBeNaN();
    }
    expect(partitionByChance(500, 64, 0)).toBe(1);
    expect(partitionByChance(500, 64, 1e-300)).toBeCloseTo(1, 12);
  });
});
