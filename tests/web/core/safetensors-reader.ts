/** An independent, small and strict reader of safetensors files, written from the specification alone. */

export interface Tensor {
  shape: number[];
  data: Float32Array;
}

export interface SafetensorsFile {
  metadata: Record<string, string>;
  tensors: Map<string, Tensor>;
}

interface HeaderEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** F32 only. Throws for holes, overlaps, trailing bytes and sizes that do not fit the shape. */
export function readSafetensors(bytes: Uint8Array): SafetensorsFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = Number(view.getBigUint64(0, true));
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(8, 8 + headerSize));
  if (!text.startsWith('{')) throw new Error('the header does not begin with an object');
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(text) as Record<string, HeaderEntry> & {
    __metadata__?: Record<string, string>;
  };
  const tensors = new Map<string, Tensor>();
  let end = 0;
  const inOrder = Object.entries(entries).sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0]);
  for (const [name, { dtype, shape, data_offsets: offsets }] of inOrder) {
    if (dtype !== 'F32') throw new Error(`${name} is ${dtype}`);
    if (offsets[0] !== end) throw new Error(`${name} begins at ${offsets[0]}, not at ${end}`);
    end = offsets[1];
    const count = shape.reduce((product, size) => product * size, 1);
    if (end - offsets[0] !== 4 * count) throw new Error(`${name} has ${end - offsets[0]} bytes for ${count} numbers`);
    const first = 8 + headerSize + offsets[0];
    const data = Float32Array.from({ length: count }, (_, i) => view.getFloat32(first + 4 * i, true));
    tensors.set(name, { shape, data });
  }
  if (8 + headerSize + end !== bytes.length) throw new Error('bytes are left at the end');
  return { metadata, tensors };
}
