/** From a compiled module to a running core. */
import createModule from '../wasm/core.mjs';
import { TiedCore } from './core.js';
import { TiedError } from './errors.js';
import { Runtime } from './runtime.js';
import { isSupported } from './support.js';
import type { Core } from './types.js';
import type { WasmModule } from './wasm-module.js';

/** Each call makes an instance of its own, with its own memory. */
export async function instantiateCore(compiled: WebAssembly.Module): Promise<Core> {
  let memory: WebAssembly.Memory | undefined;
  const module = await new Promise<WasmModule>((resolve, reject) => {
    createModule({
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
        WebAssembly.instantiate(compiled, imports)
          .then((instance) => {
            // Emscripten shortens the names of exports; there is one memory.
            memory = Object.values(instance.exports).find((item) => item instanceof WebAssembly.Memory);
            done(instance);
          })
          // A module that is not ours may lack what Emscripten looks for first thing.
          .catch(reject);
        return {};
      },
    }).then((made) => resolve(made as WasmModule), reject);
  }).catch((cause: unknown) => {
    if (cause instanceof RangeError) {
      throw new TiedError('out-of-memory', 'the core could not be started: this browser gives it no memory', { cause });
    }
    throw new TiedError('bad-file', 'the core could not be started; expected the core.wasm of this same version', {
      cause,
    });
  });
  if (!memory) throw new TiedError('bad-file', 'the core has no memory; expected the core.wasm of this same version');
  return new TiedCore(new Runtime(module, memory));
}

/** Throws where {@link isSupported} says no. */
export function checkSupported(): void {
  const { supported, reason } = isSupported();
  if (!supported) throw new TiedError('unsupported', reason ?? 'this browser cannot run the core');
}

/** Compiles off the main thread where the browser can; a failure says what was being read. */
export async function compile(bytes: BufferSource, what: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new TiedError('bad-file', `${what} is no WebAssembly module that this browser can compile`, { cause });
  }
}
