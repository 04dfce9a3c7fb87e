// One position worked through by hand, by mouse, touch and keyboard: every number on it is computed again here.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../web/article/figures/worked-position/code.js';
import {
  firstPosition,
  hiddenOf,
  similarities,
  width as tableWidth,
  withRead,
  withTenth,
  work,
  type Position,
} from '../../web/article/figures/worked-position/position.js';
import { axeViolations, horizontalOverflow, openSite, type OpenOptions } from './harness.js';

const tag = 'article-worked-position';
const { words } = firstPosition;

async function open(options: OpenOptions = {}) {
  const opened = await openSite('#two-tables', options);
  await opened.page.locator(`${tag} .work`).waitFor();
  await opened.page.locator(`${tag}[data-drawn]`).waitFor();
  return opened;
}

const figure = (page: Page) => page.locator(tag);
const button = (page: Page, name: string) => figure(page).getByRole('button', { name, exact: true });
const next = (page: Page) => figure(page).locator('.steps .primary');
const place = (page: Page) => figure(page).locator('.place').textContent();
const entry = (page: Page, name: string, col: number) =>
  figure(page).getByRole('spinbutton', { name: `${name}, ${col} of ${tableWidth}`, exact: true });

/** What the cells of a column group show, row by row: numbers, without the letters around them. */
const shown = (page: Page, selector: string): Promise<number[]> =>
  figure(page)
    .locator(selector)
    .evaluateAll((cells) =>
      cells.map((cell) => {
        const field = cell.querySelector('tied-number-field');
        const text = field === null ? cell.textContent : field.shadowRoot!.querySelector('input')!.value;
        return Number(text.replace('−', '-').replace('Σ', '').trim());
      }),
    );

const rounded = (values: readonly number[], decimals: number): number[] =>
  values.map((value) => Number(value.toFixed(decimals)) + 0);

/** Every number of the last step. */
async function expectNumbers(page: Page, position: Position): Promise<void> {
  const worked = work(position);
  const row = '.work tbody:first-of-type tr';
  const sums = '.sums tr';
  const of = (matrix: readonly number[]) => matrix.slice(position.read * tableWidth, (position.read + 1) * tableWidth);
  const expected: readonly (readonly [string, readonly number[], number])[] = [
    [`${row} td.s1`, worked.oneHot, 0],
    [`${row} td.se`, position.table.map((tenths) => tenths / 10), 1],
    [`${row} td.s3`, worked.logits, 2],
    [`${row} td.s4.first`, worked.exponentials, 2],
    [`${row} td.s4.s5`, worked.probabilities, 3],
    [`${row} td.s5.first`, worked.wanted, 0],
    [`${row} td.s5.s6`, worked.residuals, 3],
    [`${row} td.s6:not(.s5)`, worked.total, 2],
    ['.times th', worked.hidden, 1],
    [`${sums}:nth-child(1) td.se`, worked.row, 1],
    [`${sums}:nth-child(2) td.se`, position.layers.map((tenths) => tenths / 10), 1],
    [`${sums}:nth-child(3) td.se`, worked.hidden, 1],
    [`${sums}:nth-child(3) td.sum`, [worked.sum, 1], 2],
    [`${sums}:nth-child(1) td.s6.write`, of(worked.writing), 2],
    [`${sums}:nth-child(2) td.s6.read-part`, of(worked.reading), 2],
    [`${sums}:nth-child(3) td.s6.both`, of(worked.total), 2],
  ];
  for (const [selector, values, decimals] of expected) {
    await expect.poll(() => shown(page, selector), { message: selector }).toEqual(rounded(values, decimals));
  }
}

async function toLastStep(page: Page): Promise<void> {
  for (let step = 2; step <= 6; step++) {
    await next(page).click();
    expect(await place(page)).toContain(`Step ${step} of 6`);
  }
}

