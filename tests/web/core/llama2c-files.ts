/** Files of llama2.c's tokenizers. */

/** tokenizer.bin: `<unk>`, two marks, the bytes, and these. */
export function llama2cFile(tokens: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const all = ['<unk>', '<s>', '</s>', ...bytes, ...tokens].map((token) =>
    typeof token === 'string' ? new TextEncoder().encode(token) : token,
  );
  const file = new Uint8Array(4 + all.reduce((sum, { length }) => sum + 8 + length, 0));
  const view = new DataView(file.buffer);
  view.setUint32(0, 16, true);
  let at = 4;
  for (const [id, token] of all.entries()) {
    view.setFloat32(at, -id, true);
    view.setUint32(at + 4, token.length, true);
    file.set(token, at + 8);
    at += 8 + token.length;
  }
  return file;
}
