import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { MEASURED_LOSSES, pairedDifference } from '../../../web/core/accounting/measured-losses.js';
import { loadCore, type Core } from '../../../web/index.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The losses of one variant of the recorded runs, by seed. */
function recorded(vocabulary: string, variant: string, file = 'tiny-shakespeare.tsv'): number[] {
  return read(`docs/experiments/${file}`)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'))
    .filter((row) => row[0] === vocabulary && row[1] === variant && row[3] === 'validation loss')
    .sort((a, b) => Number(a[2]) - Number(b[2]))
    .map((row) => Number(row[4]));
}

test('every measured loss comes from a recorded run', () => {
  for (const { vocabulary, tiedLosses, untiedLosses, wider, greater, ...remedies } of MEASURED_LOSSES) {
    expect(tiedLosses.length).toBeGreaterThan(1);
    expect(tiedLosses).toEqual(recorded(vocabulary, 'tied'));
    expect(untiedLosses).toEqual(recorded(vocabulary, 'untied'));
    expect(wider.losses).toEqual(recorded(vocabulary, `tied-${wider.dModel}`));
    expect(greater.tiedLosses).toEqual(recorded(vocabulary, `tied-${greater.dModel}`, 'widths.tsv'));
    expect(greater.untiedLosses).toEqual(recorded(vocabulary, `untied-${greater.dModel}`, 'widths.tsv'));
    expect(remedies.mapLosses).toEqual(recorded(vocabulary, 'tied-linear'));
    expect(remedies.inputTimesFiveLosses).toEqual(recorded(vocabulary, 'tied-input-x5'));
    expect(remedies.untiedLaterLosses).toEqual(recorded(vocabulary, 'untie-at-2/3'));
  }
});

test('the measured models have the trainer’s sizes', () => {
  for (const { vocabSize, dModel, nLayers, tied, untied, wider } of MEASURED_LOSSES) {
    const model = { family: 'tied-embeddings', vocabSize, dModel, nLayers } as const;
    expect(core.countParameters(model, 'tied').stored).toBe(tied);
    expect(core.countParameters(model, 'untied').stored).toBe(untied);
    expect(core.countParameters({ ...model, dModel: wider.dModel }, 'tied').stored).toBe(wider.parameters);
    expect(wider.parameters).toBeGreaterThan(untied);
  }
});

test('the mean difference is the one in docs/small-transformers.md', () => {
  const [first] = MEASURED_LOSSES;
  const { mean } = pairedDifference(first!.tiedLosses, first!.untiedLosses);
  expect(read('docs/small-transformers.md')).toContain(
    `| tied minus untied, same batches | +${mean.toFixed(3)} ± 0.023 |`,
  );
});

test('the interval of paired differences is a Student interval', () => {
  // 1, 2, 3: mean 2, standard deviation 1, so 2 ± 4.30265 / sqrt(3).
  const { pairs, mean, low, high } = pairedDifference([2, 4, 6], [1, 2, 3]);
  expect([pairs, mean]).toEqual([3, 2]);
  expect(low).toBeCloseTo(2 - 4.30265 / Math.sqrt(3), 12);
  expect(high).toBeCloseTo(2 + 4.30265 / Math.sqrt(3), 12);
  expect(pairedDifference([1, 2, 3], [1, 1])).toMatchObject({ pairs: 2, mean: 0.5 });
});
