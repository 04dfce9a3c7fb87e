// @vitest-environment happy-dom
// The key under which <tied-experiment> stores results: other numbers get another key.
import { afterEach, expect, test, vi } from 'vitest';
import type { ExperimentSpec } from '../../../web/core/types.js';
import { defaultSpec } from '../../../web/elements/experiment/default-spec.js';
import { experimentStrings } from '../../../web/elements/experiment/experiment.strings.js';
import { planOf, type SpecSource } from '../../../web/elements/experiment/plan.js';
import { textInWords } from '../../../web/elements/experiment/plan-words.js';
import { roleOfValue, rolesOf } from '../../../web/elements/experiment/roles.js';
import { configureLabs } from '../../../web/elements/shared/page-labs.js';

const keyOf = async (spec: ExperimentSpec): Promise<string> => {
  const source = { spec, src: null, inside: null, otherwise: defaultSpec };
  return (await planOf(source, experimentStrings, new AbortController().signal)).key;
};
afterEach(() => {
  configureLabs({ simd: 'simd128' });
});

test('results of the relaxed build and of the baseline have different keys', async () => {
  const baseline = await keyOf(defaultSpec);
  configureLabs({ simd: 'relaxed' });
  expect(await keyOf(defaultSpec)).not.toBe(baseline);
  configureLabs({ simd: 'simd128' });
  expect(await keyOf(defaultSpec)).toBe(baseline);
});

test('the key depends on what is trained, not on claims', async () => {
  expect(await keyOf({ ...defaultSpec, claims: [] })).toBe(await keyOf(defaultSpec));
  const more = { ...defaultSpec, training: { ...defaultSpec.training, steps: 7 } };
  expect(await keyOf(more)).not.toBe(await keyOf(defaultSpec));
});

test('pairs are fetched if they are a file, and described in words', async () => {
  const pairs = { file: 'words.tsv' } as const;
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('ab\tba\nbc\tcb\n'));
  const arms = { one: { model: { tying: 'all' } } } as const;
  const { name, training, seeds } = defaultSpec;
  const spec = { name, pairs, model: { dModel: 8 }, training, arms, seeds, measure: [{ metric: 'loss' }] } as const;
  const source: SpecSource = { spec, src: null, inside: null, otherwise: defaultSpec };
  const plan = await planOf(source, experimentStrings, new AbortController().signal);
  expect(plan.texts).toEqual({ 'words.tsv': 'ab\tba\nbc\tcb\n' });
  expect(String(fetched.mock.calls[0]![0])).toMatch(/\/words\.tsv$/);
  expect(plan.costOf(plan.jobs[0]!)).toBeGreaterThan(0);
  const words = (of: object): string => textInWords(experimentStrings, of);
  expect(words(plan.spec)).toBe('the text words.tsv');
  expect(words({ pairs: { task: 'plurals', seed: 1, count: 4000 } })).toBe(
    '4,000 pairs of the task “plurals, with exceptions”',
  );
  expect(words({ pairs: { list: [{ source: 'a', target: 'b' }] } })).toBe('pairs of its own (1)');
});

test('one table and three tables have the colors of tied and untied', () => {
  const jobs = (['all', 'decoder', 'none', 'tied', 'untied'] as const).map((tying) => ({
    arm: tying,
    model: { tying },
  }));
  expect([...rolesOf(jobs).values()]).toEqual(['tied', 'ink', 'untied', 'tied', 'untied']);
  const roles = rolesOf(jobs);
  expect(roleOfValue('alignment(none.encoder-embedding, none.unembedding)', roles)).toBe('output');
  expect(roleOfValue('isotropy(none.encoder-embedding).isoScore', roles)).toBe('input');
});
