import { isRevoked } from './arrays.js';

/** Whether a value is a Blob or File that can be sent to a worker, and no proxy or imitation of one. */
export function isBlob(value: unknown): value is Blob {
  if (typeof Blob !== 'function' || typeof value !== 'object' || value === null || isRevoked(value)) return false;
  try {
    // Costs nothing: the copy refers to the same bytes.
    return value instanceof Blob && structuredClone(value) instanceof Blob;
  } catch {
    return false;
  }
}
