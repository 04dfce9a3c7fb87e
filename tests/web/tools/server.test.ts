import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../../tools/serve/server.mjs';

let folder: string;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'server-'));
  mkdirSync(join(folder, 'site/part'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'not served');
  writeFileSync(join(folder, 'site/index.html'), '<title>front</title>');
  writeFileSync(join(folder, 'site/part/index.html'), '<title>part</title>');
  writeFileSync(join(folder, 'site/core.wasm'), new Uint8Array([0, 97, 115, 109]));
  server = await serve({ folders: { '/': join(folder, 'site') }, pages: { '/page': '<title>page</title>' } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(server.url + path, init);

/** The unresolved path: fetch would resolve its dots. */
function rawStatus(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('files, folders and given pages are served with their type and the policy', async () => {
  expect(await (await get('')).text()).toContain('front');
  expect(await (await get('part/')).text()).toContain('part');
  expect(await (await get('page')).text()).toContain('page');
  const wasm = await get('core.wasm');
  expect(wasm.headers.get('content-type')).toBe('application/wasm');
  const policy = (await get('')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain("'unsafe-");
});

test('nothing outside the folder is served', async () => {
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/part/../../secret.txt',
    '//secret.txt',
  ]) {
    expect(await rawStatus(path), path).toBe(404);
  }
  expect(await rawStatus('/%zz')).toBe(400);
});

test('a page’s post reaches the function for its URL', async () => {
  const said: string[] = [];
  const listening = await serve({ posts: { '/report': (text) => said.push(text) } });
  const report = (path: string) => fetch(listening.url + path, { method: 'POST', body: 'all is well — ✓' });
  expect((await report('report')).status).toBe(204);
  expect((await report('other')).status).toBe(405);
  expect(said).toEqual(['all is well — ✓']);
  await listening.close();
});

test('only read requests are answered', async () => {
  expect((await get('', { method: 'POST' })).status).toBe(405);
  expect((await get('', { method: 'HEAD' })).status).toBe(200);
  expect((await get('missing')).status).toBe(404);
});

test('an unchanged file is not sent again', async () => {
  const tag = (await get('')).headers.get('etag') ?? '';
  expect((await get('', { headers: { 'If-None-Match': tag } })).status).toBe(304);
});

test('if a port is taken, the next free one is used', async () => {
  const taken = Number(new URL(server.url).port);
  const next = await serve({ folders: { '/': join(folder, 'site') }, port: taken });
  expect(Number(new URL(next.url).port)).toBeGreaterThan(taken);
  await next.close();
});
