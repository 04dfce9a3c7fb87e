// <tied-advisor>, used as by a reader, by mouse and keyboard.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { amount } from '../../web/core/accounting/advice-sentences.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

// A page with its own colors, as painted by the browser: the contrasts are measured against them.
const script = `
import './web/elements/advisor/advisor.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = async (attributes = '', options?: OpenOptions) => {
  const opened = await openFixture(
    { title: 'Advisor', script, body: `<tied-advisor heading-level="2" ${attributes}></tied-advisor>` },
    options,
  );
  await opened.page.locator('.confusions').waitFor({ state: 'attached' });
  return opened;
};

/** No-break spaces only matter for typesetting. */
const plain = (text: string | null): string => (text ?? '').replace(/\u00a0/g, ' ').trim();
const verdict = async (page: Page): Promise<string> => plain(await page.locator('.verdict').textContent());
const reason = (page: Page, kind: string) => page.locator(`#reason-${kind}`);
const startsFrom = (page: Page) => page.getByRole('combobox', { name: 'Its weights start from' });

interface ReasonOnPage {
  sentence: string;
  side: string;
  numbers: string[];
}

const reasonsOf = async (page: Page): Promise<ReasonOnPage[]> => {
  const found = await page.locator('.reason').evaluateAll((entries) =>
    entries.map((entry) => ({
      sentence: entry.querySelector('.sentence')?.textContent ?? '',
      side: entry.closest('section')?.querySelector('.side-title')?.textContent ?? '',
      numbers: [...entry.querySelectorAll('dd')].map((number) => number.textContent),
    })),
  );
  return found.map(({ sentence, side, numbers }) => ({ sentence: plain(sentence), side, numbers: numbers.map(plain) }));
};

/** Numbers in a sentence, with their units. */
const SAID = /\d+(?:,\d{3})*(?:\.\d+)?(?: (?:million|billion|trillion)\b|%| [kMGTP]B)?/g;

