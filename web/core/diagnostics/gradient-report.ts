/** The gradient of the tables on a text by role and frequency, a few sequences at a time. */
import { square } from '../runtime/elementary.js';
import { countsOf, type CheckedFrequencies } from './frequency-options.js';
import { PartJob } from '../runtime/pace.js';
import { openReadout, statesOf, stretches, transformerSizes, type ReadTrainer, type Stretch } from './readout.js';
import { sizedBy, type Answer, type Handle, type Runtime } from '../runtime/runtime.js';
import { ShuffledRows } from './shuffled-rows.js';
import type { GradientReport } from '../types.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_PARTS = 64;
/** Approximate tokens per part. The trainer computes the gradient for whole sequences, with one copy of the tables for all of them. */
const TOKENS_PER_PART = 256;
/** How many numbers `finishLedger` returns before the bands, and per band. */
const HEAD = 8;
const BAND = 8;

/** Multiply-adds per part of the preparation, and of the work after the sequences. */
const PRODUCTS_PER_PART = 2 ** 22;

const share = (part: number, other: number): number => (part + other === 0 ? 0 : part / (part + other));

export class GradientReportRun extends PartJob<GradientReport> {
  readonly #trainer: ReadTrainer;
  readonly #inputs: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #layers: number;
  readonly #width: number;
  readonly #readout: Handle<ReadoutModule>;
  readonly #contextLength: number;
  /** A few sequences each, and a shorter one. */
  readonly #stretches: Stretch[];
  /** The largest difference between pull + push and the gradient of the model's own backward pass, relative to the latter. */
  mismatch = NaN;
  /** The squared norm of the input part by position. */
  #positions = 0;
  /** Predictions so far. */
  #predictions = 0;
  /** The unembedding is prepared some rows at a time, before the first sequence. */
  readonly #rowsPerPart: number;
  readonly #preparations: number;
  /** Fed after the last sequence, the same number of rows at a time. */
  readonly #shuffled: ShuffledRows;
  #done = 0;

  /** `ids`: at least two, below the size of the vocabulary; they do not change. */
  constructor(
    runtime: Runtime<ReadoutModule>,
    trainer: ReadTrainer,
    ids: Uint32Array,
    frequencies: CheckedFrequencies,
  ) {
    super('gradient report', MAX_PARTS);
    const { vocabSize, width, layers, contextLength } = transformerSizes('gradientReport', trainer);
    this.#trainer = trainer;
    this.#inputs = ids.slice(0, -1);
    this.#targets = ids.slice(1);
    this.#counts = countsOf(frequencies, ids, vocabSize);
    this.#layers = layers;
    this.#width = width;
    this.#contextLength = contextLength;
    const whole = Math.floor(this.#inputs.length / contextLength) * contextLength;
    const rest = { first: whole, count: this.#inputs.length - whole };
    const atOnce = Math.max(1, Math.floor(TOKENS_PER_PART / contextLength)) * contextLength;
    this.#stretches = [...stretches(whole, atOnce), ...(rest.count > 0 ? [rest] : [])];
    this.#rowsPerPart = Math.max(1, Math.floor(PRODUCTS_PER_PART / (width * width)));
    this.#preparations = Math.ceil(vocabSize / this.#rowsPerPart);
    this.#shuffled = new ShuffledRows(width);
    this.#readout = openReadout(runtime, trainer);
  }

  protected take(parts: number): void {
    const shuffles = this.#preparations + this.#stretches.length;
    const all = shuffles + this.#preparations;
    for (const end = Math.min(all, this.#done + parts); this.#done < end; this.#done++) {
      if (this.#done < this.#preparations) this.#prepare();
      else if (this.#done < shuffles) this.#add(this.#stretches[this.#done - this.#preparations]!);
      else this.#shuffle((this.#done - shuffles) * this.#rowsPerPart);
    }
    this.fraction = this.#done / all;
    this.finished = this.fraction === 1;
  }

  #prepare(): void {
    this.#call([], (module, readout) => module.prepareLedger(readout, this.#rowsPerPart));
  }

  #add({ first, count }: Stretch): void {
    const [inputs, targets] = [this.#inputs, this.#targets].map((ids) => ids.subarray(first, first + count));
    const { input, output, inputPositionNorm } = this.#trainer.gradient({
      inputs: inputs!,
      targets: targets!,
      sequenceLength: Math.min(count, this.#contextLength),
    });
    const weight = count / this.#inputs.length;
    this.#positions += square(weight * inputPositionNorm);
    this.#predictions += count;
    this.#call([input.data, output.data], (module, readout, [i, o]) => module.addGradient(readout, i!, o!, weight));
    for (const sequence of stretches(count, this.#contextLength)) this.#addStates(inputs!, targets!, sequence);
  }

  #addStates(inputs: Uint32Array, targets: Uint32Array, { first, count }: Stretch): void {
    const states = statesOf(this.#trainer, inputs.subarray(first, first + count));
    const last = states.subarray(this.#layers * count * this.#width);
    this.#call([last, targets.subarray(first, first + count)], (module, readout, [at, ids]) =>
      module.addToLedger(readout, at!, count, ids!),
    );
  }

  #shuffle(first: number): void {
    const rows = Math.min(this.#rowsPerPart, this.#counts.length - first);
    const [input, output] = this.#readout.call(
      [],
      (module, readout) => module.gradientRows(readout, first, rows),
      (answer: Answer) => [answer.floats(0), answer.floats(1)] as const,
    );
    this.#shuffled.add(input, output);
  }

  #call(
    arrays: readonly (Float32Array | Uint32Array)[],
    verb: Parameters<Handle<ReadoutModule>['call']>[1],
  ): Float64Array {
    return this.#readout.call(arrays, verb, (answer) => answer.numbers(0), sizedBy('tokenIds'));
  }

  result(): GradientReport {
    const numbers = this.#call([this.#counts], (module, readout, [counts]) => module.finishLedger(readout, counts!));
    const [reach, chance, mismatch, cosine] = numbers;
    this.mismatch = mismatch!;
    const norms = (at: number) => {
      const [input, output, pull, push] = numbers.subarray(at, at + 4) as unknown as [number, number, number, number];
      return { input, output, inputShare: share(input, output), pull, push };
    };
    const whole = norms(4);
    const inputPositionNorm = Math.sqrt(this.#positions);
    return {
      tokens: this.#predictions,
      leftOut: this.#inputs.length + 1 - this.#predictions,
      ...whole,
      inputPositionNorm,
      inputPositionShare: share(inputPositionNorm, whole.output),
      cosine: cosine!,
      cosineNull: this.#shuffled.cosine(whole.input, whole.output),
      reach: { share: reach!, chance: chance! },
      bands: Array.from({ length: (numbers.length - HEAD) / BAND }, (_, i) => {
        const at = HEAD + i * BAND;
        const [from, to, count, pushedRows] = numbers.subarray(at, at + 4);
        return { from: from!, to: to!, count: count!, ...norms(at + 4), pushedRows: pushedRows! };
      }),
    };
  }

  end(): void {
    this.#readout.dispose();
  }
}
