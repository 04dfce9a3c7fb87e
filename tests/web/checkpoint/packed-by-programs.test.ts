/** Tables that GPTQ, AWQ, bitsandbytes and compressed-tensors packed: by their own code (tests/reference/packed_tables.py), and changed by hand. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { loadCore, TiedError } from '../../../web/index.js';
import { StoredColumns } from '../../../web/core/checkpoint/packed/stored-columns.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { Draw } from '../../fuzz/draw.js';
import type { TensorParts } from './checkpoint-files.js';
import { floats } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { bytes, files, llama, vector } from './verdict-files.js';

interface Case {
  readonly tensors: Readonly<Record<string, { dtype: string; shape: number[]; data: string }>>;
  readonly shape: readonly [number, number];
  readonly sha256: string;
  readonly row5: readonly number[];
}
const CASES = JSON.parse(readFileSync(join(root, 'tests/reference/packed_tables.json'), 'utf8')) as Record<
  string,
  Case
>;
const NAMES = Object.keys(CASES);
type Tensors = Record<string, TensorParts>;

const partsOf = (name: string, stem = 'lm_head'): Tensors =>
  Object.fromEntries(
    Object.entries(CASES[name]!.tensors).map(([own, { dtype, shape, data }]) => [
      `${stem}.${own}`,
      { dtype, shape, data: Uint8Array.from(Buffer.from(data, 'base64')) },
    ]),
  );
const plain = ([rows, cols]: readonly [number, number]): TensorParts => ({
  shape: [rows, cols],
  data: floats(Array.from({ length: rows * cols }, (_, i) => Math.sin(i))),
});
/** A plain input table beside a packed head, as the programs leave models. */
const pair = (name: string, change: (tensors: Tensors) => Tensors = (tensors) => tensors, config?: object): File[] => {
  const { shape } = CASES[name]!;
  const rest = { 'model.embed_tokens.weight': plain(shape), ...llama(), 'model.norm.weight': vector(shape[1]) };
  return files({ ...rest, ...change(partsOf(name)) }, config);
};
const sha256 = (data: Float32Array): string =>
  createHash('sha256')
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest('hex');

