// JavaScript's half of Embind, for the four types that embind_types.cpp registers: Emscripten's own is made for every type
// there is, and most of the glue. WebAssembly turns arguments into what a function takes by itself (true into 1); results
// are read by their type. That no other type is bound is seen to where functions are bound (transfer.h).
/* global addToLibrary, HEAPU8, HEAPU32, Module, resultReaders, textAt, wasmTable */
addToLibrary({
  // By the address of the type; what is not here stays as it is: void and double.
  $resultReaders: '{}',
  $textAt: (address) => {
    let text = '';
    while (HEAPU8[address]) text += String.fromCharCode(HEAPU8[address++]);
    return text;
  },
  // Without deps of their own they would bring those of Emscripten's.
  _embind_register_void__deps: [],
  _embind_register_void: () => {},
  _embind_register_float__deps: [],
  _embind_register_float: () => {},
  _embind_register_bool__deps: ['$resultReaders'],
  _embind_register_bool: (type) => {
    resultReaders[type] = (value) => !!value;
  },
  _embind_register_integer__deps: ['$resultReaders'],
  _embind_register_integer: (type) => {
    resultReaders[type] = (value) => value >>> 0;
  },
  // `types`: of the result and the arguments. The invoker is a function in the table that calls `verb` with the rest.
  _embind_register_function__deps: ['$resultReaders', '$textAt', '$wasmTable'],
  _embind_register_function: (name, count, types, signature, invoker, verb) => {
    const result = HEAPU32[types >> 2];
    const invoke = wasmTable.get(invoker);
    const bound = (...values) => {
      const value = invoke(verb, ...values);
      return resultReaders[result]?.(value) ?? value;
    };
    bound.argCount = count - 1;
    Module[textAt(name)] = bound;
  },
});
