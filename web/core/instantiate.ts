/** From compiled modules to a running core. */
// One glue serves both modules: they import and export the same few functions.
import createModule from '../wasm/core.mjs';
import { simdOfModule, TiedCore } from './core.js';
import { TiedError } from './errors.js';
import { Runtime } from './runtime.js';
import { isSupported } from './support.js';
import type { Core, Simd } from './types.js';
import type { AnalysisModule, CoreModule, MemoryModule } from './wasm-module.js';

/** The two modules of a build; docs/decisions/0008-text-with-the-analysis.md says which holds what. */
export type ModuleName = 'core' | 'analysis';

/** The file of a module. */
export function fileOf(name: ModuleName, simd: Simd): string {
  return simd === 'relaxed' ? `${name}-relaxed.wasm` : `${name}.wasm`;
}

/** What a core is made of; can be sent to a worker. */
export interface CompiledCore extends Readonly<Record<ModuleName, WebAssembly.Module>> {
  /** The build that was asked for. */
  readonly simd: Simd;
}

/** Each call makes instances of its own, with their own memory. Throws where a module is not of the build that was asked for. */
export async function instantiateCore(compiled: CompiledCore): Promise<Core> {
  const { simd } = compiled;
  const [core, analysis] = await Promise.all([
    instantiate<CoreModule>(fileOf('core', simd), 'createTrainerFromTokens', compiled.core),
    instantiate<AnalysisModule>(fileOf('analysis', simd), 'directPath', compiled.analysis),
  ]);
  for (const [name, found] of [
    ['core', simdOfModule(core)],
    ['analysis', simdOfModule(analysis)],
  ] as const) {
    if (found === simd) continue;
    throw new TiedError('bad-file', `the ${name} module is of the build '${found}'; expected '${simd}' (options.simd)`);
  }
  return new TiedCore(core, analysis);
}

/** What Emscripten hands its promise of an instance. */
type Ready = (started: { instance: WebAssembly.Instance }) => void;

/** Of the module in `file`, which binds `verb`. */
async function instantiate<M extends MemoryModule>(
  file: string,
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
    throw notOurs(file, cause);
  });
  // Either module starts in the other's place, since both ask for the same things.
  if (!memory || !(verb in module) || !('relaxed' in module)) throw notOurs(file);
  return new Runtime(module, memory);
}

function notOurs(file: string, cause?: unknown): TiedError {
  return new TiedError('bad-file', `the core could not be started; expected the ${file} of this same version`, {
    cause,
  });
}

/** Throws where {@link isSupported} says no. */
export function checkSupported(simd: Simd): void {
  const { supported, reason } = isSupported({ simd });
  if (!supported) throw new TiedError('unsupported', reason ?? 'this browser cannot run the core');
}

/** Compiles off the main thread where the browser can; a failure says what was being read. */
export async function compile(bytes: ArrayBuffer | ArrayBufferView, what: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (cause) {
    throw notAModule(what, cause);
  }
}

export function notAModule(what: string, cause: unknown): TiedError {
  return new TiedError('bad-file', `${what} is no WebAssembly module that this browser can compile`, { cause });
}
