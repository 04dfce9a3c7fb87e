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

/** The same for a Blob that stays on this thread: those of files, in Node, cannot be cloned. */
export function isReadableBlob(value: unknown): value is Blob {
  if (typeof Blob !== 'function' || typeof value !== 'object' || value === null || isRevoked(value)) return false;
  try {
    // The getter throws for imitations.
    const { get } = Object.getOwnPropertyDescriptor(Blob.prototype, 'size')!;
    return value instanceof Blob && typeof get!.call(value) === 'number';
  } catch {
    return false;
  }
}
