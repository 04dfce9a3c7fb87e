// Large models in <tied-training-lab>: what they take is said before they train, and a text of very many words has no floors.
import { expect, test } from 'vitest';
import { button, facts, open, readOut, stepCount, tables } from './training-lab-page.js';

test('a width of 256 says the memory and time of its models before they train', async () => {
  const { page, problems } = await open(
    'model="transformer" story-length="20000" d-model="256" n-heads="8" context-length="128" steps="2400"',
  );
  await expect
    .poll(() => facts(page))
    .toMatch(
      /These models take about \d+ MB of memory, and the planned steps about [\d.]+ (minutes|hours) on an ordinary machine/,
    );
  expect(await stepCount(page)).toBe('Step 0 of 2,400');
  expect(problems).toEqual([]);
});

test('a text of 6,000 words trains, without floors', async () => {
  const { page, problems } = await open(
    'model="transformer" tokenizer="word" vocab-size="8192" d-model="4" n-layers="1" n-heads="1" context-length="4" batch-size="1" steps="40"',
  );
  await page.evaluate(() => {
    const lab = document.querySelector('tied-training-lab') as unknown as { text: string };
    lab.text = Array.from({ length: 12_000 }, (_, at) => `w${(at * 7919) % 6000}`).join(' ');
  });
  await expect.poll(() => facts(page)).toMatch(/\(6,00\d different\)/);
  await readOut(page, /Press play/);
  await button(page, 'Play').click();
  await expect.poll(() => stepCount(page), { timeout: 60_000 }).toBe('Step 40 of 40');
  expect(await readOut(page, /After 40 steps|At step/)).not.toContain('floor');
  expect(Object.keys(await tables(page)).some((caption) => caption.startsWith('Floors'))).toBe(false);
  expect(problems).toEqual([]);
});
