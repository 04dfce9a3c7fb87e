/** Writes small checkpoints of every format, valid or invalid. */

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Little-endian 32-bit floats. */
export function floats(values: Iterable<number>): Uint8Array<ArrayBuffer> {
  const list = [...values];
  const view = new DataView(new ArrayBuffer(4 * list.length));
  list.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return new Uint8Array(view.buffer);
}

/** A matrix of floats with distinct elements: `start`, `start` + 1/4 and so on. */
export const ramp = (elements: number, start = 0): Uint8Array<ArrayBuffer> =>
  floats(Array.from({ length: elements }, (_, i) => start + i / 4));

export function uint(value: number | bigint, bytes: 2 | 4 | 8): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(value), true);
  else if (bytes === 4) view.setUint32(0, Number(value), true);
  else view.setUint16(0, Number(value), true);
  return new Uint8Array(view.buffer);
}

export interface TensorParts {
  shape: readonly number[];
  data: Uint8Array;
  dtype?: string;
}

/** With the header before the data, as other writers do. */
export function safetensors(
  tensors: Readonly<Record<string, TensorParts>>,
  metadata?: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { shape, data, dtype = 'F32' }]) => {
    const from = at;
    at += data.length;
    return [name, { dtype, shape, data_offsets: [from, at] }];
  });
  const header = JSON.stringify({ ...(metadata ? { __metadata__: metadata } : {}), ...Object.fromEntries(entries) });
  return joined(uint(utf8(header).length, 8), utf8(header), ...Object.values(tensors).map(({ data }) => data));
}

/** Metadata of a file with one table, `wte.weight`, that has both roles. */
export const TIED_WTE = { 'lm_head.weight': 'wte.weight' } as const;

/** A layer and a final norm of this width: with a table, a whole GPT-2. */
export const restOfGpt2 = (width: number): Record<string, TensorParts> => ({
  'h.0.attn.c_proj.weight': { shape: [width, width], data: ramp(width * width) },
  'ln_f.weight': { shape: [width], data: ramp(width) },
});

/** With these bytes as its header, valid or not. */
export const safetensorsOf = (header: string, data = new Uint8Array(), length = utf8(header).length): Uint8Array =>
  joined(uint(length, 8), utf8(header), data);

const string = (text: string | Uint8Array): Uint8Array => {
  const bytes = typeof text === 'string' ? utf8(text) : text;
  return joined(uint(bytes.length, 8), bytes);
};

export type GgufValueParts =
  { u32: number } | { string: string } | { strings: readonly (string | Uint8Array)[] } | { raw: Uint8Array };

function ggufValue(value: GgufValueParts): Uint8Array {
  if ('u32' in value) return joined(uint(4, 4), uint(value.u32, 4));
  if ('string' in value) return joined(uint(8, 4), string(value.string));
  if ('raw' in value) return value.raw;
  return joined(uint(9, 4), uint(8, 4), uint(value.strings.length, 8), ...value.strings.map(string));
}

export interface GgufParts {
  tensors: Readonly<Record<string, { dimensions: readonly number[]; type: number; data: Uint8Array }>>;
  values?: Readonly<Record<string, GgufValueParts>>;
  version?: number;
  alignment?: number;
}

const up = (at: number, alignment: number): number => Math.ceil(at / alignment) * alignment;

export function gguf({ tensors, values = {}, version = 3, alignment = 32 }: GgufParts): Uint8Array<ArrayBuffer> {
  const all = { ...values, ...(alignment === 32 ? {} : { 'general.alignment': { u32: alignment } }) };
  const list = Object.entries(tensors);
  let offset = 0;
  const infos = list.map(([name, { dimensions, type, data }]) => {
    const at = offset;
    offset = up(at + data.length, alignment);
    return joined(
      string(name),
      uint(dimensions.length, 4),
      ...dimensions.map((n) => uint(n, 8)),
      uint(type, 4),
      uint(at, 8),
    );
  });
  const head = joined(
    utf8('GGUF'),
    uint(version, 4),
    uint(list.length, 8),
    uint(Object.keys(all).length, 8),
    ...Object.entries(all).map(([key, value]) => joined(string(key), ggufValue(value))),
    ...infos,
  );
  const padded = (bytes: Uint8Array): Uint8Array =>
    joined(bytes, new Uint8Array(up(bytes.length, alignment) - bytes.length));
  return joined(padded(head), ...list.map(([, { data }]) => padded(data)));
}

/** A file of rwkv.cpp; dimensions are listed with the contiguous one first. */
export function rwkv(
  tensors: Readonly<Record<string, { dimensions: readonly number[]; type: number; data: Uint8Array }>>,
  version = 101,
): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(tensors).map(([name, { dimensions, type, data }]) =>
    joined(...[dimensions.length, utf8(name).length, type, ...dimensions].map((n) => uint(n, 4)), utf8(name), data),
  );
  return joined(utf8('fmgg'), ...[version, 6, 4, 1, 0].map((n) => uint(n, 4)), ...entries);
}

export function npy(header: string, data: Uint8Array, major = 1): Uint8Array<ArrayBuffer> {
  const text = utf8(`${header}\n`);
  return joined(
    Uint8Array.of(0x93),
    utf8('NUMPY'),
    Uint8Array.of(major, 0),
    uint(text.length, major > 1 ? 4 : 2),
    text,
    data,
  );
}

export const fileOf = (name: string, bytes: Uint8Array): File => new File([bytes as Uint8Array<ArrayBuffer>], name);
