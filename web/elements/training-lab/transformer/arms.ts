import type { Lab, LabTrainer, StepRecord } from '../../../core/types.js';
import { GrowingSeries } from '../history.js';
import type { Models } from '../run-controller.js';
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

async function countParameters(trainer: LabTrainer): Promise<number> {
  const parameters = await trainer.parameters();
  return parameters.reduce((sum, { count }) => sum + count, 0);
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

  /** An arm a lab, in turns where there are fewer labs; where one fails the others are disposed of before it rejects. */
  static async create(
    labs: readonly Lab[],
    settings: TransformerSettings,
    text: TransformerText,
  ): Promise<TransformerArms> {
    checkLength(text.trainingIds.length, settings);
    const training = transformerTraining(settings);
    const arms: TrainingArm[] = [];
    const add = async (kind: ArmKind, index: number): Promise<void> => {
      const lab = labs[index % labs.length];
      if (lab === undefined) throw new RangeError('There is no lab to train in.');
      const model = transformerConfig(settings, text.vocabSize, kind);
      const trainer = await lab.createTrainer({ model, training, tokenIds: text.trainingIds });
      arms[index] = {
        kind,
        parameters: 0,
        losses: new GrowingSeries(),
        inputShares: { matrix: new GrowingSeries(), position: new GrowingSeries() },
        heldOut: { steps: [], losses: [] },
        tokensPerSecond: null,
        trainer,
      };
      arms[index].parameters = await countParameters(trainer);
    };
    const added = await Promise.allSettled(settings.arms.map(add));
    const failed = added.find((one) => one.status === 'rejected');
    if (failed !== undefined) {
      for (const arm of arms.filter(Boolean)) arm.trainer.dispose();
      throw failed.reason;
    }
    return new TransformerArms(arms, text);
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
  async run(steps: number): Promise<void> {
    const runs = await Promise.allSettled(this.#arms.map(({ trainer }) => trainer.run(steps, { recordEvery: 1 })));
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    this.#arms.forEach((arm, index) => {
      const run = runs[index];
      truncate(arm, this.#step);
      if (run?.status === 'fulfilled') record(arm, run.value);
    });
    this.#step += steps;
    // A model that comes apart on the way has more numbers from then on.
    const changing = this.#arms.filter(({ kind }) => kind === 'untied-later');
    for (const arm of changing) arm.parameters = await countParameters(arm.trainer);
  }

  /** The loss on what was held out, of the weights as they are. */
  async measure(): Promise<void> {
    const { heldOutIds } = this.#text;
    if (heldOutIds === null) return;
    const evaluations = await Promise.all(this.#arms.map(({ trainer }) => trainer.evaluate(heldOutIds)));
    this.#arms.forEach(({ heldOut }, index) => {
      if (heldOut.steps.at(-1) === this.#step) return;
      heldOut.steps.push(this.#step);
      heldOut.losses.push(evaluations[index]?.loss ?? Number.NaN);
    });
  }

  /** What each arm writes, as text; `onText` hears of every arm's text as it grows. */
  async write(writing: Writing, onText: (index: number, text: string) => void): Promise<string[]> {
    const { codec } = this.#text;
    return Promise.all(
      this.#arms.map(async ({ trainer }, index) => {
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
      }),
    );
  }

  /** The same weights as after `step` steps, bit for bit. */
  async rewind(step: number): Promise<void> {
    await Promise.all(this.#arms.map(({ trainer }) => trainer.rewind(step)));
    this.#step = step;
    for (const arm of this.#arms) {
      truncate(arm, step);
      if (arm.kind === 'untied-later') arm.parameters = await countParameters(arm.trainer);
    }
  }

  dispose(): void {
    for (const { trainer } of this.#arms) trainer.dispose();
  }
}
