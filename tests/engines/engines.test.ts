// The package as it is built, in engines other than Chromium's: the same bits from the same seeds; the relaxed build where
// the engine has it, and a clear refusal where it has not.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { serve } from '../../tools/serve/server.mjs';
import { createLab } from '../../web/index.js';
import { timeless, transformers } from '../web/experiment/specs.js';
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
  experiment: unknown;
  checkpoint: unknown;
  usual: Used;
  relaxed: Used;
  support: { supported: boolean; reason: string | null };
}

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An engine</title>
<link rel="icon" href="data:,"><script type="module" src="/page.js"></script></head><body></body></html>`;

/** The folder with what the page imports. */
async function pageFolder(): Promise<string> {
  const folder = join(root, 'build/fixtures/engines');
  mkdirSync(folder, { recursive: true });
  const seedBits = readFileSync(join(root, 'tests/web/seed-bits.ts'), 'utf8');
  writeFileSync(join(folder, 'seed-bits.js'), (await transform(seedBits, { loader: 'ts' })).code);
  const specs = readFileSync(join(root, 'tests/web/experiment/specs.ts'), 'utf8');
  writeFileSync(join(folder, 'specs.js'), (await transform(specs, { loader: 'ts' })).code);
  writeFileSync(join(folder, 'page.js'), readFileSync(join(root, 'tests/engines/page.js')));
  return folder;
}

/** How long a browser may take to open the page before it counts as one that cannot run here. */
const BEGIN_LIMIT_MS = 60_000;

/** What the page posts, by URL. */
function postedBy(names: readonly string[]) {
  const posts: Record<string, (text: string) => void> = {};
  const posted = names.map((name) => new Promise<string>((resolve) => (posts[name] = resolve)));
  return { posts, posted };
}

for (const { name, here, open } of otherBrowsers) {
  describe.skipIf(!here)(name, () => {
    let found: Report | undefined;
    let browser: OpenedBrowser;
    let server: Awaited<ReturnType<typeof serve>>;
    beforeAll(async () => {
      const { posts, posted } = postedBy(['/begun', '/report']);
      const folders = {
        '/dist/': join(root, 'dist'),
        '/scripts/': join(root, 'tests/browser/scripts'),
        '/': await pageFolder(),
      };
      server = await serve({ folders, pages: { '/': HTML }, posts });
      browser = await open(server.url);
      const limit = new Promise((resolve) => setTimeout(resolve, BEGIN_LIMIT_MS).unref());
      const begun = await Promise.race([posted[0]!.then(() => true), browser.ended, limit]);
      if (begun === true) found = JSON.parse(await posted[1]!) as Report;
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });
    /** A browser that cannot even open a page here, perhaps for lack of rights, proves nothing about the package. */
    const reportOrSkip = (skip: (note: string) => never): Report => found ?? skip(`${name} does not run here`);

    test('the page has no problems', ({ skip }) => {
      const { error, problems } = reportOrSkip(skip);
      expect(error).toBeUndefined();
      expect(problems).toEqual([]);
    });

    test('the same seeds give the same bits as everywhere', ({ skip }) => {
      expect(reportOrSkip(skip).bits).toEqual(SEED_BITS);
    });

    test('a lab opens a file, and reads rows of its shared table', ({ skip }) => {
      const tying = { tied: true, evidence: 'alias', conflict: null };
      expect(reportOrSkip(skip).checkpoint).toEqual({ tying, isEqual: true });
    });

    test('an experiment has the same records as in Node', async ({ skip }) => {
      const lab = await createLab();
      const expected = timeless(await lab.runExperiment(transformers));
      lab.dispose();
      expect(reportOrSkip(skip).experiment).toEqual(JSON.parse(JSON.stringify(expected)));
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
        // As in tests/web/relaxed/training.test.ts: roundings differ, sums of many are 1e-6 or so apart.
        expect(Math.abs(relaxed.last! / usual.last! - 1)).toBeLessThan(1e-4);
      } else {
        expect(relaxed).toEqual({ code: 'unsupported', message: support.reason });
        expect(support.reason).toMatch(/^This browser has no relaxed WebAssembly SIMD\./);
      }
    });
  });
}
