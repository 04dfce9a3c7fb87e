/** Verbs of checkpoints. Cores and labs differ in where elements are decoded. */
import { checkOpening } from './options.js';
import { decodeElements } from './decode-elements.js';
import type { Decoder } from './decoder.js';
import type { CheckpointVerbs, RunnableCheckpoint } from './types.js';
import { ELEMENT_TYPES } from './element-types.js';
import type { BlankTrainer } from './model-host.js';
import type { TiedCore } from '../core.js';
import type { Runtime } from '../runtime/runtime.js';
import type { ParameterInfo } from '../training/types.js';
import { checkBytes, checkChoice } from '../runtime/validate.js';
import type { CheckpointModule } from '../runtime/wasm-module.js';

/** Decodes and runs models on this thread. */
export const decoderOfCore = (core: TiedCore): Decoder => ({
  decodeElements: (...stored) => core.decodeElements(...stored),
  startTableSums: (options) => core.startTableSums(options),
  models: {
    startModel(options) {
      const trainer = core.startModel(options);
      return {
        parameters: blankParameters(trainer.parameters()),
        fill: (name, firstRow, data) => trainer.fill(name, firstRow, data),
        finish() {
          trainer.begin();
          return trainer;
        },
        discard: () => trainer.dispose(),
      };
    },
    loadTokenizer: ({ bytes, ...options }) => core.loadTokenizer(bytes, options),
  },
});

export const blankParameters = (parameters: readonly ParameterInfo[]): BlankTrainer['parameters'] =>
  parameters.map(({ name, shape, tiedTo }) => ({ name, shape, isTied: tiedTo !== null }));

export type OpeningArguments = Parameters<CheckpointVerbs['openCheckpoint']>;

export async function checkpointOf(
  decoder: Decoder,
  ...[source, options]: OpeningArguments
): Promise<RunnableCheckpoint> {
  // Checked before the first await, so later changes to the caller's objects have no effect.
  const checked = checkOpening(source, options);
  const { openCheckpoint } = await import('../checkpoint-opener.js');
  return openCheckpoint(decoder, checked);
}

export type StoredElements = Parameters<CheckpointVerbs['decodeElements']>;

export const decodeStored = (
  runtime: Runtime<CheckpointModule>,
  ...[type, bytes, elements]: StoredElements
): Float32Array =>
  decodeElements(runtime, checkChoice('type', type, ELEMENT_TYPES), checkBytes('bytes', bytes), elements);
