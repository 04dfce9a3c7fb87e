import type { Lab, LabTrainer } from '../../../core/types.js';
import { mixed, type PairCounts } from './floors.js';

/** Models that differ only in the share of pairs that they read backward. */

export const shares = [0, 0.25, 0.5, 0.75, 1] as const;
export const arms = ['tied', 'untied'] as const;
export type Arm = (typeof arms)[number];

/** Full batch, so a model sees the same pairs in each step. A larger rate would make rounding errors grow, see `docs/science.md`. */
export const runPlan = { dModel: 16, initStd: 0.3, learningRate: 1, steps: 1000, every: 50 } as const;

export interface ArmMoment {
  /** One for each share. */
  readonly losses: readonly number[];
  /** The largest difference between a number of the model that reads forward and the same number of the one that reads backward. */
  readonly apart: number;
  /** The largest difference between any two of the models. */
  readonly spread: number;
  /** How far a number of the model that reads forward has moved from its start, at most. */
  readonly moved: number;
}

export type Moment = Readonly<Record<Arm, ArmMoment>> & { readonly step: number };

function optionsOf(pairs: PairCounts, tying: Arm, share: number, seed: number) {
  const { dModel, initStd, learningRate } = runPlan;
  // Whole numbers, which single precision holds exactly.
  const counts = Float32Array.from(mixed(pairs, share).counts, (count) => 4 * count);
  return {
    model: { kind: 'direct-path' as const, vocabSize: pairs.size, dModel, initStd, tying },
    training: { optimizer: 'sgd' as const, learningRate, seed },
    bigramCounts: { rows: pairs.size, cols: pairs.size, data: counts },
  };
}

const names = { tied: ['embedding'], untied: ['embedding', 'unembedding'] } as const;

/** All parameters of a model in a row. */
async function parametersOf(trainer: LabTrainer, tying: Arm): Promise<number[]> {
  const matrices = await Promise.all(names[tying].map((name) => trainer.matrix(name)));
  return matrices.flatMap(({ data }) => [...data]);
}

const furthest = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at]!)), 0);

/** The models of one arm, all from the same start. */
class ArmModels {
  readonly #tying: Arm;
  readonly #trainers: readonly LabTrainer[];
  #start: readonly number[] | null = null;

  constructor(tying: Arm, trainers: readonly LabTrainer[]) {
    this.#tying = tying;
    this.#trainers = trainers;
  }

  async moment(step: number): Promise<ArmMoment> {
    const losses: number[] = [];
    const models: number[][] = [];
    for (const trainer of this.#trainers) {
      if (step > trainer.step) await trainer.run(step - trainer.step, { recordEvery: runPlan.steps });
      losses.push((await trainer.evaluate()).loss);
      models.push(await parametersOf(trainer, this.#tying));
    }
    this.#start ??= models[0]!;
    const [forward, backward] = [models[0]!, models.at(-1)!];
    return {
      losses,
      apart: furthest(forward, backward),
      spread: Math.max(...models.flatMap((one) => models.map((other) => furthest(one, other)))),
      moved: furthest(forward, this.#start),
    };
  }
}

/** Trains all models from one start, and yields where they are every few steps. */
export async function* trainAll(lab: Lab, pairs: PairCounts, seed: number): AsyncGenerator<Moment> {
  const trainers: LabTrainer[] = [];
  try {
    const models = new Map<Arm, ArmModels>();
    for (const tying of arms) {
      const own: LabTrainer[] = [];
      for (const share of shares) {
        own.push(await lab.createTrainer(optionsOf(pairs, tying, share, seed)));
        trainers.push(own.at(-1)!);
      }
      models.set(tying, new ArmModels(tying, own));
    }
    for (let step = 0; step <= runPlan.steps; step += runPlan.every) {
      yield { step, tied: await models.get('tied')!.moment(step), untied: await models.get('untied')!.moment(step) };
    }
  } finally {
    for (const trainer of trainers) trainer.dispose();
  }
}
