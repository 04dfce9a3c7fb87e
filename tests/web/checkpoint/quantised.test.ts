/** Tables quantized by an encoder of the tests: through a whole file, every type is restored to within its step. */
import { expect, test } from 'vitest';
import { blockOf, type ElementType } from '../../../web/core/checkpoint/elements/element-types.js';
import { GGUF_TYPES } from '../../../web/core/checkpoint/elements/stored-types.js';
import { loadCore } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { gguf, safetensors } from './checkpoint-files.js';
import { ENCODERS, NARROW } from './quantised.js';

const core = await loadCore({ modules: ['checkpoint'] });
const [V, D] = [5, 512];

/** Half a step as a fraction of the largest number of a block, including the rounding of scales. */
const STEPS: Readonly<Record<keyof typeof ENCODERS, number>> = {
  Q8_0: 0.5 / 126,
  Q6_K: 0.55 / 31,
  Q5_K: 1.4 / 31 + 0.5 / 62,
  Q4_K: 1.4 / 15 + 0.5 / 62,
  Q4_0: 0.51 / 7,
  Q4_1: 1.05 / 15,
  Q5_0: 0.53 / 15,
  Q5_1: 1.05 / 31,
};

test.each(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[])('%s', async (dtype) => {
  const draw = new Draw(7);
  const block = blockOf(dtype as ElementType);
  // Rows of very different sizes.
  const rows = Array.from({ length: V }, (_, row) => draw.list(D, () => 10 ** row * (2 * draw.share() - 1)));
  const bytes = rows.flatMap((row) =>
    Array.from({ length: D / block.elements }, (_, i) =>
      ENCODERS[dtype](row.slice(i * block.elements, (i + 1) * block.elements)),
    ).flat(),
  );
  const [type] = [...GGUF_TYPES].find(([, [name]]) => name === dtype)!;
  const file = gguf({
    tensors: { 'token_embd.weight': { dimensions: [D, V], type, data: Uint8Array.from(bytes) } },
  });
  const checkpoint = await core.openCheckpoint(file);
  expect(checkpoint.tables.input).toMatchObject({ dtype, shape: [V, D], bytes: bytes.length });
  const { data } = await checkpoint.matrix('input');
  rows.forEach((row, at) => {
    const errors = row.map((value, i) => Math.abs(data[at * D + i]! - value) / 10 ** at);
    expect(Math.max(...errors)).toBeLessThan(STEPS[dtype]);
    // It is not a copy.
    expect(Math.max(...errors)).toBeGreaterThan(STEPS[dtype] / 4);
  });
});

const ODD = [0, -0, 1, -1, 1.0625, 1 / 3, -Math.PI, 448, -57_344, 65_504, 2 ** -9, 2 ** -14, 2 ** -16, 2 ** -24, 3e-7, 0.06, 1e6, -1e38]; // prettier-ignore

test.each(Object.keys(NARROW) as (keyof typeof NARROW)[])(
  '%s has the nearest representable values, infinities and NaN',
  async (dtype) => {
    const { encode, bytes, values, hasInfinity } = NARROW[dtype];
    const draw = new Draw(8);
    const numbers = [
      ...ODD,
      ...draw.list(200, () => (2 * draw.share() - 1) * 2 ** draw.whole(-20, 8)),
      Infinity,
      -Infinity,
      NaN,
    ];
    const data = Uint8Array.from(numbers.flatMap((value) => [encode(value) & 255, encode(value) >> 8].slice(0, bytes)));
    const file = safetensors({ wte: { shape: [numbers.length, 1], dtype, data } });
    const checkpoint = await core.openCheckpoint(file);
    const { data: found } = await checkpoint.matrix('input');
    const finite = values.filter((value) => Number.isFinite(value));
    const most = Math.max(...finite);
    numbers.slice(0, -3).forEach((value, i) => {
      // Beyond the largest number comes infinity or, for types without infinity, that number.
      if (Math.abs(value) > most) expect(Math.abs(found[i]!)).toBe(hasInfinity ? Infinity : most);
      else {
        const nearest = Math.min(...finite.map((one) => Math.abs(one - value)));
        expect([numbers[i], Math.abs(found[i]! - value)]).toEqual([numbers[i], nearest]);
        if (value !== 0) expect(Math.sign(found[i]!) === 0 || Math.sign(found[i]!) === Math.sign(value)).toBe(true);
        else expect(Object.is(found[i], value)).toBe(true);
      }
    });
    expect([...found.slice(-3)]).toEqual(hasInfinity ? [Infinity, -Infinity, NaN] : [most, -most, NaN]);
  },
);

test.each(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[])(
  '%s reports an infinite scale by its row',
  async (dtype) => {
    const block = blockOf(dtype as ElementType);
    const good = ENCODERS[dtype](Array.from({ length: block.elements }, (_, i) => Math.sin(i)));
    const bad = [...good];
    const at = dtype === 'Q6_K' ? block.bytes - 2 : 0;
    bad.splice(at, 2, 0x00, 0x7c);
    const [type] = [...GGUF_TYPES].find(([, [name]]) => name === dtype)!;
    const data = Uint8Array.from([good, good, bad].flat());
    const checkpoint = await core.openCheckpoint(
      gguf({ tensors: { 'token_embd.weight': { dimensions: [block.elements, 3], type, data } } }),
    );
    const { data: found } = await checkpoint.matrix('input');
    expect(found.subarray(0, 2 * block.elements).every((value) => Number.isFinite(value))).toBe(true);
    expect(found.subarray(2 * block.elements).some((value) => !Number.isFinite(value))).toBe(true);
    await expect(checkpoint.identityCard()).rejects.toMatchObject({
      code: 'not-finite',
      message: expect.stringMatching(/'token_embd\.weight': input\[2, \d+\]/) as string,
    });
  },
);
