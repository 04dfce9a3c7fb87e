/** What decodes the elements of checkpoints in a core. */
import { decodeElements } from './elements/decode-elements.js';
import type { Decoder } from './decoder.js';
import { blankParameters } from './opening.js';
import type { CheckpointVerbs } from './types.js';
import { ELEMENT_TYPES } from './elements/element-types.js';
import type { TiedCore } from '../core.js';
import type { Runtime } from '../runtime/runtime.js';
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

export type StoredElements = Parameters<CheckpointVerbs['decodeElements']>;

export const decodeStored = (
  runtime: Runtime<CheckpointModule>,
  ...[type, bytes, elements]: StoredElements
): Float32Array =>
  decodeElements(runtime, checkChoice('type', type, ELEMENT_TYPES), checkBytes('bytes', bytes), elements);
