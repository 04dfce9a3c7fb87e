// Models that the reader has trained, passed to the other figures of the page by keyboard or mouse and measured there.
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, test } from 'vitest';
import { modelsFile, plain } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite, type OpenOptions } from './harness.js';

const script = `
import './web/elements/index.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.style.background = 'Canvas';
document.addEventListener('tied-change', ({ target, detail }) => {
  if (target.localName === 'tied-bigrams') (globalThis.told ??= []).push(detail);
});
`;
const handOver = 'Use in the other figures';
const tiny =
  'd-model="16" n-layers="2" n-heads="2" context-length="16" batch-size="4" tokenizer="bpe" vocab-size="300" story-length="60000" steps="200" run-to="5"';
const measuring = ['alignment', 'hidden-states', 'lens', 'direct-path', 'gradient-ledger'] as const;

class Figure {
  readonly element: Locator;
  constructor(page: Page, name: string) {
    this.element = page.locator(`tied-${name}`);
  }
  readOut = async (): Promise<string> => plain(await this.element.locator('.read-out').textContent());
  alert = async (): Promise<string> => plain(await this.element.locator('figure > [role=alert]').textContent());
  button = (name: string) => this.element.getByRole('button', { name, exact: true });
  models = () => this.element.getByRole('radiogroup', { name: 'Models' });
  choose = (name: string | RegExp) => this.models().getByRole('radio', { name }).check({ force: true });
  says = (pattern: RegExp) => expect.poll(this.readOut, { timeout: 60_000 }).toMatch(pattern);
}

/** A training lab with tiny models, followed by these figures. */
async function open(lab: string, figures: readonly string[], options?: OpenOptions, weights = 'models.safetensors') {
  const all = figures.map(
    (name) =>
      `<tied-${name} heading-level="2" link-state="${name}" ${weights === '' ? '' : `weights="${weights}"`}></tied-${name}>`,
  );
  const body = `<tied-training-lab heading-level="2" model="transformer" ${lab}></tied-training-lab>${all.join('')}`;
  const opened = await openFixture({ title: 'Own models', script, body }, options);
  const asked: string[] = [];
  await opened.page.route('**/models.safetensors', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ path: modelsFile });
  });
  const trainer = new Figure(opened.page, 'training-lab');
  await trainer.element.locator('.read-out', { hasText: /Press play/ }).waitFor({ timeout: 60_000 });
  /** Trains to the step in the field, and waits. */
  const train = async (step: number): Promise<void> => {
    await trainer.element.getByRole('spinbutton', { name: 'Step to run to' }).fill(String(step));
    await trainer.button('Run to step').click();
    await expect
      .poll(async () => plain(await trainer.element.locator('.step-count').textContent()))
      .toMatch(new RegExp(`^Step ${String(step)} of`));
    await expect.poll(() => trainer.button(handOver).isEnabled()).toBe(true);
  };
  return { ...opened, asked, trainer, train, of: (name: string) => new Figure(opened.page, name) };
}

