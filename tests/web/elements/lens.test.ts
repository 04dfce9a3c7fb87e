// What <tied-lens> measures on the article's two finished models. Its use is tested in tests/browser/lens.test.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab } from '../../../web/core/types.js';
import { lensSettings } from '../../../web/elements/lens/lens.settings.js';
import { lensStrings as texts } from '../../../web/elements/lens/lens.strings.js';
import { measureLens, type Measured } from '../../../web/elements/lens/measure.js';
import { positionAt, positionsInView } from '../../../web/elements/lens/token-grid.js';
import { openTwins, twinKinds, type OpenedTwins } from '../../../web/elements/shared/model-twins.js';
import { createLab } from '../../../web/worker/lab.js';

const file = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
const prompt = lensSettings.prompt.initial;
const listening = { signal: new AbortController().signal, onProgress: () => undefined };
let lab: Lab;
let twins: OpenedTwins;
let measured: Measured;
beforeAll(async () => {
  lab = await createLab();
  twins = await openTwins(lab, file, texts.otherFile);
  measured = (await measureLens(lab, twins, { prompt, kind: 'logit' }, listening))!;
});
afterAll(() => {
  twins.dispose();
  lab.dispose();
});

describe('the measurement of a prompt', () => {
  it('includes every layer of both models, and ends with their predictions', async () => {
    const ids = await twins.encode(prompt);
    for (const kind of twinKinds) {
      const layers = measured.layers[kind];
      expect(layers).toHaveLength(5);
      const { predicted } = await twins.read(kind, ids);
      expect(layers[4]!.tokens).toEqual(Array.from(predicted, (id) => twins.tokens[id]));
      expect(layers[4]!.bits.every((bits) => bits === 0)).toBe(true);
      expect(measured.means[kind][4]).toBe(0);
      expect(measured.means[kind][0]).toBeGreaterThan(measured.means[kind][3]!);
    }
    expect(measured.tokens).toHaveLength(ids.length);
  });

  it('reports what each layer contributes to the loss of unseen text', async () => {
    const heldOut = (await twins.encode(await lab.writeStories({ seed: 2, length: 60_000 }))).subarray(-2048);
    for (const kind of twinKinds) {
      expect(measured.increases[kind]).toHaveLength(4);
      const { layers } = await twins.trainers[kind].ablateLayers(heldOut);
      expect(measured.increases[kind]).toEqual(layers.map(({ increase }) => increase));
    }
  });

  it('finds the tied embedding further from the answer than the untied one', () => {
    expect(measured.means.tied[0]).toBeGreaterThan(2 * measured.means.untied[0]!);
  });

  it('cuts prompts that are too long for the models, and needs a token', async () => {
    const long = await measureLens(lab, twins, { prompt: `${prompt} `.repeat(9), kind: 'logit' }, listening);
    expect([long!.cut, long!.tokens.length]).toEqual([true, twins.contextLength]);
    expect(await measureLens(lab, twins, { prompt: '', kind: 'logit' }, listening)).toBeNull();
  });

  it('does not train a cancelled lens', async () => {
    const cancelled = { ...listening, signal: AbortSignal.abort() };
    await expect(measureLens(lab, twins, { prompt, kind: 'tuned' }, cancelled)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('the grid of tokens', () => {
  it('shows as many positions as fit, with the chosen one among them', () => {
    for (const width of [240, 320, 600, 1600]) {
      for (let at = 0; at < measured.tokens.length; at++) {
        const view = { texts, measured, at, chance: true, width };
        const { first, count } = positionsInView(view);
        expect(count).toBeGreaterThan(0);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first + count).toBeLessThanOrEqual(measured.tokens.length);
        expect(at - first).toBeGreaterThanOrEqual(0);
        expect(at - first).toBeLessThan(count);
        expect(positionAt(-50, view)).toBe(first);
        expect(positionAt(width + 50, view)).toBe(first + count - 1);
      }
    }
  });
});
