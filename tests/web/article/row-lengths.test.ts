// What the article says about the lengths of rows in the two finished GPTs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { finishedStoryLength } from '../../../web/article/build/finished-transformer-run.js';
import { openTwins } from '../../../web/elements/shared/model-twins.js';
import { createLab } from '../../../web/worker/lab.js';

it('norms hardly follow frequency, but tokens that never occur have the longest or the shortest rows', async () => {
  const lab = await createLab();
  const file = readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors'));
  const pair = await openTwins(lab, Uint8Array.from(file), 'not the file of the page');
  const ids = await pair.encode(await lab.writeStories({ seed: 1, length: finishedStoryLength }));
  const counts = new Uint32Array(pair.tokens.length);
  for (const id of ids) counts[id]! += 1;
  for (const name of ['tied', 'writing', 'reading'] as const) {
    const { cols, data } = pair.tables[name];
    const norms = Array.from(counts, (_, row) => Math.hypot(...data.subarray(row * cols, (row + 1) * cols)));
    const never = norms.filter((_, row) => counts[row] === 0);
    const others = norms.filter((_, row) => counts[row]! > 0);
    expect(never.length).toBeGreaterThan(10);
    if (name === 'reading') expect(Math.max(...never)).toBeLessThan(Math.min(...others));
    else expect(Math.min(...never)).toBeGreaterThan(Math.max(...others));
    const { spearman } = await lab.normFrequency(pair.tables[name], counts);
    expect(Math.abs(spearman), name).toBeLessThan(0.2);
  }
  pair.dispose();
  lab.dispose();
});
