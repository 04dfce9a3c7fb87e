/** The recorded outcomes of the claims belong to these files, are complete, and can be reproduced. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../tools/claims/catalogue.mjs';
import {
  builtInFiles,
  chosenExperiments,
  claimFiles,
  readClaimFile,
  surveyFiles,
  valuesShown,
} from '../../../tools/claims/files.mjs';
import { asRecorded, readOutcome, staleness, withValues } from '../../../tools/claims/outcomes.mjs';
import { page, renderPage, verdictOf } from '../../../tools/claims/page.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { specHashOf } from '../../../web/core/experiment/expand.js';
import { loadCore, type ClaimOutcome, type ExperimentSpec } from '../../../web/index.js';
import { sharedFile } from '../core/support.js';

interface Point {
  point: Record<string, unknown>;
  seeds: number[];
  values?: number[];
}
interface Outcome {
  experiment: string;
  specHash: string;
  runs: { arm: string; seed: number; point: Record<string, unknown>; weightsSha256: string; error: string | null }[];
  claims: { id: string; says: string; verdict: ClaimOutcome['verdict']; points: (Point & { verdict: string })[] }[];
  values: { value: string; points: Point[] }[];
}

const specOf = (name: string) => checkSpec(readClaimFile(name));
const outcomes = claimFiles()
  .map((name): [string, Outcome | null] => [name, readOutcome(name) as Outcome | null])
  .filter((pair): pair is [string, Outcome] => pair[1] !== null);

describe('the catalogue', () => {
  test('has the 23 claims and 29 more entries, once each', () => {
    const ids = catalogue.map(({ id }) => id);
    expect(ids.slice(0, 23)).toEqual(Array.from({ length: 23 }, (_, i) => String(i + 1)));
    expect(new Set(ids).size).toBe(52);
  });

  test('names every claim of every file and no others', () => {
    const named = catalogue.flatMap(({ criteria = [] }) =>
      criteria.flatMap(([file, ids]) => ids.map((id) => `${file}: ${id}`)),
    );
    const declared = claimFiles().flatMap((name) => specOf(name).claims.map(({ id }) => `${name}: ${id}`));
    expect([...new Set(named)].sort()).toEqual(declared.sort());
  });

  test.each(catalogue)('$id has criteria, existing tests, or a reason', (entry) => {
    const { criteria = [], surveys = [], tests = [], missing } = entry;
    expect(criteria.length + surveys.length + tests.length + (missing ?? '').length).toBeGreaterThan(0);
    for (const [file, name] of tests)
      expect(readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")).toContain(name);
  });
});

test.each(outcomes)('the outcome of %s belongs to the current file', (name, outcome) => {
  const spec = specOf(name);
  expect(outcome.experiment).toBe(name);
  expect(staleness(outcome, spec, specHashOf(spec))).toBeNull();
  expect(outcome.values.map(({ value }) => value)).toEqual(valuesShown(name));
  const jobs = Object.values(spec.grid).reduce((product, values) => product * values.length, 1) * spec.seeds.length;
  expect(outcome.runs).toHaveLength(jobs * Object.keys(spec.arms).length);
  expect(outcome.runs.filter(({ error }) => error !== null)).toEqual([]);
  // A claim with unmeasured values would be undecided, like a close result.
  for (const { points } of [...outcome.claims, ...outcome.values])
    for (const { seeds, values } of points) {
      expect(seeds).toEqual(spec.seeds);
      expect(values).toHaveLength(spec.seeds.length);
    }
});

test('an outcome stays valid if the wording of its file changes, but not if a criterion, claim or model changes', () => {
  const [[name, outcome]] = outcomes as [[string, Outcome]];
  const spec = specOf(name);
  const stale = (changed: typeof spec): string | null => staleness(outcome, changed, specHashOf(changed));
  const [first, ...others] = spec.claims as unknown as [(typeof spec.claims)[number], ...typeof spec.claims];
  expect(stale({ ...spec, claims: [{ ...first, words: 'Other words.' }, ...others] })).toBeNull();
  expect(stale({ ...spec, claims: [{ ...first, says: first.says.replace(/ in every seed.*/, '') }, ...others] })).toBe(
    'the criteria have changed',
  );
  expect(stale({ ...spec, claims: others })).toBe('the criteria have changed');
  expect(stale({ ...spec, claims: [...others, first] })).toBe('the criteria have changed');
  expect(stale({ ...spec, seeds: [...spec.seeds, 99] })).toBe('what is trained or measured has changed');
});

