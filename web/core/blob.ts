import { isRevoked } from './arrays.js';

/** Whether a value is a real Blob or File, which can be sent to a worker, and not a proxy or an imitation. */
export function isBlob(value: unknown): value is Blob {
  if (typeof Blob !== 'function' || typeof value !== 'object' || value === null || isRevoked(value)) return false;
  try {
    // Cloning is cheap: the clone refers to the same bytes.
    return value instanceof Blob && structuredClone(value) instanceof Blob;
  } catch {
    return false;
  }
}