describe('a head packed by another program', () => {
  test.each(NAMES)('%s: rows have the bits of the program', async (name) => {
    const { shape, row5, sha256: expected } = CASES[name]!;
    const checkpoint = await openHere(pair(name));
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output' });
    expect(checkpoint.tables.input).toMatchObject({ shape, dtype: 'F32' });
    const how = name.startsWith('bits')
      ? 'packed by bitsandbytes '
      : name.endsWith('MXFP4')
        ? 'packed as MXFP4'
        : `packed by ${name.split(',')[0]} in `;
    expect(checkpoint.tables.output).toMatchObject({
      name: 'lm_head',
      shape,
      dtype: expect.stringContaining(how) as string,
      bytes: Object.values(partsOf(name)).reduce((sum, { data }) => sum + data.length, 0),
    });
    const { data } = await checkpoint.matrix('output');
    expect([...data.subarray(5 * shape[1], 6 * shape[1])]).toEqual(row5);
    expect(sha256(data)).toBe(expected);
    const some = await checkpoint.matrix('output', { rows: Uint32Array.of(shape[0] - 1, 5, 6) });
    expect(some.data).toEqual(
      Float32Array.of(...data.subarray((shape[0] - 1) * shape[1]), ...data.subarray(5 * shape[1], 7 * shape[1])),
    );
  });

  test.each(NAMES)('%s: alone in a whole model it is tied, beside a copy equal', async (name) => {
    const { shape } = CASES[name]!;
    const rest = { ...llama(), 'model.norm.weight': vector(shape[1]) };
    const own = partsOf(name, 'model.embed_tokens');
    const alone = await openHere(files({ ...own, ...rest }));
    expect(alone.tying).toMatchObject({ tied: true, evidence: 'missing-output' });
    expect(alone.tables.input).toMatchObject({ shape });
    const twice = await openHere(files({ ...own, ...partsOf(name), ...rest }));
    expect(twice.tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
    expect(sha256((await twice.matrix('output')).data)).toBe(CASES[name]!.sha256);
  });

  test('is as far from the plain table as its rows are', async () => {
    const name = 'AWQ, 64 x 96, groups of 32';
    const { data } = await (await openHere(pair(name))).matrix('output');
    // The plain table has these numbers, but for one row.
    const values = data.map((value, i) => (i < 96 ? value + 1 : value));
    const near = { 'model.embed_tokens.weight': { shape: [64, 96], data: floats(values) } };
    const rest = { ...llama(), 'model.norm.weight': vector(96) };
    const checkpoint = await openHere(files({ ...near, ...rest, ...partsOf(name) }));
    const { tied, evidence, distance } = checkpoint.tying;
    expect([tied, evidence, distance!.rows]).toEqual([false, 'packed-output', 64]);
    expect(distance!.equalRows).toBe(63 / 64);
    expect(distance!.meanCosine).toBeGreaterThan(0.98);
    expect((await openHere(pair(name))).tying.distance!.equalRows).toBe(0);
  });

  test('NF4 under the name of a type of floats is the same', async () => {
    const name = 'bitsandbytes, nf4, doubly';
    const named = (tensors: Tensors): Tensors => ({
      ...tensors,
      'lm_head.weight': { ...tensors['lm_head.weight']!, dtype: 'BF16', shape: [4320, 1] },
    });
    const checkpoint = await openHere(pair(name, named));
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output' });
    expect(sha256((await checkpoint.matrix('output')).data)).toBe(CASES[name]!.sha256);
  });

  test('other bytes of two packed tables do not tell whether they were one', async () => {
    const [name, other] = ['GPTQ, 4 bits, in order', 'GPTQ, 4 bits, by activation'];
    const rest = { ...llama(), 'model.norm.weight': vector(96) };
    const two = await openHere(files({ ...partsOf(name, 'model.embed_tokens'), ...partsOf(other), ...rest }));
    expect(two.tying).toMatchObject({ tied: null, evidence: 'unknown' });
  });
});

test('a core makes the card of a packed head and compares it, with the numbers of its rows as F32', async () => {
  const core = await loadCore({ modules: ['checkpoint'] });
  for (const name of ['GPTQ, 3 bits, by activation', 'AWQ, 64 x 96, groups of 32', 'bitsandbytes, nf4, doubly']) {
    const packed = await core.openCheckpoint(pair(name));
    const { data } = await packed.matrix('output');
    const asFloats = {
      'lm_head.weight': { shape: [...CASES[name]!.shape], data: new Uint8Array(data.slice().buffer) },
    };
    const written = await core.openCheckpoint(pair(name, () => asFloats));
    const [one, other] = [await packed.identityCard(), await written.identityCard()];
    expect(one.norms).toEqual(other.norms);
    expect(one.data.tables.output!.meanCosine).toBe(other.data.tables.output!.meanCosine);
    expect(one.data.asymmetry).toEqual(other.data.asymmetry);
    const compared = await packed.compareWith([written]);
    const { change } = compared.data.checkpoints[1]!;
    expect([change.input!.distance, change.output!.distance]).toEqual([0, 0]);
    for (const opened of [packed, written]) opened.dispose();
  }
}, 60_000);

test('windows of columns and reports of a packed head are those of its rows', async () => {
  for (const name of ['GPTQ, 3 bits, by activation', 'compressed-tensors, int8, 20 x 65, groups of 65']) {
    const checkpoint = await openHere(pair(name));
    const { rows, cols, data } = await checkpoint.matrix('output');
    const window = await checkpoint.tensorWindow('output', { rows: { from: 3, to: 7 }, cols: { from: 5, to: 60 } });
    const expected = [3, 4, 5, 6].flatMap((row) => [...data.subarray(row * cols + 5, row * cols + 60)]);
    expect([...window.data]).toEqual(expected);
    const { elements, least, greatest } = await checkpoint.tensorReport('output');
    expect([elements, least, greatest]).toEqual([rows * cols, Math.min(...data), Math.max(...data)]);
  }
});

describe('zero points of GPTQ', () => {
  const name = 'GPTQ, 4 bits, in order';
  const rowsWith = async (zeros: Uint8Array, config?: object): Promise<Float32Array> => {
    const change = (tensors: Tensors): Tensors => ({
      ...tensors,
      'lm_head.qzeros': { ...tensors['lm_head.qzeros']!, data: zeros },
    });
    return (await (await openHere(pair(name, change, config))).matrix('output')).data;
  };
  const stored = partsOf(name)['lm_head.qzeros']!.data;
  /** Of every nibble, one more. */
  const asTheyAre = Uint8Array.from(stored, (byte) => ((byte + 1) & 15) | (((byte >> 4) + 1) << 4));
  const config = (format: string) => ({
    quantization_config: { quant_method: 'gptq', bits: 4, checkpoint_format: format },
  });

  test('are stored less one in the first format, and as they are in the second', async () => {
    expect(sha256(await rowsWith(asTheyAre, config('gptq_v2')))).toBe(CASES[name]!.sha256);
    expect(sha256(await rowsWith(stored, config('gptq')))).toBe(CASES[name]!.sha256);
    expect(sha256(await rowsWith(stored, config('gptq_v2')))).not.toBe(CASES[name]!.sha256);
  });

  test.each([
    ['gptq', 0x88],
    ['gptq', 0x77],
    ['gptq_v2', 0x88],
    ['gptq_v2', 0x77],
  ])('of a symmetric table that says %s, with bytes %i, are half the levels', async (format, byte) => {
    const data = await rowsWith(
      stored.map(() => byte),
      config(format),
    );
    const middle = await rowsWith(
      stored.map(() => 0x88),
      config('gptq_v2'),
    );
    expect(data).toEqual(middle);
    const scale = (row: number, group: number): number => {
      const { data } = partsOf(name)['lm_head.scales']!;
      return new Float32Array([new DataView(data.buffer).getUint16(2 * (64 * group + row), true)].map(half))[0]!;
    };
    const word = new DataView(partsOf(name)['lm_head.qweight']!.data.buffer);
    for (const [row, col] of [
      [0, 0],
      [5, 9],
      [63, 95],
    ] as const) {
      const number = (word.getUint32(4 * (64 * (col >> 3) + row), true) >>> (4 * (col & 7))) & 15;
      expect(data[row * 96 + col]).toBe((number - 8) * scale(row, Math.floor(col / 32)));
    }
  });

  test('stored as 15 less one are 0 for some kernels and 16 for others, so their rows are not shown', async () => {
    const zeros = stored.slice();
    // Of group 1 and token 9: eight bytes of 64 tokens make a group.
    zeros[32 + 4] = (zeros[32 + 4]! & 15) | 0xf0;
    const files = pair(name, (tensors) => ({ ...tensors, 'lm_head.qzeros': { ...tensors['lm_head.qzeros']!, data: zeros } })); // prettier-ignore
    const checkpoint = await openHere(files);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output', distance: null });
    await expect(checkpoint.matrix('output')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining("'lm_head.qzeros' has the zero point 15 for token 9, stored less one, which GPTQ's kernels take for 0 or for 16") as string, // prettier-ignore
    });
    expect((await checkpoint.matrix('output', { rows: Uint32Array.of(8, 10) })).rows).toBe(2);
    expect(await rowsWith(zeros, config('gptq_v2'))).toHaveLength(64 * 96);
  });

  test.each(['quantize_config.json', 'quant_config.json'])(
    'are as %s says where config.json does not',
    async (file) => {
      const rows = async (config: object | undefined, beside: object): Promise<string> => {
        const change = (tensors: Tensors): Tensors => ({ ...tensors, 'lm_head.qzeros': { ...tensors['lm_head.qzeros']!, data: asTheyAre } }); // prettier-ignore
        const besides = files({}, undefined, { beside: { [file]: beside } }).slice(1);
        return sha256((await (await openHere([...pair(name, change, config), ...besides])).matrix('output')).data);
      };
      const second = { bits: 4, group_size: 32, checkpoint_format: 'gptq_v2' };
      expect(await rows(undefined, second)).toBe(CASES[name]!.sha256);
      expect(await rows({ model_type: 'llama' }, second)).toBe(CASES[name]!.sha256);
      // What config.json says counts, and what cannot be read says nothing.
      expect(await rows(config('gptq'), second)).not.toBe(CASES[name]!.sha256);
      expect(await rows(undefined, [])).not.toBe(CASES[name]!.sha256);
    },
  );

  const half = (bits: number): number => {
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    return (
      (bits >> 15 ? -1 : 1) * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
    );
  };
});

