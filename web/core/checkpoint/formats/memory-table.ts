/** Presents numbers parsed from a text as a file of floats, so they can be read like any other file. */
import { BytesSource } from '../bytes/memory-source.js';
import type { StoredTensor } from '../tensors.js';

/** `file`: the name in messages, for a text with several tensors. */
export function memoryTensor(name: string, shape: readonly number[], data: Float32Array, file = name): StoredTensor {
  const bytes = new Uint8Array(4 * data.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < data.length; i++) view.setFloat32(4 * i, data[i]!, true);
  return { name, shape, dtype: 'F32', bytes: bytes.length, source: new BytesSource(bytes, file), from: 0 };
}
