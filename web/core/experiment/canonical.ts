/** A canonical form of plain data, and its hash, so a job is the same job on every machine. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** JSON with the fields of every object sorted by name, and without undefined fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** SHA-256 as 64 hex digits; for a string, of its UTF-8 bytes. */
export function sha256Of(...parts: readonly (string | Uint8Array)[]): string {
  const hash = sha256.create();
  for (const part of parts) hash.update(typeof part === 'string' ? utf8ToBytes(part) : part);
  return bytesToHex(hash.digest());
}

/** An integer below 2^48 that depends on all of `parts`. */
export function seedOf(...parts: readonly (string | number)[]): number {
  return Number.parseInt(sha256Of(canonicalJson(parts)).slice(0, 12), 16);
}
