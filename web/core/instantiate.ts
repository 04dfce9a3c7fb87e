/** From a compiled module to a running one. */
// One glue serves all modules: they import and export the same few functions.
import createModule from '../wasm/core.mjs';
import { TiedError } from './errors.js';
import { Runtime } from './runtime.js';
import type { MemoryModule } from './wasm-module.js';

/** What Emscripten hands its promise of an instance. */
type Ready = (started: { instance: WebAssembly.Instance }) => void;

/** An instance of the module of `file`, with its own memory; `verb` is what it binds and no other module does. */
export async function instantiate<M extends MemoryModule>(
  file: string,
  verb: string,
  compiled: WebAssembly.Module,
): Promise<Runtime<M>> {
  let memory: WebAssembly.Memory | undefined;
  const module = await new Promise<M>((resolve, reject) => {
    createModule({
      instantiate(imports: WebAssembly.Imports) {
        const started = WebAssembly.instantiate(compiled, imports).then((instance) => {
          // Emscripten shortens the names of exports; there is one memory.
          memory = Object.values(instance.exports).find((item) => item instanceof WebAssembly.Memory);
          return { instance };
        });
        // A module that is not ours may lack what Emscripten looks for first thing.
        return { then: (ready: Ready) => void started.then(ready).catch(reject) };
      },
    }).then((made) => resolve(made as M), reject);
  }).catch((cause: unknown) => {
    if (cause instanceof RangeError) {
      throw new TiedError('out-of-memory', 'the core could not be started: this browser gives it no memory', { cause });
    }
    throw notOurs(file, cause);
  });
  // Any module starts in another's place, since all ask for the same things.
  if (!memory || !(verb in module) || !('relaxed' in module)) throw notOurs(file);
  return new Runtime(module, memory);
}

function notOurs(file: string, cause?: unknown): TiedError {
  return new TiedError('bad-file', `the core could not be started; expected the ${file} of this same version`, {
    cause,
  });
}
