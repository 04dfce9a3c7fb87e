/** The core's wasm from where the user says it is. */
import { invalidArgument, TiedError } from './errors.js';
import { compile } from './instantiate.js';
import type { LoadOptions } from './types.js';

/** Null where the options name neither bytes nor an address. */
export async function compileGiven({ wasmBytes, wasmUrl }: LoadOptions): Promise<WebAssembly.Module | null> {
  if (wasmBytes !== undefined) {
    if (!ArrayBuffer.isView(wasmBytes) && !(wasmBytes instanceof ArrayBuffer)) {
      throw invalidArgument('options.wasmBytes', wasmBytes, 'an ArrayBuffer or a typed array');
    }
    return compile(wasmBytes, 'options.wasmBytes');
  }
  return wasmUrl === undefined ? null : compileUrl(wasmUrl);
}

/** Fetches and compiles; in Node an address of a file is read from disk. */
export async function compileUrl(address: string | URL): Promise<WebAssembly.Module> {
  const { href, protocol } = absolute(address);
  const bytes = protocol === 'file:' ? await readFile(href) : await fetchBytes(href);
  return compile(bytes, `the file at ${href}`);
}

function absolute(address: string | URL): URL {
  try {
    return new URL(address, typeof document === 'object' ? document.baseURI : undefined);
  } catch (cause) {
    throw new TiedError('invalid-argument', `options.wasmUrl is '${String(address)}'; expected an address`, { cause });
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
