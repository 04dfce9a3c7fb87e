/** Instantiates compiled modules. */
// One glue script serves all modules, which import and export the same few functions.
import createModule from '../../wasm/core.mjs';
import { TiedError } from './errors.js';
import { Runtime } from './runtime.js';
import type { MemoryModule } from './wasm-module.js';

/** Callback with which Emscripten receives the instance. */
type Ready = (started: { instance: WebAssembly.Instance }) => void;

/** An instance of the module of `file`, with its own memory; `verb` is a function that only this module binds. */
export async function instantiate<M extends MemoryModule>(
  file: string,
  verb: string,
  compiled: WebAssembly.Module,
): Promise<Runtime<M>> {
  let exports: WebAssembly.Exports = {};
  let memory: WebAssembly.Memory | undefined;
  const module = await new Promise<M>((resolve, reject) => {
    createModule({
      instantiate(imports: WebAssembly.Imports) {
        const started = WebAssembly.instantiate(compiled, imports).then((instance) => {
          // Emscripten shortens the names of exports; there is only one memory.
          exports = instance.exports;
          memory = Object.values(exports).find((item) => item instanceof WebAssembly.Memory);
          return { instance };
        });
        // A foreign module may lack what Emscripten's start-up needs.
        return { then: (ready: Ready) => void started.then(ready).catch(reject) };
      },
    }).then((made) => resolve(made as M), reject);
  }).catch((cause: unknown) => {
    if (cause instanceof RangeError) {
      throw new TiedError(
        'out-of-memory',
        'the core could not be started: the browser did not allocate memory for it',
        {
          cause,
        },
      );
    }
    throw notOurs(file, cause);
  });
  // Any of our modules can be instantiated in place of another, as all have the same imports.
  if (!memory || !(verb in module) || !('relaxed' in module)) throw notOurs(file);
  return new Runtime(module, memory, (part, added) => addPart(part, added, compiled, exports));
}

/** What a part imports from, as wasm-split names it. */
const WHOLE = 'primary';
/** The section with the mark of a build, see tools/build/split-module.mjs. */
const MARK = 'build';

const markOf = (compiled: WebAssembly.Module): string =>
  WebAssembly.Module.customSections(compiled, MARK)
    .map((mark) => String(new Uint8Array(mark)))
    .join();

/** Adds functions to an instance: the part's go into its table. A part of another build would call others by mistake. */
async function addPart(
  file: string,
  part: WebAssembly.Module,
  whole: WebAssembly.Module,
  exports: WebAssembly.Exports,
): Promise<void> {
  const mark = markOf(part);
  if (mark === '' || mark !== markOf(whole)) throw notOurs(file);
  await WebAssembly.instantiate(part, { [WHOLE]: exports });
}

/** The error of a file of another version, or of no version. */
export function notOurs(file: string, cause?: unknown): TiedError {
  return new TiedError('bad-file', `the core could not be started; expected the ${file} of this same version`, {
    cause,
  });
}
