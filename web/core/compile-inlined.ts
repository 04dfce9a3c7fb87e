/** The wasm out of the script itself: nothing to fetch, nothing to configure. The relaxed build is in a script beside. */
import analysisBytes from '../wasm/analysis-bytes.mjs';
import coreBytes from '../wasm/core-bytes.mjs';
import { compileGiven, onceEach } from './compile-given.js';
import { TiedError } from './errors.js';
import { compile, fileOf, type CompiledCore, type ModuleName } from './instantiate.js';
import type { LoadOptions } from './types.js';

/** Modules as base64. */
type Inlined = Readonly<Record<ModuleName, string>>;

const inlined: Inlined = { core: coreBytes, analysis: analysisBytes };
const compileOnce = onceEach(async (name, simd) => {
  const bytes = simd === 'relaxed' ? await relaxedBytes() : inlined;
  return compile(decode(bytes[name]), `the inlined ${fileOf(name, simd)}`);
});

/** The compiled modules: from the options where they say so, else the inlined ones, compiled once. */
export function compileInlined(options: LoadOptions = {}): Promise<CompiledCore> {
  return compileGiven(options, compileOnce);
}

/** Bundlers and Node find it by this import, and only who asks for the relaxed build loads it. */
async function relaxedBytes(): Promise<Inlined> {
  try {
    return await import('./relaxed-bytes.js');
  } catch (cause) {
    throw new TiedError(
      'bad-file',
      "relaxed-bytes.js, which holds the build that simd: 'relaxed' asks for, could not be loaded",
      {
        cause,
      },
    );
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
