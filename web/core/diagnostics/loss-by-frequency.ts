/** The loss of each prediction of a text, a sequence at a time, divided by how often the predicted token occurs. */
import { log } from '../runtime/elementary.js';
import { countsOf, type CheckedFrequencies } from './frequency-options.js';
import { PartJob } from '../runtime/pace.js';
import { stretches, type ReadTrainer, type Stretch } from './readout.js';
import { sizedBy, type Runtime } from '../runtime/runtime.js';
import { TokenLosses } from './token-losses.js';
import type { LossBand, LossByFrequency } from '../types.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_PARTS = 64;
/** For a direct path, which reads each token on its own. */
const TOKENS_PER_PART = 64;
const NUMBERS_PER_BAND = 5;

/**
 * The loss of a predictor that knows only frequencies. It cannot distinguish tokens with the same count, so each gets an equal part of
 * the mass of its count. Tokens with a count of 0 get the mass that they have in the text: no other division between them and the rest
 * has a lower loss.
 */
function withChance(
  bands: readonly Omit<LossBand, 'chance'>[],
  targets: Uint32Array,
  counts: Uint32Array,
): Pick<LossByFrequency, 'chance' | 'bands'> {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const lacking = counts.reduce((sum, count) => sum + Number(count === 0), 0);
  const predicted = targets.reduce((sum, id) => sum + Number(counts[id] === 0), 0);
  const known = (targets.length - predicted) / targets.length;
  const lossOf = (count: number): number => -log(count === 0 ? (1 - known) / lacking : (known * count) / total);
  const sums = bands.map(() => 0);
  for (const id of targets) {
    const count = counts[id]!;
    sums[bands.findIndex(({ to }) => count <= to)]! += lossOf(count);
  }
  return {
    chance: sums.reduce((sum, loss) => sum + loss, 0) / targets.length,
    bands: bands.map((band, i) => ({ ...band, chance: sums[i]! / band.tokens })),
  };
}

export class LossByFrequencyRun extends PartJob<LossByFrequency> {
  readonly #runtime: Runtime<ReadoutModule>;
  readonly #trainer: ReadTrainer;
  readonly #inputs: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #sequences: Stretch[];
  readonly #tokenLosses: TokenLosses;
  readonly #losses: Float32Array;
  /** Tokens of the text without a loss, so far. */
  #leftOut: number;
  #done = 0;

  /** `ids`: at least two, below the size of the vocabulary; they do not change. */
  constructor(
    runtime: Runtime<ReadoutModule>,
    trainer: ReadTrainer,
    ids: Uint32Array,
    frequencies: CheckedFrequencies,
  ) {
    super('reading of the losses', MAX_PARTS);
    const { vocabSize, contextLength = TOKENS_PER_PART } = trainer.model;
    this.#runtime = runtime;
    this.#trainer = trainer;
    this.#inputs = ids.subarray(0, -1);
    this.#targets = ids.subarray(1);
    this.#counts = countsOf(frequencies, ids, vocabSize);
    this.#sequences = stretches(this.#inputs.length, contextLength);
    this.#losses = new Float32Array(this.#inputs.length);
    this.#leftOut = ids.length;
    this.#tokenLosses = new TokenLosses(runtime, trainer);
  }

  protected take(parts: number): void {
    for (const { first, count } of this.#sequences.slice(this.#done, this.#done + parts)) {
      const [inputs, targets] = [this.#inputs, this.#targets].map((ids) => ids.subarray(first, first + count));
      this.#losses.set(this.#tokenLosses.of(inputs!, targets!), first);
      this.#leftOut -= count;
      this.#done++;
    }
    this.fraction = this.#done / this.#sequences.length;
    this.finished = this.fraction === 1;
  }

  result(): LossByFrequency {
    const tokens = this.#losses.length;
    const numbers = this.#runtime.call(
      [this.#losses, this.#targets, this.#counts],
      (module, [losses, targets, counts]) =>
        module.lossBands(losses!, targets!, tokens, counts!, this.#trainer.model.vocabSize),
      (answer) => answer.numbers(0),
      sizedBy('tokenIds'),
    );
    const bands = Array.from({ length: numbers.length / NUMBERS_PER_BAND }, (_, i) => {
      const [from, to, predictions, loss, standardError] = numbers.subarray(i * NUMBERS_PER_BAND);
      return { from: from!, to: to!, tokens: predictions!, loss: loss!, standardError: standardError! };
    });
    const loss = bands.reduce((sum, band) => sum + band.loss * band.tokens, 0) / tokens;
    return { loss, tokens, leftOut: this.#leftOut, ...withChance(bands, this.#targets, this.#counts) };
  }

  end(): void {
    this.#tokenLosses.end();
  }
}
