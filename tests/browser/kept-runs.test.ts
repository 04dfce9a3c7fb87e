// A run of <tied-training-lab> stays in the browser: its page is closed, another one goes on with the same bits. A hidden page trains on.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations } from './harness.js';
import { button, lastStep, open, runState, stepCount, type Step } from './training-lab-page.js';

const attributes =
  'model="transformer" text-source="stories" story-length="20000" vocab-size="60" d-model="8" n-layers="1" n-heads="2" ' +
  'context-length="8" batch-size="2" seed="5"';
const steps = 2000;

/** Opens the lab in a page whose clock the test can put forward. */
async function openLab(more = '') {
  const opened = await open(`${attributes} steps="${steps}" ${more}`);
  await opened.page.clock.install();
  await opened.page.reload();
  await ready(opened.page);
  return opened;
}
const ready = (page: Page) => page.locator('.facts', { hasText: ' different' }).waitFor();

/** Lets the run believe that it has trained for long, until it is stored. */
async function stored(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(40_000);
        return runState(page);
      },
      { timeout: 60_000 },
    )
    .toContain('Stored in this browser at step ');
}

/** The same page in a new tab. */
async function openAgain(page: Page): Promise<Page> {
  const [context, url] = [page.context(), page.url()];
  await page.close();
  const next = await context.newPage();
  await next.goto(url);
  await ready(next);
  return next;
}

const finished = (page: Page) => expect.poll(() => stepCount(page), { timeout: 120_000 }).toBe('Step 2,000 of 2,000');

const heldOut = async (page: Page): Promise<Pick<Step, 'losses'>> =>
  (await page.evaluate(() =>
    (window as unknown as { steps: { heldOut?: object }[] }).steps.filter((step) => step.heldOut !== undefined).at(-1),
  )) as unknown as Step;

/** Changes eight bytes of each stored run; the number of runs, or 0 while a page that is going away still holds one. */
async function changeRuns(): Promise<number> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('tied-embeddings-runs');
  const files = folder as unknown as { values: () => AsyncIterable<FileSystemFileHandle> };
  let changed = 0;
  for await (const handle of files.values()) {
    const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
    // Inside the weights of the first model; the same when it is done again.
    bytes.fill(255, 3000, 3008);
    try {
      const stream = await handle.createWritable();
      await stream.write(bytes);
      await stream.close();
    } catch (error) {
      if ((error as DOMException).name === 'NoModificationAllowedError') return 0;
      throw error;
    }
    changed++;
  }
  return changed;
}

test('a run goes on in a new tab with the same bits, and is forgotten on request', async () => {
  const { page, problems } = await openLab();
  await button(page, 'Play').click();
  await stored(page);
  await button(page, 'Pause').click();
  const next = await openAgain(page);
  await expect.poll(() => runState(next)).toMatch(/A run of .+ is stored in this browser, at step [\d,]+ of 2,000\./);
  expect(await axeViolations(next)).toEqual([]);
  const [, at] = /at step ([\d,]+) of/.exec(await runState(next))!;
  await button(next, 'Go on with it').click();
  await expect.poll(() => stepCount(next)).toBe(`Step ${at} of 2,000`);
  expect(Number(at!.replace(',', ''))).toBeGreaterThan(0);
  await button(next, 'Play').click();
  await finished(next);
  const resumed = { last: await lastStep(next), heldOut: await heldOut(next) };

  await button(next, 'Forget the stored run').click();
  await expect.poll(() => runState(next)).not.toContain('Stored');
  const whole = await openAgain(next);
  expect(await runState(whole)).not.toContain('stored');
  await button(whole, 'Play').click();
  await finished(whole);
  expect({ last: await lastStep(whole), heldOut: await heldOut(whole) }).toEqual(resumed);
  expect(problems).toEqual([]);
});

test('a file that was changed is removed with a sentence, and the lab can train', async () => {
  const { page } = await openLab();
  await button(page, 'Play').click();
  await stored(page);
  await button(page, 'Pause').click();
  // By another page: this one may hold the file because it stores its next moment.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await page.close();
  await expect.poll(() => other.evaluate(changeRuns), { timeout: 60_000 }).toBeGreaterThan(0);
  const next = await openAgain(other);
  await button(next, 'Go on with it').click();
  await expect.poll(() => runState(next)).toContain('The stored run could not be read, so it was removed.');
  await ready(next);
  await expect.poll(() => stepCount(next)).toBe('Step 0 of 2,000');
  await button(next, 'One step').click();
  await expect.poll(() => stepCount(next)).toBe('Step 1 of 2,000');
});

test('a page without storage says that closing it ends the run', async () => {
  const { page } = await openLab();
  await page.evaluate(() => {
    navigator.storage.getDirectory = () => Promise.reject(new DOMException('', 'SecurityError'));
  });
  await button(page, 'Play').click();
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(40_000);
        return runState(page);
      },
      { timeout: 60_000 },
    )
    .toContain('This browser stores nothing for this page');
  expect((await lastStep(page))!.step).toBeGreaterThan(0);
});

/** Hides the page, as another tab does: no frames are drawn, and timers fire once a second. Shows it again with false. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((isHidden) => {
    const view = window as unknown as Record<string, unknown>;
    if (isHidden) {
      const [later, frame] = [setTimeout.bind(window), requestAnimationFrame.bind(window)];
      Object.assign(view, { later, frame });
      view['setTimeout'] = (act: () => void, wait = 0) => later(act, Math.max(1000, wait));
      view['requestAnimationFrame'] = (act: FrameRequestCallback) =>
        document.visibilityState === 'visible' ? frame(act) : later(() => requestAnimationFrame(act), 50);
    } else view['setTimeout'] = view['later'];
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: isHidden ? 'hidden' : 'visible',
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

test('a run with an end goes on in a hidden page, to its end, and is stored', async () => {
  const { page, problems } = await openLab();
  await button(page, 'Play').click();
  await expect.poll(async () => (await lastStep(page))?.step ?? 0).toBeGreaterThan(0);
  await hide(page, true);
  await page.clock.fastForward(6000);
  await expect.poll(async () => (await lastStep(page))!.step, { timeout: 120_000 }).toBe(steps);
  await hide(page, false);
  await finished(page);
  await expect.poll(() => runState(page)).toContain('Stored in this browser at step ');
  expect(await runState(page)).not.toContain('Rested');
  expect(problems).toEqual([]);
});

test('a run without an end rests while its page is hidden, and says so', async () => {
  const { page } = await openLab('');
  await page.evaluate(() => {
    document.querySelector('tied-training-lab')!.setAttribute('steps', '1');
  });
  await expect.poll(() => stepCount(page)).toBe('Step 0 of 1');
  const play = button(page, 'Play');
  await play.click();
  await expect.poll(() => stepCount(page)).toBe('Step 1 of 1');
  await play.click();
  await expect.poll(async () => (await lastStep(page))!.step).toBeGreaterThan(5);
  await hide(page, true);
  // The frame in progress ends, whenever that is.
  let step = 0;
  const goesOn = async () => {
    const before = step;
    await page.waitForTimeout(500);
    ({ step } = (await lastStep(page))!);
    return step !== before;
  };
  await expect.poll(goesOn).toBe(false);
  await hide(page, false);
  await expect.poll(() => runState(page)).toMatch(/Rested at step [\d,]+ while this page was hidden\./);
  await expect.poll(async () => (await lastStep(page))!.step).toBeGreaterThan(step);
});
