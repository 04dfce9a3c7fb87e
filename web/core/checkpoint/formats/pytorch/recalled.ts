/** Which values a pickle asks for again: found by looking at its instructions alone, so that all others need not be kept until its end. */
import { pause } from '../../../runtime/pause.js';

/** Instructions without a pause. */
const AT_ONCE = 2 ** 19;
/** Numbers of more than this are never kept: there may be no more values. */
const MOST = 2 ** 23;

const STOP = 0x2e;
const BINGET = 0x68;
const LONG_BINGET = 0x6a;
const GLOBAL = 0x63;
/** Bytes that follow an instruction. */
const FIXED = new Uint8Array(256);
for (const [code, bytes] of [[0x80, 1], [0x95, 8], [0x4a, 4], [0x4b, 1], [0x4d, 2], [0x47, 8], [0x71, 1], [0x72, 4], [BINGET, 1], [LONG_BINGET, 4]] as const) FIXED[code] = bytes; // prettier-ignore
/** How many bytes tell how many more follow: of numbers, texts and bytes. */
const COUNTED = new Uint8Array(256);
for (const [code, bytes] of [[0x8a, 1], [0x58, 4], [0x8c, 1], [0x55, 1], [0x42, 4], [0x43, 1], [0x8e, 8], [0x96, 8]] as const) COUNTED[code] = bytes; // prettier-ignore

/** Up to the end of the pickle, or to where the bytes end. What is wrong with it is said by who runs it. */
export async function recalledIn(bytes: Uint8Array, from: number): Promise<(at: number) => boolean> {
  const recalled = new Uint8Array(MOST >> 3);
  for (let at = from; at < bytes.length;) {
    at = scanned(bytes, at, recalled);
    await pause();
  }
  return (number) => number < MOST && ((recalled[number >> 3]! >> (number & 7)) & 1) === 1;
}

/** Where the next instruction begins, after so many; at the end of the pickle, where the bytes end. */
function scanned(bytes: Uint8Array, from: number, recalled: Uint8Array): number {
  const { length } = bytes;
  let at = from;
  for (let left = AT_ONCE; left > 0 && at < length; left--) {
    const code = bytes[at++]!;
    if (code === STOP) return length;
    const counted = COUNTED[code]!;
    if (counted > 0) {
      let count = bytes[at]!;
      for (let i = 1, place = 256; i < counted; i++, place *= 256) count += bytes[at + i]! * place;
      // NaN, where the bytes end.
      if (!(at + counted + count <= length)) return length;
      at += counted + count;
    } else if (code === BINGET) {
      const number = bytes[at++]!;
      recalled[number >> 3]! |= 1 << (number & 7);
    } else if (code === LONG_BINGET) {
      const number = bytes[at]! + bytes[at + 1]! * 2 ** 8 + bytes[at + 2]! * 2 ** 16 + bytes[at + 3]! * 2 ** 24;
      if (number < MOST) recalled[number >> 3]! |= 1 << (number & 7);
      at += 4;
    } else if (code === GLOBAL) {
      // Two lines.
      for (let line = 0; line < 2; line++) {
        const end = bytes.indexOf(10, at);
        at = end < 0 ? length : end + 1;
      }
    } else at += FIXED[code]!;
  }
  return at;
}
