/** Whether a file begins as a model of ONNX: as a protocol buffer with a version, texts of its writer, and then a graph or a list of operator sets. */
import { powerOfTwo } from '../../../runtime/elementary.js';

const isText = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 32 || (byte > 8 && byte < 14));

export function looksLikeOnnx(head: Uint8Array): boolean {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; at < head.length && shift < 35; shift += 7) {
      const byte = head[at++]!;
      value += (byte & 127) * powerOfTwo(shift);
      if (byte < 128) return value;
    }
    return -1;
  };
  for (let before = 0; at < head.length;) {
    const tag = number();
    const field = tag >> 3;
    if (field < before || (before === 0 && tag !== 8)) return false;
    before = field;
    // ir_version, model_version
    if (tag === 8 || tag === 40) {
      const value = number();
      if (value < 0 || (tag === 8 && (value < 1 || value > 99))) return false;
      continue;
    }
    const length = number();
    // The graph, whose own first field is a node, a name or a tensor.
    if (tag === 58) return length > 0 && [10, 18, 42].includes(head[at] ?? 0);
    if (tag === 66) return length > 0 && length < 256 && [10, 16].includes(head[at] ?? 0);
    if (![18, 26, 34, 50].includes(tag) || length < 0 || !isText(head.subarray(at, at + length))) return false;
    at += length;
  }
  return false;
}
