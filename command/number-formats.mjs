// Numbers of checkpoints as 32-bit floats.
import { Refusal } from './exit-codes.mjs';

/** Bytes of a number, by the names that safetensors gives the types. */
export const widths = /** @type {Record<string, number>} */ ({ F64: 8, F32: 4, F16: 2, BF16: 2 });

/** @param {Uint8Array} bytes Little-endian. @param {string} dtype @param {string} of For the message. */
export function toFloats(bytes, dtype, of) {
  const width = widths[dtype];
  if (width === undefined)
    throw new Refusal(`${of} has the type ${dtype}; expected one of ${Object.keys(widths).join(', ')}`);
  // A copy at the start of a buffer is aligned.
  const { buffer } = bytes.byteOffset % 8 === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  const floats = new Float32Array(bytes.length / width);
  if (dtype === 'F32') floats.set(new Float32Array(buffer));
  else if (dtype === 'F64') floats.set(new Float64Array(buffer));
  else if (dtype === 'BF16') {
    // The upper half of a 32-bit float.
    const bits = new Uint32Array(floats.buffer);
    const halves = new Uint16Array(buffer);
    for (let i = 0; i < bits.length; i++) bits[i] = halves[i] << 16;
  } else {
    const halves = new Uint16Array(buffer);
    for (let i = 0; i < floats.length; i++) floats[i] = halfValues()[halves[i]];
  }
  return floats;
}

let halves = null;

/** Every number of 16 bits, by its bits. */
function halfValues() {
  if (halves !== null) return halves;
  halves = new Float32Array(65_536);
  for (let bits = 0; bits < 65_536; bits++) {
    const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
    const size =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction === 0
            ? Infinity
            : NaN
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    halves[bits] = bits >> 15 === 0 ? size : -size;
  }
  return halves;
}
