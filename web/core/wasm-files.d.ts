// What the build writes into web/wasm/: declared here, so that types can be checked before anything is built.
/* eslint no-restricted-syntax: off -- Emscripten's modules have default exports. */

/** Emscripten's factory of any module. `instantiate` starts the compiled one with `imports` and hands on its instance. */
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
  /** The address of each file, beside the script that this becomes a part of. */
  export const moduleFiles: Readonly<Record<string, () => URL>>;
}

declare module '*/wasm/module-bytes.mjs' {
  /** The base64 of each file. */
  export const moduleBytes: Readonly<Record<string, () => string | Promise<string>>>;
}
