// What the build writes into web/wasm/: declared here, so that types can be checked before anything is built.
/* eslint no-restricted-syntax: off -- Emscripten's module has a default export. */

declare module '*/wasm/core.mjs' {
  /** Emscripten's factory. `instantiateWasm` hands it the compiled module. */
  const createModule: (options: {
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  }) => Promise<unknown>;
  export default createModule;
}

declare module '*/wasm/core-bytes.mjs' {
  /** core.wasm as base64. */
  const coreBytes: string;
  export default coreBytes;
}
