// Takes the readme's pictures from the built page: node tools/images.mjs (after npm run build).
import { statSync } from 'node:fs';
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
  const page = await browser.newPage({ viewport: { width: 1120, height: 900 }, colorScheme: 'light' });
  await page.goto(server.url);
  await page.evaluate('document.fonts.ready');
  const hero = await page.locator('.hero').boundingBox();
  const path = join(root, 'docs/images/article.png');
  // From the title to the end of the three matrices.
  const panels = await page.locator('.hero .hero-panels').boundingBox();
  await page.screenshot({
    path,
    fullPage: true,
    clip: { x: hero.x, y: 0, width: hero.width, height: Math.ceil(panels.y + panels.height + 24) },
  });
  console.log(`${path}: ${(statSync(path).size / 1000).toFixed(0)} KB`);
} finally {
  await browser.close();
  await server.close();
}
