import type { Draw } from '../draw.js';

const controller = (aborted: boolean): AbortSignal => (aborted ? AbortSignal.abort() : new AbortController().signal);
export const signal = (draw: Draw): AbortSignal => controller(draw.odds(0.2));
const listener = (): void => undefined;

/** Options whose listener, called `name`, may cancel its call. */
export function listening(draw: Draw, name: string): object {
  if (draw.odds(0.8)) return draw.some({ [name]: () => listener, signal: () => signal(draw) }, 0.5);
  const cancel = new AbortController();
  let calls = draw.whole(1, 3);
  return { [name]: () => (--calls === 0 ? cancel.abort() : undefined), signal: cancel.signal };
}
