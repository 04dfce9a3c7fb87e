// What the article has for learners: terms that open in place, plain words, the quiz of popular claims, and what of it is kept.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';
import { justShow, see, start } from './learning-page.js';

/** How far the second element is below the first, whatever figures above them do meanwhile. */
const between = (page: Page, above: string, below: string): Promise<number> =>
  page.evaluate(
    ([one, other]) =>
      document.querySelector(other!)!.getBoundingClientRect().top -
      document.querySelector(one!)!.getBoundingClientRect().top,
    [above, below],
  );

const term = '#two-tables a.term[href$="#logit"]';
const next = '#figure-position';

describe('a term', () => {
  test('opens in the margin by mouse, moves nothing, and leads to other terms', async () => {
    const { page, problems } = await openSite('', { width: 1440, reducedMotion: true });
    await start(page);
    await see(page, term);
    const before = await between(page, term, next);
    await page.locator(term).click();
    const note = page.locator('.term-note');
    await note.waitFor();
    expect(await note.textContent()).toContain('score before scores become probabilities');
    const [box, line, text] = await Promise.all([
      note.boundingBox(),
      page.locator(term).boundingBox(),
      page.locator('#two-tables > p').first().boundingBox(),
    ]);
    expect(box!.x).toBeGreaterThan(text!.x + text!.width);
    expect(Math.abs(box!.y - line!.y)).toBeLessThan(12);
    expect(await between(page, term, next)).toBe(before);
    await note.getByRole('link', { name: 'softmax' }).click();
    await expect.poll(() => note.locator('.term-name').textContent()).toBe('softmax');
    expect(await axeViolations(page, '.term-note')).toEqual([]);
    await page.mouse.click(5, 300);
    expect(await note.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test.each([390, 320])('opens beneath its line by touch at %i px, within the window', async (width) => {
    const { page, problems } = await openSite('', {
      width,
      height: 844,
      touch: true,
      reducedMotion: true,
      atRest: true,
    });
    await start(page);
    await see(page, term);
    const before = await between(page, term, next);
    await page.locator(term).tap();
    const note = page.locator('.term-note');
    await note.waitFor();
    const [box, line] = await Promise.all([note.boundingBox(), page.locator(term).boundingBox()]);
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(width);
    expect(box!.y).toBeGreaterThan(line!.y + line!.height - 4);
    expect(box!.y).toBeLessThan(line!.y + line!.height + 24);
    const close = (await note.getByRole('button', { name: 'Close' }).boundingBox())!;
    expect(Math.min(close.width, close.height)).toBeGreaterThanOrEqual(44);
    expect(await between(page, term, next)).toBe(before);
    expect(await horizontalOverflow(page)).toBe(0);
    await page.locator(term).tap();
    expect(await note.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('opens by Enter and space, is the next stop of the Tab key, and Escape returns to it', async () => {
    const { page } = await openSite('', { width: 1440 });
    await start(page);
    for (const key of ['Enter', 'Space']) {
      await page.locator(term).focus();
      await page.keyboard.press(key);
      await page.locator('.term-note').waitFor();
      expect(await page.locator(term).getAttribute('aria-expanded')).toBe('true');
      await page.getByRole('button', { name: 'Close' }).focus();
      await page.keyboard.press('Escape');
      expect(await page.locator('.term-note').count()).toBe(0);
      expect(await page.locator(term).evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await page.locator(term).getAttribute('aria-expanded')).toBe('false');
    }
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('leads to the glossary if its text cannot be fetched', async () => {
    const { page } = await openSite('', { width: 1440 });
    await start(page);
    let tries = 0;
    await page.route('**/glossary/', (route) => (tries++ === 0 ? route.abort() : route.continue()));
    await page.locator(term).click();
    await page.waitForURL('**/glossary/#logit');
    expect(await page.locator('#logit dt').textContent()).toBe('logit');
  });
});

test('plain words open under their heading, by mouse and by keyboard, in chapters as well', async () => {
  const { page, problems } = await openSite('', { width: 1280, reducedMotion: true });
  await start(page);
  const link = page.locator('#price .plain-switch');
  await link.click();
  const shown = page.locator('#price .plain');
  await shown.waitFor();
  expect((await shown.textContent())!.trim().split(/\s+/).length).toBeGreaterThan(39);
  expect(await link.getAttribute('aria-expanded')).toBe('true');
  await link.press('Space');
  expect(await shown.count()).toBe(0);
  await page.locator('#lens > summary').click();
  await page.locator('#lens .plain-switch[role="button"]').press('Enter');
  await page.locator('#lens .plain').waitFor();
  expect(await page.locator('#lens .plain-switch').getAttribute('aria-label')).toContain('How early');
  expect(await axeViolations(page, '#lens')).toEqual([]);
  expect(problems).toEqual([]);
});

test('a button shows the plain words of every section, of chapters that are opened later, and of none', async () => {
  const { page, problems } = await openSite('', { width: 390, touch: true, reducedMotion: true });
  // The reader's first action.
  const button = page.locator('.plain-everywhere');
  await button.tap();
  const switches = page.locator('main > section > .plain-switch');
  await expect.poll(() => page.locator('main > section > .plain').count()).toBe(await switches.count());
  await page.locator('#word > summary').tap();
  await page.locator('#word .plain').waitFor();
  expect(await horizontalOverflow(page)).toBe(0);
  await button.tap();
  await expect.poll(() => page.locator('.plain').count()).toBe(0);
  expect(await page.locator('.reading [data-show="short"]').getAttribute('aria-pressed')).toBe('true');
  expect(problems).toEqual([]);
});

describe('the quiz', () => {
  /** Answers the current claim and waits for what is computed. */
  async function answer(page: Page, verdict: string): Promise<string> {
    await page.locator('article-quiz').getByRole('button', { name: verdict, exact: true }).click();
    await page.locator('.quiz-demo:has(.quiz-rows):not(:has(.quiz-wait))').waitFor({ timeout: 120_000 });
    return (await page.locator('.quiz-demo').innerText()).replace(/\s+/g, ' ');
  }

  test('asks first, then corrects and computes; the score stands beside chance; starting over forgets it', async () => {
    const { page, problems } = await openSite('', { width: 1440, reducedMotion: true });
    await start(page);
    await see(page, 'article-quiz');
    await page.locator('article-quiz[data-live]').waitFor();
    const quiz = page.locator('article-quiz');
    expect(await quiz.locator('dt:visible').count()).toBe(1);
    expect(await quiz.locator('dd:visible').count()).toBe(0);
    const buttons = await between(page, 'article-quiz', '.quiz-buttons');
    const height = (await quiz.boundingBox())!.height;
    expect(await answer(page, 'True')).toMatch(/one table 100 of 100 two tables 0 of 100/);
    // Neither the buttons nor what is below the quiz move.
    expect(await between(page, 'article-quiz', '.quiz-buttons')).toBe(buttons);
    expect((await quiz.boundingBox())!.height).toBe(height);
    expect(await quiz.locator('dd:visible').textContent()).toMatch(/^\s*True\./);
    expect(await axeViolations(page, 'article-quiz')).toEqual([]);

    const found: string[] = [];
    for (let claim = 1; claim < 10; claim++) {
      await quiz.getByRole('button', { name: 'Next', exact: true }).click();
      // The last but one measures time.
      found.push(await answer(page, claim === 7 ? 'True' : 'Half true'));
    }
    expect(found[0]).toMatch(/York after New 37% New after York 30% .*New York 10\.99% York New 10\.99%/);
    expect(found[1]).toMatch(/symmetric floor 0 nats one table 0\.69 nats two tables < 0\.001 nats/);
    expect(found[2]).toMatch(/floor 0\.50 nats one table 0\.50 nats .* floor 0\.78 nats one table 1\.06 nats/);
    await expect.poll(() => page.locator('.quiz-demo').innerText()).toMatch(/is wrong for \d+ of \d+ published models/);
    const slider = page.getByRole('slider', { name: 'Where small ends' });
    const before = await page.locator('.quiz-demo').innerText();
    await slider.press('Home');
    expect(await page.locator('.quiz-demo').innerText()).not.toBe(before);
    // Right: two true ones, and five that are half true.
    expect(await page.locator('.quiz-result').innerText()).toMatch(
      /^You judged 7 of 10 claims as the page does\. .* 2\.0% of tries/,
    );
    // The score has had its place from the start.
    expect((await quiz.boundingBox())!.height).toBe(height);
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await quiz.locator('.quiz-count').textContent()).toBe('Claim 1 of 10');
    expect(await quiz.locator('dd:visible').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test.each([320, 390, 768])(
    'makes room for answers with the first one at %d px, where nothing moves from then on',
    async (width) => {
      const { page, problems } = await openSite('', { width, height: 844, reducedMotion: true });
      await start(page);
      await see(page, 'article-quiz');
      await page.locator('article-quiz[data-live]').waitFor();
      const quiz = page.locator('article-quiz');
      const layout = async (): Promise<number[]> => [
        (await quiz.boundingBox())!.height,
        await between(page, 'article-quiz', '.quiz-buttons'),
        await between(page, 'article-quiz', '.quiz-moves'),
      ];
      // The first answer makes room for all of them, at once.
      const [atRest] = await layout();
      const grown = await quiz.evaluate((one) => {
        one.querySelector<HTMLElement>('.quiz-buttons button')!.click();
        return one.getBoundingClientRect().height;
      });
      expect(grown).toBeGreaterThan(atRest!);
      const before = await layout();
      expect(before[0]).toBe(grown);
      const shifts = await page.evaluateHandle(() => {
        // What moved, and how far. A click may scroll to the quiz, and the strip of the bar then shows the parts of its section.
        const found: string[] = [];
        interface Shift extends PerformanceEntry {
          readonly hadRecentInput: boolean;
          readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        }
        new PerformanceObserver((list) => {
          for (const { hadRecentInput, sources } of list.getEntries() as Shift[])
            for (const { node, previousRect, currentRect } of hadRecentInput ? [] : sources)
              if (!node?.parentElement?.closest('.travel'))
                found.push(
                  `${node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName}: ${JSON.stringify([previousRect, currentRect])}`,
                );
        }).observe({ type: 'layout-shift' });
        return found;
      });
      for (let claim = 2; claim < 5; claim++) {
        await quiz.getByRole('button', { name: 'Next', exact: true }).click();
        expect(await quiz.locator('.quiz-buttons button:visible').count()).toBe(3);
        expect(await layout()).toEqual(before);
        await answer(page, 'Half true');
        expect(await quiz.locator('dd:visible').count()).toBe(1);
        expect(await quiz.locator('.quiz-buttons button:visible').allInnerTexts()).toEqual([
          expect.stringMatching(/^(✓ )?Half true\s+your answer$/),
        ]);
        expect(await layout()).toEqual(before);
      }
      expect(await shifts.jsonValue()).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test('can be read as a list, and stops nowhere if the core cannot be opened', async () => {
    const { page } = await openSite('', { width: 390, reducedMotion: true });
    await page.route('**/quiz.json', (route) => route.abort());
    await start(page);
    await see(page, 'article-quiz');
    await page.locator('article-quiz[data-live]').waitFor();
    const quiz = page.locator('article-quiz');
    await quiz.getByRole('button', { name: 'Next' }).click();
    await quiz.getByRole('button', { name: 'False' }).click();
    await expect.poll(() => quiz.locator('.quiz-demo').innerText()).toContain('could not be computed');
    expect(await quiz.locator('dd:visible').count()).toBe(1);
    await quiz.getByRole('button', { name: 'Show all claims' }).click();
    expect(await quiz.locator('dd:visible').count()).toBe(10);
    expect(await horizontalOverflow(page)).toBe(0);
  });
});

test('sections that have been read are marked in the contents, and a button forgets it all', async () => {
  const { page, problems } = await openSite('', { width: 1440, reducedMotion: true });
  await page.clock.install();
  await page.reload();
  await start(page);
  const link = page.locator('.contents a[href="#direct-path"]');
  expect(await link.getAttribute('data-read')).toBe(null);
  const cross = async (id: string): Promise<void> => {
    await page
      .locator(`#${id}`)
      .evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    // Two frames, in which the crossing is noticed.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.clock.runFor(100);
  };
  await cross('two-tables');
  await cross('direct-path');
  await page.clock.runFor(10_000);
  await cross('symmetry');
  await expect.poll(() => link.getAttribute('data-read')).toBe('');
  expect(await link.textContent()).toContain('(read)');
  // Passed too quickly.
  expect(await page.locator('.contents a[href="#two-tables"]').getAttribute('data-read')).toBe(null);
  const kept = page.locator('.progress-kept');
  expect(await kept.textContent()).toContain('1 section read, 0 guesses, 0 answers');
  expect(await page.evaluate(() => localStorage.getItem('tied-progress'))).toContain('direct-path');
  const runs = (create: boolean) =>
    page.evaluate(async (creates) => {
      const root = await navigator.storage.getDirectory();
      const folder = root.getDirectoryHandle('tied-embeddings-runs', { create: creates });
      return folder.then(
        () => true,
        () => false,
      );
    }, create);
  expect(await runs(true)).toBe(true);
  await kept.getByRole('button', { name: 'Forget it' }).click();
  await expect.poll(() => runs(false)).toBe(false);
  expect(await link.getAttribute('data-read')).toBe(null);
  expect(await kept.isVisible()).toBe(false);
  expect(await page.evaluate(() => localStorage.getItem('tied-progress'))).toBe(null);
  expect(problems).toEqual([]);
});

describe('without scripts, and on paper', () => {
  const everything = async (page: Page): Promise<void> => {
    expect(await page.locator('article-quiz dd:visible').count()).toBe(10);
    expect(await page.locator('#remember li:visible').count()).toBe(5);
  };

  test('every answer is there, and links lead to the pages of terms and of plain words', async () => {
    const { page, url } = await openSite('');
    const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
    const bare = await context.newPage();
    await bare.goto(url);
    await everything(bare);
    await bare.locator('#two-tables .plain-switch').click();
    await bare.waitForURL('**/plain/#two-tables');
    expect(await bare.locator('#two-tables p').textContent()).toContain('arrows');
    await bare.goto(url);
    await bare.locator(term).click();
    await bare.waitForURL('**/glossary/#logit');
    expect(await bare.locator('.entry').count()).toBeGreaterThan(30);
    await context.close();
  });

  test('paper has them, too, and none of the controls', async () => {
    const { page } = await openSite('', { reducedMotion: true });
    await start(page);
    await see(page, 'article-quiz');
    await page.locator('article-quiz[data-live]').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await everything(page);
    expect(
      await page.locator(':is(.quiz-head, .quiz-buttons, .quiz-demo, .quiz-moves, .plain-switch):visible').count(),
    ).toBe(0);
  });

  test.each(['glossary/', 'plain/'])('%s has no violation, light and dark, and fits a phone', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems, close } = await openSite(path, { width: 320, colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
      expect(problems).toEqual([]);
      await close();
    }
  });
});

test('where an answer will appear, a line says so until it does', async () => {
  const { page, problems } = await openSite('', { width: 390, height: 844, reducedMotion: true, atRest: true });
  await start(page);
  const announced = (selector: string): Promise<string> =>
    page.locator(selector).evaluate((one) => getComputedStyle(one, '::before').content);
  await expect.poll(() => announced('#train > .finding')).toContain('will appear here');
  await justShow(page, 'train');
  await expect.poll(() => announced('#train > .finding')).toBe('none');
  await see(page, 'article-quiz');
  await page.locator('article-quiz[data-live]').waitFor();
  await expect.poll(() => announced('.quiz-demo')).toContain('will be checked here');
  await page.locator('article-quiz').getByRole('button', { name: 'Half true', exact: true }).click();
  await expect.poll(() => announced('.quiz-demo')).toBe('none');
  await expect.poll(() => page.locator('.quiz-demo table').isVisible(), { timeout: 30_000 }).toBe(true);
  expect(problems).toEqual([]);
});
