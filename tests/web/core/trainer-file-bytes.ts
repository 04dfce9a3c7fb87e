/** Trainer files with altered bytes; the format is described in cpp/training/trainer_file.cpp. */

const HASH_BYTES = 8;
/** After the magic, the version, the bytes of one number and the kind of model. */
const VOCAB_SIZE_AT = 14;
/** The progress of the tying follows the steps done and the last reachable step, and precedes the weights. */
const PROGRESS_BYTES = 16 + 12 * 8;

/** With a corrected hash, so later checks run. */
export function rehashed(file: Uint8Array): Uint8Array {
  let hash = 0xcbf29ce484222325n;
  for (const byte of file.subarray(0, file.length - HASH_BYTES)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  viewOf(file).setBigUint64(file.length - HASH_BYTES, hash, true);
  return file;
}

export function withVocabSize(file: Uint8Array, vocabSize: number): Uint8Array {
  const changed = file.slice();
  viewOf(changed).setBigUint64(VOCAB_SIZE_AT, BigInt(vocabSize), true);
  return rehashed(changed);
}

/** `parameters` of the model, each of which is in the file `copies` times (weights, start, optimizer state). */
export interface Progress {
  parameters: number;
  copies: number;
  steps: number;
  /** The value of all weights, if given. */
  weight?: number;
}

export function withProgress(file: Uint8Array, { parameters, copies, steps, weight }: Progress): Uint8Array {
  const changed = file.slice();
  const view = viewOf(changed);
  const weights = file.length - HASH_BYTES - 4 * parameters * copies;
  view.setBigUint64(weights - PROGRESS_BYTES, BigInt(steps), true);
  for (let i = 0; weight !== undefined && i < parameters; i++) view.setFloat32(weights + 4 * i, weight, true);
  return rehashed(changed);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
