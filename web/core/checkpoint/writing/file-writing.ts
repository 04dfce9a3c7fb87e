/**
 * Writes a trainer's file part by part, outside the core's memory, which then need not hold both the file and the trainer. A tokenizer is
 * added to the metadata of safetensors, which the core writes without it.
 */
import { PartJob } from '../../runtime/pace.js';
import { allocateResult, Handle, type Runtime } from '../../runtime/runtime.js';
import { OWN_TOKENIZER_KEY, storedTokenizer } from '../../text/stored-tokenizer.js';
import type { FileBytes } from '../../types.js';
import type { CoreModule } from '../../runtime/wasm-module.js';

const MAX_PARTS = 2 ** 6;

export class FileWriting extends PartJob<FileBytes> {
  readonly #handle: Handle<CoreModule>;
  readonly #release: () => void;
  readonly #size: number;
  /** What is inserted into the header. */
  readonly #inserted: Uint8Array;
  #file: FileBytes | null = null;
  #written = 0;

  /** `tokenizer`: a tokenizer's own file, for safetensors only. */
  constructor(
    runtime: Runtime<CoreModule>,
    trainer: Handle<CoreModule>,
    safetensors: boolean,
    tokenizer: Uint8Array | null = null,
  ) {
    super('saving', MAX_PARTS);
    this.#inserted = tokenizer === null ? new Uint8Array() : metadataOf(tokenizer);
    const { address, size } = trainer.call(
      [],
      (module, at) => module.startFile(at, safetensors),
      (answer, file) => ({ address: file, size: answer.numbers(0)[0]! }),
    );
    this.#handle = new Handle(runtime, 'file', address, (module, file) => module.deleteFile(file));
    this.#release = trainer.hold();
    this.#size = size;
  }

  protected take(parts: number): void {
    const file = (this.#file ??= allocateResult(() => new Uint8Array(this.#inserted.length + this.#size)));
    for (let i = 0; i < parts && !this.finished; i++) {
      this.#handle.call(
        [],
        (module, writing) => module.nextFilePart(writing),
        (answer) => {
          const part = answer.view(0);
          file.set(part, this.#inserted.length + this.#written);
          this.#written += part.length;
        },
      );
      this.finished = this.#written === this.#size;
    }
    if (this.finished) insert(file, this.#inserted);
    this.fraction = this.#written / this.#size;
  }

  result(): FileBytes {
    return this.#file!;
  }

  end(): void {
    this.#handle.dispose();
    this.#release();
  }
}

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
