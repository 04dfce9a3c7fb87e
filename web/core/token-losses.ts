/** The loss of each prediction of one sequence. */
import type { ReadTrainer } from './readout.js';
import { sizedBy, type Runtime } from './runtime.js';
import type { Matrix } from './types.js';
import type { ReadoutModule } from './diagnostics-modules.js';

/** `logits` [n, V], `targets` [n] -> [n], nats. */
export function lossesOf(runtime: Runtime<ReadoutModule>, logits: Matrix, targets: Uint32Array): Float32Array {
  const { rows, cols, data } = logits;
  return runtime.call(
    [data, targets],
    (module, [at, ids]) => module.tokenLosses(at!, rows, cols, ids!),
    (answer) => answer.floats(0),
    sizedBy('tokenIds'),
  );
}

/** `inputs`, `targets` [n], n at most the model's context length -> [n], nats; not to be changed. */
export const tokenLosses = (
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  inputs: Uint32Array,
  targets: Uint32Array,
): Float32Array =>
  trainer.sequences.find('losses', [inputs, targets], () => lossesOf(runtime, trainer.logits(inputs), targets));
