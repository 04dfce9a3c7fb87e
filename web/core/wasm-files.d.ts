// What the build writes into web/wasm/: declared here, so that types can be checked before anything is built.
/* eslint no-restricted-syntax: off -- Emscripten's modules have default exports. */

/** Emscripten's factory of a module. `instantiateWasm` hands it the compiled module. */
type CreateModule = (options: {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
}) => Promise<unknown>;

declare module '*/wasm/core.mjs' {
  const createModule: CreateModule;
  export default createModule;
}

declare module '*/wasm/analysis.mjs' {
  const createModule: CreateModule;
  export default createModule;
}

declare module '*/wasm/core-bytes.mjs' {
  /** core.wasm as base64. */
  const coreBytes: string;
  export default coreBytes;
}

declare module '*/wasm/analysis-bytes.mjs' {
  /** analysis.wasm as base64. */
  const analysisBytes: string;
  export default analysisBytes;
}
