// The article's finished GPTs write from the reader's own prompts, without any training.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSite, type OpenOptions } from './harness.js';

const files = '**/finished-transformers.safetensors*';

const gpt = (page: Page) => page.locator('tied-training-lab[link-state="gpt"]');
const prompt = (page: Page) => gpt(page).getByRole('textbox', { name: 'Prompt' });
const written = async (page: Page) =>
  (await gpt(page).locator('.sample-text').allTextContents()).map((text) => text.replace(/\s+/g, ' '));
const note = (page: Page) => gpt(page).locator('.samples > .note').textContent();

/** Both models have written a sample that begins like this. */
async function expectWritten(page: Page, beginning: string): Promise<string[]> {
  await gpt(page).locator('.sample-text:not(.is-live)', { hasText: beginning }).nth(1).waitFor();
  const texts = await written(page);
  for (const text of texts) {
    expect(text.startsWith(beginning)).toBe(true);
    expect(text.length).toBeGreaterThan(beginning.length + 40);
  }
  return texts;
}

/** Opens the article at its GPTs, and records requests for the models' file. */
async function openAtGpts(path: string, options: OpenOptions = {}) {
  const opened = await openSite(path, options);
  const { page } = opened;
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('.safetensors')) asked.push(request.url());
  });
  const lab = page.locator('#layers tied-training-lab');
  if (!(await lab.isVisible())) await page.locator('#more-gpt > summary').click();
  await lab.scrollIntoViewIfNeeded();
  await gpt(page).locator('.badge.is-finished').waitFor();
  return { ...opened, asked };
}

