/** Writes a trainer's file part by part, outside the core's memory, which then need not hold both the file and the trainer. */
import { PartJob } from './pace.js';
import { allocateResult, Handle, type Runtime } from './runtime.js';
import type { FileBytes } from './types.js';
import type { CoreModule } from './wasm-module.js';

const MAX_PARTS = 2 ** 6;

export class FileWriting extends PartJob<FileBytes> {
  readonly #handle: Handle<CoreModule>;
  readonly #release: () => void;
  readonly #size: number;
  #file: FileBytes | null = null;
  #written = 0;

  constructor(runtime: Runtime<CoreModule>, trainer: Handle<CoreModule>, safetensors: boolean) {
    super('saving', MAX_PARTS);
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
    const file = (this.#file ??= allocateResult(() => new Uint8Array(this.#size)));
    for (let i = 0; i < parts && !this.finished; i++) {
      this.#handle.call(
        [],
        (module, writing) => module.nextFilePart(writing),
        (answer) => {
          const part = answer.view(0);
          file.set(part, this.#written);
          this.#written += part.length;
        },
      );
      this.finished = this.#written === this.#size;
    }
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
