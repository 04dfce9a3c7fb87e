/** Lets the event loop go on: messages are delivered, and on a page drawing and input get their turn. */

type Immediate = (then: () => void) => unknown;
interface Scheduler {
  postTask(then: () => void): Promise<void>;
}

/** Waits for one turn of the event loop, without the 4 ms that browsers add to nested timers. */
export function pause(): Promise<void> {
  return new Promise(nextTurn);
}

const waiting: (() => void)[] = [];
let port: MessagePort | undefined;

function nextTurn(then: () => void): void {
  const { setImmediate, scheduler } = globalThis as { setImmediate?: Immediate; scheduler?: Scheduler };
  // Node has this; a message channel would keep its process alive.
  if (setImmediate) {
    setImmediate(then);
    return;
  }
  // A task of its own. Chromium delivers a message that a message's listener posts within the same task, up to hundreds
  // of them: drawing, input and cancels would wait for all of them.
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
