/** The wasm out of the script itself: nothing to fetch, nothing to configure. */
import analysisBytes from '../wasm/analysis-bytes.mjs';
import coreBytes from '../wasm/core-bytes.mjs';
import { compileGiven } from './compile-given.js';
import { checkSupported, compile, type CompiledCore } from './instantiate.js';
import type { LoadOptions } from './types.js';

const inlined: Readonly<Record<keyof CompiledCore, string>> = { core: coreBytes, analysis: analysisBytes };
const compiled: Partial<Record<keyof CompiledCore, Promise<WebAssembly.Module>>> = {};

/** The compiled modules: from the options where they say so, else the inlined ones, compiled once. */
export async function compileInlined(options: LoadOptions = {}): Promise<CompiledCore> {
  checkSupported();
  return compileGiven(options, (name) => (compiled[name] ??= compile(decode(inlined[name]), `the inlined ${name}`)));
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
