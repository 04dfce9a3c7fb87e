/** Jobs written to JSON and read again: those of every claim of the project, and jobs with one invalid field. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canonicalJson, sha256Of } from '../../../web/core/experiment/canonical.js';
import { checkJob } from '../../../web/core/experiment/check-job.js';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { expand } from '../../../web/core/experiment/expand.js';
import type { ExperimentJob } from '../../../web/index.js';
import { moving, paths, transformers } from './specs.js';

const claims = new URL('../../../claims/', import.meta.url);
const specs = [
  paths,
  transformers,
  moving,
  { ...transformers, measure: transformers.measure.filter((one) => 'between' in one) },
  ...readdirSync(claims)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(new URL(name, claims), 'utf8')) as object),
];

const written = (job: ExperimentJob): unknown => JSON.parse(JSON.stringify(job));

test.each(specs.map((spec) => [(spec as { name: string }).name, spec] as const))(
  'every job of %s survives writing and reading',
  (_, spec) => {
    const jobs = expand(checkSpec(spec));
    expect(jobs.map((job) => checkJob(written(job)))).toEqual(jobs.map(written));
  },
);

const [job] = expand(checkSpec(transformers)) as [ExperimentJob];

/** With the id that such a job would have, so the field itself is refused. */
function withField(name: string, value: unknown): Record<string, unknown> {
  const { specHash, ...others } = { ...job, [name]: value };
  const says = Object.fromEntries(Object.entries(others).filter(([field]) => field !== 'id'));
  return { id: sha256Of(canonicalJson(says)).slice(0, 16), specHash, ...says };
}

test.each<[string, unknown, RegExp]>([
  ['experiment', '../up', /spec\.name is '\.\.\/up'/],
  ['specHash', 'x', /job\.specHash is 'x'; expected 16 hexadecimal digits/],
  ['arm', 7, /job\.arm is 7; expected a string/],
  ['arm', '../up', /spec\.arms\.\.\.\/up is '\.\.\/up'/],
  ['seed', -1, /spec\.seeds\[0\] is -1/],
  ['point', null, /job\.point is null; expected an object/],
  ['text', { file: 3 }, /spec\.text\.file is 3/],
  ['tokenizer', { kind: 'syllable' }, /spec\.tokenizer\.kind is 'syllable'/],
  ['validation', 2, /spec\.validation is 2/],
  ['direction', 'sideways', /direction is 'sideways'/],
  ['hidden', 2, /hidden is 2/],
  ['model', { kind: 'transformer', dModel: 0, tying: 'tied' }, /model\.dModel is 0/],
  ['training', { ...job.training, steps: 0 }, /training\.steps is 0/],
  ['measure', [{ metric: 'los' }], /spec\.measure\[0\]\.metric is 'los'/],
  ['measure', 'loss', /spec\.measure is 'loss'/],
  ['keepsModel', 1, /job\.keepsModel is 1; expected true or false/],
  ['priority', 1, /job\.priority is not an option/],
])('%s: %j is refused by name', (name, value, named) => {
  expect(() => checkJob(withField(name, value))).toThrow(named);
});

test.each([null, [], 'job', 7])('%j is not a job', (value) => {
  expect(() => checkJob(value)).toThrow(/^job is .*; expected .*object with id, experiment/);
});

test('a changed job does not match its id', () => {
  expect(() => checkJob({ ...job, seed: 99 })).toThrow(
    /job\.id is '\w{16}'; expected '\w{16}', the hash of the job's contents/,
  );
});
