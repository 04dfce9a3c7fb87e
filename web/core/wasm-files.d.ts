// What the build writes into web/wasm/: declared here, so that types can be checked before anything is built.
/* eslint no-restricted-syntax: off -- Emscripten's modules have default exports. */

/** Emscripten's factory of either module. `instantiate` starts the compiled one with `imports` and hands on its instance. */
type CreateModule = (options: {
  instantiate(imports: WebAssembly.Imports): {
    then(ready: (started: { instance: WebAssembly.Instance }) => void): void;
  };
}) => Promise<unknown>;

declare module '*/wasm/core.mjs' {
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

declare module '*/wasm/core-relaxed-bytes.mjs' {
  /** core-relaxed.wasm as base64. */
  const coreRelaxedBytes: string;
  export default coreRelaxedBytes;
}

declare module '*/wasm/analysis-relaxed-bytes.mjs' {
  /** analysis-relaxed.wasm as base64. */
  const analysisRelaxedBytes: string;
  export default analysisRelaxedBytes;
}
