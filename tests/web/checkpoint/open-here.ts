/** Opens a checkpoint without a core, using the decoder of the tests. */
import { checkOpening } from '../../../web/core/checkpoint/options.js';
import type { Checkpoint, CheckpointSource, OpenCheckpointOptions } from '../../../web/core/checkpoint/types.js';
import type { OpenHow } from '../../../web/core/checkpoint/given-source.js';
import { openCheckpoint } from '../../../web/core/checkpoint/open-checkpoint.js';
import { reference } from './reference-decoder.js';

export async function openHere(
  from: CheckpointSource,
  options?: OpenCheckpointOptions,
  how: OpenHow = {},
): Promise<Checkpoint> {
  return openCheckpoint(reference, checkOpening(from, options), how);
}
