// Work that is done again when files change.
import { watch } from 'node:fs';

/** An editor writes a file in several steps, and git many files. */
const QUIET_MS = 100;

/** `work` as a function that is never under way twice: calls in the meantime are followed by one more. */
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
 * Calls `work` after files below `folders` changed, once they have been quiet for a moment, and never twice at a time.
 * `ignore` matches paths relative to a folder. Returns a function that ends it.
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