test('a run with the same numbers changes no file, and one with other numbers is recorded with its date', () => {
  const before = { experiment: 'one', date: '2026-01-01', seconds: 9, values: [1, 2] };
  const again = { ...before, date: '2026-02-02', seconds: 11 };
  expect(asRecorded(again, before)).toEqual(before);
  const other = { ...again, values: [1, 3] };
  expect(asRecorded(other, before)).toEqual(other);
  expect(asRecorded(again, null)).toEqual(again);
});

test('docs/claims.md agrees with the outcomes', () => {
  expect(readFileSync(page, 'utf8')).toBe(renderPage());
});

test('a claim without an outcome is reported as not run yet, and one that fails as failing', () => {
  const [entry] = catalogue as [(typeof catalogue)[number]];
  const nothing = new Map<string, Outcome | null>(claimFiles().map((name) => [name, null]));
  expect(verdictOf(entry, nothing)).toBe('not run yet');
  const all = new Map<string, unknown>(
    claimFiles().map((name) => [
      name,
      { claims: specOf(name).claims.map(({ id }, i) => ({ id, verdict: i === 0 ? 'fails' : 'holds' })) },
    ]),
  );
  expect(verdictOf(entry, all)).toMatch(/^\d+ holds?, \d+ fails?$/);
});

test('experiments are selected by name and by entry', () => {
  expect(chosenExperiments([])).toEqual([...claimFiles(), ...surveyFiles()]);
  expect(chosenExperiments(['languages', 'other-texts', 'public-paths', 'public-paths-again'])).toEqual(surveyFiles());
  expect(chosenExperiments(['either-side'])).toEqual(['backward']);
  expect(chosenExperiments(['6', 'equal-numbers'])).toEqual(['equal-numbers', 'rows-touched']);
  expect(() => chosenExperiments(['24'])).toThrow("There is no claim '24'");
});

test.each(['direct-paths-stories', 'table-leaks'])(
  'a seed of %s, which needs no file, is reproduced to the bit',
  async (name) => {
    const recorded = readOutcome(name) as Outcome;
    const core = await loadCore({ modules: ['diagnostics', 'graphs', 'stories'] });
    const spec = { ...withValues(readClaimFile(name), valuesShown(name)), seeds: [1] } as ExperimentSpec;
    const { runs, claims } = await core.runExperiment(spec);
    const ofSeed = recorded.runs.filter(({ seed }) => seed === 1);
    expect(runs.map(({ arm, weights_sha256 }) => [arm, weights_sha256])).toEqual(
      ofSeed.map(({ arm, weightsSha256 }) => [arm, weightsSha256]),
    );
    const firstOf = (points: readonly Point[]) => points.map(({ point, values }) => [point, values![0]]);
    expect(claims.map(({ points }) => points.map(({ point, difference }) => [point, difference!.values[0]]))).toEqual(
      [...recorded.claims, ...recorded.values].map(({ points }) => firstOf(points)),
    );
  },
);

