import { chainOfTask, impossible, isDone, taskNumbers, type TaskNumber } from './tasks.js';
import type { GameState } from './link.js';

/** What the reader has done so far, kept in the browser between visits. */
export interface Progress {
  /** Which task the reader takes for the impossible one. */
  readonly guess: TaskNumber | null;
  /** Tasks that the reader has done. */
  readonly done: readonly TaskNumber[];
  /** Tasks whose answer was shown: for the impossible one, the proof. */
  readonly shown: readonly TaskNumber[];
  /** Whether the impossible one was done with a map. */
  readonly withMap: boolean;
}

export const noProgress: Progress = { guess: null, done: [], shown: [], withMap: false };

/** A map between the two sides helps with the last task only: the others ask what a shared table can do. */
export function after(progress: Progress, game: GameState): Progress {
  const does = (task: TaskNumber): boolean => isDone(chainOfTask(game, task, game.turn), task);
  if (game.turn !== null) return progress.withMap || !does(impossible) ? progress : { ...progress, withMap: true };
  // What the reader was shown is not the reader's own doing.
  const done = taskNumbers.filter(
    (task) => progress.done.includes(task) || (!progress.shown.includes(task) && does(task)),
  );
  return done.length === progress.done.length ? progress : { ...progress, done };
}

const storageName = 'tied-repeat-game';

const areTasks = (given: unknown): given is TaskNumber[] =>
  Array.isArray(given) && given.every((one) => taskNumbers.includes(one as TaskNumber));

/** Of an earlier visit; anything else in its place is no progress. Storage may be forbidden. */
export function storedProgress(storage: () => Storage): Progress {
  try {
    const given = JSON.parse(storage().getItem(storageName) ?? 'null') as Partial<Progress> | null;
    if (given === null || !areTasks(given.done) || !areTasks(given.shown)) return noProgress;
    const guess = taskNumbers.find((task) => task === given.guess) ?? null;
    return { guess, done: given.done, shown: given.shown, withMap: given.withMap === true };
  } catch {
    return noProgress;
  }
}

export function storeProgress(storage: () => Storage, progress: Progress): void {
  try {
    storage().setItem(storageName, JSON.stringify(progress));
  } catch {
    // Kept until the page is closed.
  }
}
