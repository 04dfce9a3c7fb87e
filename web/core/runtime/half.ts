/** 16-bit floats. */

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/** The bits of the nearest 16-bit float, ties to even; infinite above 65,519. */
export function halfBits(value: number): number {
  floats[0] = value;
  const [word] = bits as unknown as [number];
  const sign = (word >>> 16) & 0x8000;
  const exponent = (word >>> 23) & 0xff;
  const fraction = word & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  const shifted = exponent - 112;
  if (shifted >= 0x1f) return sign | 0x7c00;
  // Below 2^-14 the leading one is stored, and all steps are 2^-24.
  const significand = shifted > 0 ? fraction : fraction | 0x800000;
  const cut = shifted > 0 ? 13 : 14 - shifted;
  if (cut > 24) return sign;
  const kept = significand >>> cut;
  const rest = significand & ((1 << cut) - 1);
  const half = 1 << (cut - 1);
  const up = rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0;
  // A carry out of the fraction correctly increments the exponent.
  return sign | ((shifted > 0 ? shifted << 10 : 0) + kept + up);
}
