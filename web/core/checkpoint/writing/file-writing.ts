/**
 * Writes a trainer's file part by part, outside the core's memory, which then need not hold both the file and the trainer. A stream gets the
 * parts as they are made, so that no memory holds the whole file. A tokenizer is added to the metadata of safetensors, which the core writes
 * without it.
 */
import type { HeldTrainer } from '../../training/held-trainer.js';
import { allocateResult, Handle } from '../../runtime/runtime.js';
import { OWN_TOKENIZER_KEY, storedTokenizer } from '../../text/stored-tokenizer.js';
import type { FileBytes } from '../../types.js';
import { verb } from '../../runtime/verb.js';
import type { Work } from '../../runtime/work.js';
import { PART_BYTES, sent } from './written-file.js';

/** In the order of bind_files.cpp; `copy`: for a worker that only computes shards of the trainer's steps. */
const FILE_KINDS = ['trainer', 'safetensors', 'copy'] as const;

/** A verb that writes a file of the core, as a whole or to a stream; it outlives the handle. */
const writing = (kind: (typeof FILE_KINDS)[number]) =>
  verb({
    what: 'saving',
    optionsAt: 0,
    onlyInLab: 'options',
    modules: ['files'],
    streams: true,
    check: ({ to }: { to?: MessagePort } = {}) => to,
    *work({ runtime, handle: trainer, modules, attached }: HeldTrainer, to): Work<FileBytes> {
      trainer.check();
      modules.checkPart('files', runtime);
      const { address, size } = trainer.call(
        [],
        (module, at) => module.startFile(at, FILE_KINDS.indexOf(kind)),
        (answer, file) => ({ address: file, size: answer.read('number') }),
      );
      const handle = new Handle(runtime, 'file', address, (module, file) => module.deleteFile(file));
      const release = trainer.hold();
      // What is inserted into the header.
      let inserted = kind === 'safetensors' && attached ? metadataOf(attached.bytes) : new Uint8Array();
      try {
        yield 0;
        for (let written = 0; ;) {
          const end = to ? Math.min(size, written + PART_BYTES) : size;
          const gap = inserted.length - written;
          const file = allocateResult(() => new Uint8Array(gap + end));
          while (written < end) {
            written += handle.call(
              [],
              (module, at) => module.nextFilePart(at),
              (answer) => {
                const part = answer.view();
                file.set(part, gap + written);
                return part.length;
              },
            );
            if (written < size) yield written / size;
          }
          insert(file, inserted);
          inserted = new Uint8Array();
          if (!to) return file;
          yield* sent(to, file);
          if (written === size) return new Uint8Array();
        }
      } finally {
        to?.close();
        handle.dispose();
        release();
      }
    },
  });

export const save = writing('trainer');
export const toSafetensors = writing('safetensors');
export const toCopy = writing('copy');

const LENGTH_BYTES = 8;
const ALIGNMENT = 8;
const METADATA = '{"__metadata__":{';

/** The entry of the metadata, with spaces that keep the data aligned. */
function metadataOf(tokenizer: Uint8Array): Uint8Array {
  const entry = `"${OWN_TOKENIZER_KEY}":"${storedTokenizer(tokenizer)}",`;
  return new TextEncoder().encode(entry.padEnd(Math.ceil(entry.length / ALIGNMENT) * ALIGNMENT));
}

/** Moves the beginning of a file that was written after a gap, and fills the rest of the gap. */
function insert(file: Uint8Array, inserted: Uint8Array): void {
  if (inserted.length === 0) return;
  const gap = inserted.length;
  const before = LENGTH_BYTES + METADATA.length;
  file.copyWithin(0, gap, gap + before);
  file.set(inserted, before);
  const view = new DataView(file.buffer, file.byteOffset);
  view.setBigUint64(0, view.getBigUint64(0, true) + BigInt(gap), true);
}
