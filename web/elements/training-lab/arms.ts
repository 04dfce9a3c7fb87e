import type { Lab, LabTrainer, ModelConfig, TrainingConfig, Tying } from '../../core/types.js';
import { GrowingSeries } from './history.js';
import type { PreparedText } from './prepare-text.js';
import type { Models } from './running.js';
import type { LabSettings } from './settings.js';
import { createArms, withAll } from './side-by-side.js';
import type { Pair } from './token-choice.js';

/** What one model thinks at one step. */
export interface ArmView {
  /** [kept, kept] P(next | current), normalised over the whole vocabulary. */
  probabilities: Float32Array;
  /** [kept, kept] logits of the direct path. */
  logits: Float32Array;
}

/** What all models think at one step; arms in the order of the settings. */
export interface Snapshot {
  step: number;
  arms: ArmView[];
}

/** P(to | from) and P(from | to). */
export interface PairValue {
  forward: number;
  backward: number;
}

/** What each arm thinks of a pair of kept tokens; null where one of them was not kept. */
export function pairIn({ arms }: Snapshot, kept: Uint32Array, pair: Pair): PairValue[] | null {
  const from = kept.indexOf(pair.from);
  const to = kept.indexOf(pair.to);
  if (from < 0 || to < 0) return null;
  return arms.map(({ probabilities }) => ({
    forward: probabilities[from * kept.length + to] ?? 0,
    backward: probabilities[to * kept.length + from] ?? 0,
  }));
}

/** The loss over all pairs of the text, nats per token, of the weights after `step` steps. */
export interface Measurement {
  step: number;
  loss: number;
}

export interface Arm {
  readonly tying: Tying;
  /** Value s: loss, on the data of step s + 1, of the weights after s steps; nats per token. */
  readonly losses: GrowingSeries;
  measured: Measurement | null;
}

interface TrainingArm extends Arm {
  readonly trainer: LabTrainer;
}

export function modelConfig(settings: LabSettings, vocabSize: number, tying: Tying): ModelConfig {
  return { kind: 'direct-path', vocabSize, dModel: settings.dModel, tying, outputBias: settings.outputBias };
}

export function trainingConfig(settings: LabSettings): TrainingConfig {
  const config: TrainingConfig = {
    optimizer: settings.optimizer,
    learningRate: settings.learningRate,
    decay: 'cosine',
    totalSteps: settings.steps,
    // Not zero, so that a run that is played on past its planned end still learns.
    finalLearningRateFraction: 0.01,
    seed: settings.seed,
  };
  if (settings.batchSize !== 'whole-table') config.batchSize = settings.batchSize;
  return config;
}

/** Multiply-adds that a measurement may cost a model: well under a second. */
const mostMeasuredProducts = 4e9;

/** The loss of at least one model is no longer a number. */
export class DivergedError extends Error {
  constructor(readonly step: number) {
    super(`The loss is not finite after ${String(step)} steps.`);
    this.name = 'DivergedError';
  }
}

/** The same result, or a `DivergedError` where the core says that a number is not finite. */
async function finite<T>(result: Promise<T>, step: number): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw (error as { code?: unknown } | null)?.code === 'not-finite' ? new DivergedError(step) : error;
  }
}

/** Several models on one text, always at the same step: same data, same order, same start of the embedding. */
export class Arms implements Models {
  readonly #arms: TrainingArm[];
  readonly #kept: Uint32Array;
  readonly #wholeTable: boolean;
  readonly #measurable: boolean;
  #step = 0;

  private constructor(arms: TrainingArm[], settings: LabSettings, text: PreparedText) {
    this.#arms = arms;
    this.#kept = text.kept;
    this.#wholeTable = settings.batchSize === 'whole-table';
    const products = text.tokenIds.length * text.vocabSize * settings.dModel;
    this.#measurable = this.#wholeTable || products <= mostMeasuredProducts;
  }

  /** Creates a trainer an arm, dealt out to the labs; where one fails the others are disposed of before it rejects. */
  static async create(labs: readonly Lab[], settings: LabSettings, text: PreparedText): Promise<Arms> {
    const training = trainingConfig(settings);
    const data =
      settings.batchSize === 'whole-table' ? { bigramCounts: text.bigrams.counts } : { tokenIds: text.tokenIds };
    const arms = await createArms(labs, settings.arms, async (lab, tying): Promise<TrainingArm> => {
      const model = modelConfig(settings, text.vocabSize, tying);
      const trainer = await lab.createTrainer({ model, training, ...data });
      return { tying, losses: new GrowingSeries(), measured: null, trainer };
    });
    return new Arms(arms, settings, text);
  }

  get list(): readonly Arm[] {
    return this.#arms;
  }

  /** Steps that every arm has done. */
  get step(): number {
    return this.#step;
  }

  /**
   * Every arm does `steps` steps. A record holds the loss of the weights before its step. Rejects with a
   * `DivergedError` when a loss grows beyond all numbers; the arms are then apart until they are rewound.
   */
  async run(steps: number, signal: AbortSignal): Promise<void> {
    const runs = await finite(
      withAll(this.#arms, ({ trainer }) => trainer.run(steps, { recordEvery: 1, signal })),
      this.#step + steps,
    );
    this.#arms.forEach((arm, index) => {
      // A measurement of the weights as they stood before the run is replaced by the run's own first loss.
      arm.losses.truncate(this.#step);
      for (const record of runs[index] ?? []) arm.losses.push(record.loss);
    });
    this.#step += steps;
    if (this.#arms.some(({ losses }) => !Number.isFinite(losses.last))) throw new DivergedError(this.#step);
  }

  /**
   * The loss of the weights as they are over all pairs of the text, which ends the series too where the steps are
   * over all pairs themselves. Left out where a text is so long that it would keep the reader waiting.
   */
  async measure(): Promise<void> {
    if (!this.#measurable) return;
    const evaluations = await finite(
      withAll(this.#arms, ({ trainer }) => trainer.evaluate()),
      this.#step,
    );
    this.#arms.forEach((arm, index) => {
      const loss = evaluations[index]?.loss ?? Number.NaN;
      arm.measured = { step: this.#step, loss };
      if (!this.#wholeTable) return;
      arm.losses.truncate(this.#step);
      arm.losses.push(loss);
    });
  }

  /** The same weights as after `step` steps, bit for bit. */
  async rewind(step: number): Promise<void> {
    await withAll(this.#arms, ({ trainer }) => trainer.rewind(step));
    this.#step = step;
    for (const arm of this.#arms) {
      arm.losses.truncate(step);
      arm.measured = null;
    }
  }

  async snapshot(): Promise<Snapshot> {
    const options = { from: this.#kept, to: this.#kept };
    const views = withAll(this.#arms, async ({ trainer }): Promise<ArmView> => {
      const [probabilities, logits] = await Promise.all([
        trainer.nextTokenProbabilities(options),
        trainer.nextTokenLogits(options),
      ]);
      return { probabilities: probabilities.data, logits: logits.data };
    });
    const arms = await finite(views, this.#step);
    return { step: this.#step, arms };
  }

  /** Any pair, kept or not, at the present step. */
  async pair({ from, to }: Pair): Promise<PairValue[]> {
    const ids = Uint32Array.of(from, to);
    const matrices = await finite(
      withAll(this.#arms, ({ trainer }) => trainer.nextTokenProbabilities({ from: ids, to: ids })),
      this.#step,
    );
    return matrices.map(({ data }) => ({ forward: data[1] ?? 0, backward: data[2] ?? 0 }));
  }

  dispose(): void {
    for (const arm of this.#arms) arm.trainer.dispose();
  }
}
