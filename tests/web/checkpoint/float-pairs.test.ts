/** One table in every two types of floats, rounded by the tests' own encoder, and beside it tables that were changed. */
import { describe, expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { safetensors, type TensorParts } from './checkpoint-files.js';
import { NARROW } from './quantised.js';

const core = await loadCore({ modules: ['checkpoint'] });
const [V, D] = [24, 16];
const draw = new Draw(11);
const numbers = draw.list(V * D, () => Math.fround(2 * draw.share() - 1));

type Name = keyof typeof NARROW | 'F32' | 'F64';
const TYPES: readonly Name[] = ['F64', 'F32', 'F16', 'BF16', 'F8_E4M3', 'F8_E5M2'];
const PAIRS = TYPES.flatMap((one) => TYPES.map((other) => [one, other] as const));

function stored(type: Name, values: readonly number[], shape = [V, D]): TensorParts {
  const bytesOf = (array: Float32Array | Float64Array): Uint8Array => new Uint8Array(array.buffer);
  if (type === 'F32') return { shape, dtype: type, data: bytesOf(Float32Array.from(values)) };
  if (type === 'F64') return { shape, dtype: type, data: bytesOf(Float64Array.from(values)) };
  const { encode, bytes } = NARROW[type];
  const data = values.flatMap((value) => [encode(value) & 255, encode(value) >> 8].slice(0, bytes));
  return { shape, dtype: type, data: Uint8Array.from(data) };
}

async function tiedOf(input: TensorParts, output: TensorParts): Promise<boolean | null> {
  const file = safetensors({ 'model.embed_tokens.weight': input, 'lm_head.weight': output });
  const checkpoint = await core.openCheckpoint(file);
  const { tied } = checkpoint.tying;
  checkpoint.dispose();
  return tied;
}

const turnedRound = (values: readonly number[]): number[] =>
  values.map((_, i) => values[(i % V) * D + Math.floor(i / V)]!);

const CHANGES: Readonly<Record<string, (values: readonly number[]) => number[]>> = {
  'one number is another one': (values) => values.map((x, i) => (i === 200 ? x + (x > 0 ? -1 : 1) : x)),
  'two rows are exchanged': (values) => [...values.slice(D, 2 * D), ...values.slice(0, D), ...values.slice(2 * D)],
  'one row is negative': (values) => values.map((x, i) => (i < D ? -x : x)),
  'every second number is half as large again': (values) => values.map((x, i) => (i % 2 ? 1.5 * x : x)),
};
const MULTIPLES: Readonly<Record<string, number>> = { 'four times as large': 4, negative: -1 };

describe.each(PAIRS)('%s and %s', (one, other) => {
  test('one table is tied, in either order of its elements', async () => {
    expect(await tiedOf(stored(one, numbers), stored(other, numbers))).toBe(true);
    expect(await tiedOf(stored(one, numbers), stored(other, turnedRound(numbers), [D, V]))).toBe(true);
  });

  test.each(Object.entries(CHANGES))('%s: untied', async (_, change) => {
    const changed = change(numbers);
    expect(await tiedOf(stored(one, numbers), stored(other, changed))).toBe(false);
    expect(await tiedOf(stored(one, numbers), stored(other, turnedRound(changed), [D, V]))).toBe(false);
  });

  test.each(Object.entries(MULTIPLES))('%s: not known', async (_, factor) => {
    const scaled = numbers.map((x) => factor * x);
    expect(await tiedOf(stored(one, numbers), stored(other, scaled))).toBeNull();
  });

  test('with more rows: not known, if those that both have are equal', async () => {
    const longer = [...numbers, ...numbers.slice(0, 2 * D)];
    expect(await tiedOf(stored(one, numbers), stored(other, longer, [V + 2, D]))).toBeNull();
    expect(await tiedOf(stored(one, longer, [V + 2, D]), stored(other, [...numbers].reverse()))).toBe(false);
  });
});

test.each(PAIRS.filter(([one, other]) => one === other))(
  '%s: the next number is neither equal nor another table',
  async (type) => {
    const { data, ...rest } = stored(type, numbers);
    const next = Uint8Array.from(data);
    const each = data.length / numbers.length;
    // An even last byte becomes odd: one step of one number.
    const at = next.findIndex((byte, i) => i % each === 0 && byte % 2 === 0 && (each > 1 || (byte > 2 && byte < 100)));
    expect(at).toBeGreaterThanOrEqual(0);
    next[at]! ^= 1;
    expect(await tiedOf({ ...rest, data }, { ...rest, data: next })).toBeNull();
  },
);
