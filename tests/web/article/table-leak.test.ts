// The article's figure about what logits give away: the models that it trains, what it reads, and what it says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { createLab, type Lab } from '../../../web/index.js';
import { builtInTexts } from '../../../web/texts/index.js';
import { characterPairs } from '../../../web/article/figures/direction/floors.js';
import { valuesPlot } from '../../../web/article/figures/leak/drawings.js';
import { rounded } from '../../../web/article/build/rounded.mjs';
import {
  finishedRun,
  plan,
  trainAndRead,
  widthOf,
  type FinishedLeak,
  type Leak,
} from '../../../web/article/figures/leak/measure.js';
import { tiedSentence, untiedSentence } from '../../../web/article/figures/leak/sentences.js';

let lab: Lab;
beforeAll(async () => {
  lab = await createLab();
});
afterAll(() => lab.dispose());

test('the first runs have different widths, and all widths have their turn', () => {
  const widths = Array.from({ length: plan.widths }, (_, run) => widthOf(run + 1));
  expect(new Set(widths).size).toBe(plan.widths);
  expect([Math.min(...widths), Math.max(...widths)]).toEqual([plan.least, plan.least + plan.widths - 1]);
});

describe('after a run', () => {
  let tied: Leak;
  let untied: Leak;
  beforeAll(async () => {
    const pairs = characterPairs(await builtInTexts[0]!.load());
    [tied, untied] = (await trainAndRead(lab, pairs, 1, new AbortController().signal)) as [Leak, Leak];
  });

  test('the width is found of both, rows of one table only, and spaces of both', () => {
    for (const one of [tied, untied]) {
      expect(one.found).toBe(widthOf(1));
      expect(one.space).toBeGreaterThan(0.9999);
      expect(one.spaceByChance).toBeLessThan(0.4);
    }
    expect([tied.tied, untied.tied]).toEqual([true, false]);
    expect(tied.cosine).toBeGreaterThan(0.9999);
    expect(tied.chance).toBeLessThan(0.6);
    expect(untied.cosine ?? 0).toBeLessThan(0.9);
  });

  test('the sentences say what was read, and a wrong width would be told', () => {
    expect(tiedSentence(tied)).toMatch(
      new RegExp(`^One table: width ${tied.width}, as it is. Rows up to a rotation: mean cosine 1.00000 `),
    );
    expect(untiedSentence(untied)).toContain('the space of the table that reads is found: overlap 1.000');
    expect(tiedSentence({ ...tied, found: tied.width + 1 })).toContain(
      `width ${tied.width + 1}, though it is ${tied.width}.`,
    );
    expect(untiedSentence({ ...untied, cosine: null })).toContain('No rows are found;');
  });

  test('the drawing has a row for each singular value, and those beyond the width lie in the rounding', () => {
    const { table } = valuesPlot([tied, untied], 600);
    expect(table.rows).toHaveLength(28);
    const last = tied.singularValues[tied.width - 1]!;
    expect(last).toBeGreaterThan(100 * tied.tolerance);
    for (const value of tied.singularValues.slice(tied.width)) expect(value).toBeLessThan(tied.tolerance);
  });
});

test('the recorded run is the core’s current one, of a width that the reader’s first run does not have', async () => {
  const file = join(root, 'web/article/assets/finished-leak.json');
  const { leaks } = JSON.parse(readFileSync(file, 'utf8')) as FinishedLeak;
  const pairs = characterPairs(await builtInTexts[0]!.load());
  const now = await trainAndRead(lab, pairs, finishedRun, new AbortController().signal);
  expect(leaks, 'record again: node tools/train-finished-leak.mjs').toEqual(rounded(now));
  expect(widthOf(finishedRun)).not.toBe(widthOf(1));
});
