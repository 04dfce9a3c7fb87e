/** The wasm from where the user says it is. */
import { invalidArgument, TiedError } from './errors.js';
import { compile, type CompiledCore } from './instantiate.js';
import type { LoadOptions } from './types.js';
import { checkUrl } from './validate.js';

/** Both modules: each as the options say, else as `otherwise` finds it. */
export async function compileGiven(
  { wasmBytes, wasmUrl, analysisBytes, analysisUrl }: LoadOptions,
  otherwise: (name: keyof CompiledCore) => Promise<WebAssembly.Module>,
): Promise<CompiledCore> {
  // All checks come first: what throws here would leave a promise begun before it with nobody to wait for it.
  checkGiven('wasm', wasmBytes, wasmUrl);
  checkGiven('analysis', analysisBytes, analysisUrl);
  const analysisPlace = analysisUrl === undefined ? neighbour(wasmUrl) : analysisUrl;
  const [core, analysis] = await Promise.all([
    given('wasm', wasmBytes, wasmUrl) ?? otherwise('core'),
    given('analysis', analysisBytes, analysisPlace) ?? otherwise('analysis'),
  ]);
  return { core, analysis };
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

/** analysis.wasm in the folder of core.wasm. */
function neighbour(wasmUrl: string | URL | undefined): URL | undefined {
  return wasmUrl === undefined ? undefined : new URL('analysis.wasm', absolute(wasmUrl, 'wasmUrl'));
}

/** Fetches and compiles; in Node an address of a file is read from disk. `option` is where the address came from. */
export async function compileUrl(address: string | URL, option: string): Promise<WebAssembly.Module> {
  const { href, protocol } = absolute(address, option);
  const bytes = protocol === 'file:' ? await readFile(href) : await fetchBytes(href);
  return compile(bytes, `the file at ${href}`);
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

async function fetchBytes(href: string): Promise<ArrayBuffer> {
  let reason: unknown;
  try {
    const response = await fetch(href);
    if (response.ok) return await response.arrayBuffer();
    reason = `status ${response.status}`;
  } catch (cause) {
    reason = cause;
  }
  throw new TiedError('bad-file', `the file at ${href} could not be fetched`, { cause: reason });
}

/** Node's own reader, asked for at run time: an import of it would stop bundlers. */
async function readFile(href: string): Promise<ArrayBuffer> {
  interface NodeProcess {
    getBuiltinModule?(name: string): { promises: { readFile(path: URL): Promise<Uint8Array> } };
  }
  const { process } = globalThis as { process?: NodeProcess };
  const files = process?.getBuiltinModule?.('node:fs');
  if (!files) return fetchBytes(href);
  try {
    const bytes = await files.promises.readFile(new URL(href));
    return new Uint8Array(bytes).buffer;
  } catch (cause) {
    throw new TiedError('bad-file', `the file at ${href} could not be read`, { cause });
  }
}
