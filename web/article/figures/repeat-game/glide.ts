import type { Arrows } from './chain.js';

const glideMs = 900;

interface Pose {
  readonly arrows: Arrows;
  readonly turn: number;
}

/** Slow at both ends. */
const eased = (way: number): number => way * way * (3 - 2 * way);
const hundredths = (value: number): number => Math.round(value * 100) / 100;

function between(from: Pose, to: Pose, way: number): Pose {
  if (way >= 1) return to;
  const mixed = (one: number, other: number): number => hundredths(one + eased(way) * (other - one));
  return {
    arrows: to.arrows.map(([x, y], at) => [mixed(from.arrows[at]![0], x), mixed(from.arrows[at]![1], y)] as const),
    turn: mixed(from.turn, to.turn),
  };
}

/** Moves arrows and map to where they are to be, at once for readers who prefer that. */
export function glide(from: Pose, to: Pose, show: (pose: Pose) => void): AbortController {
  const ended = new AbortController();
  if (document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    show(to);
    return ended;
  }
  const began = performance.now();
  const step = (now: number): void => {
    if (ended.signal.aborted) return;
    const way = (now - began) / glideMs;
    show(between(from, to, Math.max(0, way)));
    if (way < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return ended;
}
