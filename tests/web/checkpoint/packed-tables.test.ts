/** Files whose tables are all packed: what is proved of them without their rows. */
import { describe, expect, test } from 'vitest';
import { loadCore, TiedError } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import type { TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { floatOf } from './reference-decoder.js';
import { bytes, files, llama, vector } from './verdict-files.js';

const [ROWS, WIDTH] = [24, 64];
type Tensors = Record<string, TensorParts>;

const drawn = (draw: Draw): Float32Array =>
  Float32Array.from({ length: ROWS * WIDTH }, () => draw.share() + draw.share() - 1);

/** BF16, to the nearest. */
const bf16 = (value: number): number => {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0]!;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
};

/** MLX's affine quantization: the end of a group that is farther from zero is a multiple of the scale. https://ml-explore.github.io/mlx (quantize). */
function mlx(name: string, values: Float32Array, bits: number, group: number, factor = 1): Tensors {
  const [most, groups] = [2 ** bits - 1, values.length / group];
  const words = new Uint32Array((values.length * bits) / 32);
  const [scales, biases] = [new Uint16Array(groups), new Uint16Array(groups)];
  for (let g = 0; g < groups; g++) {
    const some = values.subarray(g * group, (g + 1) * group);
    const [least, largest] = [Math.min(...some), Math.max(...some)];
    const isDown = Math.abs(least) <= Math.abs(largest);
    const step = ((largest - least) / most) * (isDown ? -1 : 1);
    const edge = isDown ? largest : least;
    const at = Math.round(edge / step);
    const [scale, bias] = at === 0 ? [step, 0] : [edge / at, edge];
    [scales[g], biases[g]] = [bf16(factor * scale), bf16(factor * bias)];
    for (const [i, value] of some.entries()) {
      const number = Math.max(0, Math.min(most, Math.round((value - bias) / scale)));
      const element = g * group + i;
      // The bits of a row follow each other, the lowest first, across the ends of words.
      for (let bit = 0; bit < bits; bit++)
        words[Math.floor((element * bits + bit) / 32)]! |= ((number >> bit) & 1) << ((element * bits + bit) % 32);
    }
  }
  const parts = (dtype: string, array: Uint32Array | Uint16Array): TensorParts => ({
    ...{ dtype, shape: [ROWS, array.length / ROWS], data: new Uint8Array(array.slice().buffer) },
  });
  return {
    [`${name}.weight`]: parts('U32', words),
    [`${name}.scales`]: parts('BF16', scales),
    [`${name}.biases`]: parts('BF16', biases),
  };
}

const [INPUT, OUTPUT] = ['model.embed_tokens', 'lm_head'];
const rest = { ...llama(), 'model.norm.weight': vector(WIDTH) };
const open = (tensors: Tensors) => openHere(files({ ...tensors, ...rest }));
const judged = async (tensors: Tensors) => (await open(tensors)).tying;

describe('tables packed by MLX', () => {
  const table = drawn(new Draw(1));

  test.each([2, 3, 4, 5, 6, 8])('of %i bits: one in a whole model is tied', async (bits) => {
    const checkpoint = await open(mlx(INPUT, table, bits, 32));
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'missing-output' });
    expect(checkpoint.tables.input).toMatchObject({
      name: INPUT,
      shape: [ROWS, WIDTH],
      dtype: `packed by MLX in ${bits} bits, with a scale for 32 columns`,
    });
    const { data } = await checkpoint.matrix('input');
    // A whole step of a group that spans at most 2, since the scale is chosen for one end of it; and the rounding of scale and bias.
    const most = 2 / (2 ** bits - 1) + 2 ** -6;
    expect(Math.max(...data.map((value, i) => Math.abs(value - table[i]!)))).toBeLessThan(most);
  });

  test('beside a head that nobody knows leaves it open, without an offer to name what cannot be named', async () => {
    const tying = await judged({ ...mlx(INPUT, table, 4, 32), ...mlx('vocab_out', table, 4, 32) });
    expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
    expect(tying.reason).not.toContain('settles it');
  });

  test('with equal parts are one table', async () => {
    const tying = await judged({ ...mlx(INPUT, table, 4, 32), ...mlx(OUTPUT, table, 4, 32) });
    expect(tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });

  test('with other scales for the same numbers may be one with a factor', async () => {
    const tying = await judged({ ...mlx(INPUT, table, 4, 32), ...mlx(OUTPUT, table, 4, 32, 3) });
    expect(tying).toMatchObject({
      tied: null,
      evidence: 'unknown',
      reason: expect.stringContaining('with other bytes') as string,
    });
  });

  const HOW: readonly (readonly [bits: number, group: number])[] = [
    [2, 16],
    [4, 32],
    [4, 64],
    [8, 64],
  ];
  test('of 60 random tables, two are different, and one that is packed in two ways is never called so', async () => {
    const counts = { different: 0, open: 0 };
    for (let seed = 0; seed < 60; seed++) {
      const draw = new Draw(seed, 5);
      const [one, other] = [drawn(draw), drawn(draw)];
      const [how, beside] = [draw.of(HOW), draw.of(HOW)];
      const same = await judged({ ...mlx(INPUT, one, ...how), ...mlx(OUTPUT, one, ...beside) });
      expect(same.tied, `${seed}: ${how.join()} and ${beside.join()}`).not.toBe(false);
      const two = await judged({ ...mlx(INPUT, one, ...how), ...mlx(OUTPUT, other, ...beside) });
      expect(two.tied).not.toBe(true);
      counts[two.tied === false ? 'different' : 'open']++;
    }
    // In 2 bits, three of four numbers may be at an end of their group.
    expect(counts.different).toBeGreaterThan(30);
  });
});

