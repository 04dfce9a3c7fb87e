/** Opens a trainer's file: bytes at once, or a Blob of a lab, which is read in parts into the core's memory and never held as a whole beside it. */
import { isBlob } from '../runtime/blob.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { Trainer } from '../types.js';
import { checkBytes } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import { resolved, type Work } from '../runtime/work.js';
import type { TrainerFactory } from './create-trainer.js';

const PART_BYTES = 2 ** 21;
/** Tells which kind of file it is, and which module runs the model. */
const HEAD_BYTES = 65_536;

export const loadTrainer = verb({
  what: 'loading',
  optionsAt: 1,
  onlyInLab: 'options',
  modules: ['files'],
  check: (bytes: Uint8Array) => (isBlob(bytes) ? bytes : checkBytes('bytes', bytes)),
  checkInCore(bytes) {
    if (isBlob(bytes)) throw invalidArgument('bytes', bytes, "a Uint8Array; a lab's loadTrainer reads files");
  },
  *work({ trainers }: { trainers: TrainerFactory }, source): Work<Trainer> {
    yield 0;
    if (!isBlob(source)) return yield* opened(trainers, source, source);
    const head = yield* partOf(source, 0, HEAD_BYTES);
    if (head.length === source.size) return yield* opened(trainers, head, head);
    const room = trainers.roomFor(head, source.size);
    try {
      for (let at = 0; at < source.size; at += PART_BYTES) {
        yield at / source.size;
        room.write(at, yield* partOf(source, at, PART_BYTES));
      }
      return yield* opened(trainers, head, room);
    } finally {
      room.free();
    }
  },
});

/** Nothing but the result is left, so that work that is ended before somebody takes it holds no trainer. */
function* opened(trainers: TrainerFactory, ...file: Parameters<TrainerFactory['load']>): Work<Trainer> {
  yield 1;
  return trainers.load(...file);
}

function* partOf(blob: Blob, from: number, size: number): Generator<Promise<unknown>, Uint8Array, number> {
  try {
    return new Uint8Array(yield* resolved(blob.slice(from, from + size).arrayBuffer()));
  } catch (cause) {
    const found = `bytes is a file of ${blob.size} bytes that cannot be read`;
    throw new TiedError('bad-file', `${found}; expected a readable file`, { cause });
  }
}
