// Put before Emscripten's glue, inside its factory. The small runtime starts `Module.wasm` by itself and leaves its promise
// waiting for ever where that fails, so it is shown this in the browser's place: `instantiate` of the options given to
// the factory (web/core/instantiate.ts) starts the module, and hears of failures.
/* global Module */
// eslint-disable-next-line no-unused-vars -- by the glue that follows
var WebAssembly = { instantiate: (_, imports) => Module.instantiate(imports) };
