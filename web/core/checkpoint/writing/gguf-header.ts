/** The header of a GGUF file of version 3, as bytes. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */

const VERSION = 3;
const ALIGNMENT = 32;
const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
/** Type numbers of ggml.h. */
const TENSOR_TYPES = { F32: 0, F16: 1 } as const;

export type GgufField =
  | { readonly type: 'u32' | 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string | Uint8Array }
  | { readonly type: 'strings'; readonly value: readonly (string | Uint8Array)[] }
  | { readonly type: 'i32s'; readonly value: readonly number[] }
  | { readonly type: 'f32s'; readonly value: Float32Array };

export interface GgufEntry {
  readonly name: string;
  /** Row-major; the format lists the contiguous dimension first. */
  readonly shape: readonly number[];
  readonly type: keyof typeof TENSOR_TYPES;
  readonly bytes: number;
}

export interface GgufLayout {
  readonly header: Uint8Array;
  /** First byte of each tensor in the file. */
  readonly starts: readonly number[];
  readonly size: number;
}

export const aligned = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

export function ggufLayout(fields: ReadonlyMap<string, GgufField>, entries: readonly GgufEntry[]): GgufLayout {
  const bytes = new Bytes();
  bytes.raw(new TextEncoder().encode('GGUF'));
  bytes.u32(VERSION);
  bytes.u64(entries.length);
  bytes.u64(fields.size);
  for (const [key, field] of fields) {
    bytes.string(key);
    writeField(bytes, field);
  }
  let offset = 0;
  const offsets = entries.map(({ name, shape, type, bytes: size }) => {
    bytes.string(name);
    bytes.u32(shape.length);
    for (const length of [...shape].reverse()) bytes.u64(length);
    bytes.u32(TENSOR_TYPES[type]);
    bytes.u64(offset);
    const start = offset;
    offset = aligned(offset + size);
    return start;
  });
  const base = aligned(bytes.length);
  return { header: bytes.all(), starts: offsets.map((start) => base + start), size: base + offset };
}

function writeField(bytes: Bytes, field: GgufField): void {
  switch (field.type) {
    case 'u32':
      bytes.u32(TYPES.u32);
      return bytes.u32(field.value);
    case 'f32':
      bytes.u32(TYPES.f32);
      return bytes.f32s(Float32Array.of(field.value));
    case 'bool':
      bytes.u32(TYPES.bool);
      return bytes.raw(Uint8Array.of(Number(field.value)));
    case 'string':
      bytes.u32(TYPES.string);
      return bytes.string(field.value);
    case 'strings':
      bytes.array(TYPES.string, field.value.length);
      return field.value.forEach((text) => bytes.string(text));
    case 'i32s':
      bytes.array(TYPES.i32, field.value.length);
      return field.value.forEach((value) => bytes.u32(value));
    case 'f32s':
      bytes.array(TYPES.f32, field.value.length);
      return bytes.f32s(field.value);
  }
}

/** A growing buffer; little-endian. */
class Bytes {
  length = 0;
  #bytes = new Uint8Array(2 ** 12);

  all(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  raw(bytes: Uint8Array): void {
    const view = this.#room(bytes.length);
    new Uint8Array(view.buffer).set(bytes, this.length - bytes.length);
  }

  u32(value: number): void {
    this.#room(4).setUint32(this.length - 4, value, true);
  }

  u64(value: number): void {
    this.#room(8).setBigUint64(this.length - 8, BigInt(value), true);
  }

  f32s(values: Float32Array): void {
    for (const value of values) this.#room(4).setFloat32(this.length - 4, value, true);
  }

  string(text: string | Uint8Array): void {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    this.u64(bytes.length);
    this.raw(bytes);
  }

  array(type: number, count: number): void {
    this.u32(TYPES.array);
    this.u32(type);
    this.u64(count);
  }

  /** A view of all bytes, with `length` advanced by `bytes`. */
  #room(bytes: number): DataView {
    const end = this.length + bytes;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, end));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.length = end;
    return new DataView(this.#bytes.buffer);
  }
}
