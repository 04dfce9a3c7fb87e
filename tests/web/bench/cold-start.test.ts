import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pageOf, serveCompressed } from '../../../bench/pages/cold-start.mjs';

let server: Awaited<ReturnType<typeof serveCompressed>> | undefined;
const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('files of a cold start are sent compressed and uncached, and their bytes are counted', async () => {
  const script = 'const zeros = 0;\n'.repeat(1000);
  writeFileSync(join(folder, 'script.mjs'), script);
  server = await serveCompressed({ folders: { '/files/': folder }, pages: { '/': pageOf('/files/script.mjs') } });
  const page = await fetch(`${server.url}/?model=A`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toBe(pageOf('/files/script.mjs'));
  const file = await fetch(`${server.url}/files/script.mjs`);
  expect(file.headers.get('content-encoding')).toBe('gzip');
  expect(file.headers.get('cache-control')).toBe('no-store');
  expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await file.text()).toBe(script);
  expect(server.sent.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['/', pageOf('/files/script.mjs').length],
    ['/files/script.mjs', script.length],
  ]);
  expect(server.sent[1]!.gzipBytes).toBeLessThan(200);
  expect((await fetch(`${server.url}/files/none.mjs`)).status).toBe(404);
  expect((await fetch(`${server.url}/files/..%2F..%2Fetc%2Fpasswd`)).status).toBe(404);
});