describe('one position by hand', () => {
  test('goes through six steps by button and by arrow key, each adding its numbers, without moving what is below', async () => {
    const { page, problems } = await open({ width: 1440 });
    expect(await place(page)).toBe('Step 1 of 6: Look up');
    const filled = () => shown(page, '.work tbody:first-of-type td:not(.later)').then((all) => all.length);
    const height = () => figure(page).evaluate((one) => one.getBoundingClientRect().height);
    const heights = [await height()];
    const cells = [await filled()];
    expect(await button(page, 'Back').getAttribute('aria-disabled')).toBe('true');
    for (let step = 2; step <= 6; step++) {
      await next(page).click();
      heights.push(await height());
      cells.push(await filled());
    }
    expect(cells).toEqual([35, 35, 42, 56, 70, 98]);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(3);
    await expectNumbers(page, firstPosition);
    await next(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await place(page)).toBe('Step 4 of 6: Softmax');
    await page.keyboard.press('ArrowRight');
    expect(await place(page)).toBe('Step 5 of 6: Subtract');
    await page.keyboard.press('Home');
    expect(await place(page)).toBe('Step 1 of 6: Look up');
    await page.keyboard.press('End');
    expect(await place(page)).toBe('Step 6 of 6: Pull');
    expect(problems).toEqual([]);
  });

  test('recomputes every number as the reader drags, types or steps one, in the table and in h', async () => {
    const { page, problems } = await open({ width: 1440 });
    await toLastStep(page);
    let position = firstPosition;
    await entry(page, 'dog', 2).evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const dragged = (await entry(page, 'dog', 2).boundingBox())!;
    const [x, y] = [dragged.x + dragged.width / 2, dragged.y + dragged.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Three pixels per tenth.
    await page.mouse.move(x - 12, y, { steps: 4 });
    await page.mouse.move(x - 24, y, { steps: 4 });
    await page.mouse.up();
    position = withTenth(position, { row: 5, col: 1 }, -4);
    await expectNumbers(page, position);

    await entry(page, 'h', 3).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    position = withTenth(position, { row: 'h', col: 2 }, hiddenOf(position)[2]! + 2);
    await expectNumbers(page, position);

    // A number of the row that is read moves h with it.
    await entry(page, 'the', 1).fill('1.2');
    await page.keyboard.press('Enter');
    position = withTenth(position, { row: 0, col: 0 }, 12);
    expect(hiddenOf(position)[0]).not.toBe(hiddenOf(firstPosition)[0]);
    await expectNumbers(page, position);

    // What cannot be used is named, and nothing changes.
    await entry(page, 'the', 1).fill('12');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => figure(page).locator('tied-number-field .problem').allTextContents())
      .toEqual(['12 is too large; the most is 3. Using 1.2.']);
    await expectNumbers(page, position);
    expect(problems).toEqual([]);
  });

  test('takes other words, and its first numbers again', async () => {
    const { page, problems } = await open({ width: 1440 });
    await toLastStep(page);
    await button(page, 'Words, similarity, code and check').click();
    await button(page, 'Other words').click();
    await figure(page).getByLabel('The model reads').selectOption({ label: 'mat' });
    let position = withRead(firstPosition, words.indexOf('mat'));
    await expectNumbers(page, position);
    await figure(page).getByLabel('The text goes on with').selectOption({ label: 'ran' });
    position = { ...position, target: words.indexOf('ran') };
    await expectNumbers(page, position);
    expect(await figure(page).locator('.sentence').textContent()).toContain('the row of mat');
    await button(page, 'First numbers again').click();
    await expectNumbers(page, firstPosition);
    expect(problems).toEqual([]);
  });

  test('is checked by the core, which computes the numbers of the moment', async () => {
    const { page, problems } = await open({ width: 1440 });
    await entry(page, 'on', 4).fill('2.5');
    await page.keyboard.press('Enter');
    await button(page, 'Words, similarity, code and check').click();
    await button(page, 'Check with the core').click();
    const note = figure(page).locator('.footer .note');
    await expect.poll(() => note.textContent(), { timeout: 30_000 }).toMatch(/103 numbers: the largest difference is/);
    const [, digits = '', power = '0'] = /is ([\d.]+)(?: × 10(\S+))?\.$/.exec((await note.textContent())!)!;
    const exponent = [...power].map((sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)).slice(1);
    const difference = Number(digits) * 10 ** -Number(exponent.map((digit) => digit - 1).join(''));
    // Single precision.
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(3e-6);
    await entry(page, 'on', 4).fill('2.4');
    await page.keyboard.press('Enter');
    // It was about other numbers.
    await expect.poll(() => note.textContent()).toBe('');
    expect(problems).toEqual([]);
  });

  test('shows how similar all rows and h are, and the same as programs to copy', async () => {
    const { page, problems } = await open({ width: 1440 });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const position = withTenth(firstPosition, { row: 2, col: 0 }, 7);
    await entry(page, 'sat', 1).fill('0.7');
    await page.keyboard.press('Enter');
    await button(page, 'Words, similarity, code and check').click();
    await button(page, 'Similarity').click();
    const cells = () => shown(page, '.similar tbody td');
    await expect.poll(cells).toEqual(rounded(similarities(position, 'dot'), 2));
    expect(await figure(page).locator('.similar tbody tr.of-h').count()).toBe(1);
    await figure(page).getByText('Cosine', { exact: true }).click();
    await expect.poll(cells).toEqual(rounded(similarities(position, 'cosine'), 2));
    for (const [name, language] of [
      ['JavaScript', 'javascript'],
      ['PyTorch', 'pytorch'],
    ] as const) {
      await button(page, name).click();
      expect(await figure(page).locator('textarea').inputValue()).toBe(codeOf(language, position));
      await button(page, 'Copy').click();
      await expect.poll(() => figure(page).locator('.footer .note').textContent()).toBe('Copied');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codeOf(language, position));
    }
    expect(problems).toEqual([]);
  });

  test.each([
    [320, 'dark'],
    [390, 'light'],
    [768, 'light'],
    [1440, 'dark'],
  ] as const)('fits %i px, %s, with one height, no overflow and no axe violation', async (width, colorScheme) => {
    const { page, problems } = await open({ width, colorScheme });
    const reserved = await figure(page).evaluate((one) =>
      Number.parseFloat(getComputedStyle(one).getPropertyValue('--reserve')),
    );
    const heights: number[] = [];
    for (let step = 1; step <= 6; step++) {
      expect(await horizontalOverflow(page), `step ${step}`).toBe(0);
      expect(
        await figure(page)
          .locator('.sheet')
          .evaluate((one) => one.scrollWidth - one.clientWidth),
        `step ${step}`,
      ).toBe(0);
      heights.push(await figure(page).evaluate((one) => one.getBoundingClientRect().height));
      if (step < 6) await next(page).click();
    }
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(4);
    // Reserved before it wakes, and no more than it needs.
    expect(reserved / heights[0]!).toBeGreaterThan(0.85);
    expect(reserved).toBeLessThan(heights[0]!);
    await button(page, 'Words, similarity, code and check').click();
    for (const part of ['Other words', 'JavaScript', 'Similarity']) {
      await button(page, part).click();
      expect(await horizontalOverflow(page), part).toBe(0);
    }
    expect(await axeViolations(page, tag)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('is used by touch: its targets have 44 px, and a number follows a finger', async () => {
    const { page, problems } = await open({ width: 390, height: 844, touch: true });
    await button(page, 'Words, similarity, code and check').tap();
    const small = await figure(page)
      .locator('button:not(.skip), input[type=text]')
      .evaluateAll((targets) =>
        targets
          .map((target) => {
            const { width, height } = target.getBoundingClientRect();
            return { name: target.textContent.trim() || target.ariaLabel, height, width };
          })
          .filter(({ height, width }) => height > 0 && (height < 43.5 || width < 40)),
      );
    expect(small).toEqual([]);
    const field = entry(page, 'cat', 1);
    await field.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const box = (await field.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    for (let part = 1; part <= 5; part++) {
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + 6 * part, y }] });
    }
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => field.inputValue()).toBe('1.9');
    // Chromium takes a touch right after a drag for a part of it.
    await expect
      .poll(async () => {
        if (!(await place(page))!.includes('Step 2 of 6')) await next(page).tap();
        return place(page);
      })
      .toContain('Step 2 of 6');
    for (let step = 3; step <= 4; step++) {
      await next(page).tap();
      await expect.poll(() => place(page)).toContain(`Step ${step} of 6`);
    }
    const changed = withTenth(firstPosition, { row: 1, col: 0 }, 19);
    await expect
      .poll(() => shown(page, '.work tbody:first-of-type td.s4.s5'))
      .toEqual(rounded(work(changed).probabilities, 3));
    expect(problems).toEqual([]);
  });

  test('on paper it is the finished table of pages without scripts, and afterwards what it was', async () => {
    const { page, problems } = await open({ width: 1440 });
    await next(page).click();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    expect(await figure(page).isVisible()).toBe(false);
    expect(await page.locator('#two-tables .fallback tbody tr:visible').count()).toBe(words.length);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expect.poll(() => place(page)).toBe('Step 2 of 6: Add');
    expect(problems).toEqual([]);
  });

  test('without scripts it is a finished table of all words', async () => {
    const { page, url } = await openSite();
    const context = await page
      .context()
      .browser()!
      .newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
    try {
      const bare = await context.newPage();
      await bare.goto(url);
      const rows = await bare.locator(`${tag} tbody tr`).allInnerTexts();
      expect(rows).toHaveLength(words.length);
      const { logits, probabilities, residuals } = work(firstPosition);
      rows.forEach((row, v) => {
        const text = row.replaceAll('−', '-');
        for (const part of [words[v]!, logits[v]!.toFixed(2), probabilities[v]!.toFixed(3), residuals[v]!.toFixed(3)]) {
          expect(text).toContain(part);
        }
      });
      expect(await horizontalOverflow(bare)).toBe(0);
    } finally {
      await context.close();
    }
  });
});
