/** Tells calls that their signal was aborted, with one listener per signal: Node warns of a memory leak if a signal has more than ten. */
import { invalidArgument } from '../core/runtime/errors.js';

interface Listened {
  readonly waiting: Set<() => void>;
  readonly callAll: () => void;
}

const listened = new WeakMap<AbortSignal, Listened>();

/** Calls `cancel` when the signal is aborted, until the returned function is called. */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  let entry = listened.get(signal);
  if (!entry) {
    const waiting = new Set<() => void>();
    entry = { waiting, callAll: () => [...waiting].forEach((call) => call()) };
    listen(signal, 'addEventListener', entry.callAll);
    listened.set(signal, entry);
  }
  const { waiting, callAll } = entry;
  waiting.add(cancel);
  return () => {
    if (!waiting.delete(cancel) || waiting.size > 0) return;
    listened.delete(signal);
    listen(signal, 'removeEventListener', callAll);
  };
}

/** Calls the method of the language: a signal may have its own. */
function listen(signal: AbortSignal, how: 'addEventListener' | 'removeEventListener', listener: () => void): void {
  try {
    const { [how]: act }: Pick<EventTarget, 'addEventListener'> & Pick<EventTarget, 'removeEventListener'> =
      EventTarget.prototype;
    act.call(signal, 'abort', listener);
  } catch {
    throw invalidArgument('options.signal', signal, 'an AbortSignal');
  }
}
