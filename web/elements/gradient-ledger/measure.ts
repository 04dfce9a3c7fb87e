import type { GradientReport, Lab, LabCorpus } from '../../core/types.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';

/** The gradient through reading: its rows summed for each token, as the optimizer gets it, or one row per position. */
export const definitions = ['token', 'position'] as const;
export type Definition = (typeof definitions)[number];

/** The training steps after which the gradient is measured. */
export const shownSteps = [0, 5, 10, 20, 50, 100] as const;
const lastStep = shownSteps.at(-1)!;

const text = { seed: 1, length: 200_000 };
const vocabSize = 512;
const probeTokens = 1025;

/** The defaults of the training lab's small GPTs. */
const shape = { kind: 'transformer', vocabSize, dModel: 64, nLayers: 4, nHeads: 4, contextLength: 64 } as const;
const training = {
  learningRate: 3e-3,
  warmupSteps: 50,
  decay: 'cosine',
  totalSteps: 800,
  finalLearningRateFraction: 0.1,
  beta2: 0.95,
  weightDecay: 0.1,
  gradientClip: 1,
  batchSize: 16,
} as const;

export type PerModel<Value> = Readonly<Record<PairKind, Value>>;
/** A report per shown step, of a text that is not trained on. */
export interface Measured {
  readonly seed: number;
  readonly reports: PerModel<readonly GradientReport[]>;
}

export interface Listening {
  readonly signal: AbortSignal;
  /** The fraction of both trainings that is done. */
  readonly onProgress: (fraction: number) => void;
}

/** The share of writing in the gradient of the table. */
export const writingShare = (report: GradientReport, definition: Definition): number =>
  1 - (definition === 'token' ? report.inputShare : report.inputPositionShare);

/** The index of the step at which writing is furthest ahead in the tied model. */
export function furthestAhead({ reports }: Measured, definition: Definition): number {
  const shares = reports.tied.map((report) => writingShare(report, definition));
  return shares.indexOf(Math.max(...shares));
}

/** Trains a tied and an untied model from the same data in the same order, and measures their gradients on the way. */
export async function measureLedgers(lab: Lab, seed: number, listening: Listening): Promise<Measured> {
  const { signal } = listening;
  const corpus = await lab.openCorpus(await lab.writeStories({ ...text, signal }), {
    tokenizer: { kind: 'bpe', vocabSize },
    validation: 0.1,
    signal,
  });
  try {
    const reports = { tied: [] as GradientReport[], untied: [] as GradientReport[] };
    for (const tying of pairKinds) reports[tying] = await reportsOf(lab, corpus, { tying, seed }, listening);
    return { seed, reports };
  } finally {
    corpus.dispose();
  }
}

async function reportsOf(
  lab: Lab,
  corpus: LabCorpus,
  { tying, seed }: { readonly tying: PairKind; readonly seed: number },
  { signal, onProgress }: Listening,
): Promise<GradientReport[]> {
  const counts = await corpus.frequencies();
  const probe = await corpus.tokenIds('validation', {
    first: 0,
    count: probeTokens,
  });
  const before = pairKinds.indexOf(tying);
  const trainer = await lab.createTrainer({
    model: { ...shape, tying },
    training: { ...training, seed },
    tokenIds: await corpus.tokenIds('training'),
  });
  try {
    const reports: GradientReport[] = [];
    for (const [index, step] of shownSteps.entries()) {
      const from = shownSteps[index - 1] ?? 0;
      if (step > from) {
        await trainer.run(step - from, {
          columns: true,
          signal,
          onProgress: (fraction) => {
            onProgress((before + (from + fraction * (step - from)) / lastStep) / pairKinds.length);
          },
        });
      }
      reports.push(await trainer.gradientReport(probe, { counts, signal }));
    }
    return reports;
  } finally {
    trainer.dispose();
  }
}
