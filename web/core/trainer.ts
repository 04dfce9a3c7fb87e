/** Trainers: the handle of one, with the verbs that users see. */
import { TiedError } from './errors.js';
import { checkIdsBelow, DECAYS, OPTIMIZERS, TYINGS, type CompleteModel, type CompleteTraining } from './options.js';
import { Handle, type Runtime } from './runtime.js';
import { disposeSymbol } from './symbols.js';
import { checkRun, TrainingRun } from './training-run.js';
import type {
  Evaluation,
  GradientLedger,
  Matrix,
  ModelConfig,
  NextTokenOptions,
  PairBatch,
  ParameterInfo,
  RunOptions,
  StepRecord,
  Trainer,
  TrainingConfig,
} from './types.js';
import { checkMatrix, checkOptions, checkString, checkTokenIds, checkWhole, newFloats } from './validate.js';
import type { ModelNumbers, ParameterEntry, TrainerHandle, TrainingNumbers } from './wasm-module.js';

const NUMBERS_A_RECORD = 8;
const NO_IDS = new Uint32Array(0);

export function modelNumbers(model: CompleteModel): ModelNumbers {
  const { vocabSize, dModel, tying, outputBias, initStd, dFeedForward } = model;
  return { vocabSize, dModel, tying: TYINGS.indexOf(tying), outputBias, initStd, dFeedForward };
}

export function trainingNumbers(training: CompleteTraining): TrainingNumbers {
  return {
    ...training,
    optimizer: OPTIMIZERS.indexOf(training.optimizer),
    decay: DECAYS.indexOf(training.decay),
    gradientClip: training.gradientClip ?? 0,
    batchSize: training.batchSize ?? 0,
  };
}

/** The options as the core holds them: complete, and right for a trainer that came from a file as well. */
function modelOf({ tying, ...numbers }: ModelNumbers): CompleteModel {
  return Object.freeze({ kind: 'direct-path', ...numbers, tying: TYINGS[tying]! });
}

function trainingOf({ optimizer, decay, gradientClip, batchSize, ...numbers }: TrainingNumbers): CompleteTraining {
  const training: CompleteTraining = { ...numbers, optimizer: OPTIMIZERS[optimizer]!, decay: DECAYS[decay]! };
  if (gradientClip > 0) training.gradientClip = gradientClip;
  if (batchSize > 0) training.batchSize = batchSize;
  return Object.freeze(training);
}

export class CoreTrainer implements Trainer {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  readonly #handle: Handle<TrainerHandle>;
  readonly #tokensPerStep: number;
  readonly #parameters: ParameterEntry[];

  constructor(runtime: Runtime, value: TrainerHandle) {
    this.#handle = new Handle(runtime, 'trainer', value);
    this.model = modelOf(this.#handle.call((trainer) => trainer.model()));
    this.training = trainingOf(this.#handle.call((trainer) => trainer.training()));
    this.#tokensPerStep = this.#handle.call((trainer) => trainer.tokensPerStep());
    this.#parameters = this.#handle.call((trainer) => trainer.parameters());
  }

  get step(): number {
    return this.#handle.call((trainer) => trainer.stepsDone());
  }

  run(steps: number, options: RunOptions = {}): StepRecord[] {
    const { onProgress, signal } = options;
    const run = this.startRun(steps, options);
    if (signal?.aborted) throw run.cancelled(signal.reason);
    // Nothing but a listener can abort in the middle of a synchronous call, so that it can as well run to the next one.
    const most = onProgress ? (options.recordEvery ?? 1) : steps;
    while (!run.finished) {
      run.take(most, onProgress !== undefined);
      onProgress?.(run.fraction, run.newest!);
      if (signal?.aborted && !run.finished) throw run.cancelled(signal.reason);
    }
    return run.records;
  }

  /** @internal A run to be advanced by the caller. */
  startRun(steps: number, options: RunOptions = {}): TrainingRun {
    const checked = checkRun(steps, options);
    return new TrainingRun(checked.steps, checked.recordEvery, (some, recordEvery, recordLast) =>
      this.#run(some, recordEvery, recordLast),
    );
  }

  #run(steps: number, recordEvery: number, recordLast: boolean): StepRecord[] {
    const start = performance.now();
    const numbers = this.#handle.call((trainer) => trainer.run(steps, recordEvery, recordLast));
    const seconds = Math.max(performance.now() - start, 1e-3) / 1000;
    const tokensPerSecond = (steps * this.#tokensPerStep) / seconds;
    const records: StepRecord[] = [];
    for (let i = 0; i < numbers.length; i += NUMBERS_A_RECORD) {
      records.push({
        step: numbers[i]!,
        loss: numbers[i + 1]!,
        inputGradientNorm: numbers[i + 2]!,
        outputGradientNorm: numbers[i + 3]!,
        inputShare: numbers[i + 4]!,
        gradientNorm: numbers[i + 5]!,
        embeddingDrift: numbers[i + 6]!,
        unembeddingDrift: numbers[i + 7]!,
        tokensPerSecond,
      });
    }
    return records;
  }

  evaluate(tokenIds?: Uint32Array): Evaluation {
    if (tokenIds !== undefined) {
      checkTokenIds('tokenIds', tokenIds, 2);
      checkIdsBelow('tokenIds', tokenIds, this.model.vocabSize);
    }
    const [loss, perplexity, tokens] = this.#handle.call((trainer) =>
      tokenIds === undefined ? trainer.evaluate() : trainer.evaluateOn(tokenIds),
    );
    return { loss: loss!, perplexity: perplexity!, tokens: tokens! };
  }

  parameters(): ParameterInfo[] {
    const entries = this.#parameters;
    return this.#handle.call(() =>
      entries.map(({ name, rows, cols, isVector, tiedTo }) => ({
        name,
        shape: isVector ? [cols] : [rows, cols],
        tiedTo: tiedTo < 0 ? null : entries[tiedTo]!.name,
        count: tiedTo < 0 ? rows * cols : 0,
      })),
    );
  }