describe.each(outcomes.filter(([name]) => name === 'scale-plays' || name === 'scale-novels'))(
  '%s',
  (name, recorded) => {
    const spec = readClaimFile(name) as ExperimentSpec & { text: { file: string } };
    const text = sharedFile(`corpora/${spec.text.file}`);

    test.skipIf(text === null)('the smallest models of one seed are reproduced to the bit', async () => {
      const core = await loadCore();
      const point = { 'tokenizer.vocabSize': 256, 'model.dModel': 16 };
      const asked = withValues({ ...spec, claims: [spec.claims![0]!] }, valuesShown(name));
      const { runs, claims } = await core.runExperiment(
        {
          ...asked,
          grid: Object.fromEntries(Object.entries(point).map(([field, value]) => [field, [value]])),
          seeds: [1],
        } as ExperimentSpec,
        { texts: { [spec.text.file]: new TextDecoder().decode(text!) } },
      );
      const isThere = (one: { point: object }): boolean => isDeepStrictEqual(one.point, point);
      const ofSeed = recorded.runs.filter((run) => run.seed === 1 && isThere(run));
      expect(runs.map(({ arm, weights_sha256 }) => [arm, weights_sha256])).toEqual(
        ofSeed.map(({ arm, weightsSha256 }) => [arm, weightsSha256]),
      );
      expect(ofSeed).toHaveLength(2);
      const [costs] = recorded.claims;
      expect(claims.map(({ points: [found] }) => found!.difference!.values[0])).toEqual(
        [costs!, ...recorded.values].map(({ points }) => points.find(isThere)!.values![0]),
      );
    });
  },
);

test('of one seed, four models that predict hidden tokens are reproduced to the bit', async () => {
  const recorded = readOutcome('hidden-tokens') as Outcome;
  const core = await loadCore({ modules: ['diagnostics'] });
  const { arms, ...spec } = readClaimFile('hidden-tokens') as ExperimentSpec & {
    text: { file: keyof typeof builtInFiles };
  };
  const text = spec.text.file;
  const isChosen = (name: string): boolean => /(forward-15|either-85)\b/.test(name);
  // Without the floors, whose search takes most of the time of the experiment.
  const values = recorded.values
    .map(({ value }) => value)
    .filter((value) => isChosen(value) && !value.includes('tied-floor'));
  const { runs, claims } = await core.runExperiment(
    {
      ...withValues({ ...spec, claims: [] }, values),
      arms: Object.fromEntries(Object.entries(arms).filter(([arm]) => isChosen(arm))),
      measure: [{ metric: 'loss' }, { metric: 'bigram-bounds', nullRuns: 2 }],
      seeds: [1],
    } as ExperimentSpec,
    { texts: { [text]: builtInFiles[text]() } },
  );
  expect(runs.map(({ arm, weights_sha256 }) => [arm, weights_sha256])).toEqual(
    recorded.runs
      .filter(({ arm, seed }) => seed === 1 && isChosen(arm))
      .map(({ arm, weightsSha256 }) => [arm, weightsSha256]),
  );
  expect([runs.length, claims.length]).toEqual([4, 4]);
  expect(claims.map(({ points }) => points[0]!.difference!.values[0])).toEqual(
    values.map((value) => recorded.values.find((one) => one.value === value)!.points[0]!.values![0]),
  );
});

describe.each<[name: string, chosen: readonly string[], point: Record<string, number>]>([
  ['hashed-heads', ['pairs-512', 'pairs-512-heads-4'], { 'model.dModel': 16 }],
  ['ngram-places', ['tied-every-layer'], { 'model.nLayers': 2 }],
])('of %s', (name, chosen, point) => {
  const { arms, ...spec } = readClaimFile(name) as ExperimentSpec & { text: { file: string } };
  const text = sharedFile(`corpora/${spec.text.file}`);
  const recorded = readOutcome(name) as Outcome;

  // Hundreds of steps, on a machine that may be busy.
  const patience = { timeout: 300_000 };
  test.skipIf(text === null)(`${chosen.join(' and ')} repeated to the bit`, patience, async () => {
    const core = await loadCore();
    const values = chosen.map((arm) => `loss(${arm})`);
    const { runs, claims } = await core.runExperiment(
      {
        ...withValues({ ...spec, claims: [] }, values),
        arms: Object.fromEntries(chosen.map((arm) => [arm, arms[arm]!])),
        grid: Object.fromEntries(Object.entries(point).map(([field, value]) => [field, [value]])),
        measure: [{ metric: 'loss' }],
        seeds: [1],
      } as ExperimentSpec,
      { texts: { [spec.text.file]: new TextDecoder().decode(text!) } },
    );
    const isThere = (one: { point: object }): boolean => isDeepStrictEqual(one.point, point);
    expect(runs.map(({ arm, weights_sha256 }) => [arm, weights_sha256])).toEqual(
      recorded.runs
        .filter((run) => run.seed === 1 && isThere(run) && chosen.includes(run.arm))
        .map(({ arm, weightsSha256 }) => [arm, weightsSha256]),
    );
    expect(claims.map(({ points }) => points[0]!.difference!.values[0])).toEqual(
      values.map((value) => recorded.values.find((one) => one.value === value)!.points.find(isThere)!.values![0]),
    );
  });
});

