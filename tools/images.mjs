// Takes pictures of the built page: node tools/images.mjs (after npm run build). The readme's is in the package too, so it is small: WebP, at
// 70% of its size. The other is the card that sites show beside a link to the article: PNG, which all of them can read; `node tools/images.mjs card`
// takes only that one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { headingOf } from '../web/article/build/metadata.mjs';
import { cardLines, drawShareCard, fingerprintOf, shareCard } from '../web/article/build/share-card.mjs';
import { readRecord } from './build/site.mjs';
import { packedWithText } from './lib/png.mjs';
import { root } from './lib/root.mjs';
import { serve } from './serve/server.mjs';
import { browserPath } from './setup/browser.mjs';

async function takeReadmePicture(page) {
  // After the recorded run.
  await page.locator('.hero[data-ready]').waitFor();
  await page.locator('.hero .train').click();
  await page.locator('.hero-sentence:not(:empty)').waitFor();
  await page.evaluate('document.activeElement.blur()');
  const hero = await page.locator('.hero').boundingBox();
  const path = join(root, 'docs/images/article.webp');
  // From the title to the end of the experiment.
  const panels = await page.locator('.hero .hero-panels').boundingBox();
  const png = await page.screenshot({
    fullPage: true,
    clip: { x: hero.x, y: 0, width: hero.width, height: Math.ceil(panels.y + panels.height + 24) },
  });
  // Only the browser is at hand to convert it.
  const webp = await page.evaluate(
    async (source) => {
      const image = new globalThis.Image();
      image.src = source;
      await image.decode();
      const canvas = globalThis.document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height].map((length) => Math.round(0.7 * length));
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.8);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  const bytes = Buffer.from(webp.split(',')[1], 'base64');
  writeFileSync(path, bytes);
  console.log(`${path}: ${(bytes.length / 1000).toFixed(0)} KB`);
}

/** In the page itself, which has the fonts. The palette is what the last build of the site bundled. */
async function takeShareCard(page) {
  const { palette } = await import(pathToFileURL(join(root, 'build/article/inputs.mjs')).href);
  const heading = headingOf(readFileSync(join(root, 'web/article/page.html'), 'utf8'));
  const drawing = drawShareCard({
    hero: readRecord().hero,
    palette,
    lines: cardLines(heading),
  });
  const { width, height, file } = shareCard;
  await page.setViewportSize({ width, height });
  await page.evaluate(async (svg) => {
    // Out of reach of the page's styles for drawings.
    const host = globalThis.document.createElement('div');
    host.attachShadow({ mode: 'open' }).innerHTML = svg;
    globalThis.document.body.replaceChildren(host);
    globalThis.scrollTo(0, 0);
    const faces = ['600 76px "Source Serif 4"', '400 25px "Source Sans 3"', '650 25px "Source Sans 3"'];
    await Promise.all(faces.map((face) => globalThis.document.fonts.load(face)));
  }, drawing);
  const png = packedWithText(await page.screenshot(), 'Fingerprint', fingerprintOf(drawing));
  const path = join(root, 'web/article/assets', file);
  writeFileSync(path, png);
  console.log(`${path}: ${(png.length / 1000).toFixed(0)} KB`);
}

const server = await serve({ folders: { '/': join(root, 'site') } });
const browser = await chromium.launch({
  executablePath: browserPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(server.url);
  await page.evaluate('document.fonts.ready');
  if (!process.argv.includes('card')) await takeReadmePicture(page);
  await takeShareCard(page);
} finally {
  await browser.close();
  await server.close();
}
