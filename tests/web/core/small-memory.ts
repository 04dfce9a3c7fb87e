/** A core whose modules may grow to only a few megabytes, so they soon run out of memory. */
import { TiedCore } from '../../../web/core/core.js';
import { MODULE_NAMES, wholeOf } from '../../../web/core/runtime/modules.js';
import { RunningModules } from '../../../web/core/runtime/running-modules.js';
import type { Core } from '../../../web/index.js';
import { wasmFile } from './bound-verbs.js';

const PAGE_BYTES = 65536;
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

export async function coreOfAtMost(megabytes: number): Promise<Core> {
  const compiled = MODULE_NAMES.map(async (name) => {
    const file = wasmFile(`${name}.wasm`);
    // A part has the memory of its module.
    const module = await WebAssembly.compile(wholeOf(name) ? new Uint8Array(file) : limited(file, megabytes));
    return [name, module] as const;
  });
  const modules = Object.fromEntries(await Promise.all(compiled));
  return new TiedCore(await RunningModules.start({ simd: 'simd128', modules }));
}

/** The module with another memory maximum, encoded in the same number of bytes. */
function limited(module: Uint8Array, megabytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(module);
  const reader = new Reader(bytes, HEADER_BYTES);
  for (;;) {
    const section = reader.number();
    const size = reader.number();
    if (section !== MEMORY_SECTION) {
      reader.position += size;
      continue;
    }
    const [memories, limits] = [reader.number(), reader.number()];
    if (memories !== 1 || limits !== 1) throw new Error('expected one memory with a maximum');
    reader.number(); // initial size
    const maximumAt = reader.position;
    reader.number();
    let rest = (megabytes * 2 ** 20) / PAGE_BYTES;
    for (let at = maximumAt; at < reader.position; at++, rest >>= 7) {
      bytes[at] = (rest & 0x7f) | (at + 1 < reader.position ? 0x80 : 0);
    }
    return bytes;
  }
}

/** Reads unsigned integers of variable length. */
class Reader {
  position: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  number(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.position++];
      if (byte === undefined) throw new Error('the module has no memory of its own');
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }
}
