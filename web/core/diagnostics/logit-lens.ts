/** Reads the layers of a transformer as predictions, a sequence at a time. */
import { log } from '../runtime/elementary.js';
import { argumentError, invalidArgument } from '../runtime/errors.js';
import { PartJob } from '../runtime/pace.js';
import { openReadout, statesOf, stretches, transformerSizes, type ReadTrainer, type Stretch } from './readout.js';
import { sizedBy, type Handle, type Runtime } from '../runtime/runtime.js';
import type { DiagnosticOptions, LensLayer, LensOptions, LensReading } from '../types.js';
import {
  checkFunction,
  checkMatrix,
  checkOptions,
  checkSignal,
  checkVector,
  isRecord,
  readList,
  readRecord,
} from '../runtime/validate.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_PARTS = 64;
const MAX_LAYERS = 1000;

/** The maps of a tuned lens in blocks [layers, d, d] and [layers, d]. */
export interface LensBlocks {
  layers: number;
  width: number;
  weights: Float32Array;
  biases: Float32Array;
}

export interface CheckedLens extends Pick<DiagnosticOptions, 'onProgress'> {
  lens: LensBlocks | null;
  signal: AbortSignal | undefined;
}

export function checkListening({ onProgress, signal }: DiagnosticOptions): {
  onProgress: DiagnosticOptions['onProgress'];
  signal: AbortSignal | undefined;
} {
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return { onProgress, signal };
}

/** Checks of the options of `logitLens`, for every model. */
export function checkLens(options: LensOptions = {}): CheckedLens {
  const given = checkOptions('options', options, ['lens', 'onProgress', 'signal']);
  return { lens: given.lens === undefined ? null : lensBlocks('options.lens', given.lens), ...checkListening(given) };
}

/** The maps of a lens, checked and copied; `argument`: its name in messages. */
export function lensBlocks(argument: string, lens: NonNullable<LensOptions['lens']>): LensBlocks {
  const expected = 'what trainTunedLens returned';
  if (!isRecord(lens)) throw invalidArgument(argument, lens, expected);
  const { layers: given } = readRecord(argument, lens);
  const list = readList(given, 1, MAX_LAYERS);
  if (list === null) throw invalidArgument(`${argument}.layers`, given, expected);
  const layers = list.map((layer, i) => {
    const name = `${argument}.layers[${i}]`;
    if (!isRecord(layer)) throw invalidArgument(name, layer, expected);
    const parts = readRecord(name, layer);
    const weight = checkMatrix(`${name}.weight`, parts.weight, { square: true });
    return { weight, bias: checkVector(`${name}.bias`, parts.bias, 'Float32Array', weight.cols) };
  });
  const width = layers[0]!.weight.cols;
  const weights = new Float32Array(layers.length * width * width);
  const biases = new Float32Array(layers.length * width);
  layers.forEach(({ weight, bias }, i) => {
    if (weight.cols !== width) {
      const name = `${argument}.layers[${i}].bias`;
      throw argumentError('shape-mismatch', name, bias, `${width} elements, as the first layer`);
    }
    weights.set(weight.data, i * width * width);
    biases.set(bias, i * width);
  });
  return { layers: layers.length, width, weights, biases };
}

export class LensRun extends PartJob<LensReading> {
  readonly #trainer: ReadTrainer;
  readonly #ids: Uint32Array;
  readonly #lens: LensBlocks | null;
  readonly #readout: Handle<ReadoutModule>;
  readonly #sequences: Stretch[];
  readonly #layers: LensLayer[];
  /** Sums of the losses of next tokens, by layer. */
  readonly #losses: Float64Array;
  /** Sums over tokens of the last layer's probabilities [V], and of their entropies in nats. */
  readonly #total: Float64Array;
  #entropy = 0;
  /** Tokens with a known next token, so far. */
  #predictions = 0;
  #done = 0;

