// What the article says about the identity cards of its finished models.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { cardFacts } from '../../../web/article/build/card-facts.mjs';
import { createLab } from '../../../web/worker/lab.js';

it('the cards have the facts that the prose beside the figure relies on', async () => {
  const models = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
  const lab = await createLab();
  const { sampled, tied, untied } = await cardFacts({ lab, models });
  lab.dispose();
  expect(sampled).toBe(64);
  // "The tied table alone would repeat the token", and the untied tables would not.
  expect(tied.self).toBeGreaterThan(sampled / 2);
  expect(untied.self).toBeLessThan(sampled / 10);
  // No more asymmetric than shuffled rows: the difference is smaller than its last digit in the text.
  expect(Math.abs(untied.asymmetry - untied.asymmetryNull)).toBeLessThan(0.005);
  // None spreads like noise, and rows that write spread least.
  for (const rank of [tied.effectiveRank, untied.reading.effectiveRank]) {
    expect(rank).toBeLessThan(tied.effectiveRankNull - 3);
    expect(rank).toBeGreaterThan(untied.writing.effectiveRank + 2);
  }
});
