import { TiedError } from '../../runtime/errors.js';

export function allocateFloats(elements: number, name: string): Float32Array {
  try {
    return new Float32Array(elements);
  } catch (cause) {
    throw new TiedError(
      'out-of-memory',
      `'${name.slice(0, 120)}' needs ${4 * elements} bytes; expected rows that fit in memory`,
      { cause },
    );
  }
}
