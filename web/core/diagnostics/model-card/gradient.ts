/** The gradient monitor of a model card. */
import { square } from '../../runtime/elementary.js';
import { cardNumber } from './numbers.js';
import { PartJob } from '../../runtime/pace.js';
import { stretches, type ReadTrainer, type Stretch } from '../readout.js';
import { ShuffledRows } from '../shuffled-rows.js';
import type { CardGradient, GradientReport, NotMeasured } from '../../types.js';

/** What both kinds of models provide. */
interface GradientFacts extends Pick<
  GradientReport,
  'tokens' | 'leftOut' | 'input' | 'output' | 'inputPositionNorm' | 'cosine' | 'cosineNull'
> {
  reach: GradientReport['reach'] | NotMeasured;
}

/** Multiply-adds per part of the work after the pairs. */
const PRODUCTS_PER_PART = 2 ** 22;
/** Pairs per call of the core. */
const PAIRS_PER_PART = 1024;
const MAX_PARTS = 16;

/** The gradient of the tables of a direct path on all pairs of a text, which `gradientReport` does not support. */
export class PairGradient extends PartJob<GradientFacts> {
  readonly #trainer: ReadTrainer;
  readonly #ids: Uint32Array;
  readonly #pairs: Stretch[];
  readonly #input: Float64Array;
  readonly #output: Float64Array;
  /** The squared norm of the input part by position. */
  #positions = 0;
  /** So far. */
  #predictions = 0;
  readonly #shuffled: ShuffledRows;
  /** Ranges of elements that are fed to `#shuffled` one at a time, after the last pairs. */
  readonly #shuffles: Stretch[];
  #done = 0;

  constructor(trainer: ReadTrainer, ids: Uint32Array) {
    super('gradient report', MAX_PARTS);
    const { vocabSize, dModel } = trainer.model;
    this.#trainer = trainer;
    this.#ids = ids;
    this.#pairs = stretches(ids.length - 1, PAIRS_PER_PART);
    this.#input = new Float64Array(vocabSize * dModel);
    this.#output = new Float64Array(vocabSize * dModel);
    this.#shuffled = new ShuffledRows(dModel);
    this.#shuffles = stretches(
      vocabSize * dModel,
      Math.max(1, Math.floor(PRODUCTS_PER_PART / (dModel * dModel))) * dModel,
    );
  }

  protected take(parts: number): void {
    const end = this.#done + parts;
    for (const { first, count } of this.#pairs.slice(this.#done, end)) {
      const { input, output, inputPositionNorm } = this.#trainer.gradient({
        inputs: this.#ids.subarray(first, first + count),
        targets: this.#ids.subarray(first + 1, first + count + 1),
      });
      const weight = count / (this.#ids.length - 1);
      input.data.forEach((element, i) => (this.#input[i]! += weight * element));
      output.data.forEach((element, i) => (this.#output[i]! += weight * element));
      this.#positions += square(weight * inputPositionNorm);
      this.#predictions += count;
      this.#done++;
    }
    const pairs = this.#pairs.length;
    for (const { first, count } of this.#shuffles.slice(Math.max(0, this.#done - pairs), Math.max(0, end - pairs))) {
      const [input, output] = [this.#input, this.#output].map((part) => part.subarray(first, first + count));
      this.#shuffled.add(input!, output!);
      this.#done++;
    }
    this.fraction = this.#done / (pairs + this.#shuffles.length);
    this.finished = this.fraction === 1;
  }

  result(): GradientFacts {
    const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, element, i) => sum + element * b[i]!, 0);
    const [input, output] = [this.#input, this.#output].map((part) => Math.sqrt(dot(part, part))) as [number, number];
    return {
      tokens: this.#predictions,
      leftOut: this.#ids.length - this.#predictions,
      input,
      output,
      inputPositionNorm: Math.sqrt(this.#positions),
      cosine: input * output === 0 ? 0 : dot(this.#input, this.#output) / (input * output),
      cosineNull: this.#shuffled.cosine(input, output),
      reach: { notMeasured: 'A direct path has no layers between its tables; reach is measured on hidden states.' },
    };
  }

  end(): void {}
}

export function cardGradient({
  tokens,
  leftOut,
  input,
  output,
  inputPositionNorm,
  cosine,
  cosineNull,
  reach,
}: GradientFacts): CardGradient {
  const share = (part: number, other: number) => cardNumber(part / (part + other), 'fraction');
  return {
    tokens,
    leftOut,
    inputNorm: cardNumber(input, 'gradient norm'),
    outputNorm: cardNumber(output, 'gradient norm'),
    inputShare: share(input, output),
    outputShare: share(output, input),
    inputPositionNorm: cardNumber(inputPositionNorm, 'gradient norm'),
    inputPositionShare: share(inputPositionNorm, output),
    outputPositionShare: share(output, inputPositionNorm),
    cosine: cardNumber(cosine, 'cosine', 0, cosineNull.standardDeviation),
    reach: 'share' in reach ? cardNumber(reach.share, 'fraction', reach.chance) : reach,
  };
}
