import { expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { SEED_BITS, seedBits } from '../seed-bits.js';

test('the same seeds give the same bits, in this engine as in all others', async () => {
  const core = await loadCore();
  expect(seedBits(core)).toEqual(SEED_BITS);
  core.dispose();
});

test('another instance of the core gives the same bits', async () => {
  const [first, second] = await Promise.all([loadCore(), loadCore()]);
  expect(seedBits(first)).toEqual(seedBits(second));
});
