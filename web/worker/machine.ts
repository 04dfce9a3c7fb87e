/** What the machine can do at once. */

interface NodeOs {
  availableParallelism?(): number;
}

/** A browser that does not tell its cores counts as one that has a single one. */
function cores(): number {
  const { navigator, process } = globalThis as {
    navigator?: { hardwareConcurrency?: number };
    process?: { getBuiltinModule?(name: string): NodeOs | undefined };
  };
  return navigator?.hardwareConcurrency ?? process?.getBuiltinModule?.('node:os')?.availableParallelism?.() ?? 1;
}

/** Gibibytes, where the browser tells them. */
function memory(): number {
  const { navigator } = globalThis as { navigator?: { deviceMemory?: number } };
  return navigator?.deviceMemory ?? Infinity;
}

/** More would mostly wait for memory. */
const MOST_WORKERS = 4;

/** How many workers may train at the same time: each takes a core, and a part of the memory. */
export function mostWorkers(): number {
  return Math.max(1, Math.floor(Math.min(cores(), memory(), MOST_WORKERS)));
}
