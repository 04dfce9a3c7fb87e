/** The loss of a text with each layer left out in turn, a sequence at a time. */
import { checkListening } from './logit-lens.js';
import { PartJob } from '../runtime/pace.js';
import { stretches, transformerSizes, type ReadTrainer, type Stretch } from './readout.js';
import type { Runtime } from '../runtime/runtime.js';
import { lossesOf, TokenLosses } from './token-losses.js';
import type { DiagnosticOptions, LayerAblation, Matrix } from '../types.js';
import { checkOptions } from '../runtime/validate.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_PARTS = 64;

type Prediction = [inputs: Uint32Array, targets: Uint32Array];

/** Checks of the options, for every model. */
export const checkAblation = (options: DiagnosticOptions = {}) =>
  checkListening(checkOptions('options', options, ['onProgress', 'signal']));

/** Sums, over the predictions so far, of what leaving a layer out adds to each loss. */
interface Sums {
  increase: number;
  squares: number;
}

export class LayerAblationRun extends PartJob<LayerAblation> {
  readonly #runtime: Runtime<ReadoutModule>;
  readonly #trainer: ReadTrainer;
  readonly #inputs: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #sequences: Stretch[];
  readonly #sums: Sums[];
  readonly #losses: TokenLosses;
  #loss = 0;
  /** Tokens of the text without a loss, so far. */
  #leftOut: number;
  #done = 0;

  /** `ids`: at least two, below the size of the vocabulary; they do not change. */
  constructor(runtime: Runtime<ReadoutModule>, trainer: ReadTrainer, ids: Uint32Array) {
    super('layer ablation', MAX_PARTS);
    const { layers, contextLength } = transformerSizes('ablateLayers', trainer);
    this.#runtime = runtime;
    this.#trainer = trainer;
    this.#inputs = ids.subarray(0, -1);
    this.#targets = ids.subarray(1);
    this.#sequences = stretches(this.#inputs.length, contextLength);
    this.#sums = Array.from({ length: layers }, () => ({ increase: 0, squares: 0 }));
    this.#leftOut = ids.length;
    this.#losses = new TokenLosses(runtime, trainer);
  }

  protected take(parts: number): void {
    for (const { first, count } of this.#sequences.slice(this.#done, this.#done + parts)) {
      this.#read(...([this.#inputs, this.#targets].map((ids) => ids.subarray(first, first + count)) as Prediction));
      this.#leftOut -= count;
      this.#done++;
    }
    this.fraction = this.#done / this.#sequences.length;
    this.finished = this.fraction === 1;
  }

  #read(inputs: Uint32Array, targets: Uint32Array): void {
    const whole = this.#losses.of(inputs, targets);
    for (const loss of whole) this.#loss += loss;
    const add = (layer: number, losses: Float32Array): void => {
      const sums = this.#sums[layer]!;
      losses.forEach((loss, i) => {
        const increase = loss - whole[i]!;
        sums.increase += increase;
        sums.squares += increase * increase;
      });
    };
    // Without the last layer, the head reads what that layer would read.
    const last = this.#losses.withoutLastLayer(inputs, targets);
    if (last !== null) add(this.#sums.length - 1, last);
    const from = this.#sums.length - (last === null ? 1 : 2);
    // Upper layers first, so the layers below the next one have already been computed.
    for (let layer = from; layer >= 0; layer--) {
      const losses = (logits: Matrix): Float32Array => lossesOf(this.#runtime, logits, targets);
      add(layer, this.#trainer.tokens.readLogits(inputs, layer, layer < from, losses));
    }
  }

  result(): LayerAblation {
    const { length: tokens } = this.#targets;
    const loss = this.#loss / tokens;
    return {
      loss,
      tokens,
      leftOut: this.#leftOut,
      layers: this.#sums.map(({ increase: sum, squares }) => {
        const increase = sum / tokens;
        const variance = Math.max(0, squares - sum * increase) / (tokens - 1);
        return { loss: loss + increase, increase, standardError: Math.sqrt(variance / tokens) };
      }),
    };
  }

  end(): void {
    this.#losses.end();
  }
}
