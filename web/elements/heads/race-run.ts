import type { Lab, LabTrainer } from '../../core/types.js';
import type { TokenizerKind } from '../../core/types.js';
import { Turns } from '../shared/turns.js';
import { armsOf, timeOf, type ArmRun, type HeadMacs, type Point, type Race } from './race.js';
import { headIds, headOf, type Vocabulary } from './head-list.js';

/** The text: stories generated from a seed, or the reader's. */
export type RaceText =
  { readonly stories: { readonly seed: number; readonly length: number } } | { readonly own: string };

export interface RaceQuestion {
  readonly key: string;
  readonly text: RaceText;
  readonly tokenizer: Extract<TokenizerKind, 'word' | 'bpe'>;
  readonly vocabSize: number;
  readonly dModel: number;
  readonly steps: number;
  readonly seed: number;
}

export interface RaceListener {
  /** Something has been trained or evaluated. `done`: the fraction of the whole, 0 to 1. */
  readonly changed: (race: Race, done: number) => void;
  readonly tooShort: () => Error;
}

/** One layer, so most of the work is the head's. */
const shape = { nLayers: 1, nHeads: 1, contextLength: 32 } as const;
const training = { learningRate: 3e-3, warmupSteps: 20, beta2: 0.95, gradientClip: 1, batchSize: 16 } as const;
/** Tokens that each evaluation reads. */
const heldOut = 2049;
const tokensPerStep = training.batchSize * shape.contextLength;
/** The number of evaluations on the way to the steps, and of those on the way to the time. */
const parts = 10;
/** Steps before the clock starts: engines compile twice. */
const warmUp = 6;
/** The time for one slice of steps, short enough to pause after. */
const sliceSeconds = 0.25;

interface Arm extends Pick<ArmRun, 'head' | 'tying'> {
  readonly trainer: LabTrainer;
  readonly points: Point[];
  seconds: number;
  steps: number;
}

/** The multiply-accumulates of a step with each head. */
export function countHeads(lab: Lab, { vocabSize, dModel }: Vocabulary): Promise<HeadMacs[]> {
  return Promise.all(
    headIds.map(async (head): Promise<HeadMacs> => {
      const { kind, heads, architecture } = headOf(head).counted({ vocabSize, dModel });
      const count = await lab.countCompute(
        { family: 'tied-embeddings', vocabSize, dModel, ...shape, ...architecture },
        { sequences: training.batchSize, tokens: shape.contextLength, ...(heads === undefined ? {} : { heads }) },
      );
      const macs = count.heads.find((cost) => cost.kind === kind)?.macs.total ?? 0;
      return { head, macs, layers: count.macs.total - count.parts.head.total };
    }),
  );
}

/** The text of a race, in tokens. */
export interface RaceTokens {
  readonly vocabSize: number;
  readonly trained: Uint32Array;
  readonly validation: Uint32Array;
}

/** Null for a text that is too short to hold out a part of it. */
export async function openTokens(lab: Lab, question: RaceQuestion, signal: AbortSignal): Promise<RaceTokens | null> {
  const { text, tokenizer: kind, vocabSize: wanted } = question;
  const written = 'own' in text ? text.own : await lab.writeStories({ ...text.stories, signal });
  // A tokenizer refuses a text of a single word.
  if (written.length < 2 * shape.contextLength) return null;
  const tokenizer = await lab.trainTokenizer(written, { kind, vocabSize: wanted, signal });
  let ids: Uint32Array;
  try {
    ids = await tokenizer.encode(written, { signal });
  } finally {
    tokenizer.dispose();
  }
  const trained = ids.subarray(0, Math.floor(0.9 * ids.length));
  const validation = ids.subarray(trained.length, trained.length + heldOut);
  return validation.length < 2 * shape.contextLength ? null : { vocabSize: tokenizer.vocabSize, trained, validation };
}

/** Every model of a race, in the form that `createTrainer` accepts. */
export const headModels = (
  { dModel, seed }: Pick<RaceQuestion, 'dModel' | 'seed'>,
  { vocabSize, trained, validation }: RaceTokens,
): (Pick<ArmRun, 'head' | 'tying'> & { readonly options: Parameters<Lab['createTrainer']>[0] })[] =>
  armsOf().map(({ head, tying }) => ({
    ...{ head, tying },
    options: {
      model: { kind: 'transformer', vocabSize, dModel, ...shape, tying, ...headOf(head).model({ vocabSize, dModel }) },
      training: { ...training, seed },
      tokenIds: trained,
      validationTokenIds: validation,
    },
  }));

/**
 * Trains a tied and an untied model with every head, in turns, so other load on the machine slows all of them alike:
 * first for the same number of steps, then for as long as the slowest took for those steps. It can be stopped between
 * turns and continued.
 */
export class RaceRun {
  readonly #lab: Lab;
  readonly #question: RaceQuestion;
  #arms: Arm[] = [];
  #race: Race | null = null;
  #disposed = false;
  #share = 0;
  /** After a pause, a reader may continue at once: the previous call has not stopped yet. */
  readonly #turns = new Turns();

