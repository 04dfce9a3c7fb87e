/** Yields to the event loop: messages are delivered, and a page can draw and handle input. */

type Immediate = (then: () => void) => unknown;
interface Scheduler {
  postTask(then: () => void): Promise<void>;
}

/** Waits for one turn of the event loop, without the 4 ms that browsers add to nested timers. */
export function pause(): Promise<void> {
  return new Promise(nextTurn);
}

/** For a long walk that awaits `pause` whenever this is true, once in so many steps. */
export function inSlices(atOnce: number): () => boolean {
  let steps = 0;
  return () => ++steps % atOnce === 0;
}

/** `Array.filter` for very many, with pauses. */
export async function keptInSlices<T>(all: Iterable<T>, keeps: (one: T) => boolean): Promise<T[]> {
  const kept: T[] = [];
  const isDue = inSlices(SLICE);
  for (const one of all) {
    if (isDue()) await pause();
    if (keeps(one)) kept.push(one);
  }
  return kept;
}

/** Tensors or names that are looked at without a pause. */
const SLICE = 4000;

const waiting: (() => void)[] = [];
let port: MessagePort | undefined;

function nextTurn(then: () => void): void {
  const { setImmediate, scheduler } = globalThis as { setImmediate?: Immediate; scheduler?: Scheduler };
  // Available in Node, where a message channel would keep the process alive.
  if (setImmediate) {
    setImmediate(then);
    return;
  }
  // Each starts a new task. Chromium delivers messages posted by a message listener within the same task, up to
  // hundreds of them, and drawing, input and cancels would wait for all.
  if (scheduler?.postTask) {
    void scheduler.postTask(then);
    return;
  }
  if (!port) {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
    port = channel.port2;
  }
  waiting.push(then);
  port.postMessage(null);
}
