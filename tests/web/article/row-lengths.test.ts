// What the article says about the lengths of rows in the two finished GPTs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { finishedStoryLength } from '../../../web/article/build/finished-transformer-run.js';
import { openTwins } from '../../../web/elements/shared/model-twins.js';
import { createLab } from '../../../web/worker/lab.js';

it('rare tokens have shorter rows, and the one that never occurs the longest or the shortest', async () => {
  const lab = await createLab();
  const file = readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors'));
  const pair = await openTwins(lab, Uint8Array.from(file), 'not the file of the page');
  const ids = await pair.encode(await lab.writeStories({ seed: 1, length: finishedStoryLength }));
  const counts = new Uint32Array(pair.tokens.length);
  for (const id of ids) counts[id]! += 1;
  expect(pair.tokens.filter((_, id) => counts[id] === 0)).toEqual(['<unk>']);
  const follows: Record<string, number> = {};
  for (const name of ['tied', 'writing', 'reading'] as const) {
    const { cols, data } = pair.tables[name];
    const norms = Array.from(counts, (_, row) => Math.hypot(...data.subarray(row * cols, (row + 1) * cols)));
    const unknown = norms[pair.tokens.indexOf('<unk>')];
    if (name === 'reading') expect(unknown).toBe(Math.min(...norms));
    if (name === 'writing') expect(unknown).toBe(Math.max(...norms));
    follows[name] = (await lab.normFrequency(pair.tables[name], counts)).spearman;
    expect(follows[name], name).toBeGreaterThan(0.15);
  }
  expect(follows['tied']).toBeGreaterThan(Math.max(follows['writing']!, follows['reading']!) + 0.1);
  pair.dispose();
  lab.dispose();
});
