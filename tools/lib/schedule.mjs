// Runs phases in parallel, each as soon as those that it needs are finished.

/**
 * Runs `phases` ({ title, needs?: phases }) by `run(phase)`, at most `limit` at a time, earlier ones first. A phase is
 * finished whether it passed or failed; `run` does not reject. Needed phases are identified by title and ignored if
 * they are not in the list.
 */
export async function runSideBySide(phases, { limit, run }) {
  const waiting = new Set(phases);
  const unfinished = new Set(phases.map(({ title }) => title));
  const running = new Set();
  const isReady = ({ needs = [] }) => !needs.some(({ title }) => unfinished.has(title));
  while (unfinished.size > 0) {
    for (const phase of waiting) {
      if (running.size >= limit) break;
      if (!isReady(phase)) continue;
      waiting.delete(phase);
      const work = run(phase).then(() => {
        running.delete(work);
        unfinished.delete(phase.title);
      });
      running.add(work);
    }
    if (running.size === 0)
      throw new Error(`These need each other: ${[...waiting].map(({ title }) => title).join(', ')}`);
    await Promise.race(running);
  }
}
