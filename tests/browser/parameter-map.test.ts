// <tied-parameter-map>, used as by a reader, by mouse and keyboard, with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SAMPLES } from '../web/core/configs.js';
import { plain } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/parameter-map/parameter-map.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = async (attributes = '', options?: OpenOptions) => {
  const body = `<tied-parameter-map heading-level="2" ${attributes}></tied-parameter-map>`;
  const opened = await openFixture({ title: 'Parameters', script, body }, options);
  await opened.page.locator('tied-parameter-map .place').first().waitFor();
  return opened;
};

const map = (page: Page) => page.locator('tied-parameter-map');
const bars = (page: Page) => map(page).getByRole('button', { name: /parameters: / });
const readOut = async (page: Page): Promise<string> => plain(await map(page).locator('.read-out').textContent());
const focused = (page: Page): Promise<string | null> =>
  map(page).evaluate((element) => element.shadowRoot?.activeElement?.getAttribute('aria-label') ?? null);

describe('the bars', () => {
  it('are reached with Tab and the arrow keys, and say their parts', async () => {
    const { page, problems } = await open('order="year"');
    const all = await readOut(page);
    // One stop for all bars.
    expect(await map(page).locator('.place[tabindex="0"]').count()).toBe(1);
    await bars(page).first().focus();
    const first = 'GPT-2 small, 124.4M parameters: 31% reads and writes tokens, 69% computes.';
    await expect.poll(() => readOut(page)).toBe(first);
    expect(await focused(page)).toBe(first);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => readOut(page)).toMatch(/^Pythia 70M, /);
    await page.keyboard.press('End');
    await expect.poll(() => readOut(page)).toMatch(/^Qwen3\.8-Flash-Next, .*B parameters: 29% only reads, /);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toMatch(/^Qwen3\.8-Flash-Next, /);
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe(first);
    // Enter keeps the words when the focus leaves, and gives them up.
    await page.keyboard.press('Enter');
    await expect.poll(() => bars(page).first().getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => readOut(page)).toMatch(/^Pythia 70M, /);
    await map(page).evaluate((element) => (element.shadowRoot!.activeElement as HTMLElement).blur());
    await expect.poll(() => readOut(page)).toBe(first);
    await bars(page).first().press('Space');
    await map(page).evaluate((element) => (element.shadowRoot!.activeElement as HTMLElement).blur());
    await expect.poll(() => readOut(page)).toBe(all);
    expect(problems).toEqual([]);
  });

  it('say them under the pointer, and keep them after a click', async () => {
    const { page } = await open('order="year"');
    const all = await readOut(page);
    await bars(page).nth(1).hover();
    await expect.poll(() => readOut(page)).toMatch(/^Pythia 70M, /);
    await page.mouse.move(0, 0);
    await expect.poll(() => readOut(page)).toBe(all);
    await bars(page).nth(1).click();
    await page.mouse.move(0, 0);
    await map(page).evaluate((element) => (element.shadowRoot!.activeElement as HTMLElement | null)?.blur());
    await expect.poll(() => readOut(page)).toMatch(/^Pythia 70M, /);
  });

  it.each([
    ['by day', {}],
    ['by night', { colorScheme: 'dark' }],
    ['on a narrow screen', { width: 360 }],
    ['in forced colors', { forcedColors: true }],
  ] as const)('are accessible %s', async (_, options) => {
    const { page } = await open('all', options);
    expect(await axeViolations(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
  });
});

describe("the reader's own config.json", () => {
  const config = JSON.stringify({
    ...SAMPLES.find(({ is }) => is === 'llama-3.2-1b')!.config,
    _name_or_path: 'me/mine',
  });
  const mine = /^Tables are \d+% of me\/mine: place \d+ of the \d+ models shown\./;

  it('lands among them by keyboard alone, pasted into the field', async () => {
    const { page, problems } = await open();
    await map(page).getByRole('button', { name: 'Add your config.json' }).press('Enter');
    await map(page).getByRole('textbox').last().fill(config);
    await expect.poll(() => readOut(page)).toMatch(mine);
    await expect.poll(() => bars(page).last().getAttribute('aria-label')).toMatch(/^Your model: me\/mine, 1\.2B/);
    expect(problems).toEqual([]);
  });

  it('lands among them when it is dropped or pasted on the figure', async () => {
    const { page } = await open();
    await map(page).evaluate((element, text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'config.json', { type: 'application/json' }));
      for (const type of ['dragover', 'drop'])
        element.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, config);
    await expect.poll(() => readOut(page)).toMatch(mine);
    await map(page).evaluate(
      (element, text) => {
        const data = new DataTransfer();
        data.setData('text', text);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      config.replace('me/mine', 'me/other'),
    );
    await expect.poll(() => readOut(page)).toMatch(/me\/other/);
    await expect.poll(async () => (await bars(page).last().getAttribute('aria-label'))!).toMatch(/me\/(mine|other)/);
  });

  it('is refused by name, with all bars left as they were', async () => {
    const { page } = await open();
    const before = await bars(page).count();
    await map(page).getByRole('button', { name: 'Add your config.json' }).click();
    await map(page).getByRole('textbox').last().fill('{"model_type": "reformer"}');
    await expect
      .poll(async () => plain(await map(page).getByRole('alert').first().textContent()))
      .toMatch(/model_type is .reformer./);
    expect(await bars(page).count()).toBe(before);
  });
});