describe('the advisor', () => {
  it('starts with a verdict, and each reason on the side that it favors', async () => {
    const { page, problems } = await open();
    expect(await verdict(page)).toBe('Tie: the saving argues for tying, nothing against it (1 vote to 0).');
    const reasons = await reasonsOf(page);
    expect(reasons.map(({ side }) => side)).toEqual([
      ...Array<string>(4).fill('For one table'),
      ...Array<string>(2).fill('For neither'),
    ]);
    expect(reasons[0]?.sentence).toContain('31.0% of the tied model, 23.7% of the untied one');
    expect(await reason(page, 'precedent').locator('tbody tr').count()).toBe(5);
    const label = await page.locator('.balance svg').getAttribute('aria-label');
    expect(label).toContain('The saving: For one table, 1 vote. Precedent: For neither, no vote');
    expect(problems).toEqual([]);
  });

  it.each([
    ['', 'Tie'],
    ['model="llama-3.1-8b" starts-from="untied" parameter-budget="7600000000"', 'No advice'],
    ['model="t5" loss-difference="0.05" precision="mixed" optimizer="sgd"', 'Do not tie'],
    ['model="tied-embeddings"', 'No advice'],
    ['model="t5" output-vocab-size="500" parameter-budget="1000000"', 'Do not tie'],
  ])('shows beside each sentence all of its numbers: %s', async (attributes, starts) => {
    const { page, problems } = await open(attributes);
    expect(await verdict(page)).toMatch(new RegExp(`^${starts}`));
    for (const { sentence, numbers } of await reasonsOf(page)) {
      const exact = numbers.filter((text) => /^[\d,]+$/.test(text)).map((text) => Number(text.replace(/,/g, '')));
      // A sentence's number is found without its sign.
      const beside = [...numbers.map((text) => text.replace('\u2212', '')), ...exact.map(amount)];
      for (const [said] of sentence.matchAll(SAID)) expect(beside, sentence).toContain(said);
    }
    expect(problems).toEqual([]);
  });

  it('follows the reader’s answers, by keyboard, and notifies the page', async () => {
    const { page, problems } = await open();
    await page.evaluate(() => {
      (window as unknown as { heard: unknown[] }).heard = [];
      document.addEventListener('tied-change', (event) => {
        const { context, advice } = (event as CustomEvent<{ context: object; advice: { tie: boolean | null } }>).detail;
        (window as unknown as { heard: unknown[] }).heard.push([context, advice.tie]);
      });
    });
    await startsFrom(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => verdict(page)).toBe('Do not tie: the starting weights have a trained table for each role.');
    // The side of the verdict comes first.
    expect((await reasonsOf(page))[0]?.side).toBe('For separate tables');
    await page.getByRole('checkbox', { name: 'There is a parameter limit' }).press('Space');
    const budget = page.getByRole('spinbutton', { name: 'Maximum parameters' });
    expect(await budget.inputValue()).toBe('164,000,000');
    await budget.fill('130M');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => verdict(page))
      .toContain('two reasons would each settle it, and they contradict each other');
    const heard = await page.evaluate(() => (window as unknown as { heard: [object, unknown][] }).heard);
    expect(heard.at(-1)).toEqual([
      { startsFrom: 'untied', precision: 'float32', optimizer: 'adamw', parameterBudget: 130_000_000 },
      null,
    ]);
    await page.getByRole('checkbox', { name: 'There is a parameter limit' }).press('Space');
    await expect.poll(() => verdict(page)).toMatch(/^Do not tie/);
    expect(problems).toEqual([]);
  });

  it('weighs a loss that the reader measured', async () => {
    const { page } = await open();
    await page.getByRole('checkbox', { name: 'I measured both losses' }).check();
    await expect.poll(() => reason(page, 'measured-loss').textContent()).toContain('a difference of 0 nats per token');
    await page.getByRole('spinbutton', { name: 'Tied minus untied' }).fill('0.05');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => verdict(page))
      .toBe('Do not tie: the measured loss argues against tying, the saving for it (2 votes to 1).');
    expect(plain(await reason(page, 'measured-loss').textContent())).toContain('5.1% in perplexity');
  });

  it('offers nothing about a tied model if the vocabularies differ', async () => {
    const { page, problems } = await open(
      'model="t5" output-vocab-size="500" starts-from="tied" loss-difference="0.2"',
    );
    expect(await verdict(page)).toBe('Do not tie: the vocabularies differ.');
    expect(await page.getByRole('checkbox', { name: 'I measured both losses' }).isDisabled()).toBe(true);
    expect(await startsFrom(page).inputValue()).toBe('scratch');
    expect(await page.locator('.context .note').textContent()).toContain('no tied model');
    expect(problems).toEqual([]);
  });

  it('compares with the rule of thumb, for this model and for real ones', async () => {
    const { page } = await open();
    const text = plain(await page.locator('.practice').textContent());
    expect(text).toContain('which gives 23.8% here');
    expect(text).toContain('So it says: tie. The reasons above agree.');
    for (const table of await page.locator('.confusion').all()) {
      const cells = (await table.locator('td').allTextContents()).map(Number);
      expect(cells).toHaveLength(6);
      const models = Number(/over (\d+) real models/.exec(text)?.[1]);
      expect(cells.reduce((sum, count) => sum + count, 0)).toBe(models);
    }
    expect(plain(await page.locator('.confusion').first().textContent())).toContain('Pythia 70M');
  });

  it('names an invalid attribute and ignores it', async () => {
    const { page } = await open('starts-from="nothing" parameter-budget="-3"');
    expect(plain(await page.locator('.problem').textContent())).toContain('The attribute parameter-budget is “-3”');
    expect(await verdict(page)).toBe('Tie: the saving argues for tying, nothing against it (1 vote to 0).');
  });

  it('offers its state as a link and opens from one; shows data; saves a picture', async () => {
    const { page, url, problems } = await open('link-state="advice"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await startsFrom(page).selectOption('untied');
    await expect.poll(() => verdict(page)).toMatch(/^Do not tie/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.locator('.note').textContent()).toBe('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${url}#tied=advice&starts-from=untied`);
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('.confusions').waitFor({ state: 'attached' });
    await expect.poll(() => verdict(page)).toMatch(/^Do not tie/);
    await page.getByRole('button', { name: 'Show data' }).click();
    const data = plain(await page.locator('.data').textContent());
    expect(data).toContain('38,597,376');
    expect(data).toContain('Pythia 70M');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save picture' }).click();
    expect((await download).suggestedFilename()).toBe('tied-advisor.svg');
    expect(problems).toEqual([]);
  });

  it('passes axe in light and dark and does not scroll sideways at 320 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await open('starts-from="untied" parameter-budget="130000000"', {
        colorScheme,
        width: 320,
        touch: true,
      });
      await page.getByRole('button', { name: 'Show data' }).click();
      await page.getByRole('button', { name: 'Embed' }).click();
      // With every fold open.
      await page.locator('tied-advisor').evaluate((advisor) => {
        for (const details of advisor.shadowRoot!.querySelectorAll('details')) details.open = true;
      });
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
      expect(problems).toEqual([]);
    }
  });
});
