// Bytes as text for scripts: gzipped, then five characters for four bytes. web/core/runtime/inflate.ts reads it.
import { gzipSync } from 'node:zlib';

/** 85 characters that need no escape in strings of JavaScript, and that end no script in a page. */
const digits = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))
  .filter((character) => !'"\'\\`$<&'.includes(character))
  .slice(0, 85)
  .join('');

/**
 * The number of zeros that were appended, and the digits of all groups of four bytes.
 * @param {Uint8Array | string} bytes
 */
export function packedText(bytes) {
  const zipped = gzipSync(bytes, { level: 9 });
  const padding = (4 - (zipped.length % 4)) % 4;
  const whole = Buffer.concat([zipped, Buffer.alloc(padding)]);
  let text = String(padding);
  for (let at = 0; at < whole.length; at += 4) {
    let group = '';
    for (let rest = whole.readUInt32BE(at), i = 0; i < 5; i++, rest = Math.floor(rest / 85))
      group = digits[rest % 85] + group;
    text += group;
  }
  return text;
}