describe('parts that do not fit', () => {
  const [GPTQ, AWQ, NF4, INT8] = ['GPTQ, 4 bits, in order', 'AWQ, 64 x 96, groups of 32', 'bitsandbytes, nf4, doubly', 'bitsandbytes, int8'] as const; // prettier-ignore
  const [GEMV, PACKED, BYTES] = ['AWQ, gemv, 16 x 96, groups of 32', 'compressed-tensors, 8 bits, 18 x 64, groups of 16, by activation, with zero points', 'compressed-tensors, int8, 20 x 96, groups of 32'] as const; // prettier-ignore
  const sizes = (...values: readonly number[]): TensorParts => ({
    ...{ dtype: 'I64', shape: [values.length], data: new Uint8Array(BigInt64Array.from(values, BigInt).buffer) },
  });
  const state = (change: object): TensorParts => {
    const said = JSON.parse(
      new TextDecoder().decode(partsOf(NF4)['lm_head.weight.quant_state.bitsandbytes__nf4']!.data),
    ) as object;
    const data = new TextEncoder().encode(JSON.stringify({ ...said, ...change }));
    return { dtype: 'U8', shape: [data.length], data };
  };
  const STATE = 'weight.quant_state.bitsandbytes__nf4';
  test.each([
    [GPTQ, 'qzeros', bytes('I32', [3, 7], 4), 'expected 2, 3, 4 or 8 bits for each of 64 tokens'],
    [GPTQ, 'qzeros', null, 'it has no qzeros; expected qweight, qzeros and scales'],
    [GPTQ, 'scales', bytes('F16', [2, 64], 2), "'lm_head.scales' has the shape [2, 64] of F16; expected [3, tokens]"],
    [GPTQ, 'scales', bytes('I8', [3, 64], 1), 'expected F32, F16 or BF16'],
    [GPTQ, 'g_idx', bytes('I32', [95], 4), "'lm_head.g_idx' has the shape [95] of I32; expected [96]"],
    [GPTQ, 'qweight', bytes('I32', [12, 63], 4), 'expected as many, as GPTQ has, or eight'],
    [GPTQ, 'qweight', bytes('I32', [12], 4), 'expected a matrix of I32'],
    [AWQ, 'scales', bytes('F16', [3, 60], 2), 'expected as many, as GPTQ has, or eight'],
    [GEMV, 'qzeros', bytes('I32', [16, 1], 4), 'expected as many, as GPTQ has, or eight'],
    [GEMV, 'qweight', bytes('I32', [16, 7], 4), 'which no group of 128, 64, 32 columns fits; expected the size of groups in config.json'], // prettier-ignore
    [GEMV, 'scaled_zeros', bytes('F16', [4, 16], 2), "AWQ's fast gemv; expected that of its gemm or gemv"],
    [PACKED, 'weight_shape', sizes(18, 63), "'lm_head.weight_g_idx' has the shape [64] of I32; expected [63]"],
    [PACKED, 'weight_shape', sizes(17, 64), 'expected 17 rows, as weight_shape says'],
    [PACKED, 'weight_shape', sizes(18, 640), 'expected 1 to 8 bits for each of 640 columns'],
    [PACKED, 'weight_shape', sizes(18, -64), 'is [18, -64]; expected [tokens, width]'],
    [PACKED, 'weight_shape', sizes(18), 'expected two numbers of I64'],
    [PACKED, 'weight_scale', bytes('BF16', [18, 3], 2), 'expected groups of equally many of 64 columns'],
    [PACKED, 'weight_scale', bytes('BF16', [17, 4], 2), 'expected [18, groups], [18, 1] or [1]'],
    [PACKED, 'weight_scale', bytes('I16', [18, 4], 2), 'expected F32, F16 or BF16'],
    [PACKED, 'weight_zero_point', bytes('I32', [4, 4], 4), "'lm_head.weight_zero_point' has the shape [4, 4] of I32; expected [5, 4]"], // prettier-ignore
    [PACKED, 'weight_g_idx', bytes('I32', [60], 4), 'expected [64] of I32, the group of each column'],
    [BYTES, 'weight_zero_point', bytes('I8', [20, 1], 1), 'expected [20, 3], as its scales'],
    [BYTES, 'weight_zero_point', bytes('I32', [20, 3], 4), 'expected I8, or packed in I32'],
    [NF4, 'weight.absmax', bytes('U8', [269], 1), 'expected 270 numbers of F32 or U8'],
    [NF4, 'weight.nested_absmax', null, 'has no nested_absmax, nested_quant_map'],
    [NF4, 'weight.quant_map', bytes('F32', [15], 4), 'expected 16 numbers of F32'],
    [NF4, 'weight', bytes('U8', [8639, 1], 1), 'expected half a byte for each of 72 x 240 elements'],
    [NF4, STATE, state({ shape: [72] }), 'has the shape [72]; expected [tokens, width]'],
    [NF4, STATE, state({ shape: [72, -240] }), 'expected [tokens, width]'],
    [NF4, STATE, state({ shape: undefined }), 'expected [tokens, width]'],
    [NF4, STATE, state({ blocksize: 'many' }), 'has the blocksize "many"'],
    [NF4, STATE, bytes('U8', [20], 1), 'cannot be parsed; expected JSON'],
    [NF4, STATE, bytes('F32', [20], 4), 'expected 1 to 65536 of U8'],
    [INT8, 'SCB', bytes('F32', [23], 4), 'expected 24 numbers of F32, one for each row'],
    [INT8, 'weight_format', bytes('U8', [], 1), 'is 7; expected 0, rows'],
  ] as const)('%s with another %s are refused', async (name, own, other, says) => {
    const { shape } = CASES[name]!;
    const tensors = { ...partsOf(name, 'model.embed_tokens') };
    if (other === null) delete tensors[`model.embed_tokens.${own}`];
    else tensors[`model.embed_tokens.${own}`] = other;
    const checkpoint = await openHere(files({ ...tensors, ...llama(), 'model.norm.weight': vector(shape[1]) }));
    await expect(checkpoint.matrix('input')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(says.replaceAll('lm_head', 'model.embed_tokens')) as string,
    });
    expect(checkpoint.tying.tied).not.toBe(false);
  });

  test('a group that is none is named when rows are read', async () => {
    const checkpoint = await openHere(
      pair(GPTQ, (tensors) => ({ ...tensors, 'lm_head.g_idx': bytes('I32', [96], 4) })),
    );
    await expect(checkpoint.matrix('output')).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining("'lm_head.g_idx' has 117901063; expected groups from 0 to 2") as string,
    });
  });

  test('whatever the parts are, rows are read or the error names what is wrong', async () => {
    const outcomes = { read: 0, refused: 0 };
    for (let seed = 0; seed < 200; seed++) {
      const draw = new Draw(seed, 11);
      const name = draw.of(NAMES);
      const tensors = partsOf(name, 'model.embed_tokens');
      const own = draw.of(Object.keys(tensors));
      if (draw.odds(0.2)) delete tensors[own];
      else if (draw.odds(0.3))
        tensors[own] = { ...tensors[own]!, data: tensors[own]!.data.map(() => draw.whole(0, 255)) };
      else if (draw.odds(0.9)) {
        const [dtype, each] = draw.of([['I32', 4], ['U8', 1], ['BF16', 2], ['F16', 2], ['F32', 4], ['I8', 1]] as const); // prettier-ignore
        const shape = draw.list(draw.whole(1, 3), () => draw.of([0, 1, 2, 3, 8, 12, 24, 64, 96, 1000]));
        tensors[own] = bytes(dtype, shape, each);
      }
      try {
        const rest = { ...llama(), 'model.norm.weight': vector(CASES[name]!.shape[1]) };
        const { rows, cols, data } = await (await openHere(files({ ...tensors, ...rest }))).matrix('input');
        expect(data).toHaveLength(rows * cols);
        outcomes.read++;
      } catch (error) {
        expect(error, `${seed}`).toBeInstanceOf(TiedError);
        expect((error as TiedError).message).toMatch(/expected|cannot be decoded/);
        outcomes.refused++;
      }
    }
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(30);
  });
});