  constructor(lab: Lab, question: RaceQuestion) {
    this.#lab = lab;
    this.#question = question;
  }

  get lab(): Lab {
    return this.#lab;
  }

  get key(): string {
    return this.#question.key;
  }

  /** Continues to the end, or until `signal` is aborted; then resolves to null. */
  run(signal: AbortSignal, listener: RaceListener): Promise<Race | null> {
    return this.#turns.next(() => this.#run(signal, listener));
  }

  /** The fraction of the training that is done, as reported last. */
  get done(): number {
    return this.#share;
  }

  async #run(signal: AbortSignal, listener: RaceListener): Promise<Race | null> {
    const changed = (complete = false): void => {
      if (this.#race === null) return;
      const arms = this.#arms.map(({ head, tying, points }) => ({ head, tying, points: [...points] }));
      this.#race = { ...this.#race, arms, complete };
      listener.changed(this.#race, complete ? 1 : this.#done());
    };
    this.#race ??= await this.#open(signal, listener);
    if (this.#race === null) return null;
    const { steps } = this.#question;
    const stopped = (): boolean => signal.aborted || this.#disposed;
    for (let part = 1; part <= parts; part++) {
      const target = Math.round((steps * part) / parts);
      for (const arm of this.#arms) {
        while (arm.steps < target) {
          if (stopped()) return null;
          await this.#train(arm, target - arm.steps);
        }
        if (arm.points.at(-1)!.steps >= target) continue;
        if (stopped()) return null;
        await this.#evaluate(arm);
        changed();
      }
    }
    const end = timeOf({ arms: this.#arms, steps });
    for (let part = 1; part <= parts; part++) {
      for (const arm of this.#arms) {
        const begin = arm.points.find((point) => point.steps >= steps)!.seconds;
        const target = begin + ((end - begin) * part) / parts;
        const left = (): number => Math.round((target - arm.seconds) / (arm.seconds / arm.steps));
        while (left() > 0) {
          if (stopped()) return null;
          await this.#train(arm, left());
        }
        if (arm.points.at(-1)!.steps === arm.steps) continue;
        if (stopped()) return null;
        await this.#evaluate(arm);
        changed();
      }
    }
    changed(true);
    return this.#race;
  }

  dispose(): void {
    this.#disposed = true;
    this.#closeArms();
  }

  async #open(signal: AbortSignal, { tooShort, changed }: RaceListener): Promise<Race | null> {
    const { key, dModel, steps } = this.#question;
    const lab = this.#lab;
    const tokens = await openTokens(lab, this.#question, signal);
    if (tokens === null) throw tooShort();
    const { vocabSize, trained, validation } = tokens;
    const costs = await countHeads(lab, { vocabSize, dModel });
    const race = { key, steps, vocabSize, tokens: trained.length, heldOut: validation.length, costs, complete: false };
    try {
      for (const { head, tying, options } of headModels(this.#question, tokens)) {
        const trainer = await lab.createTrainer(options);
        const arm = { head, tying, trainer, points: [] as Point[], seconds: 0, steps: 0 };
        this.#arms.push(arm);
        await trainer.run(warmUp, { columns: true });
        await trainer.rewind(0);
        await this.#evaluate(arm);
        if (signal.aborted || this.#disposed) break;
        changed({ ...race, arms: this.#arms.map((one) => ({ ...one, points: [...one.points] })) }, 0);
      }
    } catch (error) {
      this.#closeArms();
      throw error;
    }
    if (signal.aborted || this.#disposed) {
      this.#closeArms();
      return null;
    }
    return { ...race, arms: this.#arms };
  }

  #closeArms(): void {
    for (const { trainer } of this.#arms) trainer.dispose();
    this.#arms = [];
  }

  /** A slice of at most `most` steps. The time is measured in the worker, and only during steps. */
  async #train(arm: Arm, most: number): Promise<void> {
    const pace = arm.steps === 0 ? sliceSeconds : arm.seconds / arm.steps;
    const steps = Math.max(1, Math.min(most, Math.round(sliceSeconds / pace)));
    const { tokensPerSecond } = await arm.trainer.run(steps, { columns: true });
    for (const rate of tokensPerSecond) arm.seconds += tokensPerStep / rate;
    arm.steps += steps;
  }

  async #evaluate(arm: Arm): Promise<void> {
    const { loss, tokens, lostTokens = 0 } = await arm.trainer.evaluate();
    const { steps, seconds } = arm;
    arm.points.push({ steps, seconds, loss, lost: lostTokens / (tokens + lostTokens) });
  }

  /**
   * The fraction of the training that is done, by time; the total is the number of models times the time of the
   * slowest.
   */
  #done(): number {
    const { steps } = this.#question;
    const spent = this.#arms.reduce((sum, { seconds }) => sum + seconds, 0);
    const slowest = Math.max(...this.#arms.map((arm) => (arm.steps === 0 ? 0 : (arm.seconds / arm.steps) * steps)));
    if (slowest > 0) this.#share = Math.max(this.#share, Math.min(0.99, spent / (slowest * this.#arms.length)));
    return this.#share;
  }
}
