// Takes the readme's picture from the built page: node tools/images.mjs (after npm run build). It is in the package too, so it is small: WebP, at 70% of its size.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './lib/root.mjs';
import { serve } from './serve/server.mjs';
import { browserPath } from './setup/browser.mjs';

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
} finally {
  await browser.close();
  await server.close();
}
