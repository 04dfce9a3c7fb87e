/** From compiled modules to a running core. */
// One glue serves both modules: they import and export the same few functions.
import createModule from '../wasm/core.mjs';
import { TiedCore } from './core.js';
import { TiedError } from './errors.js';
import { Runtime } from './runtime.js';
import { isSupported } from './support.js';
import type { Core } from './types.js';
import type { AnalysisModule, CoreModule, MemoryModule } from './wasm-module.js';

/** What a core is made of; can be sent to a worker. */
export interface CompiledCore {
  core: WebAssembly.Module;
  analysis: WebAssembly.Module;
}

/** Each call makes instances of its own, with their own memory. */
export async function instantiateCore(compiled: CompiledCore): Promise<Core> {
  const [core, analysis] = await Promise.all([
    instantiate<CoreModule>('core', 'createTrainerFromTokens', compiled.core),
    instantiate<AnalysisModule>('analysis', 'directPath', compiled.analysis),
  ]);
  return new TiedCore(core, analysis);
}

/** What Emscripten hands its promise of an instance. */
type Ready = (started: { instance: WebAssembly.Instance }) => void;

/** Of the module called `name`, which binds `verb`. */
async function instantiate<M extends MemoryModule>(
  name: keyof CompiledCore,
  verb: keyof M,
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
    throw notOurs(name, cause);
  });
  // Either module starts in the other's place, since both ask for the same things.
  if (!memory || !(verb in module)) throw notOurs(name);
  return new Runtime(module, memory);
}

function notOurs(name: string, cause?: unknown): TiedError {
  return new TiedError('bad-file', `the core could not be started; expected the ${name}.wasm of this same version`, {
    cause,
  });
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