test('the bigrams figure reads the text of models that were passed on', async () => {
  const { page, problems, trainer, train, of } = await open(tiny, ['bigrams'], {}, '');
  const bigrams = of('bigrams');
  await bigrams.says(/^This text has a direction\./);
  const use = bigrams.button('Use the text of your models');
  expect(await use.count()).toBe(0);
  await train(3);
  await trainer.button(handOver).click();
  await use.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => bigrams.element.getByRole('combobox', { name: 'Text' }).inputValue(), { timeout: 60_000 })
    .toBe('own');
  await bigrams.says(/^This text has a direction\..* nats/);
  // The training text: stories, of which the lab holds out a tenth.
  const tokens = async (): Promise<number> => {
    const told = await page.evaluate(() => (globalThis as unknown as { told: { tokens: number }[] }).told);
    return told.at(-1)?.tokens ?? 0;
  };
  await expect.poll(tokens).toBeGreaterThan(50_000);
  expect(await tokens()).toBeLessThan(60_000);
  expect(await axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

describe('models that the reader has trained', () => {
  it('are passed on by keyboard, and measured by each figure on request', async () => {
    const { page, asked, trainer, train, of, problems } = await open(tiny, measuring);
    expect(await trainer.button(handOver).count()).toBe(0);
    await train(5);
    for (const name of measuring) expect(await of(name).models().count()).toBe(0);
    await trainer.button(handOver).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () =>
        plain(await trainer.element.locator('figure > .visually-hidden[role=status]').first().textContent()),
      )
      .toMatch(/now offer your models, as of step 5\.$/);
    const claims = {
      alignment: /table/,
      'hidden-states': /^After /,
      lens: /^Right after the embedding/,
      'direct-path': /^In these models/,
      'gradient-ledger': /^In these models, writing has a share of \d+%/,
    };
    for (const name of measuring) {
      const figure = of(name);
      await figure.element.scrollIntoViewIfNeeded();
      await figure.models().getByRole('radio', { name: 'Of this page' }).focus();
      await page.keyboard.press('ArrowRight');
      await figure.says(/These are your own models, trained 5 steps on “Generated stories”\.$/);
      expect(await figure.readOut()).toMatch(claims[name]);
      expect(await figure.button('Measure').count()).toBe(0);
      await figure.button('Copy link').click();
      expect(await page.evaluate(() => location.hash)).not.toContain('models');
      await figure.button('Embed').click();
      expect(await figure.element.locator('.disclosure textarea').inputValue()).not.toMatch(/own|yours/i);
    }
    expect(asked).toEqual([]);
    const others = async (): Promise<string> =>
      plain(await of('alignment').element.locator('.others > p').first().textContent());
    await of('alignment').element.locator('.others > summary').click();
    await expect.poll(others, { timeout: 60_000 }).toMatch(/^By \d of 4 .* Of 16 dimensions/);
    // And back again.
    await of('alignment').choose('Of this page');
    await of('alignment').says(
      /\(0\.45\) as to the reading table \(0\.47\)\..*These are the models of this page, not yours\.$/,
    );
    await expect.poll(others).toMatch(/^By \d of 4 .* Of 48 dimensions/);
    expect(asked).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('are replaced by newer ones on the reader’s request', async () => {
    const { trainer, train, of, problems } = await open(tiny, ['hidden-states']);
    const figure = of('hidden-states');
    await train(5);
    await trainer.button(handOver).click();
    await figure.choose('Yours, step 5');
    await figure.says(/trained 5 steps/);
    for (const step of [7, 9]) {
      await train(step);
      await trainer.button(handOver).click();
      await figure.says(new RegExp(`trained 5 steps .* You have trained others since, to step ${String(step)}: press`));
    }
    await figure.element.getByRole('textbox', { name: 'Prompt' }).fill('She lived in a');
    await figure.says(/^After ␣a .*trained 5 steps/);
    await figure.button('Measure').click();
    await figure.says(/trained 9 steps on “[^”]*”\.$/);
    expect(await figure.models().getByRole('radio').nth(1).isChecked()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('are named in saved pictures, and measured again after the figure was removed and put back', async () => {
    const { page, trainer, train, of, problems } = await open(tiny, ['lens']);
    const figure = of('lens');
    await train(5);
    await trainer.button(handOver).click();
    await figure.choose('Yours, step 5');
    await figure.says(/trained 5 steps/);
    const [download] = await Promise.all([page.waitForEvent('download'), figure.button('Save picture').click()]);
    const picture = (await text(await download.createReadStream())).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(picture).toMatch(/These are your own models, trained 5 steps on “Generated stories”/);
    await figure.element.evaluate(async (element) => {
      const parent = element.parentElement!;
      element.remove();
      await new Promise((done) => setTimeout(done));
      parent.append(element);
    });
    await figure.says(/trained 5 steps/);
    await figure.element.getByRole('textbox', { name: 'Prompt' }).fill('She lived in a');
    await expect.poll(() => figure.element.getByRole('slider').getAttribute('aria-valuemax')).not.toBe('16');
    await figure.says(/trained 5 steps/);
    expect(await figure.alert()).toBe('');
    expect(problems).toEqual([]);
  });

  it('are measured without a file of the page, and a sentence says what they cannot read', async () => {
    const attributes = `${tiny.replace('bpe', 'character')} text-source="a-year-in-new-york"`;
    const { trainer, train, of, problems } = await open(attributes, ['lens', 'alignment'], {}, '');
    const [lens, alignment] = [of('lens'), of('alignment')];
    await lens.says(/names no file/);
    expect(await lens.button('Measure').isDisabled()).toBe(true);
    await train(5);
    await trainer.button(handOver).click();
    await lens.says(/Press Measure/);
    expect(await lens.models().count()).toBe(0);
    await lens.button('Measure').click();
    await lens.says(/These are your own models, trained 5 steps on “A year in New York”\.$/);
    await lens.element.getByRole('textbox', { name: 'Prompt' }).fill('漢字');
    const refused = lens.element.locator('.prompt-problem');
    await expect.poll(() => refused.textContent()).toMatch(/The models cannot read this prompt/);
    await lens.element.getByRole('textbox', { name: 'Prompt' }).fill('new');
    await expect.poll(() => lens.element.getByRole('slider').getAttribute('aria-valuemax')).toBe('3');
    expect(await lens.alert()).toBe('');
    await lens.element.getByRole('radio', { name: 'Translated' }).check({ force: true });
    await lens.says(/translation of its own.*“A year in New York”/);
    await alignment.button('Measure').click();
    await alignment.says(/“A year in New York”\.$/);
    await alignment.element.getByRole('searchbox', { name: 'A word' }).fill('e');
    await expect
      .poll(() => alignment.element.getByRole('list', { name: 'Tied', exact: true }).getByRole('button').count())
      .toBe(6);
    expect(problems).toEqual([]);
  });

  it('have direct paths, which are shown beside those of the figure’s own training', async () => {
    const { page, trainer, train, of, problems } = await open(tiny, ['direct-path'], {}, '');
    const figure = of('direct-path');
    await figure.says(/Press Train and measure\.$/);
    await train(5);
    await trainer.button(handOver).click();
    await figure.models().getByRole('radio', { name: 'Trained here' }).focus();
    await page.keyboard.press('ArrowRight');
    await figure.says(
      /^In these models, the two tables alone reach an agreement of .* These are your own models, trained 5 steps/,
    );
    expect(await figure.element.getByRole('spinbutton', { name: 'Seed' }).count()).toBe(0);
    expect(await figure.element.getByRole('slider').count()).toBe(0);
    expect(await figure.element.locator('svg[data-picture] .value').count()).toBe(8);
    for (const [index, name] of ['Tied', 'Untied'].entries()) {
      expect(await figure.element.getByRole('img').nth(index).getAttribute('aria-label')).toMatch(
        new RegExp(String.raw`^${name}: the two tables alone −?\d\.\d\d, .*whole model −?\d\.\d\d\.$`),
      );
    }
    await figure.element.getByLabel('Measured').selectOption({ label: 'Loss, nats per token' });
    await figure.says(/^In these models, the two tables alone have a loss of 5\.\d\d nats/);
    await figure.button('Show data').click();
    await expect.poll(() => figure.element.locator('.data table tbody tr').count()).toBe(4 + 2);
    await figure.button('Copy link').click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#tied=direct-path&measure=loss&seed=1');
    await figure.choose('Trained here');
    await figure.says(/Press Train and measure\.$/);
    expect(await figure.element.getByRole('spinbutton', { name: 'Seed' }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('have gradients, which are shown beside those of the figure’s own training', async () => {
    const { page, trainer, train, of, problems } = await open(tiny, ['gradient-ledger'], {}, '');
    const figure = of('gradient-ledger');
    await figure.says(/Press Train and measure\.$/);
    await train(5);
    await trainer.button(handOver).click();
    await figure.models().getByRole('radio', { name: 'Trained here' }).focus();
    await page.keyboard.press('ArrowRight');
    await figure.says(/^In these models, writing has a share of \d+% .* These are your own models, trained 5 steps/);
    expect(await figure.element.getByRole('slider').count()).toBe(0);
    expect(await figure.element.locator('.part-title').allTextContents()).toContainEqual(
      expect.stringMatching(/^Tied model: the gradient of the rows/),
    );
    // What a random direction retains of 300 tokens at width 16.
    expect(await figure.readOut()).toMatch(/would keep 23%/);
    const [download] = await Promise.all([page.waitForEvent('download'), figure.button('Save picture').click()]);
    const picture = (await text(await download.createReadStream())).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(picture).toMatch(/These are your own models, trained 5 steps on .* a random direction: 23%/);
    await figure.choose('Trained here');
    await figure.says(/Press Train and measure\.$/);
    expect(await figure.element.getByRole('spinbutton', { name: 'Seed' }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('say so if the part that reaches the hidden state is undetermined', async () => {
    // The vocabulary has fewer letters than the width.
    const attributes = `${tiny.replace('d-model="16"', 'd-model="64"').replace('bpe', 'character')} text-source="a-year-in-new-york"`;
    const { trainer, train, of, problems } = await open(attributes, ['gradient-ledger'], {}, '');
    const figure = of('gradient-ledger');
    await train(5);
    await trainer.button(handOver).click();
    await figure.choose('Yours, step 5');
    await figure.says(
      /^In these models, .* How much of it reaches the hidden state is not determined: .*“A year in New/,
    );
    // The level of equal shares; the levels of the losses are in every band.
    expect(await figure.element.locator('svg .level-name').count()).toBe(1);
    await figure.button('Show data').click();
    const cells = await figure.element.locator('.data table').first().locator('td').allTextContents();
    expect(cells.map(plain).filter((cell) => cell === '–')).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  it('are not offered if no figure could measure them, which a sentence explains', async () => {
    const alone = await openFixture({
      title: 'Alone',
      script,
      body: `<tied-training-lab heading-level="2" model="transformer" ${tiny}></tied-training-lab>`,
    });
    const lab = new Figure(alone.page, 'training-lab');
    await lab.element.locator('.read-out', { hasText: /Press play/ }).waitFor({ timeout: 60_000 });
    await lab.button('Run to step').click();
    await lab.says(/After 5 steps/);
    expect(await lab.button(handOver).count()).toBe(0);

    for (const [attributes, words] of [
      [`${tiny} arms="tied tied-linear"`, /compare a tied model with an untied one/],
      [`${tiny} text-source="markov-chain"`, /of a text cut into words or characters/],
    ] as const) {
      const { trainer } = await open(attributes, ['lens']);
      await trainer.button('Run to step').click();
      await expect.poll(async () => plain(await trainer.element.locator('.run-state').textContent())).toMatch(words);
      expect(await trainer.button(handOver).count()).toBe(0);
    }
  });

  it('reach the article’s figures although their scripts load one by one', async () => {
    const settings =
      'd-model=16&n-layers=1&n-heads=2&context-length=16&tokenizer=bpe&vocab-size=300&story-length=60000&run-to=5';
    const { page, problems } = await openSite(`#tied=gpt&${settings}`);
    const lab = page.locator('tied-training-lab[link-state=gpt]');
    await lab.getByRole('button', { name: 'Run to step', exact: true }).click();
    const give = lab.getByRole('button', { name: handOver, exact: true });
    await expect.poll(() => give.isEnabled(), { timeout: 60_000 }).toBe(true);
    await give.click();
    for (const [name, chapter] of [
      ['alignment', '#trained'],
      ['direct-path', null],
      ['gradient-ledger', '#pull'],
    ] as const) {
      const figure = new Figure(page, name);
      if (chapter !== null) await page.locator(`${chapter} > summary`).click();
      await figure.element.evaluate((element) => {
        for (let at: Element | null = element; at !== null; at = at.parentElement) {
          if (at instanceof HTMLDetailsElement) at.open = true;
        }
        element.scrollIntoView();
      });
      await figure.choose('Yours, step 5');
      await figure.says(/These are your own models, trained 5 steps on “Generated stories”\.$/);
    }
    expect(problems).toEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fit a phone of 320 px and are accessible in ${colorScheme}`, async () => {
      const { page, trainer, train, of } = await open(tiny, measuring, { width: 320, colorScheme });
      await train(5);
      await trainer.button(handOver).click();
      for (const name of measuring) {
        await of(name).element.scrollIntoViewIfNeeded();
        await of(name).choose('Yours, step 5');
        await of(name).says(/trained 5 steps/);
      }
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
    });
  }
});
