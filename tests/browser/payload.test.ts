// What a reader downloads who scrolls through the article once, with folds and chapters closed, and what the first use of a figure adds.
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openSite } from './harness.js';
import { justShow } from './learning-page.js';

interface Fetched {
  path: string;
  /** The server's status: 200 brings the file, 304 only says that the browser still has it. None for what came from a cache. */
  status?: number;
}

/** Everything that the page and its workers ask for, as the browser's network reports it. */
async function watch(page: Page): Promise<Fetched[]> {
  const fetched: Fetched[] = [];
  const session: CDPSession = await page.context().newCDPSession(page);
  const byId = new Map<string, Fetched>();
  // The two events of a request come in either order.
  const entry = (id: string): Fetched => {
    const one = byId.get(id) ?? { path: '' };
    byId.set(id, one);
    return one;
  };
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const one = entry(requestId);
    one.path = new URL(request.url).pathname;
    fetched.push(one);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    entry(requestId).status = statusCode;
  });
  await session.send('Network.enable');
  return fetched;
}

async function scrollThrough(page: Page): Promise<void> {
  for (;;) {
    const moved = await page.evaluate(async () => {
      const before = scrollY;
      scrollBy(0, 500);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return scrollY - before;
    });
    if (moved < 1) break;
  }
  await page.waitForLoadState('networkidle');
}

const isEngine = ({ path }: Fetched): boolean => /worker\.js$|\.wasm$/.test(path);

describe('who scrolls through the article', () => {
  test.each([
    [1440, 13_000],
    [390, 20_000],
  ])(
    'downloads at most 450 KB at %d px, nothing twice, and no core; it is at most %d px long',
    async (width, longest) => {
      const { page, url, problems, close } = await openSite('', { width, atRest: true });
      const fetched = await watch(page);
      const bodies = new Map<string, number>();
      page.on('response', (response) => {
        void response.body().then(
          (body) => {
            const { pathname } = new URL(response.url());
            bodies.set(pathname, /\.(woff2|webp|png)$/.test(pathname) ? body.length : gzipSync(body).length);
          },
          () => undefined,
        );
      });
      await page.goto(`${url}?payload-${String(width)}`);
      await page.locator('.hero[data-ready]').waitFor();
      await scrollThrough(page);
      // What waits for a guess, too.
      await justShow(page, 'train');
      // The figures at rest have been drawn.
      await page.locator('#train tied-training-lab tied-heat-map').first().waitFor();
      await page.locator('tied-parameter-calculator .ways').first().waitFor();
      const paths = fetched.map(({ path }) => path);
      expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
      expect(fetched.filter(isEngine)).toEqual([]);
      expect(bodies.size).toBeGreaterThan(50);
      const bytes = [...bodies.values()].reduce((sum, size) => sum + size);
      expect(bytes).toBeLessThanOrEqual(450_000);
      // With its figures drawn, folds and chapters closed.
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(longest);
      expect(problems).toEqual([]);
      await close();
    },
  );

  test('downloads the core once when a figure is first used, whatever number of workers it starts', async () => {
    const { page, url, close } = await openSite('', { width: 1440, atRest: true });
    const fetched = await watch(page);
    await page.goto(`${url}?payload-play`);
    await page.locator('.hero[data-ready]').waitFor();
    await scrollThrough(page);
    await justShow(page, 'train');
    const lab = page.locator('#train tied-training-lab');
    await lab.getByRole('button', { name: 'Play' }).click();
    await expect
      .poll(() => lab.locator('.step-count').textContent(), { timeout: 60_000 })
      .toMatch(/Step ([1-4]?\d\d|[1-9]) of/);
    const engine = fetched.filter(isEngine);
    const brought = engine.filter(({ status }) => status === 200).map(({ path }) => path);
    expect(brought.sort()).toEqual(['/analysis.wasm', '/core.wasm', '/worker.js']);
    // The second worker.
    expect(engine.filter(({ status }) => status !== 200).map(({ path }) => path)).toEqual(['/worker.js']);
    await close();
  });
});
