/** Whether this browser can run the core, and why not. */
import { simdOf } from './load-options.js';
import type { Simd, Support } from '../types.js';
import { checkOptions } from './validate.js';

/**
 * The smallest module that uses 128-bit SIMD: one function that returns popcnt(splat(0)). Sections: magic and version,
 * type () -> v128, one function of that type, its body.
 */
// prettier-ignore
const SIMD_PROBE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b,
  0x03, 0x02, 0x01, 0x00,
  0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b,
]);

/** One with relaxed SIMD: a function (x: v128) -> f32x4.relaxed_madd(x, x, x). */
// prettier-ignore
const RELAXED_PROBE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, 0x06, 0x01, 0x60, 0x01, 0x7b, 0x01, 0x7b,
  0x03, 0x02, 0x01, 0x00,
  0x0a, 0x0d, 0x01, 0x0b, 0x00, 0x20, 0x00, 0x20, 0x00, 0x20, 0x00, 0xfd, 0x85, 0x02, 0x0b,
]);

/**
 * Whether the core, or the build named by `simd`, can run here. Cheap; loads nothing.
 *
 * @throws {TiedError} 'invalid-argument' if an option is unknown
 * @example
 * ```ts
 * isSupported().supported; // → true
 * ```
 */
export function isSupported(options: { simd?: Simd } = {}): Support {
  const simd = simdOf(checkOptions('options', options, ['simd']));
  if (typeof WebAssembly !== 'object' || typeof WebAssembly.validate !== 'function') {
    return no('This browser has no WebAssembly, or it is switched off.');
  }
  if (!WebAssembly.validate(SIMD_PROBE)) {
    return no(
      'This browser has no WebAssembly SIMD. Chrome 91, Firefox 89, Safari 16.4 and newer have it; some lockdown modes switch it off.',
    );
  }
  try {
    // `validate` succeeds even if the page's policy forbids WebAssembly; compiling does not.
    new WebAssembly.Module(SIMD_PROBE);
  } catch {
    return no("The content security policy of this page forbids WebAssembly; its script-src needs 'wasm-unsafe-eval'.");
  }
  if (simd === 'relaxed' && !WebAssembly.validate(RELAXED_PROBE)) {
    return no(
      "This browser has no relaxed WebAssembly SIMD. Chrome 114, Firefox 145 and Node 21 have it (Node 20 with --experimental-wasm-relaxed-simd); simd: 'simd128', the default, runs here.",
    );
  }
  return { supported: true, reason: null };
}

function no(reason: string): Support {
  return { supported: false, reason };
}
