// <tied-gradient-ledger>, used as by a reader, by mouse and keyboard, on models that the real core trains in a worker.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { rounded } from '../../web/article/build/rounded.mjs';
import { configsField } from '../../web/elements/shared/models-file.js';
import { furthestAhead, shownSteps, writingShare, type Measured } from '../../web/elements/gradient-ledger/measure.js';
import { button, choose, plain, readOut, scriptOf } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite, type OpenOptions } from './harness.js';

const script = scriptOf('gradient-ledger');

const open = (options?: OpenOptions) =>
  openFixture(
    {
      title: 'Gradient ledger',
      script,
      body: '<tied-gradient-ledger heading-level="2" link-state="ledger"></tied-gradient-ledger>',
    },
    options,
  );

/** What the build measured. */
const finished = (): Measured => JSON.parse(readFileSync(join(root, 'site/finished-ledgers.json'), 'utf8')) as Measured;

describe('the gradients of two models', () => {
  it('are split by role during training, and can be viewed step by step', async () => {
    const { page, problems } = await open({ width: 320 });
    await expect.poll(() => readOut(page)).toMatch(/Press Train and measure\.$/);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Train and measure').click();
    await expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^Training: \d+%\.$/);
    await button(page, 'Cancel').click();
    await expect.poll(() => readOut(page)).toMatch(/Press Train and measure\.$/);
    await button(page, 'Train and measure').click();
    // The output role leads early in training, in both models.
    await expect
      .poll(() => readOut(page), { timeout: 200_000 })
      .toMatch(/^At step (10|20), writing has a share of 9\d% in the tied model, and of [89]\d%/);
    expect(await readOut(page)).toMatch(
      /reaches the hidden state of the tied model\. A random direction would keep 20%, [^.]+\. The untied model’s loss is \d\.\d\d nats (lower|higher) on the most frequent tokens, .* rarest\.$/,
    );
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    // The build measured the same models in Node.
    const drawn = await page.evaluate(() => {
      const { measurement } = document.querySelector('tied-gradient-ledger') as unknown as {
        measurement: { shown: Measured };
      };
      return measurement.shown.reports;
    });
    expect(rounded(drawn, 6)).toEqual(finished().reports);

    const slider = page.getByRole('slider', { name: 'Training step' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^step 100\. Writing: tied \d\d%/);
    await page.keyboard.press('Home');
    await expect.poll(() => readOut(page)).toMatch(/^At step 0,/);
    await choose(page, 'Rows of the', 'Untied model');
    await expect.poll(() => page.locator('svg .push.untied').count()).toBeGreaterThan(3);
    const before = await readOut(page);
    await choose(page, 'Reading counted', 'By position');
    await expect.poll(() => readOut(page)).not.toBe(before);
    await button(page, 'Copy link').click();
    await expect
      .poll(() => page.evaluate(() => location.hash))
      .toBe('#tied=ledger&definition=position&model=untied&seed=1&moment=1');
    await button(page, 'Show data').click();
    await expect.poll(() => page.locator('.data table').count()).toBe(4);
    const told = await page.evaluate(() => (globalThis as unknown as { told: { step: number }[] }).told);
    expect(told.map(({ step }) => step)).toContain(100);
    await page.setViewportSize({ width: 1100, height: 900 });
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are in the article from the build, with or without chance, by mouse and keyboard', async () => {
    const { page, problems } = await openSite('pull.html', { width: 320 });
    const figure = page.locator('tied-gradient-ledger');
    await figure.scrollIntoViewIfNeeded();
    const words = async (): Promise<string> => plain(await figure.locator('.read-out').textContent());
    await expect.poll(words).toMatch(/^At step (10|20), writing has a share of 9\d%/);
    expect(plain(await figure.locator('p[role=status]').textContent())).toMatch(/^Measured when this page was built\./);
    // A line in each plot, for the output share and for what reaches the state; for the losses, one per band and in the key.
    const levels = 2 + 1 + (await figure.locator('svg .between').count());
    expect(levels).toBeGreaterThan(5);
    expect(await figure.locator('svg .level').count()).toBe(levels);
    expect(await words()).toMatch(/random direction would keep 20%/);
    await figure
      .getByRole('radiogroup', { name: 'Chance' })
      .getByRole('radio', { name: 'Hidden' })
      .check({ force: true });
    await expect.poll(() => figure.locator('svg .level').count()).toBe(0);
    expect(await words()).not.toMatch(/random/);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => figure.locator('svg .level').count()).toBe(levels);

    const slider = figure.getByRole('slider', { name: 'Training step' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(words).toMatch(/^At step 100,/);
    const box = (await slider.boundingBox())!;
    // In the lower plot too.
    await page.mouse.click(box.x + 70, box.y + box.height - 80);
    await expect.poll(words).toMatch(/^At step 0,/);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);

    // The models of the page, fetched when they are chosen.
    const models = figure.getByRole('radiogroup', { name: 'Models' });
    // Not under the strip at the top of the window.
    await models.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    await models.getByRole('radio', { name: 'Of this page' }).check({ force: true });
    await expect
      .poll(words, { timeout: 60_000 })
      .toMatch(/^In these models, writing has a share of 69% .* and of 64% in the untied/);
    await models.getByRole('radio', { name: 'Trained here' }).check({ force: true });
    await expect.poll(words).toMatch(/^At step 0,/);

    // Nothing from the finished seed is shown for another one, and nothing is trained unasked.
    const start = figure.getByRole('button', { name: 'Train and measure' });
    expect(await start.count()).toBe(0);
    await figure.getByRole('spinbutton', { name: 'Seed' }).fill('2');
    await page.keyboard.press('Enter');
    await start.waitFor();
    expect(plain(await figure.locator('p[role=status]').textContent())).toBe('These numbers are of seed 1.');
    await figure.getByRole('spinbutton', { name: 'Seed' }).fill('1');
    await page.keyboard.press('Enter');
    await expect.poll(() => start.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('of the models of a file are split without training, on the reader’s request', async () => {
    const { page, problems } = await openFixture({
      title: 'Gradient ledger',
      script,
      body: '<tied-gradient-ledger heading-level="2" link-state="ledger" weights="models.safetensors"></tied-gradient-ledger>',
    });
    const asked: string[] = [];
    await page.route('**/models.safetensors', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ path: join(root, 'web/article/assets/finished-transformers.safetensors') });
    });
    await expect.poll(() => readOut(page)).toMatch(/Press Measure to take their gradients apart\.$/);
    expect(asked).toEqual([]);
    await button(page, 'Measure').click();
    await expect
      .poll(() => readOut(page), { timeout: 60_000 })
      .toMatch(/^In these models, writing has a share of \d\d% in the tied model, and of \d\d% in the untied/);
    expect(await readOut(page)).toMatch(
      /of the tied table’s 1,180 rows are pushed .* would keep 20%, .* nats lower on the \d+ predictions of the rarest\.$/,
    );
    expect(await page.getByRole('slider').count()).toBe(0);
    expect(await page.getByRole('spinbutton', { name: 'Seed' }).count()).toBe(0);
    // The same numbers in the descriptions of the bars, for readers who do not see them, and in the table.
    const shares = await page.locator('svg .value').allTextContents();
    expect(shares).toHaveLength(4);
    expect(await readOut(page)).toContain(`In these models, writing has a share of ${shares[0]!} `);
    expect(await page.getByRole('img', { name: `Tied: ${shares[0]!}. Untied: ${shares[1]!}` }).count()).toBe(1);
    await button(page, 'Show data').click();
    const cells = await page
      .locator('.data table')
      .first()
      .locator('tbody tr')
      .first()
      .locator('th, td')
      .allTextContents();
    const [, , losses] = await page.locator('.data table').all();
    const predictions = await losses!.locator('tbody td:nth-child(2)').allTextContents();
    expect(predictions.reduce((sum, count) => sum + Number(count.replace(',', '')), 0)).toBeGreaterThan(1000);
    expect(cells.map(plain)).toEqual(['Tied', shares[0], expect.stringMatching(/^\d\d%$/), shares[2], '20%']);
    await choose(page, 'Reading counted', 'By position');
    await expect.poll(() => page.locator('svg .value').first().textContent()).toBe(cells[2]);
    await page.keyboard.press('ArrowLeft');
    const byChance = page.locator('.data th', { hasText: /By chance|frequencies alone/ });
    expect(await byChance.count()).toBe(2);
    await choose(page, 'Chance', 'Hidden');
    await expect.poll(() => page.locator('svg .level').count()).toBe(0);
    expect(await byChance.count()).toBe(0);
    await choose(page, 'Rows of the', 'Untied model');
    await expect.poll(() => page.locator('svg .push.untied').count()).toBeGreaterThan(3);
    const told = await page.evaluate(() => (globalThis as unknown as { told: { step: number | null }[] }).told);
    expect(new Set(told.map(({ step }) => step))).toEqual(new Set([null]));
    await button(page, 'Embed').click();
    await expect.poll(() => page.locator('.disclosure textarea').inputValue()).toMatch(/weights="http:/);
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 900 });
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(asked).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('of models other than a tied and an untied transformer are refused with a sentence', async () => {
    const { page } = await openFixture({
      title: 'Gradient ledger',
      script,
      body: '<tied-gradient-ledger heading-level="2" weights="models.safetensors"></tied-gradient-ledger>',
    });
    const configs = (kind: string) =>
      JSON.stringify(
        Object.fromEntries(['tied', 'untied'].map((tying) => [tying, { kind, tying, vocabSize: 2, dModel: 1 }])),
      );
    const tensors = ['tied.embedding', 'untied.embedding', 'untied.unembedding'].map((name, at) => [
      name,
      { dtype: 'F32', shape: [2, 1], data_offsets: [8 * at, 8 * at + 8] },
    ]);
    const header = JSON.stringify({
      __metadata__: { [configsField]: configs('direct-path') },
      ...(Object.fromEntries(tensors) as object),
    });
    const bytes = Buffer.alloc(8 + header.length + 24);
    bytes.writeBigUInt64LE(BigInt(header.length));
    bytes.write(header, 8);
    await page.route('**/models.safetensors', (route) => route.fulfill({ body: bytes }));
    await button(page, 'Measure').click();
    await expect
      .poll(async () => plain(await page.locator('figure > [role=alert]').textContent()))
      .toBe(
        'The trained models could not be opened: the file does not hold a tied and an untied model. Press Measure to try again.',
      );
    expect(await button(page, 'Measure').isEnabled()).toBe(true);
  });

  it('agree with what the article says about them', () => {
    const { tied, untied } = finished().reports;
    const shares = tied.map((report) => writingShare(report, 'token'));
    expect(shares).toHaveLength(shownSteps.length);
    // "The lead is over within a hundred steps."
    expect(shares[furthestAhead(finished(), 'token')]).toBeGreaterThan(0.85);
    expect(shares.at(-1)).toBeLessThan(0.55);
    tied.forEach(({ reach, tokens, losses }, index) => {
      expect(tokens).toBe(1024);
      expect(losses.tokens).toBe(1024);
      // "The root of width over vocabulary"; "the rest is lost because the state is narrower", in both models "alike".
      expect(reach.chance).toBeCloseTo(Math.sqrt(48 / 1180), 5);
      expect(reach.share).toBeGreaterThan(reach.chance - 0.02);
      expect(reach.share).toBeLessThan(0.5);
      expect(Math.abs(reach.share - untied[index]!.reach.share)).toBeLessThan(0.02);
    });
  });
});
