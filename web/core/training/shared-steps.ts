/** What workers that train one model together ask of the trainer or of the copy that each of them has. */
import { toCopy } from '../checkpoint/writing/file-writing.js';
import { TiedError } from '../runtime/errors.js';
import type { HeldTrainer } from './held-trainer.js';
import type { TrainingConfig } from '../model/types.js';
import type { Work } from '../runtime/work.js';

/** Passes on views, which last no longer. */
export type Pass = (pieces: readonly Uint8Array[]) => void;

/** Where weights of a message belong. */
export interface WeightsAt {
  /** Of each run of them, the first and the number. */
  readonly runs: Uint32Array;
  /** Whether the tables of a model whose tying changes are one. */
  readonly joined: boolean;
}

export interface SharedSteps {
  /** Parts of each batch. */
  readonly shards: number;
  /** Steps done. */
  readonly step: number;
  /** How often the parameters have changed. */
  readonly changes: number;
  /** Computes the gradient of these shards of the next step, and keeps it for the step. Returns the bytes of it that `gradient` passes on. */
  compute(first: number, end: number): number;
  gradient(first: number, end: number, pass: Pass): void;
  /** Keeps the gradient that another trainer with the same state computed. */
  give(first: number, end: number, gradient: Uint8Array): void;
  /** Passes on the weights that the last step has changed, or all of them. */
  weights(all: boolean, pass: (pieces: readonly Uint8Array[], at: WeightsAt) => void): void;
  /** Gives a copy the weights after so many steps. */
  follow(step: number, at: WeightsAt, weights: Uint8Array): void;
  /** The file of a copy, which computes the same gradients once it has the weights. */
  file(): Work<Uint8Array<ArrayBuffer>>;
  dispose(): void;
}

type Shared = HeldTrainer & { readonly step: number; readonly training: Readonly<TrainingConfig>; dispose(): void };

export const shardsOf = ({ shards = 1 }: Readonly<TrainingConfig>): number => shards;

const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** What `each` makes of runs of numbers, from their first byte on. */
const runsOf = <R>(runs: Uint32Array, each: (from: number, size: number) => R): R[] =>
  Array.from({ length: runs.length / 2 }, (_, i) => each(BYTES * runs[2 * i]!, BYTES * runs[2 * i + 1]!));

export function sharedSteps(trainer: Shared): SharedSteps {
  const { handle, runtime } = trainer;
  const computed = <R>(first: number, end: number, read: (pieces: readonly Uint8Array[]) => R): R =>
    handle.call(
      [],
      (module, at) => module.computeShards(at, first, end),
      (answer) => {
        const gradients = answer.read('number');
        const runs = runsOf(answer.ids(), (from, size) => answer.viewAt(gradients + from, size));
        return read([answer.view(), ...runs]);
      },
    );
  const weights = <R>(read: (all: Uint8Array, at: WeightsAt) => R): R =>
    handle.call(
      [],
      (module, at) => module.weights(at),
      (answer) => read(answer.view(), { joined: answer.read('flag'), runs: answer.ids() }),
    );
  return {
    shards: shardsOf(trainer.training),
    get step() {
      return trainer.step;
    },
    get changes() {
      return trainer.changes;
    },
    compute: (first, end) => computed(first, end, (pieces) => pieces.reduce((sum, { length }) => sum + length, 0)),
    gradient: computed,
    give(first, end, gradient) {
      // Copied once, to where it is kept.
      const place = handle.get((module, at) => module.shardRoom(at, gradient.length));
      if (place === 0)
        throw new TiedError('out-of-memory', `a gradient of ${gradient.length} bytes does not fit in memory`);
      runtime.write(place, gradient);
      handle.call(
        [],
        (module, at) => module.giveShards(at, first, end, place, gradient.length),
        () => undefined,
      );
    },
    weights: (all, pass) =>
      weights((values, { runs: changed, joined }) => {
        const runs = all ? Uint32Array.of(0, values.length / BYTES) : changed;
        pass(
          runsOf(runs, (from, size) => values.subarray(from, from + size)),
          { runs, joined },
        );
      }),
    follow(step, { runs, joined }, bytes) {
      trainer.change();
      const place = weights(({ byteOffset }) => byteOffset);
      let read = 0;
      runsOf(runs, (from, size) => runtime.write(place + from, bytes.subarray(read, (read += size))));
      handle.call(
        [],
        (module, at) => module.follow(at, step, joined),
        () => undefined,
      );
    },
    file: () => toCopy.work(trainer, undefined, false),
    dispose: () => trainer.dispose(),
  };
}
