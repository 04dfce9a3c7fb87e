/** Files whose tables are all packed: what is proved of them without their rows. */
import { describe, expect, test } from 'vitest';
import { Draw } from '../../fuzz/draw.js';
import type { TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
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
  const [each, most, groups] = [32 / bits, 2 ** bits - 1, values.length / group];
  const words = new Uint32Array(values.length / each);
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
      words[Math.floor(element / each)]! |= number << (bits * (element % each));
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

  test.each([2, 4, 8])('of %i bits: one in a whole model is tied', async (bits) => {
    const checkpoint = await open(mlx(INPUT, table, bits, 32));
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'missing-output' });
    expect(checkpoint.tables.input).toMatchObject({
      name: INPUT,
      shape: [ROWS, WIDTH],
      dtype: 'packed by MLX, GPTQ or AWQ',
    });
    await expect(checkpoint.matrix('input')).rejects.toMatchObject({ code: 'unsupported' });
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
        "The file has 'model.embed_tokens' alone, which is packed by MLX, GPTQ or AWQ, and nothing says how many tokens it has.",
    });
  });
});
