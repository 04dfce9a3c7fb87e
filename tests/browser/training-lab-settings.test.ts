// The settings of <tied-training-lab>, and the pairs that a reader points at in its maps.
import { describe, expect, it } from 'vitest';
import {
  button,
  facts,
  lastStep,
  openReady,
  problems,
  readOut,
  runState,
  setNumber,
  stepCount,
} from './training-lab-page.js';

describe('settings', () => {
  it('restarts from step 0 when a setting changes, says so, and notifies the page', async () => {
    const { page, problems: wrong } = await openReady('steps="40" tokenizer="character" d-model="8"');
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps/);
    const seedOne = await lastStep(page);
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 2);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 40');
    expect(await runState(page)).toContain('started again from step 0');
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps/);
    expect((await lastStep(page))?.losses['tied']).not.toBe(seedOne?.losses['tied']);
    await setNumber(page, 'Seed', 1);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 40');
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps/);
    expect((await lastStep(page))?.losses).toEqual(seedOne?.losses);
    await page.getByRole('checkbox', { name: /^tied, MLP/ }).uncheck();
    await expect.poll(() => page.locator('tied-heat-map').count()).toBe(4);
    const changes = await page.evaluate(
      () => (window as unknown as { changes: { seed: number; arms: string[] }[] }).changes,
    );
    expect(changes.map(({ seed }) => seed)).toEqual([2, 1, 1]);
    expect(changes.at(-1)?.arms).toEqual(['tied', 'untied', 'tied-linear']);
    expect(wrong).toEqual([]);
  });

  it('trains on batches with raw losses behind smoothed lines, and explains the averages', async () => {
    const { page } = await openReady('steps="80" tokenizer="character" d-model="8" batch-size="64"');
    await button(page, 'Play').click();
    await readOut(page, /After 80 steps/);
    expect(await page.locator('tied-line-chart path.raw').count()).toBe(4);
    await page.getByText('Lines are means over 25 steps').waitFor();
  });

  it('knows the floors of a chain exactly', async () => {
    const { page } = await openReady('text-source="markov-chain" states="5" steps="50"');
    expect(await facts(page)).toMatch(/The chain’s own bigram floor is \d\.\d{3} nats; this sample’s is \d\.\d{3}\.$/);
  });

  it('refuses an impossible setting with a sentence and continues with the default', async () => {
    const { page } = await openReady('d-model="0" tokenizer="character"');
    expect(await problems(page)).toContain('d-model is 0; the smallest possible is 1');
    expect(await page.locator('tied-training-lab').getAttribute('d-model')).toBe('32');
  });

  it('reports a learning rate that is too large, and works after it is reduced', async () => {
    const { page } = await openReady(
      'tokenizer="character" optimizer="sgd" learning-rate="10" d-model="64" steps="400"',
    );
    await button(page, 'Play').click();
    await expect.poll(() => problems(page)).toContain('A loss overflowed');
    await button(page, 'Settings').click();
    await setNumber(page, 'Learning rate', 0.05);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 400');
    expect(await problems(page)).toBe('');
  });
});

describe('pairs', () => {
  it('are outlined in every map, a cell and its mirror, and shown', async () => {
    const { page } = await openReady('steps="30"');
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    const stage = page.locator('tied-heat-map .stage').first();
    await stage.scrollIntoViewIfNeeded();
    const box = await stage.boundingBox();
    if (box === null) throw new Error('no map');
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.6);
    await expect.poll(() => page.locator('tied-heat-map rect.cell').count()).toBe(5);
    expect(await page.locator('tied-heat-map rect.mirror').count()).toBe(5);
    const first = page.locator('.token-field').first();
    const pointed = await first.inputValue();
    expect(pointed).not.toBe('New');
    await page.mouse.click(box.x + box.width * 0.9, box.y + box.height * 0.6);
    await page.mouse.move(5, 5);
    await expect.poll(() => first.inputValue()).toBe(pointed);
  });

  it('are reached by keyboard, cell by cell, without stepping the run', async () => {
    const { page } = await openReady('steps="30"');
    await page.locator('tied-heat-map .stage').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 30');
    expect(await page.locator('.token-field').first().inputValue()).not.toBe('New');
  });

  it('can be any two tokens of the text, can be swapped, and an unknown token is named', async () => {
    const { page } = await openReady('steps="30"');
    await page.locator('.token-field').nth(0).fill('Fifth');
    await page.keyboard.press('Enter');
    await page.locator('.token-field').nth(1).fill('Avenue');
    await page.keyboard.press('Enter');
    await page.locator('.bar-title', { hasText: 'P(Avenue | Fifth)' }).waitFor();
    await button(page, 'Swap').click();
    await page.locator('.bar-title').first().filter({ hasText: 'P(Fifth | Avenue)' }).waitFor();
    // Both orders, and the probability that each model repeats the token.
    expect(await page.locator('.bar-title').allTextContents()).toEqual([
      'P(Fifth | Avenue)',
      'P(Avenue | Fifth)',
      'P(Avenue | Avenue)',
    ]);
    await page.locator('.token-field').nth(1).fill('Avenue');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.bar-title').allTextContents()).toEqual(['P(Avenue | Avenue)']);
    await page.locator('.token-field').nth(0).fill('xylophone');
    await page.keyboard.press('Enter');
    await expect.poll(() => problems(page)).toContain('“xylophone” is not a token of this text');
  });
});
