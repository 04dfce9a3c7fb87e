/** The folder of stored runs in the site's private file system. */
export const runFolder = 'tied-embeddings-runs';

/** Removes all of them, if there are any. */
export async function forgetRuns(): Promise<void> {
  try {
    await (await navigator.storage.getDirectory()).removeEntry(runFolder, { recursive: true });
  } catch {
    // There are none, or this page may not store anything.
  }
}
