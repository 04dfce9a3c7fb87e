// Relaxed SIMD in Node: from release 21, and in release 20 behind a flag.

/** Arguments with which this Node runs the relaxed build. */
export const relaxedArguments =
  Number.parseInt(process.versions.node, 10) < 21 ? ['--experimental-wasm-relaxed-simd'] : [];