  /** `ids` are below the size of the vocabulary and do not change. */
  constructor(runtime: Runtime<ReadoutModule>, trainer: ReadTrainer, ids: Uint32Array, { lens }: CheckedLens) {
    super('reading of the layers', MAX_PARTS);
    const { layers, width, contextLength, vocabSize } = transformerSizes('logitLens', trainer);
    if (lens !== null && (lens.layers !== layers || lens.width !== width)) {
      const expected = `that of a model of ${layers} layers and width ${width}`;
      throw argumentError('shape-mismatch', 'options.lens', `${lens.layers} x ${lens.width}`, expected);
    }
    this.#trainer = trainer;
    this.#ids = ids;
    this.#lens = lens;
    this.#sequences = stretches(ids.length, contextLength);
    this.#losses = new Float64Array(layers + 1);
    this.#total = new Float64Array(vocabSize);
    this.#layers = Array.from({ length: layers + 1 }, () => ({
      divergence: 0,
      loss: null,
      perToken: new Float32Array(ids.length),
      predicted: new Uint32Array(ids.length),
      probability: new Float32Array(ids.length),
    }));
    this.#readout = openReadout(runtime, trainer);
  }

  protected take(parts: number): void {
    for (const sequence of this.#sequences.slice(this.#done, this.#done + parts)) {
      this.#read(sequence);
      this.#done++;
    }
    this.fraction = this.#done / this.#sequences.length;
    this.finished = this.fraction === 1;
  }

  #read({ first, count }: Stretch): void {
    const states = statesOf(this.#trainer, this.#ids.subarray(first, first + count));
    // The last token of the text has no next token: any id stands in, and its loss is not used.
    const targets = Uint32Array.from({ length: count }, (_, i) => this.#ids[first + i + 1] ?? 0);
    const known = Math.min(count, this.#ids.length - 1 - first);
    this.#predictions += known;
    this.#readout.call(
      [states, this.#lens?.weights, this.#lens?.biases, targets],
      (module, readout, [at, weights, biases, next]) =>
        module.readLens(readout, at!, this.#layers.length, count, weights!, biases!, next!),
      (answer) => {
        const [divergences, probabilities, losses] = [answer.floats(0), answer.floats(1), answer.floats(3)];
        const predicted = answer.ids(2);
        this.#layers.forEach((layer, l) => {
          const [from, to] = [l * count, (l + 1) * count];
          layer.perToken.set(divergences.subarray(from, to), first);
          layer.probability.set(probabilities.subarray(from, to), first);
          layer.predicted.set(predicted.subarray(from, to), first);
          for (const loss of losses.subarray(from, from + known)) this.#losses[l]! += loss;
        });
      },
      { ...sizedBy('tokenIds'), weights: 'options.lens.layers', biases: 'options.lens.layers' },
    );
    this.#readout.call(
      [],
      (module, readout) => module.lensTotals(readout),
      (answer) => {
        this.#entropy += answer.numbers(0)[0]!;
        answer.floats(1).forEach((sum, token) => (this.#total[token]! += sum));
      },
    );
  }

  result(): LensReading {
    const { length } = this.#ids;
    return {
      layers: this.#layers.map((layer, l) => ({
        ...layer,
        divergence: layer.perToken.reduce((sum, divergence) => sum + divergence, 0) / length,
        loss: this.#predictions > 0 ? this.#losses[l]! / this.#predictions : null,
      })),
      chance: this.#chance(),
      leftOut: length - this.#predictions,
    };
  }

  #chance(): number {
    const { length } = this.#ids;
    const spread = this.#total.reduce(
      (sum, total) => (total > 0 ? sum - ((total / length) * log(total / length)) / Math.LN2 : sum),
      0,
    );
    // If all predictions are equal, rounding can make it slightly negative.
    return Math.max(0, spread - this.#entropy / length / Math.LN2);
  }

  end(): void {
    this.#readout.dispose();
  }
}
