// Repeats work when files change.
import { watch } from 'node:fs';

/** Editors write a file in several steps, and git writes many files. */
const QUIET_MS = 100;

/** Returns `work` as a function that never overlaps itself: calls during a run cause one more run. */
export function oneAtATime(work) {
  let working = false;
  let due = false;
  return async () => {
    due = true;
    if (working) return;
    working = true;
    try {
      while (due) {
        due = false;
        await work();
      }
    } finally {
      working = false;
    }
  };
}

/**
 * Calls `work`, without overlap, when files below `folders` have changed and then stayed the same for a moment. `ignore` matches
 * paths relative to a folder. Returns a function that stops it.
 */
export function watchFolders(folders, work, { ignore = /^$/ } = {}) {
  const begin = oneAtATime(work);
  let timer;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, path) => {
      if (path !== null && ignore.test(path)) return;
      clearTimeout(timer);
      timer = setTimeout(() => void begin(), QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
