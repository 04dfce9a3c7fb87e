/** Verbs of checkpoints. Cores and labs differ in where elements are decoded. */
import { checkOpening } from './checkpoint-options.js';
import { decodeElements } from './checkpoint/decode-elements.js';
import type { Decoder } from './checkpoint/decoder.js';
import type { Checkpoint, CheckpointVerbs } from './checkpoint-types.js';
import { ELEMENT_TYPES } from './checkpoint/element-types.js';
import type { Runtime } from './runtime.js';
import { checkBytes, checkChoice } from './validate.js';
import type { CheckpointModule } from './wasm-module.js';

export type OpeningArguments = Parameters<CheckpointVerbs['openCheckpoint']>;

export async function checkpointOf(decoder: Decoder, ...[source, options]: OpeningArguments): Promise<Checkpoint> {
  // Before anything is waited for: later changes of the caller's objects have no effect.
  const checked = checkOpening(source, options);
  const { openCheckpoint } = await import('./checkpoint-opener.js');
  return openCheckpoint(decoder, checked);
}

export type StoredElements = Parameters<CheckpointVerbs['decodeElements']>;

export const decodeStored = (
  runtime: Runtime<CheckpointModule>,
  ...[type, bytes, elements]: StoredElements
): Float32Array =>
  decodeElements(runtime, checkChoice('type', type, ELEMENT_TYPES), checkBytes('bytes', bytes), elements);