describe('rows of packed tables', () => {
  /** No program that writes these runs here: made by hand from the layouts, and decoded by plain formulas. */
  const draw = new Draw(3);
  const drawnBytes = (length: number, most = 255): Uint8Array<ArrayBuffer> =>
    Uint8Array.from({ length }, () => draw.whole(0, most));
  const raw = (dtype: string, shape: readonly number[], data: Uint8Array<ArrayBuffer>): TensorParts => ({
    ...{ dtype, shape, data },
  });
  const E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6];
  const nibble = (bytes: Uint8Array, i: number): number => (bytes[i >> 1]! >> (4 * (i & 1))) & 15;
  const e4m3 = (bits: number): number => floatOf(bits, 4, 3, true);
  const elements = ROWS * WIDTH;

  test.each([...[16, 32, 64].flatMap((group) => [2, 3, 4, 5, 6, 8].map((bits) => [bits, group] as const))])(
    'MLX, %i bits in groups of %i, are scale times number plus bias',
    async (bits, group) => {
      const numbers = drawnBytes((elements * bits) / 8);
      const [scales, biases] = [0, 1].map(() =>
        Float32Array.from({ length: elements / group }, () => draw.share() - 0.5),
      );
      const floats = (values: Float32Array): TensorParts =>
        raw('F32', [ROWS, WIDTH / group], new Uint8Array(values.slice().buffer));
      const checkpoint = await open({
        [`${INPUT}.weight`]: raw('U32', [ROWS, (WIDTH * bits) / 32], numbers),
        [`${INPUT}.scales`]: floats(scales!),
        [`${INPUT}.biases`]: floats(biases!),
      });
      const stored = (i: number): number => {
        let number = 0;
        for (let k = 0; k < bits; k++) number += ((numbers[(i * bits + k) >> 3]! >> ((i * bits + k) & 7)) & 1) * 2 ** k;
        return number;
      };
      const expected = Float32Array.from({ length: elements }, (_, i) => {
        const at = Math.floor(i / group);
        return Math.fround(scales![at]! * stored(i)) + biases![at]!;
      });
      expect((await checkpoint.matrix('input')).data).toEqual(expected);
      const { data } = await checkpoint.matrix('input', { rows: Uint32Array.of(5, 2) });
      expect(data).toEqual(
        Float32Array.of(...expected.subarray(5 * WIDTH, 6 * WIDTH), ...expected.subarray(2 * WIDTH, 3 * WIDTH)),
      );
    },
  );

  const powers = (bytes: Uint8Array): number[] => [...bytes].map((e) => 2 ** (e - 127));
  const MODES = {
    mxfp4: [4, 32, (n: Uint8Array, i: number) => E2M1[nibble(n, i)]!, powers],
    mxfp8: [8, 32, (n: Uint8Array, i: number) => e4m3(n[i]!), powers],
    nvfp4: [4, 16, (n: Uint8Array, i: number) => E2M1[nibble(n, i)]!, (b: Uint8Array) => [...b].map(e4m3)],
  } as const;
  test.each(Object.entries(MODES))('MLX, mode %s', async (mode, [bits, group, numberOf, scalesOf]) => {
    const numbers = drawnBytes((elements * bits) / 8, 126);
    const scales = Uint8Array.from({ length: elements / group }, () => draw.whole(100, 126));
    const checkpoint = await open({
      [`${INPUT}.weight`]: raw('U32', [ROWS, (WIDTH * bits) / 32], numbers),
      [`${INPUT}.scales`]: raw('U8', [ROWS, WIDTH / group], scales),
    });
    const factors = scalesOf(scales);
    const expected = Float32Array.from(
      { length: elements },
      (_, i) => factors[Math.floor(i / group)]! * numberOf(numbers, i),
    );
    expect((await checkpoint.matrix('input')).data).toEqual(expected);
    expect(checkpoint.tables.input!.dtype).toBe(`packed by MLX as ${mode}`);
  });

  test.each(['weight_packed', 'weight'])('NVFP4 of %s', async (name) => {
    const numbers = drawnBytes(elements / 2);
    const scales = drawnBytes(elements / 16, 126);
    const whole = name === 'weight' ? 'weight_scale_2' : 'weight_global_scale';
    const factor = Float32Array.of(name === 'weight' ? 0.0123 : 1 / 0.0123);
    const checkpoint = await open({
      [`${INPUT}.${name}`]: raw('U8', [ROWS, WIDTH / 2], numbers),
      [`${INPUT}.weight_scale`]: raw('F8_E4M3', [ROWS, WIDTH / 16], scales),
      [`${INPUT}.${whole}`]: raw('F32', [1], new Uint8Array(factor.buffer)),
    });
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'missing-output' });
    const times = Math.fround(name === 'weight' ? factor[0]! : 1 / factor[0]!);
    const expected = Float32Array.from({ length: elements }, (_, i) => {
      const scale = Math.fround(e4m3(scales[i >> 4]!) * times);
      return Math.fround(scale / 2) * (2 * E2M1[nibble(numbers, i)]!);
    });
    expect((await checkpoint.matrix('input')).data).toEqual(expected);
  });

  test.each([
    ['weight_scale_inv', [2, 2], 128, 128],
    ['weight_scale', [130, 1], 1, 144],
    ['weight_scale', [1], 130, 144],
    ['weight_scale', [], 130, 144],
  ] as const)('FP8 with %s of shape %j', async (name, shape, high, wide) => {
    const [rows, cols] = [130, 144];
    const numbers = drawnBytes(rows * cols, 126);
    const scales = Float32Array.from(
      { length: shape.reduce<number>((all, size) => all * size, 1) },
      draw.share.bind(draw),
    );
    const checkpoint = await openHere(
      files({
        [`${INPUT}.weight`]: raw('F8_E4M3', [rows, cols], numbers),
        [`${INPUT}.${name}`]: raw('F32', shape, new Uint8Array(scales.slice().buffer)),
        ...llama(),
        'model.norm.weight': vector(cols),
      }),
    );
    const expected = Float32Array.from({ length: rows * cols }, (_, i) => {
      const [row, col] = [Math.floor(i / cols), i % cols];
      const group = Math.floor(row / high) * Math.ceil(cols / wide) + Math.floor(col / wide);
      return scales[group]! * e4m3(numbers[i]!);
    });
    expect((await checkpoint.matrix('input')).data).toEqual(expected);
    const { data } = await checkpoint.matrix('input', { rows: Uint32Array.of(129, 127, 128) });
    const of = (row: number): Float32Array => expected.subarray(row * cols, (row + 1) * cols);
    expect(data).toEqual(Float32Array.of(...of(129), ...of(127), ...of(128)));
  });

  test.each([
    ['weight_scale', 'U8', 32],
    ['weight_scale', 'F8_E8M0', 32],
    ['weight_scale_inv', 'F8_E8M0', 16],
  ] as const)('FP8 with exponents in %s of %s for %i columns each', async (name, dtype, group) => {
    const numbers = drawnBytes(elements, 126);
    const scales = Uint8Array.from({ length: elements / group }, () => draw.whole(100, 140));
    const checkpoint = await open({
      [`${INPUT}.weight`]: raw('F8_E4M3', [ROWS, WIDTH], numbers),
      [`${INPUT}.${name}`]: raw(dtype, [ROWS, WIDTH / group], scales),
    });
    const factors = powers(scales);
    const expected = Float32Array.from({ length: elements }, (_, i) => factors[Math.floor(i / group)]! * e4m3(numbers[i]!)); // prettier-ignore
    expect((await checkpoint.matrix('input')).data).toEqual(expected);
  });

  test('without norms that tell the width, config.json tells the bits, of all or of one module', async () => {
    const values = drawn(draw);
    const layers = Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'model.norm.weight'));
    const made = mlx(INPUT, values, 6, 32);
    const expected = (await (await open(made)).matrix('input')).data;
    const said = async (quantization: object) => (await openHere(files({ ...made, ...layers }, { quantization }))).matrix('input'); // prettier-ignore
    expect(await said({ group_size: 32, bits: 6 })).toEqual({ rows: ROWS, cols: WIDTH, data: expected });
    for (const path of ['model.embed_tokens', 'embed_tokens', 'language_model.model.embed_tokens']) {
      const { data } = await said({ group_size: 64, bits: 4, 'model.layers.0.mlp': false, [path]: { group_size: 32, bits: 6 } }); // prettier-ignore
      expect(data).toEqual(expected);
    }
    // Scales of 32 columns each are too many for these.
    for (const wrong of [{ group_size: 32, bits: 4 }, { group_size: 64, bits: 6 }, { bits: 6 }, { group_size: 'x', bits: -1 }, {}])
      await expect(said(wrong)).rejects.toThrow('neither a norm of the file nor quantization in config.json tells how wide it is'); // prettier-ignore
  });

  test('beside a plain table are read too', async () => {
    const values = drawn(draw);
    const plain = { dtype: 'F32', shape: [ROWS, WIDTH], data: new Uint8Array(values.slice().buffer) };
    const pairOf = (packed: Tensors, table: string): Promise<Awaited<ReturnType<typeof open>>> =>
      open({ ...packed, [`${table}.weight`]: plain });
    const head = await pairOf(mlx(OUTPUT, values, 4, 32), INPUT);
    expect(head.tying).toMatchObject({ tied: false, evidence: 'packed-output' });
    expect(head.tables.output).toMatchObject({
      shape: [ROWS, WIDTH],
      dtype: expect.stringContaining('4 bits') as string,
    });
    const input = await pairOf(mlx(INPUT, values, 4, 32), OUTPUT);
    expect(input.tying).toMatchObject({ tied: false, evidence: 'packed-input' });
    expect((await input.matrix('input')).data).toEqual((await head.matrix('output')).data);
    expect((await input.matrix('output')).data).toEqual(values);
  });

  const MALFORMED: readonly (readonly [what: string, change: (tensors: Tensors) => Tensors, says: string])[] = [
    ['no biases', ({ [`${INPUT}.biases`]: _, ...others }) => others, 'has scales of BF16, but no biases'],
    [
      'scales for fewer rows',
      (tensors) => ({ ...tensors, [`${INPUT}.scales`]: bytes('BF16', [ROWS - 1, 2], 2) }),
      `'${INPUT}.scales' has the shape [23, 2] of BF16; expected [24, groups]`,
    ],
    [
      'groups that are no whole blocks',
      (tensors) => ({ ...tensors, [`${INPUT}.scales`]: bytes('BF16', [ROWS, 8], 2) }),
      'with groups of a multiple of 16 columns',
    ],
    [
      'other biases',
      (tensors) => ({ ...tensors, [`${INPUT}.biases`]: bytes('BF16', [ROWS, 1], 2) }),
      `'${INPUT}.biases' has the shape [24, 1] of BF16; expected [24, 2] of BF16, as its scales`,
    ],
    [
      'a width that the bits do not divide',
      (tensors) => ({ ...tensors, [`${INPUT}.weight`]: bytes('U32', [ROWS, 7], 4) }),
      'expected 2, 3, 4, 5, 6 or 8 bits for each of 64 columns',
    ],
  ];
  test.each(MALFORMED)('are refused with %s', async (_, change, says) => {
    const good = mlx(INPUT, drawn(draw), 4, 32);
    const checkpoint = await open(change(good));
    await expect(checkpoint.matrix('input')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(says) as string,
    });
    expect(checkpoint.tying.tied).not.toBe(false);
  });
});

