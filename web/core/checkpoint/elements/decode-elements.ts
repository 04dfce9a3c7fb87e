/** Elements of tables as floats. */
import { argumentError, invalidArgument } from '../../runtime/errors.js';
import { allocateResult, type Runtime } from '../../runtime/runtime.js';
import { checkInteger } from '../../runtime/validate.js';
import type { CheckpointModule } from '../../runtime/wasm-module.js';
import { blockOf, ELEMENT_TYPES, type ElementType } from './element-types.js';

/** Decoded at a time, to keep the module's memory small; whole blocks of every type. */
const ELEMENTS_PER_CALL = 2 ** 18;

/**
 * The elements of `bytes`, which must be whole blocks; written to `into` if given. Exact, except for F64, which is
 * rounded, and for blocks with a minimum, which round one sum as ggml does.
 */
export function decodeElements(
  runtime: Runtime<CheckpointModule>,
  type: ElementType,
  bytes: Uint8Array,
  elements: number,
  into?: Float32Array,
): Float32Array {
  const index = ELEMENT_TYPES.indexOf(type);
  const block = blockOf(type);
  checkInteger('elements', elements, 0);
  if (elements % block.elements !== 0) {
    throw invalidArgument('elements', elements, `a multiple of ${block.elements}, the block of ${type}`);
  }
  const expected = (elements / block.elements) * block.bytes;
  if (bytes.length !== expected) {
    throw argumentError('shape-mismatch', 'bytes.length', bytes.length, `${expected}, ${elements} elements of ${type}`);
  }
  if (into && into.length !== elements) {
    throw argumentError('shape-mismatch', 'into.length', into.length, `${elements}, one for each element`);
  }
  const decoded = into ?? allocateResult(() => new Float32Array(elements));
  for (let first = 0; first < elements; first += ELEMENTS_PER_CALL) {
    const count = Math.min(ELEMENTS_PER_CALL, elements - first);
    const from = (first / block.elements) * block.bytes;
    const part = bytes.subarray(from, from + (count / block.elements) * block.bytes);
    runtime.call(
      [part],
      (module, [at]) => module.decodeElements(index, at!, part.length, count),
      (answer) => decoded.set(answer.floatView(), first),
    );
  }
  return decoded;
}
