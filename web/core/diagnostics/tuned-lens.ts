/** Trains a tuned lens, a sequence at a time. */
import { invalidArgument } from '../runtime/errors.js';
import { checkListening } from './logit-lens.js';
import { checkIdsBelow } from '../model/options.js';
import { PartJob } from '../runtime/pace.js';
import { openReadout, transformerSizes, type ReadTrainer } from './readout.js';
import { sizedBy, type Handle, type Runtime } from '../runtime/runtime.js';
import { matricesOf } from '../training/trainer-answers.js';
import type { DiagnosticOptions, TunedLens, TunedLensOptions } from '../types.js';
import {
  checkInteger,
  checkOptions,
  checkPositive,
  checkSeed,
  checkTokenIds,
  LARGEST_RATE,
} from '../runtime/validate.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_PARTS = 64;
const MAX_STEPS = 1e6;
/** 2^32 divided by the golden ratio: its multiples are spread evenly over the 32-bit integers. */
const GOLDEN = 0x9e3779b9;

export interface CheckedLensTraining extends Pick<DiagnosticOptions, 'onProgress'> {
  /** The name of the options in messages. */
  argument: string;
  ids: Uint32Array;
  steps: number;
  tokensPerStep: number;
  learningRate: number;
  seed: number;
  signal: AbortSignal | undefined;
}

const BUDGET = ['tokenIds', 'steps', 'tokensPerStep', 'learningRate', 'seed'];

/** Checks of the options of `trainTunedLens`, for every model. */
export function checkLensTraining(options: TunedLensOptions): CheckedLensTraining {
  const given = checkOptions('options', options, [...BUDGET, 'onProgress', 'signal']);
  return { ...readBudget('options', given), ...checkListening(given) };
}

/** The same options nested in others, whose listener receives the progress. `argument`: their name in messages. */
export function checkLensBudget(argument: string, options: TunedLensOptions): CheckedLensTraining {
  const given = checkOptions(argument, options, BUDGET);
  return { ...readBudget(argument, given), onProgress: undefined, signal: undefined };
}

function readBudget(argument: string, given: TunedLensOptions): Omit<CheckedLensTraining, keyof DiagnosticOptions> {
  const { steps = 150, tokensPerStep = 1024, learningRate = 0.01, seed = 0 } = given;
  return {
    argument,
    ids: checkTokenIds(`${argument}.tokenIds`, given.tokenIds, 1).slice(),
    steps: checkInteger(`${argument}.steps`, steps, 1, MAX_STEPS),
    tokensPerStep: checkInteger(`${argument}.tokensPerStep`, tokensPerStep, 1, MAX_STEPS),
    learningRate: checkPositive(`${argument}.learningRate`, learningRate, LARGEST_RATE),
    seed: checkSeed(`${argument}.seed`, seed),
  };
}

/**
 * Where sequence number `index` begins: at multiples of the golden ratio, so the text is covered evenly from the first steps on.
 * @param places - the number of possible positions
 */
export const placeOf = (index: number, seed: number, places: number): number =>
  Math.floor((((Math.imul(index + 1, GOLDEN) + seed) >>> 0) / 2 ** 32) * places);

export class LensTraining extends PartJob<TunedLens> {
  readonly #trainer: ReadTrainer;
  readonly #options: CheckedLensTraining;
  readonly #readout: Handle<ReadoutModule>;
  readonly #layers: number;
  readonly #width: number;
  readonly #sequenceLength: number;
  readonly #sequencesPerStep: number;
  readonly #history: Float32Array;
  /** 1 for each token of the text that was in a sequence. */
  readonly #drawn: Uint8Array;
  /** Sequences read. */
  #done = 0;

  constructor(runtime: Runtime<ReadoutModule>, trainer: ReadTrainer, options: CheckedLensTraining) {
    super('training of the lens', MAX_PARTS);
    const { layers, width, vocabSize, contextLength } = transformerSizes('trainTunedLens', trainer);
    const { argument, ids, steps, tokensPerStep } = options;
    checkIdsBelow(`${argument}.tokenIds`, ids, vocabSize);
    if (layers * steps > 2 ** 26) {
      throw invalidArgument(`${argument}.steps`, steps, 'fewer, since the history of all layers has to fit in memory');
    }
    this.#trainer = trainer;
    this.#options = options;
    this.#layers = layers;
    this.#width = width;
    this.#sequenceLength = Math.min(contextLength, ids.length);
    this.#sequencesPerStep = Math.max(1, Math.round(tokensPerStep / this.#sequenceLength));
    this.#history = new Float32Array(steps * layers);
    this.#drawn = new Uint8Array(ids.length);
    this.#readout = openReadout(runtime, trainer);
    try {
      this.#call([], (module, readout) => module.startLens(readout, layers));
    } catch (error) {
      this.end();
      throw error;
    }
  }

  #call(arrays: readonly Float32Array[], verb: Parameters<Handle<ReadoutModule>['call']>[1]): Float64Array {
    return this.#readout.call(
      arrays,
      verb,
      (answer) => answer.numbers(0),
      sizedBy(`${this.#options.argument}.tokenIds`),
    );
  }

  protected take(parts: number): void {
    for (let part = 0; part < parts && !this.finished; part++) this.#takeSequence();
  }

  #takeSequence(): void {
    const { ids, steps, learningRate, seed } = this.#options;
    const length = this.#sequenceLength;
    const first = placeOf(this.#done, seed, ids.length - length + 1);
    this.#drawn.fill(1, first, first + length);
    const weight = 1 / (this.#sequencesPerStep * length);
    const sums = this.#trainer.tokens.readStates(ids.subarray(first, first + length), (states) =>
      this.#call([states], (module, readout, [at]) => module.trainLens(readout, at!, this.#layers + 1, length, weight)),
    );
    const step = Math.floor(this.#done / this.#sequencesPerStep);
    sums.forEach((sum, layer) => (this.#history[step * this.#layers + layer]! += sum * weight));
    this.#done++;
    if (this.#done % this.#sequencesPerStep !== 0) return;
    const rate = learningRate * (1 - step / steps);
    this.#call([], (module, readout) => module.updateLens(readout, rate));
    this.fraction = (step + 1) / steps;
    this.finished = step + 1 === steps;
  }

  result(): TunedLens {
    const [layers, width] = [this.#layers, this.#width];
    return this.#readout.call(
      [],
      (module, readout) => module.lensMaps(readout),
      (answer) => {
        const biases = answer.floats(1);
        return {
          layers: matricesOf(answer.floats(0), width, width).map((weight, i) => ({
            weight,
            bias: biases.slice(i * width, (i + 1) * width),
          })),
          history: { rows: this.#options.steps, cols: layers, data: this.#history },
          leftOut: this.#drawn.reduce((count, drawn) => count + 1 - drawn, 0),
        };
      },
    );
  }

  end(): void {
    this.#readout.dispose();
  }
}
