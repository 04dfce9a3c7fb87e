/** Bytes that scripts hold as text: gzipped, then in base 85, which halves what npm unpacks (tools/lib/packed-text.mjs). */

/**
 * The bytes of such a text. Rejects if it is damaged. One pipe that the browser drives: with a reader and a writer of our own, a page in WebKitGTK
 * 2.50 sometimes waited forever.
 */
export async function inflate(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytesOf(text)]).stream();
  return new Uint8Array(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/** Characters 33 to 126 but those that strings and pages treat specially: the digits of base 85. */
const isDigit = (code: number): boolean => !'"\'\\`$<&'.includes(String.fromCharCode(code));

/** Five digits for four bytes; the first character is the number of bytes to leave out at the end. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(128);
  for (let code = 33, value = 0; value < 85; code++) if (isDigit(code)) values[code] = value++;
  const length = ((text.length - 1) / 5) * 4;
  const view = new DataView(new ArrayBuffer(length));
  for (let at = 0; at < length; at += 4) {
    let group = 0;
    for (let i = 0; i < 5; i++) group = group * 85 + values[text.charCodeAt((at / 4) * 5 + 1 + i)]!;
    view.setUint32(at, group);
  }
  return new Uint8Array(view.buffer, 0, length - Number(text[0]));
}
