/** The core's wasm out of the script itself: nothing to fetch, nothing to configure. */
import coreBytes from '../wasm/core-bytes.mjs';
import { checkSupported, compile } from './instantiate.js';
import { compileGiven } from './compile-given.js';
import type { LoadOptions } from './types.js';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The compiled module: from the options where they say so, else the inlined one, compiled once. */
export async function compileInlined(options: LoadOptions = {}): Promise<WebAssembly.Module> {
  checkSupported();
  return (await compileGiven(options)) ?? (await (compiled ??= compile(decode(coreBytes), 'the inlined core')));
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
