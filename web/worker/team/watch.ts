/** A partner that neither answers nor ends, such as one that its system has stopped. */
import { PATIENCE } from './patience.js';

/**
 * Calls `hung` when a partner has taken far longer than `ownMs`, the time of the trainer's own share, and `late` in every tick of the half
 * before that. It counts its own ticks, not the time: on a machine that is busy or asleep they are late, too. Returns how to end it.
 */
export function watch(ownMs: number, late: () => void, hung: () => void): () => void {
  const ticks = Math.ceil(Math.max(PATIENCE.hungMs, PATIENCE.hungShares * ownMs) / PATIENCE.tickMs);
  let left = ticks;
  const timer = setInterval(() => {
    if (--left === 0) hung();
    else if (left > 0 && 2 * left <= ticks) late();
  }, PATIENCE.tickMs);
  return () => clearInterval(timer);
}
