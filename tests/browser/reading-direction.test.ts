// The article's figures about the direction of a text: the walks, the game with lines, and the models that read mixtures.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  linesInRound,
  shownWords,
  sources,
  Writers,
  type Line,
  type Source,
} from '../../web/article/figures/which-way/round.js';
import { scoreInWords, verdict } from '../../web/article/figures/which-way/sentences.js';
import { wordsOf } from '../../web/article/figures/which-way/words.js';
import { characterPairs, floorsAlong } from '../../web/article/figures/direction/floors.js';
import { placesOf, positions } from '../../web/article/figures/direction/drawings.js';
import { costSentence, trainingPlan } from '../../web/article/figures/direction/sentences.js';
import { builtInTexts } from '../../web/texts/index.js';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

const story = await builtInTexts[0]!.load();
const writers = new Writers(wordsOf(story));
const roundOf = (source: Source): Line[] => writers.round(source, 1);
const pairs = characterPairs(story);
const places = placesOf(floorsAlong(pairs, positions), null);

/** Scrolls to a figure, which wakes it. */
async function wake(page: Page, tag: string, sign: string) {
  await page.locator(tag).scrollIntoViewIfNeeded();
  await page.locator(`${tag} ${sign}`).first().waitFor();
  return page.locator(tag);
}

const roundabout = (page: Page) => wake(page, 'article-roundabout', 'button');
/** The game waits in a fold. */
async function whichWay(page: Page) {
  await page.locator('details:has(> #figure-which-way) > summary').click();
  return wake(page, 'article-which-way', '.guess');
}
const direction = (page: Page) => wake(page, 'article-direction', '.position-slider');
const trails = (page: Page) => page.locator('article-roundabout .trail').allTextContents();
const turns = (page: Page) => page.locator('article-roundabout .turns').allTextContents();

