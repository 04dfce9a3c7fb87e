/** Side effects of reading hostile values: they throw, or call back into their reader. */

/** Thrown by the fuzzer's getters, traps and listeners: it must reach the caller unchanged. */
export class OwnError extends Error {
  override readonly name = 'OwnError';
}

export interface Tricks {
  /** Throws the caller's own error. */
  throw(): never;
  /** Makes other calls during this one. */
  reenter(): void;
  /** The texts of those calls, if they are to be written. */
  readonly made?: (() => string)[];
}

/** Writes a value as JavaScript. `of` writes the values in it. */
export type Written = (of: (value: unknown) => string) => string;

const written = new WeakMap<object, Written>();
export const writtenAs = (value: unknown): Written | undefined => written.get(value as object);

/** Says how to write `value`, which cannot be looked into. It is asked after the call that got the value. */
export function write<T extends object>(value: T, as: Written): T {
  written.set(value, as);
  return value;
}

/** An expression that throws the caller's own error. */
export const THROWS = "(() => { throw new Error('thrown by the fuzzer'); })()";

export const REVOKED = (target: string): string =>
  `((on) => { const { proxy, revoke } = Proxy.revocable(on, {}); revoke(); return proxy; })(${target})`;

/** A function whose answers are recorded: `answer` returns a value, throws or makes calls. */
export function answering(tricks: Tricks, answer: () => unknown): () => unknown {
  const answers: Written[] = [];
  const recorded = (): unknown => {
    const at = answers.push(() => THROWS) - 1;
    const before = tricks.made?.length ?? 0;
    const value = answer();
    const calls = tricks.made?.slice(before) ?? [];
    answers[at] = (of) => [...calls.map((text) => text()), of(value)].join(', ');
    return value;
  };
  // Later answers are as the last.
  return write(recorded, (of) => {
    const list = answers.map((one) => `() => (${one(of)})`).join(', ');
    return `(() => { const answers = [${list || '() => undefined'}]; return () => (answers.length > 1 ? answers.shift() : answers[0])(); })()`;
  });
}

/** Values that are already spoiled: reading them has effects, or fails. */
const spoiled = new WeakSet<object>();

export const isSpoiled = (value: unknown): boolean => spoiled.has(value as object);

export function markSpoiled<T>(value: T): T {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') spoiled.add(value);
  return value;
}
