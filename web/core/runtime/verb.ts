/**
 * A long verb is one declaration: its check, what it needs, and its work. A core runs the work to its end, a lab a slice at a time; the
 * lists of verbs, of modules and of listeners follow from it.
 */
import type { ModuleName } from './modules.js';
import { takeOptions } from './verb-options.js';
import { finishWork, RunningWork, type Work } from './work.js';

export interface Verb<Target, Args extends unknown[], Checked, R, N extends unknown[]> {
  /** Its name in messages. */
  readonly what: string;
  /** Index of the options among its arguments. */
  readonly optionsAt: number;
  /** The option that is called with news; null if none is. */
  readonly listener?: 'onProgress' | 'onTokens' | null;
  /** What only a lab's verb has: a listener and a signal among its options, or options at all, which are those two. */
  readonly onlyInLab?: 'listening' | 'options';
  /** Whether a lab can write its result, a file, to a stream: its option `to`, of which the other side gets a port. */
  readonly streams?: true;
  /** The modules that it needs beside those that are always loaded. */
  readonly modules?: readonly ModuleName[];
  /** Whether it changes its target, and thus waits for earlier calls. */
  readonly changes?: true;
  /** Throws for arguments that are invalid for every target. The listener and the signal have been taken out. */
  check(...args: Args): Checked;
  /** Throws for arguments that only a lab takes. */
  checkInCore?(...args: Args): void;
  work(target: Target, checked: Checked, listened: boolean): Work<R, N>;
  /** Parts of a core's work between two reports, if not those of a time. */
  parts?(checked: Checked, listened: boolean): number;
}

/** Checks a declaration's types. */
export const verb = <Target, Args extends unknown[], Checked, R, N extends unknown[]>(
  declared: Verb<Target, Args, Checked, R, N>,
): Verb<Target, Args, Checked, R, N> => declared;

/** Any verb, for whoever has its target and its arguments from elsewhere. */
export type AnyVerb = Verb<never, never[], unknown, unknown, unknown[]>;
export type Verbs = Readonly<Record<string, AnyVerb>>;

/** A method with up to three signatures. */
interface Overloaded<A, B, C> {
  (...args: never[]): A;
  (...args: never[]): B;
  (...args: never[]): C;
}

/** Declared verbs whose results are those of the methods. */
export type Declaring<Methods> = {
  readonly [Name in keyof Methods]?: Methods[Name] extends Overloaded<infer A, infer B, infer C>
    ? { work(target: never, checked: never, listened: boolean): Generator<unknown, A | B | C, number> }
    : never;
};

/** The work of a verb with checked arguments. */
export const startChecked = (
  { what, work }: AnyVerb,
  target: unknown,
  checked: unknown,
  listened: boolean,
): RunningWork<unknown, unknown[]> => new RunningWork(what, work(target as never, checked, listened));

/** The work of a verb. */
export const startVerb = (
  declared: AnyVerb,
  target: unknown,
  args: readonly unknown[],
  listened: boolean,
): RunningWork<unknown, unknown[]> => startChecked(declared, target, declared.check(...(args as never[])), listened);

function finishVerb(declared: AnyVerb, target: unknown, given: readonly unknown[]): unknown {
  const { optionsAt, onlyInLab, check, checkInCore, parts } = declared;
  checkInCore?.(...(given as never[]));
  const own = onlyInLab === 'options' ? given.slice(0, optionsAt) : given;
  const { args, ...listening } = onlyInLab ? { args: own } : takeOptions(declared, given);
  const checked = check(...(args as never[]));
  const listened = listening.onNews !== undefined;
  const running = startChecked(declared, target, checked, listened);
  return finishWork(running, listening, parts?.(checked, listened));
}

/** A class with the declared verbs as methods of these types. */
export function withVerbs<Methods>(verbs: Verbs): new () => Methods {
  class Declared {}
  for (const [name, declared] of Object.entries(verbs)) {
    Object.defineProperty(Declared.prototype, name, {
      value(this: unknown, ...args: unknown[]) {
        return finishVerb(declared, this, args);
      },
    });
  }
  return Declared as never;
}
