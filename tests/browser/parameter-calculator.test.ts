// <tied-parameter-calculator>, used as by a reader, by mouse, keyboard and typing.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

// A page with its own colors, as painted by the browser: the contrasts are measured against them.
const script = `
import './web/elements/parameter-calculator/parameter-calculator.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = (options?: OpenOptions, attributes = '') =>
  openFixture(
    {
      title: 'Calculator',
      script,
      body: `<tied-parameter-calculator heading-level="2" ${attributes}></tied-parameter-calculator>`,
    },
    options,
  );

const box = (page: Page, name: string) => page.getByRole('spinbutton', { name });
const vocabulary = (page: Page) => box(page, 'Vocabulary, in tokens');
const width = (page: Page) => box(page, 'Width');
/** No-break spaces only matter for typesetting. */
const plain = (text: string | null): string => (text ?? '').replace(/\u00a0/g, ' ');
const readOut = (page: Page) => ({
  textContent: async (): Promise<string> => plain(await page.locator('.read-out').textContent()),
});

describe('the calculator', () => {
  it('starts with 50,000 by 4,096 and states what tying saves', async () => {
    const { page, problems } = await open();
    await expect.poll(() => readOut(page).textContent()).toContain('Tying saves 204.8M parameters');
    const said = await readOut(page).textContent();
    expect(said).toContain('50% of the two tables');
    expect(said).toContain('20.5% of a model of 1B, 2.9% of a model of 7B and 0.3% of a model of 70B');
    const [tables, models] = await page
      .locator('svg[role=img]')
      .evaluateAll((drawings) =>
        drawings.map((drawing) => drawing.getAttribute('aria-label')?.replace(/\u00a0/g, ' ')),
      );
    expect(tables).toBe(
      'Tied: one table, both roles: 204.8M parameters. Untied: a table for each role: 409.6M parameters',
    );
    expect(models).toContain('Model of 1B: 20.5%');
    expect(problems).toEqual([]);
  });

  it('draws bars to scale', async () => {
    const { page } = await open();
    await expect.poll(() => readOut(page).textContent()).toContain('204.8M');
    const widths = await page
      .locator('.bar')
      .evaluateAll((bars) =>
        bars.map((bar) => [bar.getAttribute('class'), bar.getBoundingClientRect().width] as const),
      );
    const of = (name: string): number[] =>
      widths.filter(([names]) => names?.includes(name)).map(([, length]) => length);
    const [shared = 0] = of('bar-shared-table');
    // Two pixels of seam between the segments.
    expect(Math.abs(shared - (of('bar-input-table')[0] ?? 0))).toBeLessThan(0.1);
    expect(Math.abs(shared - (of('bar-output-table')[0] ?? 0))).toBeLessThan(2.1);
    const [first = 0, second = 0, third = 0] = of('bar-saved');
    expect(first / second).toBeCloseTo(7, 1);
    expect(first / third).toBeCloseTo(70, 0);
  });

  it('keeps its height while the core loads', async () => {
    const { page } = await open();
    const heights = await page.evaluate(async () => {
      const make = (): HTMLElement => document.createElement('tied-parameter-calculator');
      const waiting = make() as HTMLElement & { lab: unknown };
      // A lab that never answers.
      waiting.lab = {
        knownModels: () => new Promise(() => undefined),
        countParameters: () => new Promise(() => undefined),
      };
      document.querySelector('main')?.append(waiting);
      await new Promise((done) => setTimeout(done, 500));
      return [...document.querySelectorAll('tied-parameter-calculator')]
        .map((element) => element.shadowRoot?.querySelector('.footer')?.getBoundingClientRect().top ?? 0)
        .map(
          (top, at) =>
            top - (document.querySelectorAll('tied-parameter-calculator')[at]?.getBoundingClientRect().top ?? 0),
        );
    });
    expect(heights).toHaveLength(2);
    expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 1000))).toBeLessThan(1);
  });

  it('accepts numbers in the forms people type, and shows exact integers on demand', async () => {
    const { page, problems } = await open();
    await vocabulary(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('128k');
    await page.keyboard.press('Tab');
    await width(page).fill('1,024');
    await page.keyboard.press('Enter');
    await expect.poll(() => readOut(page).textContent()).toContain('Tying saves 131.1M parameters');
    await page.getByRole('button', { name: 'Show data' }).click();
    await expect.poll(() => page.locator('.data').textContent()).toContain('131,072,000');
    expect(await vocabulary(page).inputValue()).toBe('128,000');
    expect(problems).toEqual([]);
  });

  it('shows no digits beyond those of doubles, and refuses what it cannot count', async () => {
    const { page } = await open();
    await vocabulary(page).fill('3000000001');
    await width(page).fill('3000000001');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show data' }).click();
    // Twice (3 · 10⁹ + 1)² fits in 64 bits; a double does not know its last digits.
    await expect.poll(() => page.locator('.data').textContent()).toContain('1.800 × 10¹⁹');
    expect(await page.locator('.data').textContent()).toContain('9.000 × 10¹⁸');
    await vocabulary(page).fill('9007199254740991');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('figure > div > .problem').textContent())
      .toMatch(/^The model would have more than 1\.8 × 10¹⁹ parameters.*The drawing still shows the previous sizes\.$/);
    expect(await page.locator('.data').textContent()).toContain('1.800 × 10¹⁹');
  });

  it('steps by arrow keys, ten steps with Shift, and by the slider', async () => {
    const { page } = await open();
    await width(page).focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => width(page).inputValue()).toBe('4,176');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => width(page).inputValue()).toBe('3,376');
    const slider = page.getByRole('slider', { name: 'Vocabulary, in tokens' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => vocabulary(page).inputValue()).toBe('1,000,000');
    await page.keyboard.press('Home');
    await expect.poll(() => vocabulary(page).inputValue()).toBe('100');
  });

  it('lets a number be dragged sideways, and announces it on release', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      (window as unknown as { heard: unknown[] }).heard = [];
      document.addEventListener('tied-change', (event) => {
        const { vocabSize, saved } = (event as CustomEvent<{ vocabSize: number; saved: number }>).detail;
        (window as unknown as { heard: unknown[] }).heard.push([vocabSize, String(saved)]);
      });
    });
    const place = await vocabulary(page).boundingBox();
    if (place === null) throw new Error('no box');
    await page.mouse.move(place.x + 60, place.y + 10);
    await page.mouse.down();
    await page.mouse.move(place.x + 90, place.y + 10, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => vocabulary(page).inputValue()).toBe('60,000');
    const heard = () => page.evaluate(() => (window as unknown as { heard: [number, string][] }).heard.at(-1));
    await expect.poll(heard).toEqual([60_000, String(60_000 * 4096)]);
  });

  it('explains in place what is wrong with a number, shows and uses the last good one, and clears the message on Escape', async () => {
    const { page } = await open();
    await expect.poll(() => readOut(page).textContent()).toContain('204.8M');
    for (const [typed, message] of [
      ['abc', '“abc” is not a number.'],
      ['0', '0 is too small; the least is 1.'],
      ['2.5', '2.5 is not an integer.'],
      ['1e300', '1e300 is too large; the most is 9,007,199,254,740,991.'],
    ] as const) {
      await vocabulary(page).fill(typed);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.locator('tied-number-field .problem').textContent())
        .toBe(`${message} Using 50,000.`);
      expect(await vocabulary(page).inputValue()).toBe('50,000');
      expect(await readOut(page).textContent()).toContain('204.8M');
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => vocabulary(page).inputValue()).toBe('50,000');
    expect(await page.locator('tied-number-field .problem').count()).toBe(0);
  });

  it('takes its sizes from attributes, and names an invalid attribute', async () => {
    const good = await open({}, 'vocab-size="50257" d-model="768"');
    await expect.poll(() => readOut(good.page).textContent()).toContain('38.6M');
    const bad = await open({}, 'vocab-size="-3" d-model="768"');
    await expect.poll(() => bad.page.locator('.problem').textContent()).toContain('The attribute vocab-size is “-3”');
    await expect.poll(() => readOut(bad.page).textContent()).toContain('38.4M');
  });

  it('offers its state as a link if the author enables it, and opens from one', async () => {
    const { page, url, problems } = await open({}, 'link-state="sizes"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await width(page).fill('1024');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.locator('.note').textContent()).toBe('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${url}#tied=sizes&vocab-size=50000&d-model=1024`);
    await page.goto('about:blank');
    await page.goto(link);
    await expect.poll(() => readOut(page).textContent()).toContain('Tying saves 51.2M parameters');
    expect(problems).toEqual([]);
    const without = await open();
    expect(await without.page.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
  });

  it('reports a table larger than the model', async () => {
    const { page } = await open({}, 'vocab-size="1000000" d-model="4096"');
    await expect
      .poll(async () => plain(await page.locator('.charts').textContent()))
      .toContain('409.6%: the table alone is larger than the model');
  });

  it('passes axe in light and dark and does not scroll sideways at 320 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await open({ colorScheme, width: 320, touch: true });
      await page.getByRole('button', { name: 'Show data' }).click();
      await page.getByRole('button', { name: 'Embed' }).click();
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
      expect(problems).toEqual([]);
    }
  });
});

describe('a removed calculator', () => {
  it('is garbage-collected: neither the page nor the browser’s style cache retains it', async () => {
    const { page } = await open({}, 'model="gpt2-large" compare="gpt-2"');
    // Dotted, in the bars and in the key below them.
    await page.locator('.key .bar-positions').waitFor();
    // Something that is drawn only once is not cached yet.
    for (const width of [800, 600]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    }
    const kept = await page.evaluateHandle(() => new WeakRef(document.querySelector('tied-parameter-calculator')!));
    await page.evaluate(() => document.querySelector('tied-parameter-calculator')?.remove());
    const session = await page.context().newCDPSession(page);
    const isKept = async (): Promise<boolean> => {
      await session.send('HeapProfiler.collectGarbage');
      return kept.evaluate((reference) => reference.deref() !== undefined);
    };
    // Timers of a few seconds may still retain it.
    await expect.poll(isKept, { timeout: 30_000, interval: 500 }).toBe(false);
  });
});
