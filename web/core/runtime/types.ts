/** Public types that every room uses. */

/**
 * Which of the two builds of the core to use. 'simd128': a seed gives the same bits in every engine. 'relaxed':
 * faster, because one instruction multiplies and adds; whether it rounds once or twice depends on the CPU, so the last
 * bits are reproducible only on the same machine.
 */
export type Simd = 'simd128' | 'relaxed';

/**
 * The bytes of a file, in an `ArrayBuffer` of their own, which `Blob`, `Response` and `crypto.subtle` require: `Uint8Array<ArrayBuffer>` from
 * TypeScript 5.7 on, `Uint8Array` before.
 */
export type FileBytes = ReturnType<Uint8ArrayConstructor['of']>;

/** Options of long-running verbs. */
export interface DiagnosticOptions {
  /** Called with the fraction of the work done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Cancels the verb; the promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}
