/** Opens checkpoints, for cores and for labs, which differ in where elements are decoded. */
import type { Decoder } from './decoder.js';
import type { BlankTrainer } from './model-host.js';
import { checkOpening } from './options.js';
import type { CheckpointVerbs, RunnableCheckpoint } from './types.js';
import type { ParameterInfo } from '../training/types.js';

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
