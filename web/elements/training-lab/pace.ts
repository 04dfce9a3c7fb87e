import { formatWhole } from '../../charts/index.js';
import type { TrainingLabStrings } from './training-lab.strings.js';

export type Speed = 'slow' | 'medium' | 'fast';

export const speeds: readonly Speed[] = ['slow', 'medium', 'fast'];

export const stepsPerSecond: Readonly<Record<Speed, number>> = {
  slow: 4,
  medium: 40,
  fast: Number.POSITIVE_INFINITY,
};

/** Steps of a frame at a limited speed last about this long. */
const frameMs = 40;

/** Keeps a run from going faster than the reader asked, and knows how long it still takes. */
export class Tempo {
  readonly #stepsPerSecond: number;
  #nextAt: number;

  constructor(stepsPerSecond: number, now: number) {
    this.#stepsPerSecond = stepsPerSecond;
    this.#nextAt = now;
  }

  /** Of the next frame; undefined where there is no limit. */
  get steps(): number | undefined {
    const wanted = (this.#stepsPerSecond * frameMs) / 1000;
    return Number.isFinite(wanted) ? Math.max(1, Math.round(wanted)) : undefined;
  }

  /** How long to wait after `steps` steps. A frame's delay is not made up for. */
  waitAfter(steps: number, now: number): number {
    if (!Number.isFinite(this.#stepsPerSecond)) return 0;
    this.#nextAt = Math.max(this.#nextAt + (steps * 1000) / this.#stepsPerSecond, now - frameMs);
    return Math.max(0, this.#nextAt - now);
  }
}

/** Weight of the newest frame in the average. */
const newest = 1 / 8;

/** How long steps take on the reader's clock, with everything between them. */
export class StepTime {
  #msPerStep: number | null = null;

  add(steps: number, milliseconds: number): void {
    const measured = milliseconds / steps;
    const before = this.#msPerStep ?? measured;
    this.#msPerStep = before + newest * (measured - before);
  }

  /** Of `steps` steps more; null where there is no end or nothing was measured. */
  secondsOf(steps: number): number | null {
    return this.#msPerStep === null || !Number.isFinite(steps) ? null : (steps * this.#msPerStep) / 1000;
  }
}

/** Rounded so that it does not flicker: whole tens of seconds where there are many, minutes beyond two of them. */
export function timeLeft(texts: TrainingLabStrings, seconds: number): string {
  if (seconds >= 120) return texts.minutesLeft(formatWhole(Math.round(seconds / 60)));
  const step = seconds > 20 ? 10 : seconds > 5 ? 5 : 1;
  return texts.secondsLeft(formatWhole(Math.max(1, Math.ceil(seconds / step) * step)));
}
