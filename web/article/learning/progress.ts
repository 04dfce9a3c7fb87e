import { forgetRuns } from '../../elements/training-lab/kept/run-folder.js';

/** What a reader has read, guessed and answered. It is stored in this browser only, under one key. */
export interface Progress {
  /** Ids of sections. */
  readonly read: readonly string[];
  /** By the name of the question: a number on its scale, or the position of a choice. */
  readonly guesses: Readonly<Record<string, number>>;
  /** By the id of the claim: what the reader thought of it. */
  readonly answers: Readonly<Record<string, string>>;
}

const storageName = 'tied-progress';
const nothing: Progress = { read: [], guesses: {}, answers: {} };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function only<Value>(value: unknown, fits: (one: unknown) => one is Value): Record<string, Value> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => fits(entry[1])));
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** What was stored, without what another version of the page may have stored differently. */
export function parseProgress(text: string | null): Progress {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (!isRecord(stored)) return nothing;
    return {
      read: Array.isArray(stored['read']) ? stored['read'].filter(isText) : [],
      guesses: only(stored['guesses'], isNumber),
      answers: only(stored['answers'], isText),
    };
  } catch {
    return nothing;
  }
}

const readStored = (): Progress => {
  try {
    return parseProgress(localStorage.getItem(storageName));
  } catch {
    // Storage may be forbidden; then progress lasts until the page closes.
    return nothing;
  }
};

let current: Progress | null = null;
const changes = new EventTarget();

export const progress = (): Progress => (current ??= readStored());

function change(next: Progress): void {
  current = next;
  try {
    if (isEmpty(next)) localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, JSON.stringify(next));
  } catch {
    // As above.
  }
  changes.dispatchEvent(new Event('change'));
}

export const isEmpty = ({ read, guesses, answers }: Progress): boolean =>
  read.length + Object.keys(guesses).length + Object.keys(answers).length === 0;

export function markRead(id: string): void {
  const now = progress();
  if (!now.read.includes(id)) change({ ...now, read: [...now.read, id] });
}

export function keepGuess(name: string, guess: number): void {
  const now = progress();
  change({ ...now, guesses: { ...now.guesses, [name]: guess } });
}

export function keepAnswer(claim: string, answer: string): void {
  const now = progress();
  change({ ...now, answers: { ...now.answers, [claim]: answer } });
}

export const forgetAnswers = (): void => change({ ...progress(), answers: {} });

/** Also the runs that the training lab has stored. */
export function forgetAll(): void {
  change(nothing);
  void forgetRuns();
}

/** Calls `listener` after each change, until `signal` is aborted. */
export function onProgress(listener: () => void, signal?: AbortSignal): void {
  changes.addEventListener('change', listener, signal === undefined ? {} : { signal });
}
