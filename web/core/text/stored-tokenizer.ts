/** A tokenizer's own file within a file of weights, as text: under this key of GGUF, and of the metadata of safetensors. */

export const OWN_TOKENIZER_KEY = 'tied-embeddings.tokenizer';

/** True in GGUF if its tokens only stand for their ids. */
export const STAND_INS_KEY = 'tied-embeddings.stand_ins';

/** Bytes that are encoded at once: a multiple of three, and few enough to be passed as arguments. */
const PIECE_BYTES = 3 * 2 ** 12;

/** In base64. */
export function storedTokenizer(file: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < file.length; at += PIECE_BYTES)
    pieces.push(btoa(String.fromCharCode(...file.subarray(at, at + PIECE_BYTES))));
  return pieces.join('');
}

/** Null if the text is not base64. */
export function bytesOfStored(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
