// The page that `npm start` serves in a fresh clone, while the rest is built.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecord, recordOf } from '../../../tools/build/site.mjs';
import { recordLines } from '../../../tools/lib/record-lines.mjs';
import { progressOf } from '../../../tools/lib/steps.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { firstFiles } from '../../../tools/serve/first-files.mjs';
import { serve } from '../../../tools/serve/server.mjs';

let folder: string;
let modules: string;
let end: () => void;
let whole: Promise<void>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-'));
  modules = join(folder, 'wasm');
  mkdirSync(modules);
  whole = new Promise((resolve) => (end = resolve));
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = ['core.wasm', 'stories.wasm'];

test('a module that is asked for before it is built is answered once it is there', async () => {
  const folders = { '/': folder };
  const server = await serve({ folders, ready: firstFiles({ folder, modules, files, whole }) });
  let isAnswered = false;
  const answer = fetch(`${server.url}stories.wasm`).then((response) => {
    isAnswered = true;
    return response;
  });
  // A whole round trip to the same server, which does not wait.
  expect((await fetch(`${server.url}nothing.txt`)).status).toBe(404);
  expect((await fetch(`${server.url}other.wasm`)).status).toBe(404);
  expect(isAnswered).toBe(false);
  writeFileSync(join(modules, 'stories.wasm'), 'a module');
  const response = await answer;
  expect([response.status, await response.text()]).toEqual([200, 'a module']);
  await server.close();
});

test('what other pages take waits for the whole site, which is served from then on', async () => {
  const site = join(folder, 'site');
  const folders: Record<string, string | string[]> = { '/': folder };
  writeFileSync(join(folder, 'figure-ab12.js'), 'of the first page');
  const server = await serve({ folders, ready: firstFiles({ folder, modules, files, whole }) });
  const answer = fetch(`${server.url}api/`);
  mkdirSync(join(site, 'api'), { recursive: true });
  writeFileSync(join(site, 'api/index.html'), 'reference');
  folders['/'] = [site, folder];
  end();
  expect(await (await answer).text()).toBe('reference');
  expect(await (await fetch(`${server.url}figure-ab12.js`)).text()).toBe('of the first page');
  await server.close();
});

test('if the rest cannot be built, what waits is not found', async () => {
  const server = await serve({ folders: { '/': folder }, ready: firstFiles({ folder, modules, files, whole }) });
  const answers = ['core.wasm', 'claims/'].map((path) => fetch(server.url + path));
  end();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404]);
  await server.close();
});

test('the recorded numbers are read as they were computed', () => {
  const record = readRecord() as Record<string, unknown>;
  const text = readFileSync(join(root, 'web/article/assets/recorded-facts.json'), 'utf8');
  expect(recordOf(record)).toBe(text);
});

test('recorded values have lines of at most 140 characters, unless a single text is longer', () => {
  const value = {
    numbers: Array.from({ length: 300 }, (_, i) => i / 7),
    rows: Array.from({ length: 40 }, (_, i) => ({ name: `row ${i}`, of: [i, Number.NaN, null], left: undefined })),
    'a text': 'x'.repeat(200),
    short: {},
  };
  const text: string = recordLines(value);
  expect(text.split('\n').filter((line) => line.length > 140)).toEqual([`"a text": "${'x'.repeat(200)}",`]);
  expect(text).toContain('\n{"name":"row 7","of":[7,null,null]},\n');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
});

test('progress is read from the last line of a log that has it', () => {
  const log = `progress-${process.pid}`;
  const file = join(root, 'build/logs', `${log}.log`);
  expect(progressOf(log)).toBe('');
  mkdirSync(join(root, 'build/logs'), { recursive: true });
  writeFileSync(file, '[1/40] Building a\n[10/40] Building b\na warning\n');
  try {
    expect(existsSync(file)).toBe(true);
    expect(progressOf(log)).toBe('[#####---------------] 10 of 40');
  } finally {
    rmSync(file);
  }
});