test('whatever the parts of packed tables are, rows are read or the error names what is wrong', async () => {
  const outcomes = { read: 0, refused: 0 };
  for (let seed = 0; seed < 400; seed++) {
    const draw = new Draw(seed, 9);
    const good = draw.odds(0.7)
      ? mlx(INPUT, drawn(draw), draw.of([2, 3, 4, 5, 6, 8]), draw.of([16, 32, 64]))
      : {
          [`${INPUT}.weight_packed`]: bytes('U8', [ROWS, WIDTH / 2], 1),
          [`${INPUT}.weight_scale`]: bytes('F8_E4M3', [ROWS, WIDTH / 16], 1),
          [`${INPUT}.weight_global_scale`]: bytes('F32', [1], 4),
        };
    const changed: Tensors = { ...good };
    const name = draw.of(Object.keys(good));
    if (draw.odds(0.2)) delete changed[name];
    else if (draw.odds(0.9)) {
      const [dtype, each] = draw.of([['U32', 4], ['U8', 1], ['BF16', 2], ['F16', 2], ['F32', 4], ['F8_E4M3', 1], ['I8', 1]] as const); // prettier-ignore
      const shape = draw.list(draw.whole(1, 3), () => draw.of([0, 1, 2, 3, 4, 8, 16, ROWS, WIDTH, 1000]));
      changed[name] = bytes(dtype, shape, each);
    }
    try {
      const checkpoint = await open(changed);
      const { rows, cols, data } = await checkpoint.matrix('input');
      expect(data).toHaveLength(rows * cols);
      outcomes.read++;
    } catch (error) {
      expect(error, `${seed}`).toBeInstanceOf(TiedError);
      expect((error as TiedError).message).toMatch(/expected|cannot be decoded/);
      outcomes.refused++;
    }
  }
  expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(40);
});