describe('the walks', () => {
  test('rest with a finished trail, run both ways, and pause where they are left', async () => {
    const { page, problems } = await openSite('');
    const resting = await trails(page);
    for (const trail of resting) expect(trail.trim().split(/\s+/)).toHaveLength(12);
    const figure = await roundabout(page);
    expect(await trails(page)).toEqual(resting);
    const [back, forward] = [
      figure.getByRole('button', { name: 'Backward' }),
      figure.getByRole('button', { name: 'Forward' }),
    ];

    await back.click();
    expect(await back.getAttribute('aria-pressed')).toBe('true');
    await page.locator('article-roundabout .walker[visibility=visible]').first().waitFor();
    // The film runs over the words of the trail, from its end.
    const reversed = resting.map((trail) => trail.trim().split(/\s+/).reverse());
    await expect
      .poll(async () => (await trails(page))[0]!.trim().split(/\s+/).length, { timeout: 20_000 })
      .toBeGreaterThan(3);
    await back.click();
    expect(await back.getAttribute('aria-pressed')).toBe('false');
    const left = await trails(page);
    for (const [at, trail] of left.entries()) {
      const words = trail.trim().split(/\s+/);
      expect(words).toEqual(reversed[at]!.slice(0, words.length));
    }
    expect(await page.locator('article-roundabout .walker[visibility=visible]').count()).toBe(0);
    expect(await figure.getByRole('status').textContent()).toContain('Backward. The chain:');

    await forward.focus();
    await page.keyboard.press('Enter');
    expect(await forward.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Enter');
    await figure.getByRole('button', { name: 'Step' }).click();
    expect(await figure.getByRole('status').textContent()).toContain('Forward.');
    for (const text of await turns(page)) expect(text).toMatch(/^Clockwise \d+, counterclockwise \d+$/);
    expect(await axeViolations(page, '#figure-flows')).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('only step for readers who want no motion, and go far enough to tell the two apart', async () => {
    const { page, problems } = await openSite('', { reducedMotion: true });
    const figure = await roundabout(page);
    expect(await figure.getByRole('button').allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringContaining('One step backward'),
        expect.stringContaining('One step forward'),
      ]),
    );
    const step = figure.getByRole('button', { name: 'One step backward' });
    for (let i = 0; i < 40; i++) await step.click();
    const [chain] = (await turns(page)).map((text) => text.match(/\d+/g)!.map(Number));
    expect(chain![1]!).toBeGreaterThan(2 * chain![0]!);
    expect(problems).toEqual([]);
  });
});

describe('the game', () => {
  const answer = (page: Page, way: 'Backward' | 'Forward') =>
    page.locator('article-which-way').getByRole('button', { name: way });

  /** Guesses forward ten times, by what the caller does with the button. */
  async function playRound(page: Page, source: Source, press: (page: Page) => Promise<void>) {
    const round = roundOf(source);
    for (const [at, line] of round.entries()) {
      expect(await page.locator('article-which-way .line').textContent()).toBe(shownWords(line).join(' '));
      expect(await page.locator('article-which-way .which').textContent()).toContain(
        `Line ${at + 1} of ${linesInRound}`,
      );
      await press(page);
      expect(await page.locator('article-which-way .verdict').textContent()).toContain(verdict(line, 'forward'));
    }
    const right = round.filter((line) => line.direction === 'forward').length;
    expect(await page.locator('article-which-way .line').textContent()).toBe(scoreInWords(right));
    const row = page.locator('article-which-way .scored').nth(sources.indexOf(source));
    expect(await row.locator('.result').textContent()).toBe(`${right} of ${linesInRound}`);
    expect(await row.locator('.right').count()).toBe(right);
    expect(await row.locator('.wrong').count()).toBe(linesInRound - right);
  }

  test('shows ten lines of each source, judges each guess by how the line was made, and goes on by itself', async () => {
    const { page, problems } = await openSite('');
    await whichWay(page);
    await playRound(page, 'story', () => answer(page, 'Forward').click());
    // The focus goes where the reader goes on.
    await page.keyboard.press('Enter');
    await playRound(page, 'pairs', async () => {
      await answer(page, 'Forward').focus();
      await page.keyboard.press('Enter');
    });
    await page.keyboard.press('Enter');
    await playRound(page, 'symmetric', () => answer(page, 'Forward').click());
    await page.locator('article-which-way').getByRole('button', { name: 'Ten new lines' }).click();
    expect(await page.locator('article-which-way .line').textContent()).toBe(
      shownWords(writers.round('symmetric', 2)[0]!).join(' '),
    );
    // Another source keeps its score, and the arrow keys choose it.
    await page.locator('article-which-way input:checked').focus();
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('article-which-way .line').textContent()).toMatch(/^\d+ of 10 right/);
    expect(await axeViolations(page, '#figure-which-way')).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each([320, 390])('can be tapped on a screen of %i px, and nothing below it moves', async (width) => {
    const { page, problems } = await openSite('', { width, height: 800, touch: true });
    const figure = await whichWay(page);
    const height = (await figure.boundingBox())!.height;
    for (const [at, line] of roundOf('story').entries()) {
      const button = answer(page, at % 2 === 0 ? 'Forward' : 'Backward');
      const box = (await button.boundingBox())!;
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
      await button.tap();
      expect(await figure.locator('.verdict').textContent()).toContain(line.direction);
      expect(Math.abs((await figure.boundingBox())!.height - height)).toBeLessThanOrEqual(1);
    }
    expect(await horizontalOverflow(page)).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('the models that read mixtures', () => {
  test('the slider follows mouse and keyboard, and training ends with one table for all', async () => {
    const { page, problems } = await openSite('');
    const figure = await direction(page);
    const slider = figure.getByRole('slider');
    const said = figure.locator('.read-out').first();
    expect(await said.textContent()).toBe(costSentence(places[0]!));
    await slider.focus();
    for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
    expect(await said.textContent()).toBe(costSentence(places[20]!));
    expect(await said.textContent()).toContain('symmetry costs nothing');
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toBe(costSentence(places.at(-1)!));
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 2, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await said.textContent()).toBe(costSentence(places[0]!));

    expect(await figure.locator('.trained').textContent()).toBe(trainingPlan);
    const height = (await figure.boundingBox())!.height;
    await figure.getByRole('button', { name: 'Train ten models' }).click();
    await expect
      .poll(() => figure.locator('.trained').textContent(), { timeout: 120_000 })
      .toContain('agree to within 0.00000');
    expect((await figure.boundingBox())!.height).toBe(height);
    const heights = await figure
      .locator('circle.mark.tied')
      .evaluateAll((all) => all.map((one) => one.getAttribute('cy')));
    // The key has one, too.
    const dots = heights.slice(-5).map(Number);
    expect(Math.max(...dots) - Math.min(...dots)).toBeLessThan(0.01);
    expect(await figure.locator('rect.mark.untied').count()).toBeGreaterThanOrEqual(5);
    const first = await figure.locator('.trained').textContent();
    await figure.getByRole('button', { name: 'Train again, from another start' }).click();
    await expect
      .poll(
        async () => {
          const text = await figure.locator('.trained').textContent();
          return text !== first && text?.includes('agree to within');
        },
        { timeout: 120_000 },
      )
      .toBe(true);
    await figure.getByText('How far apart, numbers and set-up').click();
    expect(await figure.locator('.data tbody tr').count()).toBe(5 + 6);
    expect(await axeViolations(page, '#figure-direction')).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test.each([320, 390, 1440])('the slider moves nothing below its figure, at %i px', async (width) => {
  const { page } = await openSite('', { width, reducedMotion: true });
  const figure = await direction(page);
  const height = async () => (await figure.boundingBox())!.height;
  const before = await height();
  await figure.getByRole('slider').focus();
  for (let at = 1; at <= 20; at++) {
    await page.keyboard.press('ArrowRight');
    expect(await height(), `position ${at}`).toBe(before);
  }
  await page.keyboard.press('End');
  expect(await height()).toBe(before);
  expect(await horizontalOverflow(page)).toBe(0);
});

describe('without scripts', () => {
  let html = '';
  beforeAll(async () => {
    const { page, url } = await openSite('');
    html = await (await page.request.get(url)).text();
  });

  test('the page has two walks, lines with their solutions, and the losses of the ten models', () => {
    expect(html.match(/class="?trail/g)).toHaveLength(2);
    for (const source of sources) expect(html).toContain(shownWords(roundOf(source)[0]!).join(' '));
    expect(html).toMatch(/<article-direction>[\s\S]*?<tbody>(?:<tr>[\s\S]*?<\/tr>\s*){5}<\/tbody>/);
  });
});

test('the mixtures have their height before their text has come', async () => {
  const { page, problems } = await openSite('', { width: 1440, reducedMotion: true });
  let send = (): void => undefined;
  const asked = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/scripts/a-year-in-new-york-*', async (route) => {
    await asked;
    await route.continue();
  });
  const figure = page.locator('article-direction');
  const height = () => figure.evaluate((one) => one.getBoundingClientRect().height);
  await page.mouse.wheel(0, 100);
  await figure.scrollIntoViewIfNeeded();
  await page.locator('article-direction:defined').waitFor();
  await page.waitForTimeout(300);
  const before = await height();
  expect(before).toBeGreaterThan(200);
  send();
  await figure.locator('svg').first().waitFor();
  const after = await height();
  expect(after).toBeGreaterThanOrEqual(before);
  expect(before / after).toBeGreaterThan(0.9);
  expect(problems).toEqual([]);
});
