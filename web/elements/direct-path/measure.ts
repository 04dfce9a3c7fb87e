import type { DirectPathReport, Lab, PathMeasures } from '../../core/types.js';
import { pairKinds, type Listening, type OpenedPair } from '../shared/model-pair.js';
import type { MeasuredText } from '../shared/models-file.js';
import { trainPair, type PerModel } from '../shared/pair-training.js';

/** The training steps after which the paths are measured. */
export const shownSteps = [0, 10, 20, 50, 100, 200, 400] as const;

/** What a path passes through: more from one to the next. */
export const pathNames = ['embeddings', 'finalNorm', 'mlp0', 'model'] as const;
export type PathName = (typeof pathNames)[number];

export const measureNames = ['correlation', 'loss', 'selfPrediction', 'breaking', 'asymmetry'] as const;
export type MeasureName = (typeof measureNames)[number];

/** Reports of a text that is not trained on. */
export interface Paths {
  readonly reports: PerModel<readonly DirectPathReport[]>;
}

/** A report per shown step. */
export interface Measured extends Paths {
  readonly seed: number;
}

/** Null where the measure does not exist: only logits of single tokens have a diagonal. */
export function valueOf(report: DirectPathReport, path: PathName, measure: MeasureName): number | null {
  const of: Partial<PathMeasures> | null = path === 'model' ? report.model : report.paths[path];
  return of?.[measure] ?? null;
}

/** What the bigrams themselves have. */
export const bigramsOf = ({ bigrams }: DirectPathReport, measure: MeasureName): number | null =>
  measure === 'correlation' || measure === 'asymmetry' ? null : bigrams[measure];

/** Trains a tied and an untied model and measures their direct paths on the way, against the bigrams of what they train on. */
export const measurePaths = async (
  lab: Lab,
  { seed, steps = shownSteps }: { readonly seed: number; readonly steps?: readonly number[] },
  listening: Listening,
): Promise<Measured> => ({
  seed,
  reports: await trainPair(
    lab,
    { seed, steps },
    (trainer, { probe, trained }, signal) => trainer.directPathReport(probe, { bigramsOf: trained, signal }),
    listening,
  ),
});

/** Texts for models whose file has none: the page's were trained on the stories of seed 1. */
const stories = { trained: { seed: 1, length: 200_000 }, unseen: { seed: 2, length: 20_000 } };
const mostMeasured = 2048;

async function textOf(lab: Lab, { text, encode }: OpenedPair): Promise<MeasuredText> {
  if (text !== null) return text;
  const [training, heldOut] = await Promise.all(
    [stories.trained, stories.unseen].map(async (wanted) => encode(await lab.writeStories(wanted))),
  );
  return { training: training!, heldOut: heldOut! };
}

/** Measures the direct paths of trained models as they are: one report each. */
export async function measurePair(lab: Lab, pair: OpenedPair, { signal, onProgress }: Listening): Promise<Paths> {
  const { training, heldOut } = await textOf(lab, pair);
  const reports = { tied: [] as DirectPathReport[], untied: [] as DirectPathReport[] };
  for (const [before, kind] of pairKinds.entries()) {
    const report = await pair.trainers[kind].directPathReport(heldOut.subarray(0, mostMeasured), {
      bigramsOf: training,
      signal,
      onProgress: (fraction) => {
        onProgress((before + fraction) / pairKinds.length);
      },
    });
    reports[kind].push(report);
  }
  return { reports };
}
