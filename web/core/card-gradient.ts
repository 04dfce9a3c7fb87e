/** The gradient monitor of a model card. */
import { cardNumber } from './card-numbers.js';
import { PartJob } from './pace.js';
import { stretches, type ReadTrainer, type Stretch } from './readout.js';
import type { CardGradient, GradientReport, NotMeasured } from './types.js';

/** What both kinds of models tell. */
interface GradientFacts extends Pick<GradientReport, 'tokens' | 'input' | 'output' | 'inputPositionNorm' | 'cosine'> {
  reach: GradientReport['reach'] | NotMeasured;
}

/** Pairs per call of the core. */
const PAIRS_PER_PART = 1024;
const MAX_PARTS = 16;

/** The gradient of the tables of a direct path on all pairs of a text, of which `gradientReport` knows nothing. */
export class PairGradient extends PartJob<GradientFacts> {
  readonly #trainer: ReadTrainer;
  readonly #ids: Uint32Array;
  readonly #pairs: Stretch[];
  readonly #input: Float64Array;
  readonly #output: Float64Array;
  /** The squared norm of the input part by position. */
  #positions = 0;
  #done = 0;

  constructor(trainer: ReadTrainer, ids: Uint32Array) {
    super('gradient report', MAX_PARTS);
    const { vocabSize, dModel } = trainer.model;
    this.#trainer = trainer;
    this.#ids = ids;
    this.#pairs = stretches(ids.length - 1, PAIRS_PER_PART);
    this.#input = new Float64Array(vocabSize * dModel);
    this.#output = new Float64Array(vocabSize * dModel);
  }

  protected take(parts: number): void {
    for (const { first, count } of this.#pairs.slice(this.#done, this.#done + parts)) {
      const { input, output, inputPositionNorm } = this.#trainer.gradient({
        inputs: this.#ids.subarray(first, first + count),
        targets: this.#ids.subarray(first + 1, first + count + 1),
      });
      const weight = count / (this.#ids.length - 1);
      input.data.forEach((element, i) => (this.#input[i]! += weight * element));
      output.data.forEach((element, i) => (this.#output[i]! += weight * element));
      this.#positions += (weight * inputPositionNorm) ** 2;
      this.#done++;
    }
    this.fraction = this.#done / this.#pairs.length;
    this.finished = this.fraction === 1;
  }

  result(): GradientFacts {
    const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, element, i) => sum + element * b[i]!, 0);
    const [input, output] = [this.#input, this.#output].map((part) => Math.sqrt(dot(part, part))) as [number, number];
    return {
      tokens: this.#ids.length - 1,
      input,
      output,
      inputPositionNorm: Math.sqrt(this.#positions),
      cosine: input * output === 0 ? 0 : dot(this.#input, this.#output) / (input * output),
      reach: { notMeasured: 'A direct path has no layers between its tables; reach is measured on hidden states.' },
    };
  }

  end(): void {}
}

export function cardGradient({ tokens, input, output, inputPositionNorm, cosine, reach }: GradientFacts): CardGradient {
  const share = (part: number, other: number) => cardNumber(part / (part + other), 'fraction');
  return {
    tokens,
    leftOut: 1,
    inputNorm: cardNumber(input, 'gradient norm'),
    outputNorm: cardNumber(output, 'gradient norm'),
    inputShare: share(input, output),
    outputShare: share(output, input),
    inputPositionNorm: cardNumber(inputPositionNorm, 'gradient norm'),
    inputPositionShare: share(inputPositionNorm, output),
    outputPositionShare: share(output, inputPositionNorm),
    cosine: cardNumber(cosine, 'cosine', 0),
    reach: 'share' in reach ? cardNumber(reach.share, 'fraction', reach.chance) : reach,
  };
}
