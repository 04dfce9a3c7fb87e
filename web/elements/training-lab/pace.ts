import { formatWhole } from '../../charts/index.js';
import type { TrainingLabStrings } from './training-lab.strings.js';

export const stepsPerSecond = { slow: 4, medium: 40, fast: Number.POSITIVE_INFINITY } as const;
export type Speed = keyof typeof stepsPerSecond;
export const speeds = Object.keys(stepsPerSecond) as readonly Speed[];

/** The approximate time in milliseconds for the steps of a frame when the speed is limited. */
const frameMs = 40;

/** Limits a run to the speed that the reader chose, and estimates its remaining time. */
export class Tempo {
  readonly #stepsPerSecond: number;
  #nextAt: number;

  constructor(stepsPerSecond: number, now: number) {
    this.#stepsPerSecond = stepsPerSecond;
    this.#nextAt = now;
  }

  /** Steps of the next frame; undefined if there is no limit. */
  get steps(): number | undefined {
    const wanted = (this.#stepsPerSecond * frameMs) / 1000;
    return Number.isFinite(wanted) ? Math.max(1, Math.round(wanted)) : undefined;
  }

  /** How long to wait after `steps` steps. Later frames do not catch up on a delay. */
  waitAfter(steps: number, now: number): number {
    if (!Number.isFinite(this.#stepsPerSecond)) return 0;
    this.#nextAt = Math.max(this.#nextAt + (steps * 1000) / this.#stepsPerSecond, now - frameMs);
    return Math.max(0, this.#nextAt - now);
  }
}

/** The weight of the newest frame in the average. */
const newest = 1 / 8;

/** The average wall-clock time per step, including everything between steps. */
export class StepTime {
  #msPerStep: number | null = null;

  add(steps: number, milliseconds: number): void {
    const measured = milliseconds / steps;
    const before = this.#msPerStep ?? measured;
    this.#msPerStep = before + newest * (measured - before);
  }

  /** The time for `steps` more steps; null if there is no end or no measurement yet. */
  secondsOf(steps: number): number | null {
    return this.#msPerStep === null || !Number.isFinite(steps) ? null : (steps * this.#msPerStep) / 1000;
  }
}

/** Rounded so it does not flicker: to tens of seconds if there are many, to minutes from two minutes on. */
export function timeLeft(texts: TrainingLabStrings, seconds: number): string {
  if (seconds >= 120) return texts.minutesLeft(formatWhole(Math.round(seconds / 60)));
  const step = seconds > 20 ? 10 : seconds > 5 ? 5 : 1;
  return texts.secondsLeft(formatWhole(Math.max(1, Math.ceil(seconds / step) * step)));
}
