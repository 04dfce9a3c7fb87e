/** Whether several workers are worth it for a trainer, by the time that its steps take. Only speed depends on it: the bits do not. */
import { PATIENCE } from './patience.js';

export class Pace {
  #began = 0;
  /** Calls that engines may still be translating. */
  #unmeasured: number = PATIENCE.warmUp;
  /** Milliseconds and steps without partners; older ones count less. */
  #alone = { time: 0, steps: 0 };
  #together = { time: 0, steps: 0 };
  #waits: number = PATIENCE.pauseMs;
  #notBefore = 0;

  /** A step begins, or several. */
  begin(): void {
    this.#began = performance.now();
  }

  /** After steps without partners: whether to ask for some. */
  asks(steps: number): boolean {
    if (this.#unmeasured > 0) {
      this.#unmeasured--;
      return false;
    }
    const now = performance.now();
    const alone = this.#alone;
    alone.time += now - this.#began;
    alone.steps += steps;
    if (alone.time < PATIENCE.aloneMs || now < this.#notBefore) return false;
    const asks = alone.time >= PATIENCE.stepMs * alone.steps;
    if (asks) this.#notBefore = now + this.#waits;
    else this.#alone = { time: alone.time / 2, steps: alone.steps / 2 };
    return asks;
  }

  /** After a step with partners: whether to go on without them, because the steps do not take less time. */
  ends(): boolean {
    const together = this.#together;
    if (++together.steps > 0) together.time += performance.now() - this.#began;
    const { time, steps } = together;
    if (steps < PATIENCE.trial) return false;
    this.#together = { time: 0, steps: 0 };
    if (this.#alone.steps === 0 || time / steps < this.#alone.time / this.#alone.steps) return false;
    this.#alone = { time: 0, steps: 0 };
    this.refused();
    return true;
  }

  /** The next step is not counted: partners are given the state again. */
  restart(): void {
    this.#together = { time: 0, steps: -1 };
  }

  /** Waits longer before it asks again. */
  refused(): void {
    this.#waits *= PATIENCE.growth;
    this.#notBefore = performance.now() + this.#waits;
  }
}
