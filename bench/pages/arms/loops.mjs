// Register loops in workers: how much faster all of them at once are than one after the other is the bound for any work on the machine.

const answerOf = (worker) =>
  new Promise((resolve) => {
    worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
  });

async function openLoop() {
  const worker = new globalThis.Worker('/arms/loop-worker.mjs', { type: 'module' });
  await answerOf(worker);
  return (turns) => {
    const answer = answerOf(worker);
    worker.postMessage(turns);
    return answer;
  };
}

export const openLoops = (count) => Promise.all(Array.from({ length: count }, openLoop));

/** The milliseconds that an act takes. */
export async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** The speed of all loops at once relative to one after the other. */
export async function speedOfAllLoops(loops, turns) {
  let apart = 0;
  for (const loop of loops) apart += await loop(turns);
  return apart / (await timed(() => Promise.all(loops.map((loop) => loop(turns)))));
}
