/** The loss of a text with each layer left out in turn, a sequence at a time. */
import { readIds, readoutOf, transformerSizes, type ReadTrainer } from './readout.js';
import type { Runtime } from '../runtime/runtime.js';
import { lossesOf, inSequences, type TokenLosses } from './token-losses.js';
import type { DiagnosticOptions, LayerAblation, Matrix } from '../types.js';
import { checkOptions, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

export const ablateLayers = verb({
  what: 'layer ablation',
  optionsAt: 1,
  modules: ['readout'],
  check(tokenIds: unknown, options: DiagnosticOptions = {}) {
    checkOptions('options', options, LISTENING);
    return tokenIds;
  },
  work(trainer: ReadTrainer, tokenIds): Work<LayerAblation> {
    const ids = readIds(trainer, tokenIds, 2);
    const work = layerAblation(readoutOf(trainer, 'losses'), trainer, ids);
    return trainer.remembered.keeping('ablation', [ids], work, (ablation) => ablation);
  },
});

/** `ids`: at least two, below the size of the vocabulary; they do not change. */
export function* layerAblation(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  ids: Uint32Array,
): Work<LayerAblation> {
  const { layers } = transformerSizes('ablateLayers', trainer);
  const tokens = ids.length - 1;
  /** Sums, over the predictions so far, of what leaving a layer out adds to each loss. */
  const sums = Array.from({ length: layers }, () => ({ increase: 0, squares: 0 }));
  let total = 0;
  const read = (tokenLosses: TokenLosses, inputs: Uint32Array, targets: Uint32Array): void => {
    const whole = tokenLosses.of(inputs, targets);
    for (const loss of whole) total += loss;
    const add = (layer: number, losses: Float32Array): void => {
      const sum = sums[layer]!;
      losses.forEach((loss, i) => {
        const increase = loss - whole[i]!;
        sum.increase += increase;
        sum.squares += increase * increase;
      });
    };
    // Without the last layer, the head reads what that layer would read.
    const last = tokenLosses.withoutLastLayer(inputs, targets);
    if (last !== null) add(layers - 1, last);
    const from = layers - (last === null ? 1 : 2);
    // Upper layers first, so the layers below the next one have already been computed.
    for (let layer = from; layer >= 0; layer--) {
      const losses = (logits: Matrix): Float32Array => lossesOf(runtime, logits, targets);
      add(layer, trainer.tokens.readLogits(inputs, layer, layer < from, losses));
    }
  };
  const leftOut = yield* inSequences(runtime, trainer, ids, (tokenLosses, { first, count }) =>
    read(tokenLosses, ids.subarray(first, first + count), ids.subarray(first + 1, first + count + 1)),
  );
  const loss = total / tokens;
  return {
    loss,
    tokens,
    leftOut,
    layers: sums.map(({ increase: sum, squares }) => {
      const increase = sum / tokens;
      const variance = Math.max(0, squares - sum * increase) / (tokens - 1);
      return { loss: loss + increase, increase, standardError: Math.sqrt(variance / tokens) };
    }),
  };
}
