/** The wasm from where the user says it is. */
import { invalidArgument, TiedError } from './errors.js';
import { checkSupported, compile, fileOf, notAModule, type CompiledCore, type ModuleName } from './instantiate.js';
import { simdOf } from './load-options.js';
import type { LoadOptions, Simd } from './types.js';
import { checkUrl } from './validate.js';

/** Where a module comes from when the options do not say. */
export type FindModule = (name: ModuleName, simd: Simd) => Promise<WebAssembly.Module>;

/** Both modules: each as the options say, else as `otherwise` finds it. */
export async function compileGiven(options: LoadOptions, otherwise: FindModule): Promise<CompiledCore> {
  const { wasmBytes, wasmUrl, analysisBytes, analysisUrl } = options;
  const simd = simdOf(options);
  checkSupported(simd);
  // All checks come first: what throws here would leave a promise begun before it with nobody to wait for it.
  checkGiven('wasm', wasmBytes, wasmUrl);
  checkGiven('analysis', analysisBytes, analysisUrl);
  const analysisPlace = analysisUrl === undefined ? neighbour(wasmUrl, simd) : analysisUrl;
  const [core, analysis] = await Promise.all([
    given('wasm', wasmBytes, wasmUrl) ?? otherwise('core', simd),
    given('analysis', analysisBytes, analysisPlace) ?? otherwise('analysis', simd),
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

function checkGiven(option: string, bytes: unknown, url: unknown): void {
  if (bytes !== undefined && !ArrayBuffer.isView(bytes) && !(bytes instanceof ArrayBuffer)) {
    throw invalidArgument(`options.${option}Bytes`, bytes, 'an ArrayBuffer or a typed array');
  }
  if (url !== undefined) checkUrl(`options.${option}Url`, url);
}

function given(
  option: string,
  bytes: BufferSource | undefined,
  url: string | URL | undefined,
): Promise<WebAssembly.Module> | null {
  if (bytes !== undefined) return compile(bytes, `options.${option}Bytes`);
  return url === undefined ? null : compileUrl(url, `${option}Url`);
}

/** The analysis in the folder of the core. */
function neighbour(wasmUrl: string | URL | undefined, simd: Simd): URL | undefined {
  return wasmUrl === undefined ? undefined : new URL(fileOf('analysis', simd), absolute(wasmUrl, 'wasmUrl'));
}

/** Fetches and compiles; in Node an address of a file is read from disk. `option` is where the address came from. */
export async function compileUrl(address: string | URL, option: string): Promise<WebAssembly.Module> {
  const { href, protocol } = absolute(address, option);
  const what = `the file at ${href}`;
  const file = protocol === 'file:' ? await readFile(href) : await fetchFile(href);
  if (!(file instanceof Response)) return compile(file, what);
  try {
    // Compiled while it arrives, and kept compiled for the next visit, where the server says what the file is.
    const streams = file.headers.get('Content-Type') === 'application/wasm';
    if (streams) return await WebAssembly.compileStreaming(file);
    return await compile(await file.arrayBuffer(), what);
  } catch (cause) {
    if (cause instanceof TiedError) throw cause;
    throw cause instanceof WebAssembly.CompileError ? notAModule(what, cause) : notFetched(href, cause);
  }
}

function absolute(address: string | URL, option: string): URL {
  try {
    return new URL(address, typeof document === 'object' ? document.baseURI : undefined);
  } catch (cause) {
    throw new TiedError('invalid-argument', `options.${option} is '${String(address)}'; expected an address`, {
      cause,
    });
  }
}

async function fetchFile(href: string): Promise<Response> {
  let reason: unknown;
  try {
    const response = await fetch(href);
    if (response.ok) return response;
    reason = `status ${response.status}`;
  } catch (cause) {
    reason = cause;
  }
  throw notFetched(href, reason);
}

function notFetched(href: string, cause: unknown): TiedError {
  return new TiedError('bad-file', `the file at ${href} could not be fetched`, { cause });
}

/** Node's own reader, asked for at run time: an import of it would stop bundlers. */
async function readFile(href: string): Promise<ArrayBuffer | Response> {
  interface NodeProcess {
    getBuiltinModule?(name: string): { promises: { readFile(path: URL): Promise<Uint8Array> } };
  }
  const { process } = globalThis as { process?: NodeProcess };
  const files = process?.getBuiltinModule?.('node:fs');
  if (!files) return fetchFile(href);
  try {
    const bytes = await files.promises.readFile(new URL(href));
    return new Uint8Array(bytes).buffer;
  } catch (cause) {
    throw new TiedError('bad-file', `the file at ${href} could not be read`, { cause });
  }
}
