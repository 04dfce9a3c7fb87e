/** How many steps make a frame: as many as take about so long, learned as it goes. */

/** About 30 frames a second. */
const FRAME_MS = 33;
/** So that a frame never holds much, however small the models are. */
export const MOST_STEPS_A_FRAME = 4096;

export class FramePace {
  /** Of the next frame. */
  steps = 1;

  /** What a frame took. Steps that only measured say nothing. */
  took(steps: number, milliseconds: number): void {
    if (steps === 0) return;
    const fitting = (steps * FRAME_MS) / Math.max(milliseconds, 0.1);
    this.steps = Math.max(1, Math.min(Math.floor(fitting), 4 * this.steps, MOST_STEPS_A_FRAME));
  }
}
