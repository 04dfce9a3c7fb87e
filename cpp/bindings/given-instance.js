// Placed before Emscripten's glue, inside its factory. The small runtime instantiates `Module.wasm` itself and never
// settles its promise if that fails. This stands in for the browser's object: `instantiate` of the factory's options
// (web/core/runtime/instantiate.ts) starts the module and receives failures.
// eslint-disable-next-line no-unused-vars -- by the glue that follows
var WebAssembly = { instantiate: (_, imports) => Module.instantiate(imports) };
