/** Copies of arguments that are read later, or elsewhere: what their owner does with them after the call has no effect. */
import { isRevoked, kindOf, TAKEN_KINDS, viewOf, type TakenKind } from './arrays.js';
import { describedOnly, TiedError } from './errors.js';
import { isMatrixLike, isRecord, MATRIX_FIELDS } from './validate.js';

/** No verb reads deeper than a few levels, or has arguments of as many parts as this. */
const DEEPEST = 50;
const MOST_PARTS = 1_000_000;

/**
 * A copy that a worker can be sent: plain objects, arrays, and the typed arrays that verbs take, in buffers of their own.
 * Each field is read once, and what its getter throws passes as it is. Anything else becomes its description, so that the
 * check which refuses it can say what it was.
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
      return Object.hasOwn(TAKEN_KINDS, kind) ? this.#ofArray(kind as TakenKind, value) : describedOnly(value);
    if (Array.isArray(value)) return this.#ofList(value, depth);
    const fields = isRecord(value) ? Object.keys(value) : isMatrixLike(value) ? MATRIX_FIELDS : null;
    if (!fields || !this.#hasRoom(fields.length)) return describedOnly(value);
    // Without a prototype, so that `__proto__` is a name like any other.
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

  #ofArray(kind: TakenKind, value: object): unknown {
    const view = viewOf(kind, value);
    if (view === null) return describedOnly(value);
    const Kind = TAKEN_KINDS[kind] as new (from: object) => object;
    try {
      const copy = new Kind(view);
      this.#copies.set(value, copy);
      return copy;
    } catch (cause) {
      const expected = 'less than the memory that this browser gives for a copy';
      throw new TiedError('out-of-memory', `an argument has ${view.byteLength} bytes; expected ${expected}`, { cause });
    }
  }

  #hasRoom(parts: number): boolean {
    const fits = parts >= 0 && parts <= MOST_PARTS - this.#parts;
    if (fits) this.#parts += parts;
    return fits;
  }
}
