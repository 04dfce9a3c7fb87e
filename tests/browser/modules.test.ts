// Which wasm modules a page fetches, and when.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { openHtml, openSite } from './harness.js';

/** Files fetched by the page whose names begin with this. */
const fetched = (page: Page, pattern: RegExp): Promise<string[]> =>
  page.evaluate(
    (source) =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name.slice(name.lastIndexOf('/') + 1))
        .filter((name) => new RegExp(source).test(name))
        .sort(),
    pattern.source,
  );

const drawn = (page: Page, tag: string): Promise<unknown> =>
  page.waitForFunction(
    (name) =>
      document.querySelector(name)?.shadowRoot?.querySelector('figure :is(svg, canvas, table)') instanceof Element,
    tag,
  );

describe('the article', () => {
  test('fetches no module for figures at rest, and the accounting module not for its first figure, but for one that counts', async () => {
    const { page, problems, close } = await openSite();
    await page.locator('tied-symmetry-explorer').scrollIntoViewIfNeeded();
    await drawn(page, 'tied-symmetry-explorer');
    expect(await fetched(page, /\.wasm$/)).toEqual([]);
    await page.locator('tied-symmetry-explorer').getByText('Untied', { exact: true }).click();
    await expect.poll(() => fetched(page, /\.wasm$/)).toEqual(['analysis.wasm', 'core.wasm']);
    const calculator = page.locator('tied-parameter-calculator');
    await calculator.scrollIntoViewIfNeeded();
    await drawn(page, 'tied-parameter-calculator');
    await calculator.getByRole('spinbutton', { name: 'Width' }).fill('1024');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => fetched(page, /\.wasm$/))
      .toEqual(expect.arrayContaining(['accounting.wasm', 'analysis.wasm', 'core.wasm']));
    expect(await fetched(page, /stories/)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});

describe('the main entry', () => {
  test('imports the bytes of a module on the first call that needs it, once', async () => {
    const { page, problems, close } = await openHtml(
      '<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head></html>',
      { '/dist/': join(root, 'dist') },
    );
    // As strings, because the test runner would insert its own import into a function.
    await page.evaluate(`(async () => {
      const { createLab } = await import('/dist/tied-embeddings.js');
      globalThis.lab = await createLab();
      await lab.symmetry({ rows: 1, cols: 1, data: new Float32Array(1) });
    })()`);
    expect(await fetched(page, /-bytes/)).toEqual([]);
    const counts = await page.evaluate(`(async () => {
      const gpt2 = { family: 'gpt-2', vocabSize: 50257, dModel: 768, nLayers: 12 };
      const both = await Promise.all([lab.countParameters(gpt2), lab.countParameters(gpt2)]);
      return both.map(({ stored }) => stored);
    })()`);
    expect(counts).toEqual([124_439_808, 124_439_808]);
    expect(await fetched(page, /-bytes/)).toEqual([expect.stringMatching(/^accounting-bytes/)]);
    const steps = await page.evaluate(`(async () => {
      const model = { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' };
      const training = { learningRate: 0.1, seed: 1 };
      const bigramCounts = { rows: 2, cols: 2, data: Float32Array.of(1, 2, 3, 4) };
      const trainer = await lab.createTrainer({ model, training, bigramCounts });
      const saving = trainer.save();
      await trainer.run(2);
      const loaded = await Promise.all([saving, trainer.save()].map(async (file) => lab.loadTrainer(await file)));
      return loaded.map(({ step }) => step);
    })()`);
    expect(steps).toEqual([0, 2]);
    expect(await fetched(page, /-bytes/)).toEqual([
      expect.stringMatching(/^accounting-bytes/),
      expect.stringMatching(/^files-bytes/),
    ]);
    expect(problems).toEqual([]);
    await close();
  });
});
