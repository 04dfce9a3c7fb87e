// Runs phases in parallel, each as soon as the phases that it needs are finished.

/**
 * Runs `phases` ({ title, needs?: phases }) by `run(phase)`, at most `limit` at a time, earlier ones first. A phase is
 * finished whether it passed or failed; `run` does not reject. Needed phases are identified by title and ignored if
 * they are not in the list.
 *
 * Phases that wait leave cores idle: each time `room()` resolves, one more phase may run, up to `most`. `room` is called while a
 * phase is ready to start, and again after each start or end.
 *
 * @param {{ title: string, needs?: { title: string }[] }[]} phases
 * @param {{ limit: number, most?: number, run: (phase: any) => Promise<unknown>, room?: (signal: AbortSignal) => Promise<unknown> }} options
 */
export async function runSideBySide(phases, { limit, most = limit, run, room }) {
  const waiting = new Set(phases);
  const unfinished = new Set(phases.map(({ title }) => title));
  const running = new Set();
  const isReady = ({ needs = [] }) => !needs.some(({ title }) => unfinished.has(title));
  const nextReady = () => [...waiting].find(isReady);
  const begin = (phase) => {
    waiting.delete(phase);
    const work = run(phase).then(() => {
      running.delete(work);
      unfinished.delete(phase.title);
    });
    running.add(work);
  };
  while (unfinished.size > 0) {
    for (let phase = nextReady(); phase && running.size < limit; phase = nextReady()) begin(phase);
    if (running.size === 0)
      throw new Error(`These need each other: ${[...waiting].map(({ title }) => title).join(', ')}`);
    if (room === undefined || running.size >= most || nextReady() === undefined) {
      await Promise.race(running);
      continue;
    }
    const over = new AbortController();
    const found = room(over.signal).then(() => 'room');
    const first = await Promise.race([found, ...running]);
    over.abort();
    // A phase may also have ended meanwhile; then there is a free slot anyway.
    if (first === 'room' && running.size < most) begin(nextReady());
  }
}