describe('a prompt of the reader’s own', () => {
  it('is continued by both finished models: the file is fetched only then and only once, and nothing trains', async () => {
    const { page, asked, problems, close } = await openAtGpts('#layers');
    const before = await written(page);
    expect(asked).toEqual([]);
    await prompt(page).fill('Once there was a');
    await page.keyboard.press('Enter');
    const [first] = await expectWritten(page, 'Once there was a');
    expect(await note(page)).toMatch(/Written just now by the finished models of step 2,400, .* half precision/);
    await gpt(page).getByRole('button', { name: 'Write again' }).click();
    await expect.poll(async () => (await expectWritten(page, 'Once there was a'))[0]).not.toBe(first);
    await expect.poll(() => note(page)).toContain('(2)');
    await prompt(page).fill('The old');
    await page.keyboard.press('Enter');
    await expectWritten(page, 'The old');
    expect(asked).toHaveLength(1);
    expect(await gpt(page).locator('.badge').textContent()).toBe('Finished run');
    expect(await gpt(page).locator('.step-count').textContent()).toBe('Step 2,400 of 2,400');
    expect(before[0]?.startsWith('The old')).toBe(false);
    expect(problems).toEqual([]);
    await close();
  });

  it('can be one of the prompts beside the field, which both models continue with a known name', async () => {
    const { page, problems, close } = await openAtGpts('#layers', { width: 390, touch: true });
    const chips = gpt(page).getByRole('group', { name: 'Try' }).getByRole('button');
    expect(await chips.count()).toBe(4);
    for (const chip of await chips.all()) expect((await chip.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await chips.first().tap();
    const texts = await expectWritten(page, 'Maria took the train to New');
    for (const text of texts) expect(text).toMatch(/^Maria took the train to New York\b/);
    expect(await prompt(page).inputValue()).toBe('Maria took the train to New');
    expect(problems).toEqual([]);
    await close();
  });

  it('is read without the words that the models do not know, which are struck through and named, and nothing moves', async () => {
    const { page, problems, close } = await openAtGpts('#layers');
    const top = async () =>
      (await gpt(page).locator('.gpt-charts').boundingBox())!.y - (await gpt(page).boundingBox())!.y;
    const before = await top();
    await prompt(page).fill('Tom wanted to visit New');
    await page.keyboard.press('Enter');
    await expectWritten(page, 'Tom wanted to visit New');
    expect(await gpt(page).locator('.sample-text').first().locator('s').allTextContents()).toEqual(['Tom', 'visit']);
    const unread = gpt(page).locator('#prompt-problem .unread');
    expect(await unread.textContent()).toBe('Read without “Tom”, “visit”, which the models do not know.');
    expect(await top()).toBe(before);
    await prompt(page).fill('Zebras');
    await page.keyboard.press('Enter');
    const problem = gpt(page).locator('#prompt-problem .problem');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(
      /^The models do not know “Zebras”\. They know \w+, \w+, \w+, \w+ and others\.$/,
    );
    expect(await top()).toBe(before);
    await prompt(page).fill('Maria wanted to become a');
    await page.keyboard.press('Enter');
    await expectWritten(page, 'Maria wanted to become a');
    expect(await problem.count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it('is restored by a link, and the text begins with it', async () => {
    const { page, problems, close } = await openAtGpts('#tied=gpt&prompt=Once+there+was+a&temperature=0.2');
    await expectWritten(page, 'Once there was a');
    expect(await prompt(page).inputValue()).toBe('Once there was a');
    expect(problems).toEqual([]);
    await close();
  });

  it('is restored by a link to a text that was written again', async () => {
    const { page, problems, close } = await openAtGpts('#tied=gpt&prompt=Once+there+was+a');
    await expectWritten(page, 'Once there was a');
    await gpt(page).getByRole('button', { name: 'Write again' }).click();
    await expect.poll(() => note(page)).toContain('(2)');
    const again = await expectWritten(page, 'Once there was a');
    await gpt(page).getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('sample-seed=2');
    await page.reload();
    expect(await expectWritten(page, 'Once there was a')).toEqual(again);
    expect(await note(page)).toContain('(2)');
    expect(problems).toEqual([]);
    await close();
  });

  it('applies to the last step: looking back at earlier steps hides it, and the newest shows it again', async () => {
    const { page, close } = await openAtGpts('#layers');
    const recorded = await written(page);
    const look = gpt(page).getByRole('slider', { name: 'Look back' });
    await look.fill('20');
    await expect.poll(() => written(page)).not.toEqual(recorded);
    await look.fill('2400');
    await prompt(page).fill('Once there was a');
    await page.keyboard.press('Enter');
    const mine = await expectWritten(page, 'Once there was a');
    await look.fill('20');
    await expect.poll(async () => (await written(page))[0]).toMatch(/^Only the finished models/);
    await gpt(page).getByRole('button', { name: 'Newest' }).click();
    expect(await expectWritten(page, 'Once there was a')).toEqual(mine);
    await close();
  });

  it('survives a missing file: a sentence says so, and the reader can try again', async () => {
    const { page, close } = await openAtGpts('#layers');
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    await prompt(page).fill('Once there was a');
    await page.keyboard.press('Enter');
    const problem = gpt(page).locator('#prompt-problem .problem');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/could not be opened: the server answers 404\. Press “Write again”/);
    await gpt(page).getByRole('slider', { name: 'Look back' }).fill('20');
    await expect.poll(() => gpt(page).locator('.read-out').textContent()).toMatch(/At step 20/);
    await page.unroute(files);
    await gpt(page).getByRole('button', { name: 'Write again' }).click();
    await expectWritten(page, 'Once there was a');
    expect(await problem.count()).toBe(0);
    expect(await note(page)).toContain('the same seed (1)');
    await close();
  });

  it('can be cancelled while its models are fetched', async () => {
    const { page, close } = await openAtGpts('#layers', { width: 320, touch: true, colorScheme: 'dark' });
    await page.route(files, () => undefined);
    await prompt(page).fill('Once there was a');
    await page.keyboard.press('Enter');
    const cancel = gpt(page).locator('.samples').getByRole('button', { name: 'Cancel' });
    await cancel.waitFor();
    expect(await note(page)).toMatch(/Fetching the finished models: 0\.0 of \d\.\d MB\./);
    await cancel.click();
    await expect.poll(async () => (await written(page))[0]).toMatch(/^Nothing was written because you cancelled/);
    await page.unroute(files);
    await gpt(page).getByRole('button', { name: 'Write again' }).click();
    await expectWritten(page, 'Once there was a');
    await close();
  });
});
