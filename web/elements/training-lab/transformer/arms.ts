import type { Lab, LabTrainer, StepRecord } from '../../../core/types.js';
import { GrowingSeries } from '../history.js';
import type { Models } from '../running.js';
import { createArms, withAll } from '../side-by-side.js';
import { transformerConfig, transformerTraining, type ArmKind, type TransformerSettings } from './settings.js';
import { checkLength, type TransformerText } from './text.js';

/** Which norm the input part of the gradient is measured by: of the scattered [V, d] matrix, or of each position. */
export type ShareDefinition = 'matrix' | 'position';

/** Losses on text that was held out, of the weights after some steps. */
export interface HeldOut {
  readonly steps: readonly number[];
  readonly losses: readonly number[];
}

/** What is known of a model: one value a step, the first of step 1. Each is of the step's batch, before its update. */
export interface TransformerArm {
  readonly kind: ArmKind;
  /** Numbers that it learns. */
  readonly parameters: number;
  /** Nats per token. */
  readonly losses: GrowingSeries;
  /** Share of the input role in the norms of the embedding's gradient, 0 to 1. */
  readonly inputShares: Readonly<Record<ShareDefinition, GrowingSeries>>;
  readonly heldOut: HeldOut;
  /** Null before the first step. */
  readonly tokensPerSecond: number | null;
}

interface TrainingArm extends TransformerArm {
  parameters: number;
  tokensPerSecond: number | null;
  readonly heldOut: { steps: number[]; losses: number[] };
  readonly trainer: LabTrainer;
}

export interface Writing {
  prompt: Uint32Array;
  tokens: number;
  temperature: number;
  seed: number;
}

/** Steps over which the speed is averaged. */
const speedMemory = 8;

function record(arm: TrainingArm, records: readonly StepRecord[]): void {
  for (const { loss, inputShare, inputPositionShare, tokensPerSecond } of records) {
    arm.losses.push(loss);
    arm.inputShares.matrix.push(inputShare);
    arm.inputShares.position.push(inputPositionShare);
    const before = arm.tokensPerSecond;
    arm.tokensPerSecond = before === null ? tokensPerSecond : before + (tokensPerSecond - before) / speedMemory;
  }
}

/** Forgets what came after `step` steps. */
function truncate({ losses, inputShares, heldOut }: TrainingArm, step: number): void {
  for (const series of [losses, inputShares.matrix, inputShares.position]) series.truncate(step);
  while ((heldOut.steps.at(-1) ?? 0) > step) {
    heldOut.steps.pop();
    heldOut.losses.pop();
  }
}

/** Two transformers on one text, always at the same step: same data in the same order, same start of the embedding. */
export class TransformerArms implements Models {
  readonly #arms: TrainingArm[];
  readonly #text: TransformerText;
  #step = 0;

  private constructor(arms: TrainingArm[], text: TransformerText) {
    this.#arms = arms;
    this.#text = text;
  }

  /** Creates a trainer an arm, dealt out to the labs; where one fails the others are disposed of before it rejects. */
  static async create(
    labs: readonly Lab[],
    settings: TransformerSettings,
    text: TransformerText,
  ): Promise<TransformerArms> {
    checkLength(text.trainingIds.length, settings);
    const training = transformerTraining(settings);
    const arms = await createArms(labs, settings.arms, async (lab, kind): Promise<TrainingArm> => {
      const model = transformerConfig(settings, text.vocabSize, kind);
      const trainer = await lab.createTrainer({ model, training, tokenIds: text.trainingIds });
      return {
        kind,
        parameters: 0,
        losses: new GrowingSeries(),
        inputShares: { matrix: new GrowingSeries(), position: new GrowingSeries() },
        heldOut: { steps: [], losses: [] },
        tokensPerSecond: null,
        trainer,
      };
    });
    const models = new TransformerArms(arms, text);
    try {
      await models.#count(arms);
    } catch (error) {
      models.dispose();
      throw error;
    }
    return models;
  }

  get list(): readonly TransformerArm[] {
    return this.#arms;
  }

  get step(): number {
    return this.#step;
  }

  /**
   * Every arm does `steps` steps. Where one cannot, the records of all end with the last step that all have done, and
   * the promise rejects with what the core says; the arms are then apart until they are rewound.
   */
  async run(steps: number, signal: AbortSignal): Promise<void> {
    const runs = await withAll(this.#arms, ({ trainer }) => trainer.run(steps, { recordEvery: 1, signal }));
    this.#arms.forEach((arm, index) => {
      truncate(arm, this.#step);
      record(arm, runs[index] ?? []);
    });
    this.#step += steps;
    await this.#count(this.#changing);
  }

  /** The loss on what was held out, of the weights as they are. */
  async measure(): Promise<void> {
    const { heldOutIds } = this.#text;
    if (heldOutIds === null) return;
    const evaluations = await withAll(this.#arms, ({ trainer }) => trainer.evaluate(heldOutIds));
    this.#arms.forEach(({ heldOut }, index) => {
      if (heldOut.steps.at(-1) === this.#step) return;
      heldOut.steps.push(this.#step);
      heldOut.losses.push(evaluations[index]?.loss ?? Number.NaN);
    });
  }

  /** What each arm writes, as text; `onText` hears of every arm's text as it grows. */
  async write(writing: Writing, onText: (index: number, text: string) => void): Promise<string[]> {
    const { codec } = this.#text;
    return withAll(this.#arms, async ({ trainer }, index) => {
      const soFar: number[] = [];
      const onTokens = (ids: Uint32Array): void => {
        soFar.push(...ids);
        // A piece that could not be told is made good by the whole, whose failure is told.
        const told = (text: string): void => {
          onText(index, text);
        };
        codec.decode(Uint32Array.from(soFar)).then(told, () => undefined);
      };
      const { tokenIds } = await trainer.generate({ ...writing, onTokens });
      return codec.decode(tokenIds);
    });
  }

  /** The same weights as after `step` steps, bit for bit. */
  async rewind(step: number): Promise<void> {
    await withAll(this.#arms, ({ trainer }) => trainer.rewind(step));
    this.#step = step;
    for (const arm of this.#arms) truncate(arm, step);
    await this.#count(this.#changing);
  }

  /** A model that unties during training has more parameters from then on. */
  get #changing(): TrainingArm[] {
    return this.#arms.filter(({ kind }) => kind === 'untied-later');
  }

  /** Counts the numbers of these models by their own tables. */
  async #count(arms: readonly TrainingArm[]): Promise<void> {
    await withAll(arms, async (arm) => {
      const parameters = await arm.trainer.parameters();
      arm.parameters = parameters.reduce((sum, { count }) => sum + count, 0);
    });
  }

  dispose(): void {
    for (const { trainer } of this.#arms) trainer.dispose();
  }
}
