// The built package in engines other than Chromium's: the same bits from the same seeds; the relaxed build if
// the engine supports it, and otherwise a clear refusal.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { serve } from '../../tools/serve/server.mjs';
import { ramp, safetensors } from '../web/checkpoint/checkpoint-files.js';
import { sendRange, sendWhole } from '../web/checkpoint/file-server.js';
import { SEED_BITS } from '../web/seed-bits.js';
import { otherBrowsers, type OpenedBrowser } from './browsers.js';

interface Used {
  simd?: string;
  labSimd?: string;
  mode?: string;
  first?: number;
  last?: number;
  same?: boolean;
  code?: string;
  message?: string;
}

interface Report {
  problems: string[];
  error?: string;
  bits: Record<string, string>;
  checkpoint: unknown;
  url: { evidence: string; bytesRead: number; row: number[]; asymmetry: number };
  figure: Record<'dropped' | 'fetched', { name: string; tied: boolean; title: string }>;
  usual: Used;
  relaxed: Used;
  support: { supported: boolean; reason: string | null };
}

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An engine</title>
<link rel="icon" href="data:,"><script type="module" src="/page.js"></script></head><body></body></html>`;

/** The folder with the page's imports. */
async function pageFolder(): Promise<string> {
  const folder = join(root, 'build/fixtures/engines');
  mkdirSync(folder, { recursive: true });
  const seedBits = readFileSync(join(root, 'tests/web/seed-bits.ts'), 'utf8');
  writeFileSync(join(folder, 'seed-bits.js'), (await transform(seedBits, { loader: 'ts' })).code);
  writeFileSync(join(folder, 'page.js'), readFileSync(join(root, 'tests/engines/page.js')));
  return folder;
}

const [V, D] = [512, 32];
/** The tables come after the first request, one behind the other. */
const MODEL = safetensors({
  first: { shape: [50_000], data: new Uint8Array(200_000) },
  'wte.weight': { shape: [V, D], data: ramp(V * D) },
  'lm_head.weight': { shape: [V, D], data: ramp(V * D, 1) },
});

/** How long a browser may take to open the page before it counts as unavailable here. */
const BEGIN_LIMIT_MS = 60_000;

type Exchange = [request: IncomingMessage, response: ServerResponse, headers: Record<string, string>];

/** The page's posts, by URL. */
function postedBy(names: readonly string[]) {
  const posts: Record<string, (text: string) => void> = {};
  const posted = names.map((name) => new Promise<string>((resolve) => (posts[name] = resolve)));
  return { posts, posted };
}

for (const { name, here, open } of otherBrowsers) {
  describe.skipIf(!here)(name, () => {
    let found: Report | undefined;
    let browser: OpenedBrowser;
    const ranges: (string | undefined)[] = [];
    let server: Awaited<ReturnType<typeof serve>>;
    beforeAll(async () => {
      const { posts, posted } = postedBy(['/begun', '/report']);
      const folders = {
        '/dist/': join(root, 'dist'),
        '/scripts/': join(root, 'tests/browser/scripts'),
        '/': await pageFolder(),
      };
      const routes = {
        '/whole.safetensors': (...[request, response]: Exchange) => sendWhole(MODEL)(request, response, 0),
        '/ranged.safetensors': (...[request, response]: Exchange) => {
          ranges.push(request.headers.range);
          sendRange(MODEL)(request, response, 0);
        },
      };
      server = await serve({ folders, pages: { '/': HTML }, posts, routes });
      browser = await open(server.url);
      const limit = new Promise((resolve) => setTimeout(resolve, BEGIN_LIMIT_MS).unref());
      const begun = await Promise.race([posted[0]!.then(() => true), browser.ended, limit]);
      if (begun !== true) return;
      const ended = browser.ended.then(() => Promise.reject(new Error(`${name} ended before its page had reported`)));
      found = JSON.parse(await Promise.race([posted[1]!, ended])) as Report;
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });
    /** A browser that cannot even open a page here, perhaps for lack of permissions, proves nothing about the package. */
    const reportOrSkip = (skip: (note: string) => never): Report => found ?? skip(`${name} does not run here`);

    test('the page has no problems', ({ skip }) => {
      const { error, problems } = reportOrSkip(skip);
      expect(error).toBeUndefined();
      expect(problems).toEqual([]);
    });

    test('the same seeds give the same bits as in all other engines', ({ skip }) => {
      expect(reportOrSkip(skip).bits).toEqual(SEED_BITS);
    });

    test('a lab opens a file, and reads rows of its shared table', ({ skip }) => {
      const tying = { tied: true, evidence: 'alias', conflict: null };
      expect(reportOrSkip(skip).checkpoint).toMatchObject({ tying, isEqual: true });
    });

    test('a lab opens a URL in ranges, and reads only what it needs', ({ skip }) => {
      const { url } = reportOrSkip(skip);
      expect(url.evidence).toBe('different');
      // The beginning, a look at both tables, the rows from which their distance is measured (all of these), and a row.
      expect(url.bytesRead).toBe(65_536 + 2 * 4096 + 2 * 4 * V * D + 4 * D);
      expect(url.row).toEqual(Array.from({ length: D }, (_, i) => 1 + (D + i) / 4));
      expect(url.asymmetry).toBeGreaterThan(0);
      expect(ranges.every((range) => /^bytes=\d+-\d+$/.test(range ?? ''))).toBe(true);
    });

    test('the figure opens a file that is dropped on it, and a URL', ({ skip }) => {
      const { dropped, fetched } = reportOrSkip(skip).figure;
      const said = (name: string) => ({ name, tied: false, title: `${name}: one table reads, another writes` });
      expect([dropped, fetched]).toEqual([said('dropped.safetensors'), said('ranged.safetensors')]);
    });

    test('a model trains on the page and in a worker', ({ skip }) => {
      const { first, last, ...used } = reportOrSkip(skip).usual;
      expect(used).toEqual({ simd: 'simd128', labSimd: 'simd128', mode: 'worker', same: true });
      expect(last).toBeLessThan(first!);
    });

    test('the relaxed build also trains, or is refused with the reason', ({ skip }) => {
      const { support, usual, relaxed } = reportOrSkip(skip);
      if (support.supported) {
        expect(relaxed).toMatchObject({ simd: 'relaxed', labSimd: 'relaxed', mode: 'worker', same: true });
        // As in tests/web/relaxed/training.test.ts: roundings differ, and long sums are about 1e-6 apart.
        expect(Math.abs(relaxed.last! / usual.last! - 1)).toBeLessThan(1e-4);
      } else {
        expect(relaxed).toEqual({ code: 'unsupported', message: support.reason });
        expect(support.reason).toMatch(/^This browser has no relaxed WebAssembly SIMD\./);
      }
    });
  });
}
