/** Finds a core's modules: at the places given in the options, otherwise where the entry has them. */
import { bytesIn } from './arrays.js';
import { invalidArgument, shortened, TiedError } from './errors.js';
import { simdOf } from './load-options.js';
import { ALWAYS_LOADED, fileOf, MODULE_NAMES, locationOptions, type ModuleName } from './modules.js';
import { PromiseCache } from './promise-cache.js';
import { isSupported } from './support.js';
import type { LoadOptions, Simd } from '../types.js';
import { checkUrl } from './validate.js';

type Find = (name: ModuleName) => Promise<WebAssembly.Module>;

/** Finds modules of one build. */
export interface ModuleSource {
  readonly simd: Simd;
  readonly find: Find;
}

/** Finds a module that the options do not locate. */
export type FindModule = (name: ModuleName, simd: Simd) => Promise<WebAssembly.Module>;

/** The compiled modules of a core; can be sent to a worker. */
export interface CompiledCore {
  /** The requested build. */
  readonly simd: Simd;
  readonly modules: Readonly<Partial<Record<ModuleName, WebAssembly.Module>>>;
}

/** Compiles the modules that every core needs, and the named ones. */
export async function compileCore(
  { simd, find }: ModuleSource,
  more: readonly ModuleName[] = [],
): Promise<CompiledCore> {
  const names = [...ALWAYS_LOADED, ...more];
  const compiled = await Promise.all(names.map(find));
  return { simd, modules: Object.fromEntries(names.map((name, i) => [name, compiled[i]])) };
}

/**
 * Uses the options if they locate a module, otherwise `otherwise`. Throws for invalid options, and if the build
 * cannot run.
 */
export function sourceOf(options: LoadOptions, otherwise: FindModule): ModuleSource {
  const simd = simdOf(options);
  const { supported, reason } = isSupported({ simd });
  if (!supported) throw new TiedError('unsupported', reason ?? 'this browser cannot run the core');
  const places = Object.fromEntries(MODULE_NAMES.map((name) => [name, checkPlace(name, options)])) as Places;
  const compiled = Object.fromEntries(
    MODULE_NAMES.map((name) => [name, places[name].bytes && compileNow(name, places[name].bytes)]),
  );
  const find: Find = (name) => {
    const url = places[name].url ?? neighbor(places.core.url, name, simd);
    return compiled[name] ?? (url === undefined ? otherwise(name, simd) : compileUrl(url, name, simd));
  };
  return { simd, find };
}

/** The same, with each module found once. */
export function findOnce(find: FindModule): FindModule {
  const found = new PromiseCache<WebAssembly.Module>();
  return (name, simd) => found.get(fileOf(name, simd), () => find(name, simd));
}

interface Place {
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly url: URL | undefined;
}
type Places = Readonly<Record<ModuleName, Place>>;

function checkPlace(name: ModuleName, options: LoadOptions): Place {
  const option = locationOptions(name);
  const { [option.bytes]: bytes, [option.url]: url } = options as Record<string, unknown>;
  const view = bytes === undefined ? undefined : bytesIn(bytes);
  if (view === null) throw invalidArgument(`options.${option.bytes}`, bytes, 'an ArrayBuffer or a typed array');
  const address = url === undefined ? undefined : absolute(checkUrl(`options.${option.url}`, url), option.url);
  return { bytes: view, url: address };
}

/** Compiles immediately, so later changes to the bytes have no effect. */
function compileNow(name: ModuleName, bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const compiling = compile(bytes, `options.${locationOptions(name).bytes}`);
  // Handled where the module is requested, which may be nowhere.
  compiling.catch(() => undefined);
  return compiling;
}

/**
 * The URL of a module beside the core. Undefined if the core has another name than in the package, such as the
 * hashed one of a bundler or none at all in data: and blob: URLs: the names of the others are then unknown as well.
 */
function neighbor(core: URL | undefined, name: ModuleName, simd: Simd): URL | undefined {
  const isNamed = core !== undefined && /\/core(-relaxed)?\.wasm$/.test(core.pathname);
  return isNamed ? new URL(fileOf(name, simd), core) : undefined;
}

/** Longer URLs are generated, and unreadable in a message. */
const LONGEST_ADDRESS = 300;

/** Fetches and compiles; in Node, file URLs are read from disk. */
export async function compileUrl(url: URL, name: ModuleName, simd: Simd): Promise<WebAssembly.Module> {
  const { href, protocol } = url;
  // The beginning of a data: URL is enough.
  const what = `the file at ${shortened(href, protocol === 'data:' ? undefined : LONGEST_ADDRESS)}`;
  const lost = (verb: string, cause: unknown): TiedError => notFound(`${what} could not be ${verb}`, name, simd, cause);
  const file = protocol === 'file:' ? await readFile(href, lost) : await fetchFile(href, lost);
  if (!(file instanceof Response)) return compile(file, what);
  try {
    // Streaming compiles during the download and caches the result, but requires the right content type.
    const streams = file.headers.get('Content-Type') === 'application/wasm';
    if (streams) return await WebAssembly.compileStreaming(file);
    return await compile(await file.arrayBuffer(), what);
  } catch (cause) {
    if (cause instanceof TiedError) throw cause;
    throw cause instanceof WebAssembly.CompileError ? notAModule(what, cause) : lost('fetched', cause);
  }
}

/** Compiles, off the main thread if the browser can; an error names what was compiled. */
export async function compile(bytes: ArrayBuffer | ArrayBufferView, what: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (cause) {
    throw notAModule(what, cause);
  }
}

function notAModule(what: string, cause: unknown): TiedError {
  return new TiedError('bad-file', `${what} is not a WebAssembly module that this browser can compile`, { cause });
}

/** Describes the problem and the option that solves it. */
export function notFound(problem: string, name: ModuleName, simd: Simd, cause: unknown): TiedError {
  const help = `options.${locationOptions(name).url} should be the URL of ${fileOf(name, simd)}`;
  return new TiedError('bad-file', `${problem}; ${help}`, { cause });
}

function absolute(address: string, option: string): URL {
  const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  try {
    // A worker has no document.
    return new URL(address, document?.baseURI ?? location?.href);
  } catch {
    throw invalidArgument(`options.${option}`, address, 'a URL');
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

/** Node's own reader, imported at run time, because bundlers fail on a static import. */
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
