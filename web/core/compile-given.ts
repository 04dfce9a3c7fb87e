/** The wasm from where the user says it is. */
import { isArrayBuffer } from './arrays.js';
import { invalidArgument, shortened, TiedError } from './errors.js';
import { checkSupported, compile, fileOf, notAModule, type CompiledCore, type ModuleName } from './instantiate.js';
import { simdOf } from './load-options.js';
import type { LoadOptions, Simd } from './types.js';
import { checkUrl } from './validate.js';

/** Where a module comes from when the options do not say. */
export type FindModule = (name: ModuleName, simd: Simd) => Promise<WebAssembly.Module>;

/** Both modules: each as the options say, else as `otherwise` finds it. */
export async function compileGiven(options: LoadOptions, otherwise: FindModule): Promise<CompiledCore> {
  const { wasmBytes, analysisBytes } = options;
  const simd = simdOf(options);
  checkSupported(simd);
  // All checks come first: what throws here would leave a promise begun before it with nobody to wait for it.
  const wasmUrl = checkGiven('wasm', wasmBytes, options.wasmUrl);
  const analysisUrl = checkGiven('analysis', analysisBytes, options.analysisUrl);
  const corePlace = wasmUrl === undefined ? undefined : absolute(wasmUrl, 'wasmUrl');
  const analysisPlace = analysisUrl === undefined ? neighbour(corePlace, simd) : absolute(analysisUrl, 'analysisUrl');
  const [core, analysis] = await Promise.all([
    given('core', simd, wasmBytes, corePlace) ?? otherwise('core', simd),
    given('analysis', simd, analysisBytes, analysisPlace) ?? otherwise('analysis', simd),
  ]);
  return { simd, core, analysis };
}

/** The same, each module found once. A failure is not kept, so that a later call tries again. */
export function onceEach(find: FindModule): FindModule {
  const found = new Map<string, Promise<WebAssembly.Module>>();
  return (name, simd) => {
    const file = fileOf(name, simd);
    const known = found.get(file);
    if (known) return known;
    const begun = find(name, simd).catch((error: unknown) => {
      found.delete(file);
      throw error;
    });
    found.set(file, begun);
    return begun;
  };
}

/** The address, where one is given. */
function checkGiven(option: string, bytes: unknown, url: unknown): string | undefined {
  if (bytes !== undefined && !ArrayBuffer.isView(bytes) && !isArrayBuffer(bytes)) {
    throw invalidArgument(`options.${option}Bytes`, bytes, 'an ArrayBuffer or a typed array');
  }
  return url === undefined ? undefined : checkUrl(`options.${option}Url`, url);
}

/** The options that say where a module is. */
const OPTIONS = {
  core: { bytes: 'options.wasmBytes', url: 'options.wasmUrl' },
  analysis: { bytes: 'options.analysisBytes', url: 'options.analysisUrl' },
} as const;

function given(
  name: ModuleName,
  simd: Simd,
  bytes: ArrayBuffer | ArrayBufferView | undefined,
  url: URL | undefined,
): Promise<WebAssembly.Module> | null {
  if (bytes !== undefined) return compile(bytes, OPTIONS[name].bytes);
  return url === undefined ? null : compileUrl(url, name, simd);
}

/** The analysis in the folder of the core; undefined for addresses that are in no folder, such as data: and blob:. */
function neighbour(core: URL | undefined, simd: Simd): URL | undefined {
  try {
    return core && new URL(fileOf('analysis', simd), core);
  } catch {
    return undefined;
  }
}

/** Longer ones are hardly typed, and fill the screen. */
const LONGEST_ADDRESS = 300;

/** Fetches and compiles; in Node an address of a file is read from disk. */
export async function compileUrl(url: URL, name: ModuleName, simd: Simd): Promise<WebAssembly.Module> {
  const { href, protocol } = url;
  // Of a data: URL the beginning is enough.
  const what = `the file at ${shortened(href, protocol === 'data:' ? undefined : LONGEST_ADDRESS)}`;
  const lost = (verb: string, cause: unknown): TiedError => notFound(`${what} could not be ${verb}`, name, simd, cause);
  const file = protocol === 'file:' ? await readFile(href, lost) : await fetchFile(href, lost);
  if (!(file instanceof Response)) return compile(file, what);
  try {
    // Compiled while it arrives, and kept compiled for the next visit, where the server says what the file is.
    const streams = file.headers.get('Content-Type') === 'application/wasm';
    if (streams) return await WebAssembly.compileStreaming(file);
    return await compile(await file.arrayBuffer(), what);
  } catch (cause) {
    if (cause instanceof TiedError) throw cause;
    throw cause instanceof WebAssembly.CompileError ? notAModule(what, cause) : lost('fetched', cause);
  }
}

/** Says what went wrong, and which option would help. */
export function notFound(problem: string, name: ModuleName, simd: Simd, cause: unknown): TiedError {
  const { url } = OPTIONS[name];
  return new TiedError('bad-file', `${problem}; ${url} should be the address of ${fileOf(name, simd)}`, { cause });
}

function absolute(address: string, option: string): URL {
  const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  try {
    // A worker has no document.
    return new URL(address, document?.baseURI ?? location?.href);
  } catch {
    throw invalidArgument(`options.${option}`, address, 'an address');
  }
}

type Lost = (verb: string, cause: unknown) => TiedError;

async function fetchFile(href: string, lost: Lost): Promise<Response> {
  let reason: unknown;
  try {
    const response = await fetch(href);
    if (response.ok) return response;
    reason = `status ${response.status}`;
  } catch (cause) {
    reason = cause;
  }
  throw lost('fetched', reason);
}

/** Node's own reader, asked for at run time: an import of it would stop bundlers. */
async function readFile(href: string, lost: Lost): Promise<ArrayBuffer | Response> {
  interface NodeProcess {
    getBuiltinModule?(name: string): { promises: { readFile(path: URL): Promise<Uint8Array> } };
  }
  const { process } = globalThis as { process?: NodeProcess };
  const files = process?.getBuiltinModule?.('node:fs');
  if (!files) return fetchFile(href, lost);
  try {
    const bytes = await files.promises.readFile(new URL(href));
    return new Uint8Array(bytes).buffer;
  } catch (cause) {
    throw lost('read', cause);
  }
}