describe('columns of a stored matrix', () => {
  class Counted extends BytesSource {
    reads = 0;
    override read(...range: Parameters<BytesSource['read']>): Promise<Uint8Array> {
      this.reads++;
      return super.read(...range);
    }
  }
  const [rows, rowBytes] = [8, 40_000];
  const data = Uint8Array.from({ length: rows * rowBytes }, (_, i) => (i * 2_654_435_761) >>> 24);
  const made = (most?: number) => {
    const source = new Counted(data);
    const tensor = { name: 'q', shape: [rows, rowBytes / 4], dtype: 'I32', bytes: data.length, source, from: 0 };
    return { source, columns: new StoredColumns(tensor, most) };
  };
  const expected = (from: number, to: number): Uint8Array =>
    Uint8Array.from({ length: rows * (to - from) }, (_, i) => {
      const each = to - from;
      return data[Math.floor(i / each) * rowBytes + from + (i % each)]!;
    });

  test('come from one read where all fit a window', async () => {
    const { source, columns } = made();
    for (let from = 0; from < rowBytes; from += 1000)
      expect(await columns.read(from, from + 1000)).toEqual(expected(from, from + 1000));
    expect(source.reads).toBe(1);
  });

  test('in order come from reads of whole windows, each once', async () => {
    const { source, columns } = made(2 ** 16);
    for (let from = 0; from < rowBytes; from += 1000)
      expect(await columns.read(from, from + 1000)).toEqual(expected(from, from + 1000));
    expect(source.reads).toBe(rows * Math.ceil(rowBytes / 2 ** 13));
    expect(source.bytesRead).toBe(data.length);
  });

  test('across the ends of windows are the same', async () => {
    const { columns } = made(2 ** 15);
    expect(await columns.read(4000, 39_996)).toEqual(expected(4000, 39_996));
    expect(await columns.read(8188, 8196)).toEqual(expected(8188, 8196));
  });
});
