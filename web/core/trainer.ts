/** Trainers: the handle of one, with the verbs that users see. */
import { TiedError } from './errors.js';
import { trainerFacts } from './option-numbers.js';
import { checkIdsBelow } from './options.js';
import { Handle, type Answer, type Runtime } from './runtime.js';
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
import { checkChoice, checkMatrix, checkOptions, checkTokenIds, checkWhole } from './validate.js';
import type { CoreModule, HandleAddress } from './wasm-module.js';

const NUMBERS_A_RECORD = 8;

interface ParameterEntry {
  name: string;
  rows: number;
  cols: number;
  isVector: boolean;
  /** Index of the parameter whose storage it shares, or -1. */
  tiedTo: number;
}

export class CoreTrainer implements Trainer {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  readonly #handle: Handle<CoreModule>;
  readonly #tokensPerStep: number;
  readonly #parameters: readonly ParameterEntry[];

  constructor(runtime: Runtime<CoreModule>, address: HandleAddress) {
    this.#handle = new Handle(runtime, 'trainer', address, (module, trainer) => module.deleteTrainer(trainer));
    const { model, training, tokensPerStep } = this.#handle.call(
      [],
      (module, trainer) => module.trainerOptions(trainer),
      (answer) => trainerFacts(answer.numbers(0)),
    );
    this.model = model;
    this.training = training;
    this.#tokensPerStep = tokensPerStep;
    this.#parameters = this.#handle.call([], (module, trainer) => module.parameters(trainer), parametersOf);
  }

  get step(): number {
    return this.#handle.get((module, trainer) => module.stepsDone(trainer));
  }

  run(steps: number, options: RunOptions = {}): StepRecord[] {
    const run = this.startRun(steps, options);
    const { onProgress, signal, recordEvery = 1 } = options;
    if (signal?.aborted) throw run.cancelled(signal.reason);
    // Nothing but a listener can abort in the middle of a synchronous call, so that it can as well run to the next one.
    const most = onProgress ? recordEvery : steps;
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
    // A run of no steps never asks the core.
    this.#handle.check();
    return new TrainingRun(checked.steps, checked.recordEvery, (some, recordEvery, recordLast) =>
      this.#run(some, recordEvery, recordLast),
    );
  }

  #run(steps: number, recordEvery: number, recordLast: boolean): StepRecord[] {
    const start = performance.now();
    return this.#handle.call(
      [],
      (module, trainer) => module.run(trainer, steps, recordEvery, recordLast),
      (answer) => {
        const seconds = Math.max(performance.now() - start, 1e-3) / 1000;
        return recordsOf(answer.numbers(0), (steps * this.#tokensPerStep) / seconds);
      },
    );
  }

  evaluate(tokenIds?: Uint32Array): Evaluation {
    if (tokenIds !== undefined) {
      checkTokenIds('tokenIds', tokenIds, 2);
      checkIdsBelow('tokenIds', tokenIds, this.model.vocabSize);
    }
    return this.#handle.call(
      [tokenIds],
      (module, trainer, [ids]) => module.evaluate(trainer, ids!, tokenIds?.length ?? 0),
      (answer) => {
        const [loss, perplexity, tokens] = answer.numbers(0);
        return { loss: loss!, perplexity: perplexity!, tokens: tokens! };
      },
    );
  }

  parameters(): ParameterInfo[] {
    this.#handle.check();
    return this.#parameters.map(({ name, rows, cols, isVector, tiedTo }) => ({
      name,
      shape: isVector ? [cols] : [rows, cols],
      tiedTo: tiedTo < 0 ? null : this.#parameters[tiedTo]!.name,
      count: tiedTo < 0 ? rows * cols : 0,
    }));
  }

  matrix(name: string): Matrix {
    const parameter = this.#indexOf(name);
    const { rows, cols } = this.#parameters[parameter]!;
    return this.#handle.call(
      [],
      (module, trainer) => module.readParameter(trainer, parameter),
      (answer) => ({ rows, cols, data: answer.floats(0) }),
    );
  }

  setMatrix(name: string, matrix: Matrix): void {
    const parameter = this.#indexOf(name);
    const { rows, cols } = this.#parameters[parameter]!;
    const { data } = checkMatrix('matrix', matrix, { rows, cols });
    this.#handle.call(
      [data],
      (module, trainer, [address]) => module.setParameter(trainer, parameter, address!, rows, cols),
      () => undefined,
      { [name]: 'matrix' },
    );
  }

  #indexOf(name: string): number {
    checkChoice(
      'name',
      name,
      this.#parameters.map((parameter) => parameter.name),
    );
    return this.#parameters.findIndex((parameter) => parameter.name === name);
  }

  gradient(batch?: PairBatch): GradientLedger {
    if (batch !== undefined) this.#checkBatch(batch);
    const { vocabSize: rows, dModel: cols } = this.model;
    return this.#handle.call(
      [batch?.inputs, batch?.targets],
      (module, trainer, [inputs, targets]) => module.gradient(trainer, inputs!, targets!, batch?.inputs.length ?? 0),
      (answer) => {
        const [inputRows, outputRows] = answer.numbers(3);
        return {
          input: { rows, cols, data: answer.floats(0) },
          output: { rows, cols, data: answer.floats(1) },
          total: { rows, cols, data: answer.floats(2) },
          inputRows: inputRows!,
          outputRows: outputRows!,
        };
      },
    );
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
    return this.#handle.call(
      [from, to],
      (module, trainer, [fromAddress, toAddress]) =>
        module.nextToken(trainer, fromAddress!, rows, toAddress!, to?.length ?? 0, probabilities),
      (answer) => ({ rows, cols, data: answer.floats(0) }),
    );
  }

  save(): Uint8Array {
    return this.#handle.call(
      [],
      (module, trainer) => module.saveTrainer(trainer),
      (answer) => answer.bytes(0),
    );
  }

  rewind(step = 0): void {
    checkWhole('step', step, 0, Number.MAX_SAFE_INTEGER);
    this.#handle.call(
      [],
      (module, trainer) => module.rewind(trainer, step),
      () => undefined,
    );
  }

  dispose(): void {
    this.#handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

function parametersOf(answer: Answer): ParameterEntry[] {
  const numbers = answer.numbers(0);
  return answer.texts(1).map((name, i) => {
    const [rows, cols, isVector, tiedTo] = numbers.subarray(4 * i, 4 * i + 4);
    return { name, rows: rows!, cols: cols!, isVector: isVector === 1, tiedTo: tiedTo! };
  });
}

function recordsOf(numbers: Float64Array, tokensPerSecond: number): StepRecord[] {
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
