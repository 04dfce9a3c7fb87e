/** The hashes that protect our files, so a changed file can be signed again and is read beyond its hash. */

/** 64-bit FNV-1a at the end of a trainer file, as in cpp/training/trainer_file.cpp. */
export function signTrainer(file: Uint8Array): void {
  if (file.length < 8) return;
  let [low, high] = [0x84222325, 0xcbf29ce4];
  for (let i = 0; i < file.length - 8; i++) {
    low = (low ^ file[i]!) >>> 0;
    // Times 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  const view = new DataView(file.buffer, file.byteOffset + file.length - 8);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
}

const HASH_AT = 28;
const HEADER = 32;

/** 32-bit FNV-1a over all bytes except its own, as in cpp/text/tokenizer_file.cpp. */
export function signTokenizer(file: Uint8Array): void {
  if (file.length < HEADER) return;
  const view = new DataView(file.buffer, file.byteOffset);
  let hash = 2166136261;
  for (let i = 0; i < file.length; i++) {
    if (i < HASH_AT || i >= HEADER) hash = Math.imul(hash ^ file[i]!, 16777619) >>> 0;
  }
  view.setUint32(HASH_AT, hash, true);
}
