import type { Lab } from '../../core/types.js';
import { unrecorded } from './page-labs.js';

/**
 * Answers of the core that a page has from its build, for what its figures ask before the reader does anything. They are the core's own, by question;
 * any other question opens a lab.
 */
export type RecordedAnswers = Readonly<Record<string, unknown>>;

/** The question as text: what answers are found by, and written with. */
export const written = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Float32Array ? { float32: [...part] } : part));

const isFloats = (part: unknown): part is { readonly float32: readonly number[] } =>
  typeof part === 'object' && part !== null && 'float32' in part;

/** What `written` has written, as new objects. */
const read = (text: string): unknown =>
  JSON.parse(text, (_, part: unknown) => (isFloats(part) ? Float32Array.from(part.float32) : part));

/** A lab that knows these answers only, and nothing of itself. */
export function labOfAnswers(answers: RecordedAnswers): Lab {
  const verbs = new Set(Object.keys(answers).map((question) => (JSON.parse(question) as [string])[0]));
  const get = (_: object, name: string | symbol): unknown => {
    if (!verbs.has(name as string)) throw unrecorded;
    return (...args: unknown[]) => {
      const question = written([name, args]);
      if (!Object.hasOwn(answers, question)) throw unrecorded;
      return Promise.resolve(read(JSON.stringify(answers[question])));
    };
  };
  // Promises ask whether their value is one.
  return new Proxy({ then: undefined } as unknown as Lab, {
    get: (target, name) => (name in target ? undefined : get(target, name)),
  });
}
