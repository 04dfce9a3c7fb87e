// Model cards in the training lab of the reader's trained models: measured when opened, to copy and to save.
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ModelCardData } from '../../web/index.js';
import { axeViolations, horizontalOverflow, openFixture } from './harness.js';

const script = `
import './web/elements/index.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
`;
const tiny =
  'd-model="16" n-layers="2" n-heads="2" context-length="16" batch-size="4" tokenizer="bpe" vocab-size="300" story-length="60000" steps="200" run-to="5"';
const plain = (words: string | null): string => (words ?? '').replace(/\s+/g, ' ').trim();

test('the cards of both models can be measured, copied and saved, at 320 px, by keyboard', async () => {
  const body = `<tied-training-lab heading-level="2" model="transformer" ${tiny}></tied-training-lab>`;
  const { page, problems } = await openFixture({ title: 'Model cards', script, body }, { width: 320 });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.locator('.read-out', { hasText: /Press play/ }).waitFor({ timeout: 60_000 });
  // For untrained models there is nothing to report.
  expect(await button('Model cards').count()).toBe(0);
  const train = async (step: number): Promise<void> => {
    await page.getByRole('spinbutton', { name: 'Step to run to' }).fill(String(step));
    await button('Run to step').click();
    const reached = new RegExp(`^Step ${String(step)} of`);
    await expect.poll(async () => plain(await page.locator('.step-count').textContent())).toMatch(reached);
    await button('Play').waitFor();
  };
  await train(4);
  await button('Model cards').focus();
  await page.keyboard.press('Enter');
  const card = page.locator('.disclosure textarea');
  await expect.poll(() => card.inputValue(), { timeout: 60_000 }).toMatch(/^## The tied model\n\n/);
  const markdown = await card.inputValue();
  expect(markdown).toContain('## The untied model\n\n');
  expect(plain(await page.locator('#code-hint').textContent())).toMatch(
    /^The model cards of these models after step 4,/,
  );
  // Width 16 and 300 tokens, fewer than 300 of which occur.
  const [, saved] = /\| saved by this coupling \| (\d+) \| parameters \|/.exec(markdown)!;
  const download = page.waitForEvent('download');
  await button('Save as JSON').click();
  const read = await (await download).createReadStream();
  const cards = JSON.parse(await text(read)) as Record<'tied' | 'untied', ModelCardData>;
  expect(Object.keys(cards)).toEqual(['tied', 'untied']);
  expect(cards.tied.step).toBe(4);
  expect(cards.tied.parameters.saved.value).toBe(Number(saved));
  expect(cards.untied.parameters.saved.value).toBe(0);
  // The run's own records, and the loss drawn by the lab.
  expect((cards.tied.history as { records: number }).records).toBe(4);
  expect((cards.tied.layers as { layers: unknown[] }).layers).toHaveLength(3);
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);

  // Cards belong to a step: after another one, opening measures again.
  await button('Model cards').click();
  expect(await card.count()).toBe(0);
  await train(6);
  await button('Model cards').click();
  await expect
    .poll(async () => plain(await page.locator('#code-hint').textContent()), { timeout: 60_000 })
    .toMatch(/after step 6,/);
  expect(problems).toEqual([]);
});
