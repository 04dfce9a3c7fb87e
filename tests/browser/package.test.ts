// The package in a page without a build step: its modules and its classic script, as files, under the strict policy.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { axeViolations, openHtml } from './harness.js';

const dist = { '/dist/': join(root, 'dist') };
const scripts = join(root, 'tests/browser/scripts');

function html(head: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A post</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${head}</head>
<body><main><h1>A post</h1>${body}<p id="out">waiting</p></main></body></html>`;
}

async function outcome(script: string) {
  const opened = await openHtml(html(`<script type="module" src="/scripts/${script}"></script>`), {
    ...dist,
    '/scripts/': scripts,
  });
  await opened.page.locator('#out:not(:text("waiting"))').waitFor();
  const text = await opened.page.locator('#out').textContent();
  expect(opened.problems).toEqual([]);
  await opened.close();
  return JSON.parse(text ?? '') as unknown;
}

test.each(['tied-embeddings.js', 'slim.js'])('%s trains in a worker and on the page', async (entry) => {
  expect(await outcome(entry === 'slim.js' ? 'lab-slim.js' : 'lab-main.js')).toEqual({
    mode: 'worker',
    sameAsCore: true,
    falls: true,
    isACopy: true,
  });
});

test('one classic script and one tag show an element, and its lab runs in a worker', async () => {
  const opened = await openHtml(
    html(
      '<script src="/dist/tied-embeddings.global.js" defer></script><script type="module" src="/scripts/global.js"></script>',
      '<h2>What tying saves</h2><tied-parameter-calculator></tied-parameter-calculator>',
    ),
    { ...dist, '/scripts/': scripts },
  );
  await opened.page.locator('#out:not(:text("waiting"))').waitFor();
  expect(JSON.parse((await opened.page.locator('#out').textContent()) ?? '')).toEqual({
    api: ['TiedError', 'createLab', 'isSupported', 'loadCore'],
    mode: 'worker',
  });
  await expect.poll(() => opened.page.locator('tied-parameter-calculator').textContent()).not.toBeNull();
  expect(
    await opened.page.locator('tied-parameter-calculator').evaluate((element) => element.shadowRoot !== null),
  ).toBe(true);
  expect(opened.problems).toEqual([]);
  expect(await axeViolations(opened.page)).toEqual([]);
  await opened.close();
});

test('the classic script also runs from a blob: URL, without files beside it', async () => {
  const opened = await openHtml(html('', '<tied-parameter-calculator></tied-parameter-calculator>'), dist, {
    policy: '',
  });
  const total = await opened.page.evaluate(async () => {
    const source = await (await fetch('/dist/tied-embeddings.global.js')).blob();
    const script = document.createElement('script');
    script.src = URL.createObjectURL(source);
    const loaded = new Promise((resolve, reject) => {
      script.addEventListener('load', resolve);
      script.addEventListener('error', reject);
    });
    document.head.append(script);
    await loaded;
    const lab = await window.TiedEmbeddings.createLab();
    const { total } = await lab.bigrams(Uint32Array.of(0, 1, 0), 2);
    lab.dispose();
    return total;
  });
  expect(total).toBe(2);
  await expect.poll(() => opened.page.locator('tied-parameter-calculator figure').count()).toBeGreaterThan(0);
  await opened.close();
});
