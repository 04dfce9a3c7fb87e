// What must not move and what must fit in <tied-training-lab> while words and numbers change.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { savePicture } from './save-picture.js';
import { button, open, openReady, radio, readOut } from './training-lab-page.js';

/** From now on, records the tops of the charts and the slider within the figure; the function returns all that occurred. */
async function watchTops(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const root = document.querySelector('tied-training-lab')?.shadowRoot;
    const seen = new Set<string>();
    const look = (): void => {
      const top = root?.querySelector('figure')?.getBoundingClientRect().top ?? 0;
      const parts = [...(root?.querySelectorAll('tied-line-chart, .history, .maps') ?? [])];
      seen.add(parts.map((part) => Math.round(part.getBoundingClientRect().top - top)).join(' '));
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { seenTops: seen });
  });
  return () => page.evaluate(() => [...(window as unknown as { seenTops: Set<string> }).seenTops]);
}

const tiny =
  'd-model="16" n-layers="1" n-heads="2" context-length="16" batch-size="4" tokenizer="bpe" vocab-size="300" story-length="60000"';

describe('while models train', () => {
  it.each([390, 1280])('charts and slider of direct paths stay where they are, at %i px', async (width) => {
    const { page } = await openReady('steps="120" d-model="8"', { width });
    const tops = await watchTops(page);
    await button(page, 'Play').click();
    await readOut(page, /After 120 steps/);
    expect(await tops()).toHaveLength(1);
  });

  it.each([390, 1280])('charts and slider of small GPTs stay where they are, at %i px', async (width) => {
    const { page } = await open(`model="transformer" ${tiny} steps="60"`, { width });
    await page.locator('.sample-text b').nth(1).waitFor();
    await readOut(page, /Press play/);
    const tops = await watchTops(page);
    await button(page, 'Play').click();
    await readOut(page, /After 60 steps/);
    expect(await tops()).toHaveLength(1);
  });
});

describe('the sentence about four models', () => {
  it.each([900, 1000, 1280])('leaves the key of the maps its room, at %i px', async (width) => {
    const { page } = await open('', { width, atRest: true });
    await readOut(page, /In this text/);
    const shared = (): Promise<number> =>
      page.evaluate(() => {
        const root = document.querySelector('tied-training-lab')!.shadowRoot!;
        const key = root.querySelector('.scale-row')!.getBoundingClientRect();
        const words = document.createRange();
        words.selectNodeContents(root.querySelector('.read-out')!);
        const lines = [...words.getClientRects()];
        if (lines.length === 0 || key.width === 0) return Number.NaN;
        const isOver = (line: DOMRect): boolean =>
          line.right > key.left && line.left < key.right && line.bottom > key.top && line.top < key.bottom;
        return lines.filter(isOver).length;
      });
    await expect.poll(shared).toBe(0);
  });

  it.each([768, 1280])('keeps each of them in its line while the numbers change, at %i px', async (width) => {
    const { page } = await open('steps="120" d-model="8"', { width, atRest: true });
    await readOut(page, /In this text/);
    await page.evaluate(() => {
      const root = document.querySelector('tied-training-lab')?.shadowRoot;
      const seen = new Set<string>();
      const look = (): void => {
        const start = root?.querySelector('.read-out')?.getBoundingClientRect().top ?? 0;
        const names = [...(root?.querySelectorAll('.read-out > [class^="is-"]') ?? [])];
        const lines = names.map((one) => [...one.getClientRects()].map(({ top }) => Math.round(top - start)).join('/'));
        if (names.length === 4) seen.add(lines.join(' '));
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { seenLines: seen });
    });
    await button(page, 'Play').click();
    await readOut(page, /After 120 steps/);
    const [lines, ...others] = await page.evaluate(() => [
      ...(window as unknown as { seenLines: Set<string> }).seenLines,
    ]);
    expect(others).toEqual([]);
    // The first in a line of its own, none in two lines.
    const tops = lines!.split(' ').map(Number);
    expect(new Set(tops.slice(1)).size).toBe(1);
    expect(tops[0]).toBeLessThan(tops[1]!);
  });
});