  matrix(name: string): Matrix {
    const { rows, cols } = this.#entry(name);
    return { rows, cols, data: this.#handle.call((trainer) => trainer.matrix(name)) };
  }

  setMatrix(name: string, matrix: Matrix): void {
    const { rows, cols } = this.#entry(name);
    const { data } = checkMatrix('matrix', matrix, { rows, cols });
    this.#handle.call((trainer) => trainer.setMatrix(name, data, rows, cols));
  }

  #entry(name: string): ParameterEntry {
    checkString('name', name);
    const entry = this.#parameters.find((parameter) => parameter.name === name);
    if (entry) return entry;
    const names = this.#parameters.map((parameter) => parameter.name).join(', ');
    throw new TiedError('invalid-argument', `name is '${name}'; expected one of ${names}`);
  }

  gradient(batch?: PairBatch): GradientLedger {
    const { vocabSize: rows, dModel: cols } = this.model;
    if (batch !== undefined) this.#checkBatch(batch);
    const input = newFloats('input', rows, cols);
    const output = newFloats('output', rows, cols);
    const total = newFloats('total', rows, cols);
    const [inputRows, outputRows] = this.#handle.call((trainer) =>
      batch === undefined
        ? trainer.gradient(input, output, total)
        : trainer.gradientOn(batch.inputs, batch.targets, input, output, total),
    );
    return {
      input: { rows, cols, data: input },
      output: { rows, cols, data: output },
      total: { rows, cols, data: total },
      inputRows: inputRows!,
      outputRows: outputRows!,
    };
  }

  #checkBatch(batch: PairBatch): void {
    const { inputs, targets } = checkOptions('batch', batch, ['inputs', 'targets']);
    checkTokenIds('batch.inputs', inputs, 1);
    checkTokenIds('batch.targets', targets, 1);
    if (inputs.length !== targets.length) {
      throw new TiedError(
        'shape-mismatch',
        `batch.targets is a Uint32Array of ${targets.length}; expected as many as batch.inputs, ${inputs.length}`,
      );
    }
    checkIdsBelow('batch.inputs', inputs, this.model.vocabSize);
    checkIdsBelow('batch.targets', targets, this.model.vocabSize);
  }

  nextTokenLogits(options: NextTokenOptions): Matrix {
    return this.#nextToken(options, false);
  }

  nextTokenProbabilities(options: NextTokenOptions): Matrix {
    return this.#nextToken(options, true);
  }

  #nextToken(options: NextTokenOptions, probabilities: boolean): Matrix {
    const { vocabSize } = this.model;
    const { from, to } = checkOptions('options', options, ['from', 'to']);
    checkTokenIds('options.from', from, 1);
    checkIdsBelow('options.from', from, vocabSize);
    if (to !== undefined) {
      checkTokenIds('options.to', to, 1);
      checkIdsBelow('options.to', to, vocabSize);
    }
    const rows = from.length;
    const cols = to?.length ?? vocabSize;
    const data = newFloats('the result', rows, cols);
    this.#handle.call((trainer) => trainer.nextToken(data, from, to ?? NO_IDS, probabilities));
    return { rows, cols, data };
  }

  save(): Uint8Array {
    return this.#handle.call((trainer) => trainer.save());
  }

  rewind(step = 0): void {
    checkWhole('step', step, 0, Number.MAX_SAFE_INTEGER);
    this.#handle.call((trainer) => trainer.rewind(step));
  }

  dispose(): void {
    this.#handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
