// Figures in pages whose authors set their surroundings in other ways than the article does.
import { expect, test } from 'vitest';
import { openFixture } from './harness.js';

const script = "import './web/elements/symmetry-explorer/symmetry-explorer.define.ts';";
const figure = '<tied-symmetry-explorer heading-level="2"></tied-symmetry-explorer>';

const hosts = {
  'a row whose column grows with its content': ['<div style="display: flex"><div>@</div></div>', 600],
  'a column with centered children': ['<div style="display: flex; flex-direction: column; align-items: center">@</div>', 600], // prettier-ignore
  'a dialog': ['<dialog open>@</dialog>', 600],
  'a table cell': ['<table><tr><td>@</td></tr></table>', 600],
  'an inline block': ['<div style="display: inline-block">@</div>', 600],
  // Where there is less room, a figure asks for none.
  'a narrow column of a grid': ['<div style="display: grid; grid-template-columns: 1fr 1fr; width: 700px">@<p>beside</p></div>', 300], // prettier-ignore
  'a narrow row': ['<div style="display: flex; width: 700px"><p style="flex: 0 0 300px">a</p><div style="flex: 1">@</div></div>', 400], // prettier-ignore
} as const satisfies Record<string, readonly [html: string, least: number]>;

test.each(Object.entries(hosts))('a figure has a width in %s', async (_, [html, least]) => {
  const { page, close } = await openFixture({ script, body: html.replace('@', figure) }, { policy: '' });
  const element = page.locator('tied-symmetry-explorer');
  await element.locator('svg').first().waitFor();
  const { width, room } = await element.evaluate((of) => ({
    width: of.getBoundingClientRect().width,
    room: (of.closest('[style*="width: 700px"]') ?? document.body).getBoundingClientRect(),
  }));
  expect(width).toBeGreaterThanOrEqual(least);
  const right = await element.evaluate((of) => of.getBoundingClientRect().right);
  expect(right).toBeLessThanOrEqual(room.right + 1);
  await close();
});

test('a figure looks the same, however the text around it is set', async () => {
  const around =
    'text-align: center; text-indent: 3em; text-transform: uppercase; letter-spacing: 0.1em; word-spacing: 1em; white-space: pre; font-style: italic; font-weight: 700; font-variant: small-caps; word-break: break-all';
  const body = `<style>.all * { ${around}; white-space: normal }</style>
    <div style="width: 700px">${figure}</div>
    <div style="width: 700px; ${around}">${figure}</div>
    <div style="width: 700px" dir="rtl">${figure}</div>
    <div style="width: 700px" class="all">${figure}</div>`;
  // This page has styles in its tags, which the strict policy forbids.
  const { page, close } = await openFixture({ script, body }, { policy: '', height: 4000 });
  const figures = page.locator('tied-symmetry-explorer');
  const places = (at: number): Promise<string[]> =>
    figures.nth(at).evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      const shown = element.shadowRoot!.querySelectorAll('.title, button, label, .read-out, figcaption, svg text');
      return [...shown].map((one) => {
        const box = one.getBoundingClientRect();
        return [box.left - left, box.top - top, box.width, box.height].map(Math.round).join(' ');
      });
    });
  for (const at of [0, 1, 2, 3]) await figures.nth(at).locator('svg text').first().waitFor();
  const plain = await places(0);
  await expect.poll(() => places(1)).toEqual(plain);
  await expect.poll(() => places(2)).toEqual(plain);
  await expect.poll(() => places(3)).toEqual(plain);
  await close();
});

test('where the browser does not let a page copy, the link is shown to be copied by hand', async () => {
  const body = '<tied-symmetry-explorer heading-level="2" link-state="own" mode="untied"></tied-symmetry-explorer>';
  const { page, problems, close } = await openFixture({ script, body });
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });
  });
  await page.getByRole('button', { name: 'Copy link' }).click();
  const shown = page.locator('.embed-code');
  await expect.poll(() => shown.inputValue()).toMatch(/^http.*#tied=own&mode=untied/);
  // The link follows the figure.
  await page.getByText('Random', { exact: true }).click();
  await expect.poll(() => shown.inputValue()).toContain('mode=random');
  expect(problems).toEqual([]);
  await close();
});

test('a page that requires Trusted Types gets a worker if its policy allows ours', async () => {
  const opening = `
    import { createLab } from './web/index.ts';
    window.opening = createLab({ workerUrl: new URL('worker.js', location.href) }).then(({ mode }) => mode);
  `;
  const policy =
    "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types tied-embeddings";
  const { page, problems, close } = await openFixture({ script: opening, body: '' }, { policy });
  expect(await page.evaluate(() => (window as unknown as { opening: Promise<string> }).opening)).toBe('worker');
  expect(problems).toEqual([]);
  await close();
});

test('the model picker of a calculator fits a column of 280 pixels', async () => {
  const calculator = "import './web/elements/parameter-calculator/parameter-calculator.define.ts';";
  const body = '<div style="width: 280px"><tied-parameter-calculator></tied-parameter-calculator></div>';
  const { page, close } = await openFixture({ script: calculator, body }, { policy: '' });
  const picker = page.locator('tied-architecture-picker');
  await picker.locator('select').first().waitFor();
  await page.locator('tied-parameter-calculator svg').first().waitFor();
  const beyond = await picker.evaluate((host) => {
    const { right } = host.getBoundingClientRect();
    return [...host.shadowRoot!.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right - right);
  });
  expect(Math.max(...beyond)).toBeLessThanOrEqual(1);
  await close();
});
