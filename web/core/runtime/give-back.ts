/**
 * Gives back the memory of an array that came in a message. It is detached; in Chromium the message would keep the memory until it is
 * collected as garbage, even after `ArrayBuffer.prototype.transfer`, but not that of an array that has been sent on. Nobody receives this one.
 */
export function giveBack({ buffer }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength === 0) return;
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [buffer]);
  port1.close();
}
