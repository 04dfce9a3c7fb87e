/** The loss of each prediction of one sequence. */
import type { ReadTrainer } from './readout.js';
import { sizedBy, type Runtime } from './runtime.js';
import type { LogitsOptions } from './types.js';
import type { ReadoutModule } from './wasm-module.js';

/** `inputs`, `targets` [n], n at most the model's context length -> [n], nats. */
export function tokenLosses(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  [inputs, targets]: readonly [Uint32Array, Uint32Array],
  options?: LogitsOptions,
): Float32Array {
  const { rows, cols, data } = trainer.logits(inputs, options);
  return runtime.call(
    [data, targets],
    (module, [logits, ids]) => module.tokenLosses(logits!, rows, cols, ids!),
    (answer) => answer.floats(0),
    sizedBy('tokenIds'),
  );
}
