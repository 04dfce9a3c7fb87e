// Chromium, and its pages for measurements.
import { chromium } from 'playwright-core';
import { serve } from '../../tools/serve/server.mjs';
import { browserPath } from '../../tools/setup/browser.mjs';

/** Starts Chromium for measurements: nothing runs in the background, and no page is throttled because another is in front. */
export function launchBrowser() {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      // A browser run by root has no sandbox; only our own pages are opened.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
    ],
  });
}

// With these headers a page's clock has a resolution of 5 microseconds instead of 100. They would allow threads as
// well.
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Opens a page in its own context, from its own server, so that no two contenders share a process. `folders` and
 * `pages` are those of tools/serve; the page at '/' is opened. `isolated` gives it the finer clock, and permits
 * threads. Resolves with { page, url, close }.
 */
export async function openPage(browser, { folders = {}, pages, isolated = false }) {
  const server = await serve({ folders, pages, policy: '', headers: isolated ? isolation : {} });
  const context = await browser.newContext();
  const close = async () => {
    await context.close();
    await server.close();
  };
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    return { page, url: server.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
