// Modules that the build writes into web/wasm/, declared so that types can be checked before a build.
/* eslint no-restricted-syntax: off -- Emscripten's modules have default exports. */

/**
 * Emscripten's module factory. `instantiate` instantiates the compiled module with `imports` and passes on the
 * instance.
 */
type CreateModule = (options: {
  instantiate(imports: WebAssembly.Imports): {
    then(ready: (started: { instance: WebAssembly.Instance }) => void): void;
  };
}) => Promise<unknown>;

declare module '*/wasm/core.mjs' {
  const createModule: CreateModule;
  export default createModule;
}

declare module '*/wasm/module-files.mjs' {
  /** The URL of each file, relative to the bundled script. */
  export const moduleFiles: Readonly<Record<string, () => URL>>;
}

declare module '*/wasm/module-bytes.mjs' {
  /** The gzipped text of each file. */
  export const moduleBytes: Readonly<Record<string, () => string | Promise<string>>>;
}
