/** Lets the event loop go on: messages are delivered, and on a page drawing and input get their turn. */

type Immediate = (then: () => void) => unknown;

/** Waits for one turn of the event loop, without the 4 ms that browsers add to nested timers. */
export function pause(): Promise<void> {
  return new Promise(nextTurn);
}

const waiting: (() => void)[] = [];
let port: MessagePort | undefined;

function nextTurn(then: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: Immediate };
  // Node has this; a message channel would keep its process alive.
  if (setImmediate) {
    setImmediate(then);
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
