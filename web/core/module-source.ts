/** Where a core's modules come from: from where the user says they are, else from where the entry has them. */
import { isArrayBuffer } from './arrays.js';
import { invalidArgument, shortened, TiedError } from './errors.js';
import { simdOf } from './load-options.js';
import { ALWAYS_LOADED, fileOf, MODULE_NAMES, placeOptions, type ModuleName } from './modules.js';
import { OnceEach } from './once-each.js';
import { isSupported } from './support.js';
import type { LoadOptions, Simd } from './types.js';
import { checkUrl } from './validate.js';

type Find = (name: ModuleName) => Promise<WebAssembly.Module>;

/** Finds modules of one build. */
export interface ModuleSource {
  readonly simd: Simd;
  readonly find: Find;
}

/** Where a module comes from when the options do not say. */
export type FindModule = (name: ModuleName, simd: Simd) => Promise<WebAssembly.Module>;

/** What a core is made of; can be sent to a worker. */
export interface CompiledCore {
  /** The build that was asked for. */
  readonly simd: Simd;
  readonly modules: Readonly<Partial<Record<ModuleName, WebAssembly.Module>>>;
}

/** The modules that every core has, and these. */
export async function compileCore(
  { simd, find }: ModuleSource,
  more: readonly ModuleName[] = [],
): Promise<CompiledCore> {
  const names = [...ALWAYS_LOADED, ...more];
  const compiled = await Promise.all(names.map(find));
  return { simd, modules: Object.fromEntries(names.map((name, i) => [name, compiled[i]])) };
}

/** Each module as the options say, else as `otherwise` finds it. Throws for wrong options, and where the build cannot run. */
export function sourceOf(options: LoadOptions, otherwise: FindModule): ModuleSource {
  const simd = simdOf(options);
  const { supported, reason } = isSupported({ simd });
  if (!supported) throw new TiedError('unsupported', reason ?? 'this browser cannot run the core');
  const places = Object.fromEntries(MODULE_NAMES.map((name) => [name, checkPlace(name, options)])) as Places;
  const compiled = Object.fromEntries(
    MODULE_NAMES.map((name) => [name, places[name].bytes && compileNow(name, places[name].bytes)]),
  );
  const find: Find = (name) => {
    const url = places[name].url ?? neighbour(places.core.url, name, simd);
    return compiled[name] ?? (url === undefined ? otherwise(name, simd) : compileUrl(url, name, simd));
  };
  return { simd, find };
}

/** The same, each module found once. */
export function foundOnce(find: FindModule): FindModule {
  const found = new OnceEach<WebAssembly.Module>();
  return (name, simd) => found.get(fileOf(name, simd), () => find(name, simd));
}

interface Place {
  readonly bytes: ArrayBuffer | ArrayBufferView | undefined;
  readonly url: URL | undefined;
}
type Places = Readonly<Record<ModuleName, Place>>;

function checkPlace(name: ModuleName, options: LoadOptions): Place {
  const option = placeOptions(name);
  const { [option.bytes]: bytes, [option.url]: url } = options as Record<string, unknown>;
  if (bytes !== undefined && !ArrayBuffer.isView(bytes) && !isArrayBuffer(bytes)) {
    throw invalidArgument(`options.${option.bytes}`, bytes, 'an ArrayBuffer or a typed array');
  }
  const address = url === undefined ? undefined : absolute(checkUrl(`options.${option.url}`, url), option.url);
  return { bytes: bytes as Place['bytes'], url: address };
}

/** At once, so that what becomes of the bytes later has no effect. */
function compileNow(name: ModuleName, bytes: ArrayBuffer | ArrayBufferView): Promise<WebAssembly.Module> {
  const compiling = compile(bytes, `options.${placeOptions(name).bytes}`);
  // Whoever asks for the module hears of it; nobody may.
  compiling.catch(() => undefined);
  return compiling;
}

/** A module in the folder of the core; undefined for addresses that are in no folder, such as data: and blob:. */
function neighbour(core: URL | undefined, name: ModuleName, simd: Simd): URL | undefined {
  try {
    return core && new URL(fileOf(name, simd), core);
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

/** Compiles off the main thread where the browser can; a failure says what was being read. */
export async function compile(bytes: ArrayBuffer | ArrayBufferView, what: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (cause) {
    throw notAModule(what, cause);
  }
}

function notAModule(what: string, cause: unknown): TiedError {
  return new TiedError('bad-file', `${what} is no WebAssembly module that this browser can compile`, { cause });
}

/** Says what went wrong, and which option would help. */
export function notFound(problem: string, name: ModuleName, simd: Simd, cause: unknown): TiedError {
  const help = `options.${placeOptions(name).url} should be the address of ${fileOf(name, simd)}`;
  return new TiedError('bad-file', `${problem}; ${help}`, { cause });
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
