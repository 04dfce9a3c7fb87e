/** Copies arguments that are read later or in another thread, so that changes after the call have no effect. */
import { isRevoked, kindOf, ACCEPTED_KINDS, viewOf, type AcceptedKind } from './arrays.js';
import { describedOnly, TiedError } from './errors.js';
import { isMatrixLike, isRecord, MATRIX_FIELDS } from './validate.js';

/** Deeper or larger than any verb's valid arguments. */
const DEEPEST = 50;
const MAX_PARTS = 1_000_000;

/**
 * A copy that can be sent to a worker: plain objects, arrays and the typed arrays that verbs accept, in new buffers.
 * Each field is read once; what its getter throws is passed on. Anything else becomes a description of itself, so that
 * the check that refuses it can quote it.
 */
export function copyData(value: unknown): unknown {
  return new Copy().of(value, 0);
}

class Copy {
  readonly #copies = new Map<object, unknown>();
  #parts = 0;

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') return describedOnly(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST || isRevoked(value)) return describedOnly(value);
    try {
      return this.#copies.get(value) ?? this.#ofObject(value, depth + 1);
    } catch (error) {
      // A proxy may be revoked while it is read.
      if (!isRevoked(value)) throw error;
      return describedOnly(value);
    }
  }

  #ofObject(value: object, depth: number): unknown {
    const kind = kindOf(value);
    if (kind !== undefined)
      return Object.hasOwn(ACCEPTED_KINDS, kind) ? this.#ofArray(kind as AcceptedKind, value) : describedOnly(value);
    if (Array.isArray(value)) return this.#ofList(value, depth);
    const fields = isRecord(value) ? Object.keys(value) : isMatrixLike(value) ? MATRIX_FIELDS : null;
    if (!fields || !this.#hasRoom(fields.length)) return describedOnly(value);
    // No prototype, so that `__proto__` is a name like any other.
    const copy = Object.create(null) as Record<string, unknown>;
    this.#copies.set(value, copy);
    for (const name of fields) copy[name] = this.of((value as typeof copy)[name], depth);
    return copy;
  }

  #ofList(value: unknown[], depth: number): unknown {
    const { length } = value as { length: unknown };
    if (typeof length !== 'number' || !this.#hasRoom(length)) return describedOnly(value);
    const copy: unknown[] = [];
    this.#copies.set(value, copy);
    for (let i = 0; i < length; i++) copy.push(this.of(value[i], depth));
    return copy;
  }

  #ofArray(kind: AcceptedKind, value: object): unknown {
    const view = viewOf(kind, value);
    if (view === null) return describedOnly(value);
    const Kind = ACCEPTED_KINDS[kind] as new (from: object) => object;
    try {
      const copy = new Kind(view);
      this.#copies.set(value, copy);
      return copy;
    } catch (cause) {
      const expected = 'an argument whose copy fits in memory';
      throw new TiedError('out-of-memory', `an argument has ${view.byteLength} bytes; expected ${expected}`, { cause });
    }
  }

  #hasRoom(parts: number): boolean {
    const fits = parts >= 0 && parts <= MAX_PARTS - this.#parts;
    if (fits) this.#parts += parts;
    return fits;
  }
}