test('a core makes the card of a table packed by MLX, with the numbers of its rows as F32', async () => {
  const core = await loadCore({ modules: ['checkpoint'] });
  const packedFile = files({ ...mlx(INPUT, drawn(new Draw(4)), 6, 32), ...rest });
  const packed = await core.openCheckpoint(packedFile);
  const { data } = await packed.matrix('input');
  const plain = await core.openCheckpoint(
    files({
      [`${INPUT}.weight`]: { dtype: 'F32', shape: [ROWS, WIDTH], data: new Uint8Array(data.slice().buffer) },
      ...rest,
    }),
  );
  const [one, other] = [await packed.identityCard(), await plain.identityCard()];
  // Six bits, and a scale and a bias of 16 for 32 of them.
  expect(one.data.tables.input).toMatchObject({
    dtype: 'packed by MLX in 6 bits, with a scale for 32 columns',
    bitsPerElement: 7,
  });
  const [norms, others] = [one.norms.input!, other.norms.input!];
  expect(norms).toHaveLength(ROWS);
  // Entries of narrow types are rounded to 16 bits for sums.
  for (const [row, norm] of norms.entries()) expect(norm).toBeCloseTo(others[row]!, 3);
  expect(one.data.tables.input!.meanCosine).toBeCloseTo(other.data.tables.input!.meanCosine, 3);
});

