// What "Save picture" produces: a self-contained file with title, key and source, in light colors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { root } from '../../tools/lib/root.mjs';
import { VERSION } from '../../web/core/runtime/version.js';
import { openFixture, type OpenOptions } from './harness.js';
import { savePicture } from './save-picture.js';

/** The texts of a picture, as seen by a viewer without CSS. */
const wordsOf = (picture: string): string =>
  [...picture.matchAll(/<(?:text|tspan|title)\b[^>]*>([^<]*)/g)]
    .map(([, words]) => words)
    .join('|')
    .replace(/\s+/g, ' ');

async function pictureOfElement(html: string, ready: string, options: OpenOptions = {}): Promise<[string, Page]> {
  const { page } = await openFixture({ body: html }, { colorScheme: 'dark', ...options });
  await page.locator(ready).first().waitFor({ timeout: 60_000 });
  return [(await savePicture(page)).picture, page];
}

const cases = [
  {
    html: '<tied-parameter-calculator model="gpt2" d-model="1024" link-state="c"></tied-parameter-calculator>',
    ready: '.key li',
    words: ['What does one table save?', 'Edited from GPT-2 small', 'width 1,024', 'Feed-forward', 'GPT-2 XL'],
  },
  {
    html: '<tied-compute-calculator link-state="c"></tied-compute-calculator>',
    ready: '.key td',
    words: ['Llama', 'width 4,096', 'AdamW', 'Gradients', 'Saved by tying'],
  },
  {
    html: '<tied-advisor link-state="c"></tied-advisor>',
    ready: '.balance svg',
    words: ['GPT-2', 'vocabulary 50,257', 'Tie', 'argues for tying'],
  },
  {
    html: '<tied-model-table link-state="c"></tied-model-table>',
    ready: 'svg.chart',
    words: ['untied', 'the rule says otherwise', 'above it the rule says tie', 'GPT-Neo 2.7B'],
  },
];

it('the picture of a figure whose texts hold what XML cannot is XML all the same', async () => {
  const { page } = await openFixture({ body: cases[0]!.html });
  await page.locator('.key li').first().waitFor({ timeout: 60_000 });
  await page
    .locator('svg text')
    .first()
    .evaluate((text) => {
      text.textContent = 'a\u0001b\uFFFEc';
    });
  const { picture } = await savePicture(page);
  expect(picture).toContain('a\uFFFDb\uFFFDc');
  const isRefused = await page.evaluate(
    (source) => new DOMParser().parseFromString(source, 'image/svg+xml').querySelector('parsererror') !== null,
    picture,
  );
  expect(isRefused).toBe(false);
});

describe.each(cases)('the picture of $html', ({ html, ready, words }) => {
  it('has title, key and source, needs no style sheet, and is light on a dark page', async () => {
    const [picture, page] = await pictureOfElement(html, ready);
    for (const word of words) expect(wordsOf(picture)).toContain(word);
    expect(wordsOf(picture)).toContain(`Made with tied-embeddings ${VERSION}`);
    expect(picture).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/#tied=c/);
    expect(picture).not.toMatch(/var\(--|light-dark|color-mix|color\(|class=|<!--/);
    // The background is nearly white, and the page is dark again.
    const [, paper = ''] = /<rect width="100%" height="100%" fill="rgb\(([^)]*)\)/.exec(picture) ?? [];
    for (const channel of paper.split(',').map(Number)) expect(channel).toBeGreaterThan(240);
    const ink = await page.evaluate(() => getComputedStyle(document.querySelector('main')!.children[1]!).color);
    for (const channel of ink.match(/\d+/g)!.map(Number)) expect(channel).toBeGreaterThan(150);
  });
});

it('a heat map on a dark page is saved in light colors, and painted dark again', async () => {
  const { page } = await openFixture(
    { body: '<tied-symmetry-explorer></tied-symmetry-explorer>' },
    { colorScheme: 'dark' },
  );
  // Cells have numbers once the core has answered.
  await page.locator('tied-heat-map text.number', { hasText: /\d/ }).first().waitFor();
  /** The color of the cell at the lower right. */
  const cellOnPage = (): Promise<number[]> =>
    page.evaluate(() => {
      const root = document.querySelector('tied-symmetry-explorer')!.shadowRoot!;
      const canvas = root.querySelector('tied-heat-map')!.shadowRoot!.querySelector('canvas')!;
      const at = [canvas.width - 24, canvas.height - 8] as const;
      return [...canvas.getContext('2d')!.getImageData(...at, 1, 1).data];
    });
  const before = await cellOnPage();
  const { picture } = await savePicture(page);
  const [, image = ''] = /href="(data:image\/png;base64,[^"]*)"/.exec(picture) ?? [];
  const saved = await page.evaluate(async (href) => {
    const loaded = new Image();
    loaded.src = href;
    await loaded.decode();
    const canvas = document.createElement('canvas');
    canvas.width = loaded.width;
    canvas.height = loaded.height;
    const context = canvas.getContext('2d')!;
    context.drawImage(loaded, 0, 0);
    return [...context.getImageData(canvas.width - 24, canvas.height - 8, 1, 1).data];
  }, image);
  const brightness = ([red = 0, green = 0, blue = 0]: number[]): number => red + green + blue;
  expect(brightness(saved)).toBeGreaterThan(brightness(before) + 60);
  expect(await cellOnPage()).toEqual(before);
});

it('the texts of a picture keep their widths in a viewer with other fonts', async () => {
  const html = '<tied-training-lab text-source="markov-chain" d-model="4" link-state="c"></tied-training-lab>';
  // A viewer with one font that is known: those of the machine differ.
  const font = readFileSync(
    join(root, 'node_modules/@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2'),
  );
  const [picture, page] = await pictureOfElement(html, 'tied-heat-map .frame', { policy: '' });
  const texts = await page.evaluate(
    async ({ source, bytes }) => {
      const face = new FontFace('Viewer', `url(data:font/woff2;base64,${bytes})`);
      document.fonts.add(await face.load());
      document.body.innerHTML = source;
      const all = [...document.querySelectorAll<SVGTextContentElement>('svg :is(text, tspan)')];
      for (const text of all) text.setAttribute('font-family', 'Viewer');
      const naturalLength = (text: SVGTextContentElement): number => {
        const copy = text.cloneNode(true) as SVGTextContentElement;
        copy.removeAttribute('textLength');
        text.after(copy);
        const length = copy.getComputedTextLength();
        copy.remove();
        return length;
      };
      return all
        .filter((text) => text.hasAttribute('textLength'))
        .map((text) => ({
          words: text.textContent,
          kept: Number(text.getAttribute('textLength')),
          // The sum of the advances; the bounding box would also have what a slanted letter sticks out.
          shown: text.getComputedTextLength(),
          natural: naturalLength(text),
        }));
    },
    { source: picture, bytes: font.toString('base64') },
  );
  expect(texts.length).toBeGreaterThan(100);
  // In this font most would have other widths, by more than a twentieth: of a map's letters, which are most of them, that is half a pixel.
  const others = texts.filter(({ kept, natural }) => Math.abs(kept - natural) > 0.05 * kept);
  expect(others.length).toBeGreaterThan(texts.length / 2);
  // Lengths are written with two decimals, and advances are rounded glyph by glyph.
  for (const { words, kept, shown } of texts) expect(Math.abs(shown - kept), words).toBeLessThan(0.1);
});
