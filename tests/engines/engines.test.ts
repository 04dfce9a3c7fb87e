// The built package in engines other than Chromium's: the same bits from the same seeds; the relaxed build if
// the engine supports it, and otherwise a clear refusal.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { ramp, safetensors } from '../web/checkpoint/checkpoint-files.js';
import { sendRange, sendWhole } from '../web/checkpoint/file-server.js';
import { SEED_BITS } from '../web/seed-bits.js';
import { otherBrowsers } from './browsers.js';
import { reportOf, type Reported } from './report.js';

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

type Exchange = [request: IncomingMessage, response: ServerResponse, headers: Record<string, string>];

for (const browser of otherBrowsers) {
  const { name, here } = browser;
  describe.skipIf(!here)(name, () => {
    let reported: Reported<Report>;
    const ranges: (string | undefined)[] = [];
    beforeAll(async () => {
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
      reported = await reportOf(browser, '/page.js', { folders, routes });
    });
    afterAll(() => reported.close());
    const reportOrSkip = (skip: (note: string) => never): Report => reported.found ?? skip(`${name} does not run here`);

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
