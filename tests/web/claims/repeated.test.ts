/** Kinds of experiments of which outcomes.test.ts repeats none: a seed of each, or its first steps, to the bit. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readClaimFile } from '../../../tools/claims/files.mjs';
import { readOutcome, withValues } from '../../../tools/claims/outcomes.mjs';
import { loadCore, type ExperimentSpec } from '../../../web/index.js';
import { sharedFile } from '../core/support.js';

type Place = Readonly<Record<string, number>>;
interface Outcome {
  runs: { arm: string; seed: number; point: Place; weightsSha256: string }[];
  values: { value: string; points: { point: Place; values: number[] }[] }[];
}
interface Repeated {
  readonly name: string;
  readonly arms: readonly string[];
  /** Absent: all. */
  readonly steps?: number;
  /** One cell of a grid. */
  readonly point?: Place;
}

const repeated: readonly Repeated[] = [
  // What whole models expect of repetitions.
  { name: 'sharp-law', arms: ['tied-1', 'untied-1'], steps: 20 },
  // Encoder-decoders, and what they translate.
  { name: 'three-tables', arms: ['one', 'three'], steps: 100 },
  // Direct paths on all pairs, and certified floors.
  { name: 'tied-gap-words', arms: ['tied'] },
  // Which n-grams share rows.
  { name: 'hashed-collisions', arms: ['pairs-512-heads-2', 'triples-4096-heads-4'] },
  // A table that becomes two during training.
  { name: 'untying-state', arms: ['tied', 'untie-half'] },
  // Cells of a grid that were run later.
  {
    name: 'scale-novels-between',
    arms: ['tied', 'untied'],
    point: { 'tokenizer.vocabSize': 512, 'model.dModel': 16 },
  },
  {
    name: 'scale-plays-wider',
    arms: ['tied'],
    steps: 150,
    point: { 'tokenizer.vocabSize': 4096, 'model.dModel': 256 },
  },
];

/** The arms and the steps that a value is of: `loss(one, step=100) - loss(three, step=100)`. */
const armsOf = (value: string): string[] => [...value.matchAll(/\(([a-z][\w-]*)(?=[,).])/g)].map(([, arm]) => arm!);
const isAt = (value: string, steps: number | undefined): boolean =>
  steps === undefined
    ? !value.includes('step=')
    : armsOf(value).length === value.split(`step=${String(steps)})`).length - 1;

describe.each(repeated)('of $name', ({ name, arms: chosen, steps, point = {} }) => {
  type Read = ExperimentSpec & { text?: { file?: string } };
  const { arms, training, measure = [], ...spec } = readClaimFile(name) as Read;
  const recorded = readOutcome(name) as Outcome;
  const file = spec.text?.file;
  const text = file === undefined ? undefined : sharedFile(`corpora/${file}`);
  const values = recorded.values
    .map(({ value }) => value)
    .filter((value) => isAt(value, steps) && armsOf(value).every((arm) => chosen.includes(arm)));

  const isThere = (one: { point: Place }): boolean => isDeepStrictEqual(one.point, point);

  // Hundreds of steps, on a machine that may be busy.
  const patience = { timeout: 300_000 };
  test.skipIf(text === null)(`${chosen.join(', ')} are repeated to the bit`, patience, async () => {
    expect(values.length).toBeGreaterThan(0);
    const core = await loadCore({ modules: ['diagnostics', 'graphs', 'stories', 'models', 'readout'] });
    const isNamed = ({ metric }: { metric: string }): boolean => values.some((value) => value.includes(`${metric}(`));
    const asked = withValues({ ...spec, claims: [] }, values);
    const { runs, claims } = await core.runExperiment(
      {
        ...asked,
        arms: Object.fromEntries(chosen.map((arm) => [arm, arms[arm]!])),
        measure: measure
          .filter(isNamed)
          .map((one) => (steps === undefined ? one : { ...one, every: undefined, at: [steps] })),
        // The cosine ends with the whole run.
        training:
          steps === undefined
            ? training
            : { ...training, steps, ...(training!.decay === 'cosine' ? { totalSteps: training!.steps } : {}) },
        grid: Object.fromEntries(Object.entries(point).map(([field, value]) => [field, [value]])),
        seeds: [1],
      } as ExperimentSpec,
      text === undefined ? {} : { texts: { [file!]: new TextDecoder().decode(text!) } },
    );
    expect(claims.map(({ points }) => points[0]!.difference!.values[0])).toEqual(
      values.map((value) => recorded.values.find((one) => one.value === value)!.points.find(isThere)!.values[0]),
    );
    if (steps !== undefined) return;
    expect(runs.map(({ arm, weights_sha256 }) => [arm, weights_sha256])).toEqual(
      recorded.runs
        .filter((run) => run.seed === 1 && chosen.includes(run.arm) && isThere(run))
        .map(({ arm, weightsSha256 }) => [arm, weightsSha256]),
    );
  });
});
