// A small module that uses only registers. The gain of running two of it at once is the upper bound for any two workers
// on the machine: two virtual processors can share a core.

/** Unsigned, seven bits per byte. */
function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];
const localGet = (index) => [0x20, ...leb(index)];
const localSet = (index) => [0x21, ...leb(index)];
const simd = (code) => [0xfd, ...leb(code)];
const [splat, extractFirst, add, multiply] = [simd(0x13), [...simd(0x1f), 0], simd(0xe4), simd(0xe6)];
const constant = (value) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer), ...splat];

/**
 * The bytes of a module with one export, `run(turns) -> f32`: each turn multiplies and adds once in each of `chains`
 * registers of four floats.
 */
export function registerLoop(chains = 8) {
  // Locals: 0 the remaining iterations, 1 to `chains` the registers, then the factor.
  const factor = chains + 1;
  const registers = Array.from({ length: chains }, (_, index) => index + 1);
  const body = [
    ...constant(0.999),
    ...localSet(factor),
    ...registers.flatMap((index) => [...constant(index), ...localSet(index)]),
    ...[0x03, 0x40], // loop
    ...registers.flatMap((index) => [
      ...localGet(index),
      ...localGet(factor),
      ...multiply,
      ...localGet(factor),
      ...add,
      ...localSet(index),
    ]),
    ...[...localGet(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b], // again unless --turns is 0; end of the loop
    ...localGet(1),
    ...registers.slice(1).flatMap((index) => [...localGet(index), ...add]),
    ...extractFirst,
    0x0b,
  ];
  const code = [1, ...leb(chains + 1), 0x7b, ...body];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7d]),
    ...section(3, [1, 0]),
    ...section(7, [1, 3, ...new TextEncoder().encode('run'), 0, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ]);
}
