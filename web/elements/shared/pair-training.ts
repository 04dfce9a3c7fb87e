import type { Lab, LabCorpus, LabTrainer } from '../../core/types.js';
import { pairKinds, type Listening, type PairKind } from './model-pair.js';

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

/** What a model is trained on, and what it is measured on. */
export interface TrainingText {
  readonly trained: Uint32Array;
  /** A text that is not trained on. */
  readonly probe: Uint32Array;
  /** How often each token occurs. */
  readonly counts: Uint32Array;
}

/**
 * Trains a tied and an untied small GPT on the same stories in the same order, and measures them after each of `steps`, which
 * ascend.
 */
export async function trainPair<Report>(
  lab: Lab,
  { seed, steps }: { readonly seed: number; readonly steps: readonly number[] },
  measure: (trainer: LabTrainer, read: TrainingText, signal: AbortSignal) => Promise<Report>,
  { signal, onProgress }: Listening,
): Promise<PerModel<Report[]>> {
  const corpus = await lab.openCorpus(await lab.writeStories({ ...text, signal }), {
    tokenizer: { kind: 'bpe', vocabSize },
    validation: 0.1,
    signal,
  });
  try {
    const read = await readText(corpus);
    const reports = { tied: [] as Report[], untied: [] as Report[] };
    for (const [before, tying] of pairKinds.entries()) {
      const trainer = await lab.createTrainer({
        model: { ...shape, tying },
        training: { ...training, seed },
        tokenIds: read.trained,
      });
      const done = (share: number): void => {
        onProgress((before + share) / pairKinds.length);
      };
      try {
        await measureOnTheWay(trainer, steps, { signal, onProgress: done }, async () => {
          reports[tying].push(await measure(trainer, read, signal));
        });
      } finally {
        trainer.dispose();
      }
    }
    return reports;
  } finally {
    corpus.dispose();
  }
}

const readText = async (corpus: LabCorpus): Promise<TrainingText> => ({
  trained: await corpus.tokenIds('training'),
  probe: await corpus.tokenIds('validation', { first: 0, count: probeTokens }),
  counts: await corpus.frequencies(),
});

async function measureOnTheWay(
  trainer: LabTrainer,
  steps: readonly number[],
  { signal, onProgress }: Listening,
  measure: () => Promise<void>,
): Promise<void> {
  const last = steps.at(-1)!;
  for (const [index, step] of steps.entries()) {
    const from = steps[index - 1] ?? 0;
    if (step > from) {
      await trainer.run(step - from, {
        columns: true,
        signal,
        onProgress: (fraction) => {
          onProgress((from + fraction * (step - from)) / last);
        },
      });
    }
    await measure();
  }
}
