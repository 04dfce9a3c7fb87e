/** Moves a trainer to another step, in parts: restores a snapshot and repeats the steps from there. */
import type { HeldTrainer } from './held-trainer.js';
import type { RewindOptions } from '../types.js';
import { checkInteger, checkOptions, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';

/** Steps per call into the core: bounds the time between two reports. */
const MAX_STEPS_PER_CALL = 4096;

export const rewind = verb({
  what: 'rewind',
  optionsAt: 1,
  changes: true,
  check(step: unknown = 0, options: RewindOptions = {}) {
    const target = checkInteger('step', step, 0, Number.MAX_SAFE_INTEGER);
    checkOptions('options', options, LISTENING);
    return target;
  },
  work: (trainer: HeldTrainer, target) => goTo(trainer, target),
});

/** Takes a trainer to a step. */
export function* goTo(trainer: HeldTrainer, target: number): Work<void> {
  trainer.handle.check();
  yield* replay(target, (most) => {
    trainer.change();
    trainer.handle.call(
      [],
      (module, at) => module.rewind(at, target, most),
      () => undefined,
    );
    return trainer.handle.get((module, at) => module.stepsDone(at));
  });
}

/** `advance` goes toward the target by at most so many steps, and returns the step it reached; by 0, it restores a snapshot. */
export function* replay(target: number, advance: (most: number) => number): Work<void> {
  let parts = yield { done: 0, where: ' before it began' };
  const first = advance(0);
  for (let step = first; step !== target;) {
    step = advance(Math.min(parts, MAX_STEPS_PER_CALL));
    if (step === target) return;
    parts = yield { done: (step - first) / (target - first), where: ` at step ${step} on the way to ${target}` };
  }
}
