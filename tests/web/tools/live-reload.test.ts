import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveReload } from '../../../tools/serve/live-reload.mjs';
import { contentSecurityPolicy, serve } from '../../../tools/serve/server.mjs';
import { oneAtATime, watchFolders } from '../../../tools/serve/watch.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tied-live-'));
  mkdirSync(join(folder, 'part'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('pages of npm start load a script that reloads them, under the policy of the article', async () => {
  writeFileSync(join(folder, 'index.html'), '<body><p>text</p></body>');
  const { reload, ...live } = liveReload();
  const server = await serve({ folders: { '/': folder }, ...live });
  try {
    const page = await fetch(server.url);
    expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy);
    const address = /<script type="module" src="\/(.*?)"><\/script><\/body>/.exec(await page.text())?.[1];
    const script = await fetch(server.url + address);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    const events = /EventSource\('\/(.*?)'\)/.exec(await script.text())?.[1];
    const stream = await fetch(server.url + events);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(':\n\n');
    reload();
    expect((await reader.read()).value).toBe('event: reload\ndata:\n\n');
  } finally {
    await server.close();
  }
});

test('a server without live reload adds nothing to a page', async () => {
  writeFileSync(join(folder, 'index.html'), '<body><p>text</p></body>');
  const server = await serve({ folders: { '/': folder } });
  expect(await (await fetch(server.url)).text()).toBe('<body><p>text</p></body>');
  await server.close();
});

test('a change below a folder triggers a build', async () => {
  let calls = 0;
  const close = watchFolders([folder], () => Promise.resolve(calls++));
  try {
    writeFileSync(join(folder, 'part/a.ts'), 'changed');
    await expect.poll(() => calls).toBeGreaterThan(0);
  } finally {
    close();
  }
});

test('an ignored change triggers nothing', async () => {
  const changed: string[] = [];
  const close = watchFolders([folder], () => Promise.resolve(changed.push('work')), { ignore: /^part/ });
  const other = watchFolders([join(folder, 'part')], () => Promise.resolve(changed.push('other work')));
  try {
    writeFileSync(join(folder, 'part/a.ts'), 'changed');
    await expect.poll(() => changed).toContain('other work');
    expect(changed).not.toContain('work');
  } finally {
    close();
    other();
  }
});

test('changes during a build trigger one more, and builds never overlap', async () => {
  const ends: (() => void)[] = [];
  const begin = oneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  const all = [begin(), begin(), begin()];
  expect(ends).toHaveLength(1);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await Promise.all(all);
  expect(ends).toHaveLength(2);
});
