/** One invalid field at a time: refused before anything is trained, with a line that says where and what. */
import { beforeAll, expect, test } from 'vitest';
import { loadCore, TiedError, type Core, type ExperimentSpec } from '../../../web/index.js';
import { badCases, changed, nothing } from './bad-spec-cases.js';
import { paths } from './specs.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: [] });
});

const untrained = async (spec: unknown, options?: unknown): Promise<TiedError> => {
  let trained = false;
  const given = options ?? { onProgress: () => (trained = true) };
  const error: unknown = await core
    .runExperiment(spec as ExperimentSpec, given as object)
    .catch((found: unknown) => found);
  expect(error).toBeInstanceOf(TiedError);
  expect(trained).toBe(false);
  return error as TiedError;
};

test.each(badCases)('$place: $value', async ({ spec, named }) => {
  const { code, message } = await untrained(spec);
  expect(['invalid-argument', 'not-finite'], message).toContain(code);
  expect(message).toContain(named);
  expect(message).not.toContain('\n');
});

test.each(nothing)('%o is not an experiment', async (spec) => {
  expect((await untrained(spec)).message).toMatch(/^spec is /);
});

test.each([
  [{ texts: 1 }, 'options.texts'],
  [{ results: {} }, 'options.results'],
  [{ onResult: 1 }, 'options.onResult'],
  [{ onProgress: 'x' }, 'options.onProgress'],
  [{ signal: 1 }, 'options.signal'],
  [{ job: 2 }, 'options.job is not an option'],
  [{ jobs: 2 }, 'options.jobs is 2; expected at most 1'],
])('%o is refused', async (options, named) => {
  expect((await untrained(paths, options)).message).toContain(named);
});

test('changes to the object during the run have no effect', async () => {
  const grid = { 'model.dModel': [1] };
  const spec = { ...paths, grid, measure: [{ metric: 'loss' }], claims: [] } as const;
  const running = core.runExperiment(spec);
  grid['model.dModel'][0] = 2;
  expect((await running).runs[0]!.d_model).toBe(1);
});

test('a missing file is named', async () => {
  expect((await untrained(changed('text', { file: 'a.txt' }))).message).toBe(
    "spec.text.file is 'a.txt'; expected a name in options.texts",
  );
});

test('more jobs than any machine could finish are refused', async () => {
  const seeds = Array.from({ length: 9000 }, (_, seed) => seed);
  const grid = { 'model.dModel': [1, 2, 3, 4, 5, 6] };
  expect((await untrained({ ...paths, seeds, grid })).message).toContain('108000 jobs');
});

test('there are at least 200 cases', () => {
  expect(badCases.length).toBeGreaterThan(270);
});
