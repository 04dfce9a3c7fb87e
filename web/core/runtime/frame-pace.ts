/** Chooses the number of steps per frame so that frames take about the same time; adapts after each frame. */

/** About 30 frames a second. */
const FRAME_MS = 33;
/** Bounds a frame's memory, however small the models. */
export const MAX_STEPS_PER_FRAME = 4096;

export class FramePace {
  /** Steps for the next frame. */
  steps = 1;

  /** Records a frame's duration. Frames without steps only measured and are ignored. */
  took(steps: number, milliseconds: number): void {
    if (steps === 0) return;
    const fitting = (steps * FRAME_MS) / Math.max(milliseconds, 0.1);
    this.steps = Math.max(1, Math.min(Math.floor(fitting), 4 * this.steps, MAX_STEPS_PER_FRAME));
  }
}
