/** The direct path of a transformer: the logits after each token if its layers are left out, a block of rows at a time. */
import { PATH_ROWS, PATH_SUMMARY } from '../generated/records.js';
import { finderOf, normIndex, openReadout, type ReadTrainer, type TransformerSizes } from '../diagnostics/readout.js';
import { sizedBy, type Answer } from '../runtime/answer.js';
import type { Handle, Runtime } from '../runtime/runtime.js';
import type { DirectPathFactors, Matrix, PathMeasures, Symmetry } from '../types.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';
import type { HandleAddress } from '../runtime/wasm-module.js';

/** What the path passes through between the two tables. */
export interface PathStage {
  finalNorm: boolean;
  /** The feed-forward part of the first layer, with its norm. */
  mlp0: boolean;
}

/** Measures the symmetry of factors, with the analysis module. */
export type MeasureSymmetry = (factors: DirectPathFactors) => Symmetry;

/** As many rows as the readout accepts at a time. */
export const ROWS_PER_PART = 32;

export class TransformerPath {
  readonly #stage: PathStage;
  readonly #trainer: ReadTrainer;
  readonly #sizes: TransformerSizes;
  readonly #readout: Handle<ReadoutModule>;
  readonly #embedding: Matrix;
  readonly #scale: number;
  /** The vectors that are multiplied by the unembedding [V, d]. */
  readonly #read: Float32Array;
  readonly #find: (name: string) => Matrix | undefined;
  #rows = 0;

  constructor(runtime: Runtime<ReadoutModule>, trainer: ReadTrainer, sizes: TransformerSizes, stage: PathStage) {
    this.#stage = stage;
    this.#trainer = trainer;
    this.#sizes = sizes;
    this.#find = finderOf(trainer);
    this.#embedding = trainer.matrix('embedding');
    this.#scale = trainer.model.embeddingScale === 'sqrt-d-model' ? Math.sqrt(sizes.width) : 1;
    this.#read = new Float32Array(sizes.vocabSize * sizes.width);
    this.#readout = openReadout(runtime, trainer, stage);
    try {
      if (stage.mlp0) this.#startFeedForward();
    } catch (cause) {
      this.#readout.dispose();
      throw cause;
    }
  }

  #startFeedForward(): void {
    const { model } = this.#trainer;
    const find = (name: string): Matrix | undefined => this.#find(`layers.0.feed_forward${name}`);
    const up = find('.up.weight')!;
    const arrays = [
      '_norm.weight',
      '_norm.bias',
      '.up.bias',
      '.gate.weight',
      '.gate.bias',
      '.down.weight',
      '.down.bias',
    ];
    this.#readout.call(
      [up.data, ...arrays.map((name) => find(name)?.data)],
      (module, readout, [upAt, norm, shift, upBias, gate, gateBias, down, downBias]) =>
        module.startFeedForward(
          ...([readout, normIndex(model), norm!, shift!, model.normEpsilon!, up.rows] as const),
          ...([upAt!, upBias!, gate!, gateBias!, down!, downBias!] as const),
        ),
      () => undefined,
      sizedBy('the first layer of the model'),
    );
  }

  /** The fraction of the rows read so far. */
  get fraction(): number {
    return this.#rows / this.#sizes.vocabSize;
  }

  startMeasuring(bigrams: Handle<ReadoutModule>): void {
    this.#call(
      (module, readout) => module.startPath(readout, addressOf(bigrams)),
      () => undefined,
    );
  }

  /** Reads the next block of rows. Without `bigrams` returns its logits [rows, V]; with them, it measures. */
  readBlock(bigrams: Handle<ReadoutModule> | null): Float32Array | null {
    const { vocabSize, width } = this.#sizes;
    const first = this.#rows;
    const count = Math.min(ROWS_PER_PART, vocabSize - first);
    const states = this.#embedding.data.slice(first * width, (first + count) * width);
    if (this.#scale !== 1) for (let i = 0; i < states.length; i++) states[i]! *= this.#scale;
    const logits = this.#readout.call(
      [states],
      (module, readout, [at]) =>
        module.addPathRows(readout, bigrams === null ? 0 : addressOf(bigrams), at!, count, first),
      (answer) => {
        const { read, logits: found } = answer.read(PATH_ROWS);
        this.#read.set(read, first * width);
        return bigrams === null ? found : null;
      },
      { ...sizedBy('the vocabulary'), logits: 'the model' },
    );
    this.#rows += count;
    return logits;
  }

  /** After all rows. */
  measured(bigrams: Handle<ReadoutModule>): Omit<PathMeasures, 'asymmetry'> {
    return this.#call(
      (module, readout) => module.finishPath(readout, addressOf(bigrams)),
      (answer) => answer.read(PATH_SUMMARY),
    );
  }

  #call<R>(verb: (module: ReadoutModule, readout: HandleAddress) => boolean, read: (answer: Answer) => R): R {
    return this.#readout.call([], verb, read, sizedBy('tokenIds'));
  }

  /** After all rows. */
  symmetry(measure: MeasureSymmetry): Symmetry {
    const { vocabSize: rows, width: cols } = this.#sizes;
    const bias = this.#find('output_bias')?.data;
    const corrected = ['between', 'low_rank.a', 'unembedding'].some((name) => ownsTable(this.#trainer, name));
    if (!this.#stage.finalNorm && !this.#stage.mlp0 && !corrected && bias === undefined) {
      // A scale only multiplies the logits. Without it, the logits of a shared table are symmetric to the last bit.
      return timesScale(measure({ embedding: this.#embedding }), this.#scale);
    }
    const unembedding = this.#readout.call(
      [],
      (module, readout) => module.readUnembedding(readout),
      (answer) => answer.read('floats'),
      sizedBy('the head of the model'),
    );
    const read: Matrix = { rows, cols, data: this.#read };
    const written: Matrix = { rows, cols, data: unembedding };
    // A bias is one more column of the unembedding, multiplied by a column of ones.
    return bias === undefined
      ? measure({ embedding: read, unembedding: written })
      : measure({ embedding: withColumn(read, () => 1), unembedding: withColumn(written, (row) => bias[row]!) });
  }

  end(): void {
    this.#readout.dispose();
  }
}

const addressOf = (handle: Handle<ReadoutModule>): number => handle.get((_, address) => address);

/** Whether the model has a separate table with this name. */
const ownsTable = (trainer: ReadTrainer, name: string): boolean =>
  trainer.parameters().some((parameter) => parameter.name === name && parameter.tiedTo === null);

function withColumn({ rows, cols, data }: Matrix, value: (row: number) => number): Matrix {
  const wider = new Float32Array(rows * (cols + 1));
  for (let row = 0; row < rows; row++) {
    wider.set(data.subarray(row * cols, (row + 1) * cols), row * (cols + 1));
    wider[row * (cols + 1) + cols] = value(row);
  }
  return { rows, cols: cols + 1, data: wider };
}

function timesScale(found: Symmetry, scale: number): Symmetry {
  return {
    ...found,
    maxDifference: found.maxDifference === null ? null : found.maxDifference * scale,
    norm: found.norm * scale,
    symmetricNorm: found.symmetricNorm * scale,
    skewNorm: found.skewNorm * scale,
    worst: found.worst.map((pair) => ({
      ...pair,
      forward: pair.forward * scale,
      backward: pair.backward * scale,
    })),
  };
}
