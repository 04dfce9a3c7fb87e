/** Reads the layers of a transformer as predictions, a sequence at a time. */
import { LENS_READING, LENS_TOTALS } from '../generated/records.js';
import { log } from '../runtime/elementary.js';
import { argumentError, invalidArgument } from '../runtime/errors.js';
import {
  openReadout,
  readIds,
  readoutOf,
  statesOf,
  stretches,
  transformerSizes,
  type ReadTrainer,
  type Stretch,
} from './readout.js';
import { sizedBy } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import { summaryOf } from '../training/remembered.js';
import type { LensLayer, LensOptions, LensReading } from '../types.js';
import {
  checkMatrix,
  checkOptions,
  checkVector,
  isRecord,
  LISTENING,
  readList,
  readRecord,
} from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_LAYERS = 1000;

/** The maps of a tuned lens in blocks [layers, d, d] and [layers, d]. */
export interface LensBlocks {
  layers: number;
  width: number;
  weights: Float32Array;
  biases: Float32Array;
}

export const logitLens = verb({
  what: 'reading of the layers',
  optionsAt: 1,
  modules: ['readout'],
  check(tokenIds: unknown, options: LensOptions = {}) {
    const { lens } = checkOptions('options', options, ['lens', ...LISTENING]);
    return { tokenIds, lens: lens === undefined ? null : lensBlocks('options.lens', lens) };
  },
  work(trainer: ReadTrainer, { tokenIds, lens }): Work<LensReading> {
    const ids = readIds(trainer, tokenIds, 1);
    const work = readLayers(readoutOf(trainer, 'rows'), trainer, ids, lens);
    return lens === null ? trainer.remembered.keeping('lens', [ids], work, summaryOf) : work;
  },
});

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

/** `ids` are below the size of the vocabulary and do not change. */
export function* readLayers(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  ids: Uint32Array,
  lens: LensBlocks | null,
): Work<LensReading> {
  const { layers: nLayers, width, contextLength, vocabSize } = transformerSizes('logitLens', trainer);
  if (lens !== null && (lens.layers !== nLayers || lens.width !== width)) {
    const expected = `that of a model of ${nLayers} layers and width ${width}`;
    throw argumentError('shape-mismatch', 'options.lens', `${lens.layers} x ${lens.width}`, expected);
  }
  const { length } = ids;
  const sequences = stretches(length, contextLength);
  const layers = Array.from({ length: nLayers + 1 }, () => ({
    perToken: new Float32Array(length),
    predicted: new Uint32Array(length),
    probability: new Float32Array(length),
  }));
  /** Sums of the losses of next tokens, by layer. */
  const lossSums = new Float64Array(nLayers + 1);
  /** Sums over tokens of the last layer's probabilities [V], and of their entropies in nats. */
  const total = new Float64Array(vocabSize);
  let entropy = 0;
  /** Tokens with a known next token, so far. */
  let predictions = 0;
  const readout = openReadout(runtime, trainer);
  const read = ({ first, count }: Stretch): void => {
    const states = statesOf(trainer, ids.subarray(first, first + count));
    // The last token of the text has no next token: any id stands in, and its loss is not used.
    const targets = Uint32Array.from({ length: count }, (_, i) => ids[first + i + 1] ?? 0);
    const known = Math.min(count, length - 1 - first);
    predictions += known;
    readout.call(
      [states, lens?.weights, lens?.biases, targets],
      (module, at, [from, weights, biases, next]) =>
        module.readLens(at, from!, layers.length, count, weights!, biases!, next!),
      (answer) => {
        const { divergence, probability, loss: losses, predicted } = answer.read(LENS_READING);
        layers.forEach((layer, l) => {
          const [from, to] = [l * count, (l + 1) * count];
          layer.perToken.set(divergence.subarray(from, to), first);
          layer.probability.set(probability.subarray(from, to), first);
          layer.predicted.set(predicted.subarray(from, to), first);
          for (const loss of losses.subarray(from, from + known)) lossSums[l]! += loss;
        });
      },
      { ...sizedBy('tokenIds'), weights: 'options.lens.layers', biases: 'options.lens.layers' },
    );
    readout.call(
      [],
      (module, at) => module.lensTotals(at),
      (answer) => {
        const sums = answer.read(LENS_TOTALS);
        entropy += sums.entropy;
        sums.total.forEach((sum, token) => (total[token]! += sum));
      },
    );
  };
  try {
    for (const [i, sequence] of sequences.entries()) {
      yield i / sequences.length;
      read(sequence);
    }
  } finally {
    readout.dispose();
  }
  const spread = total.reduce(
    (sum, part) => (part > 0 ? sum - ((part / length) * log(part / length)) / Math.LN2 : sum),
    0,
  );
  return {
    layers: layers.map((layer, l): LensLayer => ({
      divergence: layer.perToken.reduce((sum, divergence) => sum + divergence, 0) / length,
      loss: predictions > 0 ? lossSums[l]! / predictions : null,
      ...layer,
    })),
    // If all predictions are equal, rounding can make it slightly negative.
    chance: Math.max(0, spread - entropy / length / Math.LN2),
    leftOut: length - predictions,
  };
}
