// Checkpoint files, as other programs write them.

export interface WrittenTensor {
  dtype: 'F64' | 'F32' | 'F16' | 'BF16';
  shape: number[];
  bytes: Uint8Array;
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The same numbers in each type; they must be exact in 8 bits. */
export function tensor(dtype: WrittenTensor['dtype'], shape: number[], values: readonly number[]): WrittenTensor {
  if (dtype === 'F64') return { dtype, shape, bytes: bytesOf(Float64Array.from(values)) };
  const floats = Float32Array.from(values);
  if (dtype === 'F32') return { dtype, shape, bytes: bytesOf(floats) };
  const bits = new Uint32Array(floats.buffer);
  const halves = Uint16Array.from(bits, (one) => {
    if (dtype === 'BF16') return one >>> 16;
    const exponent = ((one >>> 23) & 255) - 112;
    if ((one & 0x7fffffff) === 0) return 0;
    if (exponent < 1 || exponent > 30) throw new RangeError('the number is no normal number of 16 bits');
    return ((one >>> 16) & 0x8000) | (exponent << 10) | ((one >>> 13) & 1023);
  });
  return { dtype, shape, bytes: bytesOf(halves) };
}

export function safetensors(
  tensors: Readonly<Record<string, WrittenTensor>>,
  metadata?: Readonly<Record<string, string>>,
): Uint8Array {
  let at = 0;
  const header: Record<string, unknown> = metadata === undefined ? {} : { __metadata__: metadata };
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

export function npy(descr: string, shape: readonly number[], bytes: Uint8Array, fortran = 'False'): Uint8Array {
  const text =
    `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n';
  const head = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, text.length & 255, text.length >> 8]);
  return Buffer.concat([head, Buffer.from(text), bytes]);
}

/** A GGUF file of version 3 with token strings, and Q8_0 tables with one block of 32 elements per row. */
export function gguf(tokens: readonly string[], tables: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const put = (bytes: Uint8Array): void => void parts.push(bytes);
  const number = (bytes: 4 | 8, value: number): void => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 4) buffer.writeUInt32LE(value);
    else buffer.writeBigUInt64LE(BigInt(value));
    put(buffer);
  };
  const string = (text: string): void => {
    const bytes = Buffer.from(text);
    number(8, bytes.length);
    put(bytes);
  };
  put(Buffer.from('GGUF'));
  number(4, 3);
  number(8, Object.keys(tables).length);
  number(8, 1);
  string('tokenizer.ggml.tokens');
  // An array of strings.
  number(4, 9);
  number(4, 8);
  number(8, tokens.length);
  tokens.forEach(string);
  let offset = 0;
  for (const [name, { length }] of Object.entries(tables)) {
    string(name);
    number(4, 2);
    number(8, 32);
    number(8, tokens.length);
    // Q8_0
    number(4, 8);
    number(8, offset);
    offset += Math.ceil(length / 32) * 32;
  }
  const aligned = (bytes: number): void => put(new Uint8Array((32 - (bytes % 32)) % 32));
  aligned(parts.reduce((sum, { length }) => sum + length, 0));
  for (const table of Object.values(tables)) {
    put(table);
    aligned(table.length);
  }
  return Buffer.concat(parts);
}
