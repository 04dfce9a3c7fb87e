// What the article says about the hidden states of its finished models, on unseen stories.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { hiddenFacts } from '../../../web/article/build/hidden-facts.mjs';
import * as inputs from '../../../web/article/build/inputs.js';
import { createLab } from '../../../web/worker/lab.js';

it('hidden states have the facts that the prose around the figure relies on', async () => {
  const models = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
  const lab = await createLab();
  const { finished, positions, baseline, wideBaseline, tied, writing, reading } = await hiddenFacts({
    lab,
    inputs,
    models,
  });
  lab.dispose();
  expect(positions).toBeGreaterThan(2500);
  // √(d - 1) at d = 48 and d = 768.
  expect([baseline, wideBaseline].map((ratio) => Math.round(ratio ** 2))).toEqual([47, 767]);
  expect(finished.prompt).toBe(inputs.hiddenStatesSettings.prompt.initial);
  expect(finished.tokens.at(-1)).toBe('New');
  for (const { ratio, nextRatio, cosine, other, centeredOther, otherPosition, chance } of [tied, writing]) {
    // "Most of h is not its word, and still it points there far more than by chance"; "we did not find the four to six".
    expect(ratio).toBeGreaterThan(1);
    expect(nextRatio).toBeLessThan(4);
    expect(chance.ratio).toBeGreaterThan(baseline);
    expect(cosine).toBeGreaterThan(0.5);
    // A stricter chance level than a random direction, and still far from the measured values.
    expect(otherPosition).toBeLessThan(chance.ratio);
    expect(otherPosition).toBeGreaterThan(2 * ratio);
    // "Hardly more than by chance", and they "do not come from the axis of the cone".
    expect(other).toBeGreaterThan(chance.other);
    expect(other).toBeLessThan(chance.other + 0.1);
    expect(centeredOther).toBeGreaterThan(other - 0.01);
  }
  // "What chance gives": the standard error of the mean is 0.125 / sqrt(positions).
  expect(Math.abs(reading.cosine)).toBeLessThan(0.05);
  expect(Math.abs(reading.ratio / reading.chance.ratio - 1)).toBeLessThan(0.25);
});
