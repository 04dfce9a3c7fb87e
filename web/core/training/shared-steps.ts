/** What workers that train one model together ask of the trainer that each of them has. */
import { save } from '../checkpoint/writing/file-writing.js';
import { TiedError } from '../runtime/errors.js';
import type { HeldTrainer } from './held-trainer.js';
import type { TrainingConfig } from '../model/types.js';
import type { Work } from '../runtime/work.js';

export interface SharedSteps {
  /** Parts of each batch. */
  readonly shards: number;
  /** Steps done. */
  readonly step: number;
  /** How often the parameters have changed. */
  readonly changes: number;
  /** Computes the gradient of these shards of the next step, and keeps it for the step. It is passed on as a view, which lasts no longer. */
  compute(first: number, end: number, pass: (gradient: Uint8Array) => void): void;
  /** Keeps the gradient that another trainer with the same state computed. */
  give(first: number, end: number, gradient: Uint8Array): void;
  /** Does the next step; computes what is missing of its gradient. */
  advance(): void;
  /** The file of the trainer, from which another gets the same state. */
  file(): Work<Uint8Array<ArrayBuffer>>;
  dispose(): void;
}

type Shared = HeldTrainer & { readonly step: number; readonly training: Readonly<TrainingConfig>; dispose(): void };

export const shardsOf = ({ shards = 1 }: Readonly<TrainingConfig>): number => shards;

export const sharedSteps = (trainer: Shared): SharedSteps => ({
  shards: shardsOf(trainer.training),
  get step() {
    return trainer.step;
  },
  get changes() {
    return trainer.changes;
  },
  compute: (first, end, pass) =>
    trainer.handle.call(
      [],
      (module, at) => module.computeShards(at, first, end),
      (answer) => pass(answer.view()),
    ),
  give(first, end, gradient) {
    // Copied once, to where it is kept.
    const place = trainer.handle.get((module, at) => module.shardRoom(at, gradient.length));
    if (place === 0)
      throw new TiedError('out-of-memory', `a gradient of ${gradient.length} bytes does not fit in memory`);
    trainer.runtime.write(place, gradient);
    trainer.handle.call(
      [],
      (module, at) => module.giveShards(at, first, end, place, gradient.length),
      () => undefined,
    );
  },
  advance() {
    trainer.change();
    trainer.handle.call(
      [],
      (module, at) => module.run(at, 1, NEVER, false),
      () => undefined,
    );
  },
  file: () => save.work(trainer, null, false),
  dispose: () => trainer.dispose(),
});

/** Records no step that anybody will do. */
const NEVER = 2 ** 31;
