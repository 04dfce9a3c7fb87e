/** A partner that neither answers nor ends, such as one that its system has stopped. */
import { PATIENCE } from './patience.js';

/**
 * Calls `hung` when a partner has taken far longer than `ownMs`, the time of the trainer's own share. It counts its own ticks, not the time: on
 * a machine that is busy or asleep they are late, too. Returns how to end it.
 */
export function watch(ownMs: number, hung: () => void): () => void {
  let left = Math.ceil(Math.max(PATIENCE.hungMs, PATIENCE.hungShares * ownMs) / PATIENCE.tickMs);
  const timer = setInterval(() => {
    if (--left === 0) hung();
  }, PATIENCE.tickMs);
  return () => clearInterval(timer);
}
