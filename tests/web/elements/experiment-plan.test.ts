// @vitest-environment happy-dom
// Under which key <tied-experiment> keeps results: of other numbers, another one.
import { afterEach, expect, test } from 'vitest';
import type { ExperimentSpec } from '../../../web/core/types.js';
import { defaultSpec } from '../../../web/elements/experiment/default-spec.js';
import { experimentStrings } from '../../../web/elements/experiment/experiment.strings.js';
import { planOf } from '../../../web/elements/experiment/plan.js';
import { configureLabs } from '../../../web/elements/shared/page-labs.js';

const keyOf = async (spec: ExperimentSpec): Promise<string> => {
  const source = { spec, src: null, inside: null, otherwise: defaultSpec };
  return (await planOf(source, experimentStrings, new AbortController().signal)).key;
};
afterEach(() => {
  configureLabs({ simd: 'simd128' });
});

test('results of the relaxed build are not those of the baseline', async () => {
  const baseline = await keyOf(defaultSpec);
  configureLabs({ simd: 'relaxed' });
  expect(await keyOf(defaultSpec)).not.toBe(baseline);
  configureLabs({ simd: 'simd128' });
  expect(await keyOf(defaultSpec)).toBe(baseline);
});

test('what is trained decides, and not what is claimed', async () => {
  expect(await keyOf({ ...defaultSpec, claims: [] })).toBe(await keyOf(defaultSpec));
  const more = { ...defaultSpec, training: { ...defaultSpec.training, steps: 7 } };
  expect(await keyOf(more)).not.toBe(await keyOf(defaultSpec));
});
