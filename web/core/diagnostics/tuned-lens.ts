/** Trains a tuned lens, a sequence at a time. */
import { LENS_MAPS } from '../generated/records.js';
import { invalidArgument } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import { openReadout, readoutOf, transformerSizes, type ReadTrainer } from './readout.js';
import { sizedBy } from '../runtime/answer.js';
import type { Handle, Runtime } from '../runtime/runtime.js';
import { matricesOf } from '../training/trainer-answers.js';
import type { TunedLens, TunedLensOptions } from '../types.js';
import {
  checkInteger,
  checkOptions,
  checkPositive,
  checkSeed,
  checkTokenIds,
  LARGEST_RATE,
  LISTENING,
} from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_STEPS = 1e6;
/** 2^32 divided by the golden ratio: its multiples are spread evenly over the 32-bit integers. */
const GOLDEN = 0x9e3779b9;

export interface CheckedLensTraining {
  /** The name of the options in messages. */
  argument: string;
  ids: Uint32Array;
  steps: number;
  tokensPerStep: number;
  learningRate: number;
  seed: number;
}

export const trainTunedLens = verb({
  what: 'training of the lens',
  optionsAt: 0,
  modules: ['readout'],
  check: (options: TunedLensOptions) => checkLensTraining('options', options, LISTENING),
  work: (trainer: ReadTrainer, checked) => lensTraining(readoutOf(trainer, 'rows'), trainer, checked),
});

/** `argument`: the name of the options in messages; `more`: names of others beside them. */
export function checkLensTraining(
  argument: string,
  options: TunedLensOptions,
  more: readonly string[] = [],
): CheckedLensTraining {
  const given = checkOptions(argument, options, [
    ...['tokenIds', 'steps', 'tokensPerStep', 'learningRate', 'seed'],
    ...more,
  ]);
  const { steps = 150, tokensPerStep = 1024, learningRate = 0.01, seed = 0 } = given;
  return {
    argument,
    ids: checkTokenIds(`${argument}.tokenIds`, given.tokenIds, 1).slice(),
    steps: checkInteger(`${argument}.steps`, steps, 1, MAX_STEPS),
    tokensPerStep: checkInteger(`${argument}.tokensPerStep`, tokensPerStep, 1, MAX_STEPS),
    learningRate: checkPositive(`${argument}.learningRate`, learningRate, LARGEST_RATE),
    seed: checkSeed(`${argument}.seed`, seed),
  };
}

/**
 * Where sequence number `index` begins: at multiples of the golden ratio, so the text is covered evenly from the first steps on.
 * @param places - the number of possible positions
 */
export const placeOf = (index: number, seed: number, places: number): number =>
  Math.floor((((Math.imul(index + 1, GOLDEN) + seed) >>> 0) / 2 ** 32) * places);

export function* lensTraining(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  options: CheckedLensTraining,
): Work<TunedLens> {
  const { layers, width, vocabSize, contextLength } = transformerSizes('trainTunedLens', trainer);
  const { argument, ids, steps, tokensPerStep, learningRate, seed } = options;
  checkIdsBelow(`${argument}.tokenIds`, ids, vocabSize);
  if (layers * steps > 2 ** 26) {
    throw invalidArgument(`${argument}.steps`, steps, 'fewer, since the history of all layers has to fit in memory');
  }
  const length = Math.min(contextLength, ids.length);
  const sequences = Math.max(1, Math.round(tokensPerStep / length));
  const weight = 1 / (sequences * length);
  const history = new Float32Array(steps * layers);
  /** 1 for each token of the text that was in a sequence. */
  const drawn = new Uint8Array(ids.length);
  const readout = openReadout(runtime, trainer);
  const names = sizedBy(`${argument}.tokenIds`);
  const call = (made: Parameters<Handle<ReadoutModule>['call']>[1]): void =>
    readout.call([], made, () => undefined, names);
  try {
    call((module, at) => module.startLens(at, layers));
    for (let step = 0; step < steps; step++) {
      for (let sequence = 0; sequence < sequences; sequence++) {
        yield step / steps;
        const first = placeOf(step * sequences + sequence, seed, ids.length - length + 1);
        drawn.fill(1, first, first + length);
        const sums = trainer.tokens.readStates(ids.subarray(first, first + length), (states) =>
          readout.call(
            [states],
            (module, at, [from]) => module.trainLens(at, from!, layers + 1, length, weight),
            (answer) => answer.read('numbers'),
            names,
          ),
        );
        sums.forEach((sum, layer) => (history[step * layers + layer]! += sum * weight));
      }
      const rate = learningRate * (1 - step / steps);
      call((module, at) => module.updateLens(at, rate));
    }
    return readout.call(
      [],
      (module, at) => module.lensMaps(at),
      (answer) => {
        const { weights, biases } = answer.read(LENS_MAPS);
        return {
          layers: matricesOf(weights, width, width).map((map, i) => ({
            weight: map,
            bias: biases.slice(i * width, (i + 1) * width),
          })),
          history: { rows: steps, cols: layers, data: history },
          leftOut: drawn.reduce((count, once) => count + 1 - once, 0),
        };
      },
    );
  } finally {
    readout.dispose();
  }
}
