/** How many workers this machine can run. */

interface NodeOs {
  availableParallelism?(): number;
}

/** Assumes one core if the browser does not report the number. */
export function cores(): number {
  const { navigator, process } = globalThis as {
    navigator?: { hardwareConcurrency?: number };
    process?: { getBuiltinModule?(name: string): NodeOs | undefined };
  };
  return navigator?.hardwareConcurrency ?? process?.getBuiltinModule?.('node:os')?.availableParallelism?.() ?? 1;
}

/** Gibibytes of memory, if the browser reports it. */
function memory(): number {
  const { navigator } = globalThis as { navigator?: { deviceMemory?: number } };
  return navigator?.deviceMemory ?? Infinity;
}

/** More workers would mostly wait for memory. */
const MAX_WORKERS = 4;

/** How many workers may train models at the same time: each needs a core and its share of memory. */
export const maxWorkers = (most = MAX_WORKERS): number => Math.max(1, Math.floor(Math.min(cores(), memory(), most)));

/** The most workers that train one model. */
export const MAX_THREADS = 8;
