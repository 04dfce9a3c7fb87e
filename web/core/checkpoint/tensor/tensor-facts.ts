/** What the caller sees of a stored tensor. */
import { inSlices, pause } from '../../runtime/pause.js';
import { namesOfOneStorage, type StoredTensor, type TensorDirectory } from '../tensors.js';
import type { CheckpointTensor } from '../types.js';

const AT_ONCE = 10_000;

export function factsOf(tensor: StoredTensor): CheckpointTensor {
  const { name, shape, dtype, bytes, turned: isTurned } = tensor.arrangedFrom ?? tensor;
  // To the caller, a matrix stored by columns looks like one stored by rows. Half a million copies of a few shapes would take most of the memory.
  return { name, shape: isTurned ? [...shape].reverse() : Object.freeze(shape), dtype, bytes };
}

export async function factsOfAll({ format, tensors }: TensorDirectory): Promise<readonly CheckpointTensor[]> {
  // In these formats no tensor is within another.
  const isApart = format === 'safetensors' || format === 'gguf';
  const shared = isApart ? new Map<string, string>() : namesOfOneStorage(tensors);
  const listed: CheckpointTensor[] = [];
  const isDue = inSlices(AT_ONCE);
  for (const tensor of tensors.values()) {
    if (isDue()) await pause();
    const sharedWith = shared.get(tensor.name);
    listed.push(sharedWith === undefined ? factsOf(tensor) : { ...factsOf(tensor), sharedWith });
  }
  return listed;
}
