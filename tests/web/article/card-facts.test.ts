// What the article says of the identity cards of its finished models.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { cardFacts } from '../../../web/article/build/card-facts.mjs';
import { createLab } from '../../../web/worker/lab.js';

it('the facts of the cards are those that the prose beside the figure relies on', async () => {
  const models = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
  const lab = await createLab();
  const { sampled, tied, untied } = await cardFacts({ lab, models });
  lab.dispose();
  expect(sampled).toBe(64);
  // "The tied table alone would say the token again", and the untied ones would not.
  expect(tied.self).toBeGreaterThan(sampled / 2);
  expect(untied.self).toBeLessThan(sampled / 10);
  // No more asymmetric than shuffled rows: the difference is smaller than its last digit in the text.
  expect(Math.abs(untied.asymmetry - untied.asymmetryNull)).toBeLessThan(0.005);
  // The rows that read spread most, those of the tied and of the writing table least, and none as noise does.
  expect(untied.reading.effectiveRank).toBeGreaterThan(tied.effectiveRank + 5);
  expect(untied.reading.effectiveRank).toBeGreaterThan(untied.writing.effectiveRank + 5);
  expect(tied.effectiveRankNull).toBeGreaterThan(untied.reading.effectiveRank + 5);
});
