/** From an experiment to its jobs. */
import type { ExperimentJob } from './types.js';
import { canonicalJson, seedOf, sha256Of } from './canonical.js';
import { pointsOf, settingsAt, type CheckedSpec } from './check-spec.js';

/** The hash of what determines the results; claims can be added later. */
export function specHashOf({ claims: _, ...spec }: CheckedSpec): string {
  return sha256Of(canonicalJson(spec)).slice(0, 16);
}

/** One job per grid point, seed and arm; arms change fastest, so jobs that are compared finish together. */
export function expand(spec: CheckedSpec): ExperimentJob[] {
  const specHash = specHashOf(spec);
  const compared = new Set(spec.measure.flatMap(({ between = [] }) => between.map((one) => one.split('.')[0]!)));
  return pointsOf(spec.grid).flatMap((point) =>
    spec.seeds.flatMap((seed) =>
      Object.keys(spec.arms).map((arm) => {
        const { tokenizer, model, training, then } = settingsAt(spec, point, arm);
        const { direction, hidden } = spec.arms[arm]!;
        const initSeed = spec.starts === 'shared' ? seed : seedOf('start', seed, arm);
        const job = {
          experiment: spec.name,
          arm,
          seed,
          point,
          ...(spec.pairs === undefined ? { text: spec.text } : { pairs: spec.pairs }),
          tokenizer: tokenizer as ExperimentJob['tokenizer'],
          validation: spec.validation,
          ...(then === undefined ? {} : { then }),
          ...(direction === undefined || direction === 'forward' ? {} : { direction }),
          ...(hidden === undefined ? {} : { hidden }),
          model: model as ExperimentJob['model'],
          training: { initSeed, ...training } as ExperimentJob['training'],
          measure: spec.measure.filter(({ between }) => between === undefined),
          keepsModel: compared.has(arm),
        };
        // The id leaves out the hash of the experiment, so adding a seed does not change the other jobs.
        return { id: sha256Of(canonicalJson(job)).slice(0, 16), specHash, ...job };
      }),
    ),
  );
}