describe('on a phone', () => {
  it('maps share one place and have a switcher', async () => {
    const { page } = await openReady('steps="20"', { width: 390, touch: true });
    const maps = page.locator('tied-heat-map');
    expect(await maps.count()).toBe(1);
    // Relative to the page, since choosing may scroll.
    const place = () =>
      maps.evaluate((map) => {
        const { left, top, width, height } = map.getBoundingClientRect();
        return [left + scrollX, top + scrollY, width, height];
      });
    const first = await place();
    const names: (string | null)[] = [];
    for (const name of ['the text', 'tied', 'untied', 'tied, map', 'tied, MLP']) {
      await radio(page, name);
      await page.locator('.maps .panel-name', { hasText: new RegExp(`^\\s*${name}(?!,)`) }).waitFor();
      names.push(await maps.getAttribute('label'));
      expect(await maps.count()).toBe(1);
      expect(await place()).toEqual(first);
    }
    expect(new Set(names).size).toBe(5);
  });

  it('the map in view is a setting that links contain', async () => {
    const { page } = await openReady('steps="20" map-panel="3"', { width: 390, touch: true });
    const name = page.locator('.maps .panel-name');
    await name.filter({ hasText: /^\s*tied, map/ }).waitFor();
    await radio(page, 'untied');
    await name.filter({ hasText: /^\s*untied/ }).waitFor();
    expect(
      await page.locator('tied-training-lab').evaluate((lab) => (lab as unknown as { mapPanel: number }).mapPanel),
    ).toBe(2);
  });

  it('no text crosses the curves, since floors are in the key', async () => {
    const { page } = await openReady('steps="20"', { width: 390, touch: true });
    const chart = page.locator('tied-line-chart');
    expect(await chart.locator('svg.chart text.label').count()).toBe(0);
    expect(await chart.locator('.legend li.is-reference').allTextContents()).toEqual([
      expect.stringContaining('unigram floor'),
      expect.stringContaining('symmetric floor'),
      expect.stringContaining('bigram floor'),
    ]);
  });
});

describe('line labels', () => {
  it('do not overlap, stay within the figure, and show the dash of their line', async () => {
    const { page } = await openReady('steps="60"', { width: 1280 });
    await button(page, 'Play').click();
    await readOut(page, /After 60 steps/);
    const found = await page.evaluate(() => {
      const chart = document
        .querySelector('tied-training-lab')
        ?.shadowRoot?.querySelector('tied-line-chart')?.shadowRoot;
      const boxes = [...(chart?.querySelectorAll('text.label') ?? [])].map((label) => label.getBoundingClientRect());
      const right = chart?.querySelector('svg.chart')?.getBoundingClientRect().right ?? 0;
      const dashes = [...(chart?.querySelectorAll('path.key:not(.reference)') ?? [])].map(
        (key) => getComputedStyle(key).strokeDasharray,
      );
      return { boxes: boxes.map(({ top, bottom, right: end }) => ({ top, bottom, end })), right, dashes };
    });
    const sorted = [...found.boxes].sort((a, b) => a.top - b.top);
    expect(sorted).toHaveLength(7);
    sorted.forEach(({ top, end }, at) => {
      expect(end).toBeLessThanOrEqual(found.right + 1);
      // Boxes include the leading of the line; the letters themselves are lower.
      if (at > 0) expect(top - (sorted[at - 1]?.top ?? 0)).toBeGreaterThanOrEqual(14);
    });
    expect(found.dashes).toHaveLength(4);
    expect(new Set(found.dashes).size).toBe(4);
  });
});

describe('a saved picture', () => {
  it('has curves, bars and all maps with their names, their key, title, text and source', async () => {
    const { page } = await openReady('steps="20"', { width: 1280 });
    await button(page, 'Play').click();
    await readOut(page, /After 20 steps/);
    const { picture } = await savePicture(page);
    expect(picture.match(/<image /g)).toHaveLength(5);
    const said = await page.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return [...parsed.querySelectorAll('text')].map((text) => text.textContent.replace(/\s+/g, ' ').trim()).join('|');
    }, picture);
    for (const words of [
      'How far does each model get?',
      'Step 20 of 20; seed 1, width 32',
      'A year in New York',
      'bigram floor',
    ]) {
      expect(said).toContain(words);
    }
    for (const words of ['the text', 'untied', 'tied, map', 'tied, MLP', 'probability', 'P(York | New)', 'One pair']) {
      expect(said).toContain(words);
    }
    expect(said).toContain('tied-embeddings');
  });
});
