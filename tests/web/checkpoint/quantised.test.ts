/** Tables that an encoder of the tests has quantised: every type comes back within its step, through a whole file. */
import { expect, test } from 'vitest';
import { blockOf, type ElementType } from '../../../web/core/checkpoint/element-types.js';
import { GGUF_TYPES } from '../../../web/core/checkpoint/stored-types.js';
import { loadCore } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { gguf } from './checkpoint-files.js';
import { ENCODERS } from './quantised.js';

const core = await loadCore({ modules: ['checkpoint'] });
const [V, D] = [5, 512];

/** Half a step as a share of the largest number of a block, with what scales lose that are themselves rounded. */
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
    // It is no copy.
    expect(Math.max(...errors)).toBeGreaterThan(STEPS[dtype] / 4);
  });
});
