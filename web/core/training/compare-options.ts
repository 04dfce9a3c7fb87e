/** Checks and defaults of `compare`'s options, and the plan of its frames, which core and lab share. */
import type { CompareControls, CompareOptions, ComparedArm, FrameOptions, PlayOptions } from './comparison-types.js';
import { invalidArgument, shortened, TiedError } from '../runtime/errors.js';
import { FramePace, MAX_STEPS_PER_FRAME } from '../runtime/frame-pace.js';
import type { ModelConfig, TrainingConfig } from '../types.js';
import {
  checkBytes,
  checkFunction,
  checkOptions,
  checkSeed,
  checkSignal,
  checkInteger,
  isRecord,
  readRecord,
} from '../runtime/validate.js';

const MAX_ARMS = 16;

/** An arm with its options completed from the corpus and the comparison. */
export interface CheckedArm {
  name: string;
  model: ModelConfig;
  training: TrainingConfig;
  saved: Uint8Array | null;
}

export interface CheckedCompare {
  arms: CheckedArm[];
  /** Infinity if no end is planned. */
  steps: number;
  measureEvery: number | null;
  measureTokens: number | null;
}

/** Checks the options. The models themselves are checked when they are created. */
export function checkCompare(options: CompareOptions, vocabSize: number): CheckedCompare {
  const given = checkOptions('options', options, ['arms', 'steps', 'seed', 'measure']);
  const seed = given.seed === undefined ? 0 : checkSeed('options.seed', given.seed);
  const arms = namedArms(given.arms).map(([name, arm]) => completeArm(name, arm, vocabSize, seed));
  const steps = given.steps === undefined ? Infinity : checkInteger('options.steps', given.steps, 1);
  if (given.measure === undefined) return { arms, steps, measureEvery: null, measureTokens: null };
  const { every, tokens } = checkOptions('options.measure', given.measure, ['every', 'tokens']);
  return {
    arms,
    steps,
    measureEvery: checkInteger('options.measure.every', every, 1),
    measureTokens: tokens === undefined ? null : checkInteger('options.measure.tokens', tokens, 2),
  };
}

function namedArms(arms: unknown): [name: string, arm: unknown][] {
  if (!isRecord(arms)) throw invalidArgument('options.arms', arms, 'an object of models by name');
  const named = Object.entries(readRecord('options.arms', arms));
  if (named.length >= 1 && named.length <= MAX_ARMS) return named;
  throw new TiedError('invalid-argument', `options.arms has ${named.length} models; expected 1 to ${MAX_ARMS}`);
}

function completeArm(name: string, arm: unknown, vocabSize: number, seed: number): CheckedArm {
  const argument = `options.arms.${shortened(name)}`;
  const given = checkOptions(argument, arm as ComparedArm, ['model', 'training', 'saved']);
  for (const part of ['model', 'training'] as const) {
    if (!isRecord(given[part])) throw invalidArgument(`${argument}.${part}`, given[part], 'an object with options');
  }
  const model = readRecord(`${argument}.model`, given.model as never) as unknown as ModelConfig;
  const training = readRecord(`${argument}.training`, given.training as never) as unknown as TrainingConfig;
  if (model.vocabSize !== undefined && model.vocabSize !== vocabSize) {
    throw invalidArgument(`${argument}.model.vocabSize`, model.vocabSize, `that of the corpus, ${vocabSize}`);
  }
  return {
    name,
    model: { ...model, vocabSize },
    training: training.seed === undefined ? { ...training, seed } : training,
    saved: given.saved === undefined ? null : checkBytes(`${argument}.saved`, given.saved),
  };
}

/** The step that all arms have reached. */
export function commonStep(arms: readonly { readonly name: string; readonly step: number }[]): number {
  const [first] = arms;
  const other = arms.find(({ step }) => step !== first?.step);
  if (first === undefined || other === undefined) return first?.step ?? 0;
  throw new TiedError(
    'invalid-argument',
    `options.arms.${shortened(other.name)} is at step ${other.step}; expected step ${first.step}, which the arm '${shortened(first.name)}' is at`,
  );
}

/** Adds the arm's name to an error of its verbs. */
export function ofArm(name: string, error: unknown): unknown {
  if (!(error instanceof TiedError)) return error;
  return new TiedError(error.code, `arm '${shortened(name)}': ${error.message}`, { cause: error });
}

export function checkControls(controls: CompareControls = {}): CompareControls {
  const given = checkOptions('controls', controls, ['signal', 'onFrame']);
  if (given.signal !== undefined) checkSignal('controls.signal', given.signal);
  if (given.onFrame !== undefined) checkFunction('controls.onFrame', given.onFrame);
  return given;
}

/** How long a frame is: undefined lets the measured pace decide. */
export interface CheckedFrame {
  steps: number | undefined;
  until: number;
}

export function checkFrame(options: FrameOptions = {}): CheckedFrame {
  const { steps, until } = checkOptions('options', options, ['steps', 'until']);
  return {
    steps: steps === undefined ? undefined : checkInteger('options.steps', steps, 1, MAX_STEPS_PER_FRAME),
    until: until === undefined ? Infinity : checkInteger('options.until', until, 0),
  };
}

/**
 * The step at which `play` stops, `planned` by default. Infinity is valid only where `play` can be paused
 * (`mayBeEndless`).
 */
export function checkPlay(options: PlayOptions = {}, planned: number, mayBeEndless: boolean): number {
  const { until } = checkOptions('options', options, ['until']);
  if (until === Infinity && mayBeEndless) return until;
  if (until !== undefined) return checkInteger('options.until', until, 0);
  if (planned !== Infinity) return planned;
  throw invalidArgument('options.until', until, 'a step, because the comparison has no planned end');
}

/** Decides where frames end. */
export class FramePlan {
  readonly steps: number;
  readonly #every: number | null;
  readonly #pace = new FramePace();
  /** The step measured last. */
  #measured: number | null = null;

  /** `from`: the step that saved arms have reached; if it was to be measured, it has been. */
  constructor({ steps, measureEvery }: Pick<CheckedCompare, 'steps' | 'measureEvery'>, from = 0) {
    this.steps = steps;
    this.#every = measureEvery;
    if (from > 0) this.#measured = from;
  }

  /** The end of the frame that starts at `step`. No frame runs past a step that must be measured. */
  target(step: number, { steps, until }: CheckedFrame): number {
    if (this.isDue(step)) return step;
    const stop = this.#every === null ? Infinity : (Math.floor(step / this.#every) + 1) * this.#every;
    // Frames stop at the planned end; a comparison may continue beyond it.
    const planned = step < this.steps ? this.steps : Infinity;
    return Math.max(step, Math.min(step + (steps ?? this.#pace.steps), stop, planned, until));
  }

  /** Whether `step` must be measured and has not been. */
  isDue(step: number): boolean {
    if (this.#every === null || this.#measured === step) return false;
    return step % this.#every === 0 || step === this.steps;
  }

  /** Records a finished frame. */
  took(steps: number, milliseconds: number, step: number): void {
    this.#pace.took(steps, milliseconds);
    if (this.isDue(step)) this.#measured = step;
  }

  /** After a rewind, later steps are measured again. */
  wentTo(step: number): void {
    if (this.#measured !== null && this.#measured > step) this.#measured = step;
  }
}