describe('tables packed in other ways', () => {
  const int8 = (name: string, fill: number): Tensors => {
    const numbers = bytes('I8', [ROWS, WIDTH], 1);
    return {
      [`${name}._weight_qdata`]: { ...numbers, data: numbers.data.map(() => fill) },
      [`${name}._weight_scale`]: vector(ROWS),
    };
  };

  test('of 8 bits: one in a whole model is tied, and two are one if all parts are', async () => {
    expect(await judged(int8(INPUT, 1))).toMatchObject({ tied: true, evidence: 'missing-output' });
    expect(await judged({ ...int8(INPUT, 1), ...int8(OUTPUT, 1) })).toMatchObject({
      tied: true,
      evidence: 'equal-bytes',
    });
    expect(await judged({ ...int8(INPUT, 1), ...int8(OUTPUT, 2) })).toMatchObject({ tied: null, evidence: 'unknown' });
  });

  test('without the shape of a table, one alone is not known', async () => {
    const tying = await judged({
      [`${INPUT}.qweight`]: bytes('I32', [WIDTH / 8, ROWS], 4),
      [`${INPUT}.scales`]: bytes('F16', [1, ROWS], 2),
    });
    expect(tying).toMatchObject({
      tied: null,
      reason:
        "The file has 'model.embed_tokens' alone, which is packed by GPTQ or AWQ, and nothing says how many tokens it has.",
    });
  });
});