test('the first 50 steps without one of two tables are reproduced to the bit', async () => {
  const recorded = readOutcome('lost-head') as Outcome;
  const core = await loadCore({ modules: ['stories'] });
  const { arms, measure, training, ...spec } = readClaimFile('lost-head') as ExperimentSpec;
  const asked = withValues(
    { ...spec, claims: [] },
    recorded.values.map(({ value }) => value).filter((value) => /step=(0|50)\)/.test(value)),
  );
  const { claims } = await core.runExperiment({
    ...asked,
    arms: { untied: arms['untied']! },
    measure: measure!.map((one) => ({ ...one, at: ['start', 50] })),
    training: { ...training, steps: 50 },
    seeds: [1],
  } as ExperimentSpec);
  expect(claims).toHaveLength(10);
  for (const { says, points } of claims) {
    const { points: expected } = recorded.values.find(({ value }) => says === `${value} > 0`)!;
    expect([says, points[0]!.difference!.values[0]]).toEqual([says, expected[0]!.values![0]]);
  }
});

test.each<[name: string, arms: readonly string[], grid: Record<string, readonly number[]>]>([
  ['muon', ['muon-tied', 'muon-untied'], { 'training.learningRate': [0.01] }],
  ['table-rates', ['untied-two-rates-32', 'tied-divided-32'], {}],
])('the first 50 steps of %s are reproduced to the bit', async (name, chosen, grid) => {
  const recorded = readOutcome(name) as Outcome;
  const core = await loadCore({ modules: ['stories'] });
  const { arms, training, ...spec } = readClaimFile(name) as ExperimentSpec;
  const values = chosen.map((arm) => `loss(${arm}, step=50)`);
  const { claims } = await core.runExperiment({
    ...withValues({ ...spec, claims: [] }, values),
    arms: Object.fromEntries(chosen.map((arm) => [arm, arms[arm]!])),
    grid,
    measure: [{ metric: 'loss', at: [50] }],
    training: { ...training, steps: 50 },
    seeds: [1],
  } as ExperimentSpec);
  for (const [i, { points }] of claims.entries()) {
    const { point, difference } = points[0]!;
    const { points: all } = recorded.values.find(({ value }) => value === values[i])!;
    const expected = all.find((other) => JSON.stringify(other.point) === JSON.stringify(point))!;
    expect(difference!.values[0], values[i]).toBe(expected.values![0]);
  }
});

describe('of masked-longer', () => {
  const text = sharedFile('corpora/tiny-shakespeare.txt');

  // Hundreds of steps, on a machine that may be busy.
  const patience = { timeout: 300_000 };
  test.skipIf(text === null)(
    'the first 200 steps with half of the tokens hidden repeated to the bit',
    patience,
    async () => {
      const recorded = readOutcome('masked-longer') as Outcome;
      const core = await loadCore({ modules: ['models'] });
      const { arms, training, ...spec } = readClaimFile('masked-longer') as ExperimentSpec & { text: { file: string } };
      const value = 'loss(tied-masked-50, step=200)';
      const { claims } = await core.runExperiment(
        {
          ...withValues({ ...spec, claims: [] }, [value]),
          arms: { 'tied-masked-50': arms['tied-masked-50']! },
          measure: [{ metric: 'loss', at: [200] }],
          training: { ...training, steps: 200 },
          seeds: [1],
        } as ExperimentSpec,
        { texts: { [spec.text.file]: new TextDecoder().decode(text!) } },
      );
      const { points } = recorded.values.find((one) => one.value === value)!;
      expect(claims.map(({ points: [found] }) => found!.difference!.values)).toEqual([[points[0]!.values![0]]]);
    },
  );
});
