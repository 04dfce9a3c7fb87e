import type { Lab, LabCorpus, LabTrainer } from '../../core/types.js';
import {
  measureBoth,
  twinKinds,
  type Listening,
  type OpenedTwins,
  type TwinKind,
  type PerModel,
} from './model-twins.js';
import type { MeasuredText } from './models-file.js';

const text = { seed: 1, length: 1_000_000 };
const tokenizer = { kind: 'word', vocabSize: 1200 } as const;
const probeTokens = 1025;

/** The shape of the training lab's small GPTs, by default, but for the vocabulary, which the text decides. */
const shape = { kind: 'transformer', dModel: 48, nLayers: 4, nHeads: 4, contextLength: 64 } as const;
const training = {
  learningRate: 6e-3,
  warmupSteps: 50,
  decay: 'cosine',
  totalSteps: 2400,
  finalLearningRateFraction: 0.1,
  beta2: 0.95,
  weightDecay: 0.1,
  gradientClip: 1,
  batchSize: 16,
} as const;

/** What a model is trained on, and what it is measured on. */
export interface TrainingText {
  readonly trained: Uint32Array;
  /** Text that is not trained on. */
  readonly probe: Uint32Array;
  /** How often each token occurs. */
  readonly counts: Uint32Array;
}

/** The measurements of both models: a report per step, or one report for models that are already trained. */
export interface Reports<Report> {
  readonly reports: PerModel<readonly Report[]>;
}

export interface SeededReports<Report> extends Reports<Report> {
  readonly seed: number;
}

/** Reports about models that have just been trained. */
export interface TrainedReports<Report> extends SeededReports<Report> {
  /** The mean loss on each step's data, before its update, in nats. */
  readonly losses: PerModel<readonly number[]>;
}

export type MeasureModel<Report> = (
  trainer: LabTrainer,
  read: TrainingText,
  listening: Pick<Listening, 'signal'> & Partial<Listening>,
) => Promise<Report>;

/**
 * Trains a tied and an untied small GPT on the same stories in the same order, and measures them after each of `steps`,
 * in ascending order.
 */
export async function trainTwins<Report>(
  lab: Lab,
  { seed, steps }: { readonly seed: number; readonly steps: readonly number[] },
  measure: MeasureModel<Report>,
  { signal, onProgress }: Listening,
): Promise<TrainedReports<Report>> {
  const corpus = await lab.openCorpus(await lab.writeStories({ ...text, signal }), {
    tokenizer,
    validation: 0.1,
    signal,
  });
  try {
    const read = await readText(corpus);
    const reports = { tied: [] as Report[], untied: [] as Report[] };
    const losses = { tied: [] as number[], untied: [] as number[] };
    const done = { tied: 0, untied: 0 };
    const trainers = await lab.createTrainers(
      twinKinds.map((tying) => ({
        model: { ...shape, vocabSize: corpus.vocabSize, tying },
        training: { ...training, seed },
        tokenIds: read.trained,
      })),
    );
    const trainOne = async (kind: TwinKind, trainer: LabTrainer): Promise<void> => {
      const onShare = (share: number): void => {
        done[kind] = share;
        onProgress((done.tied + done.untied) / twinKinds.length);
      };
      const measureNow = async (): Promise<void> => {
        reports[kind].push(await measure(trainer, read, { signal }));
      };
      losses[kind] = await measureOnTheWay(trainer, steps, { signal, onProgress: onShare }, measureNow);
    };
    try {
      await Promise.all(twinKinds.map((kind, at) => trainOne(kind, trainers[at]!)));
    } finally {
      for (const trainer of trainers) trainer.dispose();
    }
    return { seed, reports, losses };
  } finally {
    corpus.dispose();
  }
}

const readText = async (corpus: LabCorpus): Promise<TrainingText> => ({
  trained: await corpus.tokenIds('training'),
  probe: await corpus.tokenIds('validation', { first: 0, count: probeTokens }),
  counts: await corpus.frequencies(),
});

/** Resolves to the loss of each step. */
async function measureOnTheWay(
  trainer: LabTrainer,
  steps: readonly number[],
  { signal, onProgress }: Listening,
  measure: () => Promise<void>,
): Promise<number[]> {
  const last = steps.at(-1)!;
  const losses: number[] = [];
  for (const [index, step] of steps.entries()) {
    const from = steps[index - 1] ?? 0;
    if (step > from) {
      const { loss } = await trainer.run(step - from, {
        columns: true,
        signal,
        onProgress: (fraction) => onProgress((from + fraction * (step - from)) / last),
      });
      losses.push(...loss);
    }
    await measure();
  }
  return losses;
}

/** Texts for models whose file has none: the page's models were trained on the stories of seed 1. */
const stories = { trained: { seed: 1, length: 200_000 }, unseen: { seed: 2, length: 20_000 } };
const mostMeasured = 2048;

/** The text that models were trained on, and one that they were not trained on. */
export async function textOf(lab: Lab, { text, encode }: Pick<OpenedTwins, 'text' | 'encode'>): Promise<MeasuredText> {
  if (text !== null) return text;
  const [training, heldOut] = await Promise.all(
    [stories.trained, stories.unseen].map(async (wanted) => encode(await lab.writeStories(wanted))),
  );
  return { training: training!, heldOut: heldOut! };
}

/** How often each token occurs. */
export function countsOf(ids: Uint32Array, vocabSize: number): Uint32Array {
  const counts = new Uint32Array(vocabSize);
  for (const id of ids) counts[id]!++;
  return counts;
}

/** Measures trained models as they are, on text that they were not trained on: one report each. */
export async function measureTwins<Report>(
  lab: Lab,
  twins: OpenedTwins,
  measure: MeasureModel<Report>,
  listening: Listening,
): Promise<Reports<Report>> {
  const { training: trained, heldOut } = await textOf(lab, twins);
  const counts = countsOf(trained, twins.tables.tied.rows);
  const read: TrainingText = { trained, probe: heldOut.subarray(0, mostMeasured), counts };
  const reports = await measureBoth(listening, async (kind, half) => [await measure(twins.trainers[kind], read, half)]);
  return { reports };
}
