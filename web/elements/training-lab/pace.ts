/** How often a run stops to be looked at. */
export interface Pace {
  /** Length of a chunk of steps. */
  readonly chunkMs: number;
  readonly longestChunk: number;
  /** Time between two looks at what the models think while they run. */
  readonly lookEveryMs: number;
  /** What a step takes, before any was done. */
  readonly firstGuessMs: number;
}

/** Of what is measured, so much is forgotten a chunk. */
const forgets = 1 / 3;
const forgetsOnWall = 1 / 8;

/** How long steps take: learned from chunk to chunk. */
export class StepTimes {
  readonly #pace: Pace;
  #msPerStep: number;
  /** As the reader's clock sees it, looks included; null before the first. */
  #wallMsPerStep: number | null = null;

  constructor(pace: Pace) {
    this.#pace = pace;
    this.#msPerStep = pace.firstGuessMs;
  }

  /** `steps` steps took so long, and so long with all that was done between them and the next. */
  add(steps: number, milliseconds: number, wallMilliseconds: number): void {
    this.#msPerStep += forgets * (milliseconds / steps - this.#msPerStep);
    const wall = wallMilliseconds / steps;
    const before = this.#wallMsPerStep ?? wall;
    this.#wallMsPerStep = before + forgetsOnWall * (wall - before);
  }

  /** Steps of the next chunk, at a speed that may be infinite. */
  chunk(stepsPerSecond: number): number {
    const { chunkMs, longestChunk } = this.#pace;
    const wanted = Number.isFinite(stepsPerSecond) ? (stepsPerSecond * chunkMs) / 1000 : Number.POSITIVE_INFINITY;
    const affordable = chunkMs / Math.max(this.#msPerStep, 0.001);
    return Math.max(1, Math.min(Math.round(wanted), Math.floor(affordable), longestChunk));
  }

  /** Of `steps` steps more; null where there is no end or nothing was measured. */
  secondsOf(steps: number): number | null {
    if (this.#wallMsPerStep === null || !Number.isFinite(steps)) return null;
    return (steps * this.#wallMsPerStep) / 1000;
  }
}

/** Keeps a run from going faster than the reader asked. */
export class SpeedLimit {
  readonly #stepsPerSecond: number;
  readonly #mostLateMs: number;
  #nextAt: number;

  /** What is later than `mostLateMs` is not made up for. */
  constructor(stepsPerSecond: number, mostLateMs: number, now: number) {
    this.#stepsPerSecond = stepsPerSecond;
    this.#mostLateMs = mostLateMs;
    this.#nextAt = now;
  }

  /** How long to wait after `steps` steps; 0 where there is nothing to wait for. */
  waitAfter(steps: number, now: number): number {
    if (!Number.isFinite(this.#stepsPerSecond)) return 0;
    this.#nextAt = Math.max(this.#nextAt + (steps * 1000) / this.#stepsPerSecond, now - this.#mostLateMs);
    return Math.max(0, this.#nextAt - now);
  }
}
