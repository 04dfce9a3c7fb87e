// Moments of a run in <tied-training-lab>: a finished run, a link to a step, a restored run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { contrast, parseColor } from '../../web/charts/color-scale.js';
import { axeViolations, type OpenOptions } from './harness.js';
import {
  button,
  choose,
  facts,
  lastStep,
  open,
  openReady,
  problems,
  readOut,
  runState,
  setNumber,
  stepCount,
  tables,
} from './training-lab-page.js';

const small = 'tokenizer="character" d-model="4" arms="tied untied"';
/** Two steps of an invented run, with only two tokens. */
async function giveFinished(page: Page, tokens = ['e', ' ']) {
  await page.evaluate((names) => {
    const lab = document.querySelector('tied-training-lab') as unknown as HTMLElement & {
      runSettings: () => { arms: string[] };
      finished: unknown;
    };
    lab.finished = {
      textSource: lab.getAttribute('text-source'),
      settings: lab.runSettings(),
      bounds: { unigram: 3, bigram: 2, symmetricLogits: 2.25 },
      tokens: names,
      arms: lab.runSettings().arms.map((tying) => ({
        tying,
        losses: [4, 3, 2.5],
        probabilities: Array.from({ length: names.length ** 2 }, (_, at) => 0.25 + at / 1000),
      })),
    };
  }, tokens);
  await page.locator('.badge.is-finished').waitFor();
}

/** All texts that describe the drawn moment. */
const moment = async (page: Page, pattern: RegExp) => ({
  said: await readOut(page, pattern),
  count: await stepCount(page),
  tables: await tables(page),
});

/** Opens the figure's link to its current state in a new page. */
async function openLink(page: Page) {
  await button(page, 'Copy link').click();
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('tied=lab');
  await page.reload();
}

/** Opens the figure's current link with other settings in it. */
async function openHashOf(page: Page, changes: Record<string, string>) {
  await page.evaluate((settings) => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(settings)) parameters.set(name, value);
    location.hash = parameters.toString();
  }, changes);
  await page.reload();
}

const linked = 'link-state="lab"';

const openHash = (attributes: string, hash: string) => open(`${linked} ${attributes}`, { path: `#tied=lab&${hash}` });

describe('a finished run', () => {
  it('is shown with its step and labeled as such, at unchanged settings, until the reader trains', async () => {
    const { page } = await open(`steps="2" ${small}`);
    await giveFinished(page);
    expect(await runState(page)).toBe('Finished run 2 steps, computed when this page was built.');
    expect(await readOut(page, /After/)).toBe(
      'After 2 steps the tied model is 0.500 nats above the bigram floor; untied 0.500. No symmetric model can avoid 0.250 of ' +
        'the tied model’s. Press play to train the models yourself, from step 0; your run replaces this one.',
    );
    await expect.poll(() => stepCount(page)).toBe('Step 2 of 2');
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 2);
    await readOut(page, /In this text/);
    expect(await runState(page)).toContain('Your run');
    await setNumber(page, 'Seed', 1);
    await page.locator('.badge.is-finished').waitFor();
    await button(page, 'Play').click();
    await expect.poll(() => runState(page)).toBe('Your run Trained on this device.');
    await expect.poll(() => stepCount(page)).toBe('Step 2 of 2');
    await button(page, 'Rewind to the same weights').click();
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 2');
    expect(await page.locator('.badge.is-finished').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('has a readable label in forced colors, %s', async (colorScheme) => {
    const { page } = await open(`steps="2" ${small}`, { forcedColors: true, colorScheme });
    await giveFinished(page);
    const painted = await page.locator('.badge').evaluate((badge) => {
      const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(badge) as CSSStyleDeclaration & {
        forcedColorAdjust: string;
      };
      return { color, backgroundColor, forcedColorAdjust };
    });
    expect(painted.forcedColorAdjust).toBe('none');
    expect(contrast(parseColor(painted.color), parseColor(painted.backgroundColor))).toBeGreaterThan(4.5);
  });

  it('keeps its pair for a text that is dropped before the run’s own text is read', async () => {
    const spacer = '<svg width="10" height="6000" aria-hidden="true"></svg>';
    const { page } = await open('text-source="a-year-in-new-york" steps="2"', {}, spacer);
    await giveFinished(page, ['New', 'York']);
    await page.evaluate(async () => {
      const lab = document.querySelector('tied-training-lab') as unknown as HTMLElement & {
        controller: { phase: string };
        ownText: { useFiles: (files: File[]) => Promise<void> };
      };
      lab.scrollIntoView();
      while (lab.controller.phase === 'idle') await new Promise(requestAnimationFrame);
      const text = `${'van der Luyden '.repeat(40)}${'in New York '.repeat(9)}`;
      await lab.ownText.useFiles([new File([text], 'mine.txt')]);
    });
    await readOut(page, /In this text York follows New/);
  });

  it('can be rewound to the initial models', async () => {
    const { page } = await open(`steps="2" ${small}`);
    await giveFinished(page);
    await readOut(page, /After 2 steps/);
    await button(page, 'Rewind to the same weights').click();
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 2');
    expect(await runState(page)).toBe('Your run Not trained yet.');
  });

  it('has the drawn values in its table', async () => {
    const { page } = await open(`steps="2" ${small} map-tokens="2" map-order="frequency"`);
    await readOut(page, /In this text/);
    // The tokens shown by the maps.
    const names = Object.entries(await tables(page)).find(([caption]) => caption.includes('in the text'))?.[1][0] ?? [];
    await giveFinished(
      page,
      names.slice(1).map((name) => (name === '' ? ' ' : name)),
    );
    const drawn = await tables(page);
    expect(Object.keys(drawn)).toEqual([
      'Floors, nats per token',
      'Loss, nats per token, of the finished run, at the steps that you can look back to',
      expect.stringMatching(/^The pair shown, step 2$/),
      expect.stringContaining('in the text'),
      'P(next | current), tied, step 2; the first 2 tokens of the maps',
      'P(next | current), untied, step 2; the first 2 tokens of the maps',
    ]);
    expect(drawn['Floors, nats per token']?.map((row) => row.at(-1))).toEqual(['value', '3.0000', '2.2500', '2.0000']);
    const losses = drawn['Loss, nats per token, of the finished run, at the steps that you can look back to'];
    expect(losses?.slice(1)).toEqual([
      ['0', '4.0000', '4.0000'],
      ['1', '3.0000', '3.0000'],
      ['2', '2.5000', '2.5000'],
    ]);
    expect(drawn['P(next | current), tied, step 2; the first 2 tokens of the maps']?.[1]?.slice(1)).toEqual([
      '0.2500',
      '0.2510',
    ]);
  });

  it('is retrained for values that it does not store: more tokens, and earlier steps', async () => {
    const { page } = await open(`steps="2" ${small}`);
    await giveFinished(page);
    // It has only two tokens.
    await page.getByText('The finished run did not store this').waitFor();
    await page.getByRole('slider', { name: 'Look back' }).fill('1');
    await readOut(page, /After 1 step .* Looking back from step 2/);
    await expect.poll(() => runState(page)).toBe('Your run Trained on this device.');
    await expect.poll(() => page.getByText('The finished run did not store this').count()).toBe(0);
    const found = await tables(page);
    expect(Object.keys(found).filter((caption) => caption.startsWith('P(next | current), tied, step 1'))).toHaveLength(
      1,
    );
  });
});

describe('curves at the first paint', () => {
  const gpts = JSON.parse(
    readFileSync(join(root, 'web/article/assets/finished-transformer-run.json'), 'utf8'),
  ) as unknown;

  it.each([
    ['direct paths', 'light'],
    ['direct paths', 'dark'],
    ['small GPTs', 'light'],
    ['small GPTs', 'dark'],
  ] as const)('of %s have a contrast of at least 3 to 1, %s', async (kind, colorScheme) => {
    const attributes = kind === 'small GPTs' ? 'model="transformer"' : 'steps="2" tokenizer="character" d-model="4"';
    const options: OpenOptions = { colorScheme };
    const { page } = await open(attributes, options);
    if (kind === 'small GPTs') {
      await page.evaluate((run) => {
        Object.assign(document.querySelector('tied-training-lab') ?? {}, { finished: run });
      }, gpts);
      await page.locator('.badge.is-finished').waitFor();
    } else {
      await giveFinished(page);
    }
    await page.locator('tied-line-chart path.line').first().waitFor();
    const colors = await page.evaluate(() => {
      const lab = document.querySelector('tied-training-lab')?.shadowRoot;
      const probe = document.createElement('span');
      probe.style.color = 'var(--t-paper)';
      lab?.querySelector('.lab')?.append(probe);
      const paper = getComputedStyle(probe).color;
      probe.remove();
      const charts = [...(lab?.querySelectorAll('tied-line-chart') ?? [])];
      const lines = charts.flatMap((chart) => [...(chart.shadowRoot?.querySelectorAll('path.line') ?? [])]);
      const bars = [...(lab?.querySelectorAll('.pair-bars .bar') ?? [])];
      const drawn = [
        ...lines.map((line) => ({ color: getComputedStyle(line).stroke, opacity: getComputedStyle(line).opacity })),
        ...bars.map((bar) => ({ color: getComputedStyle(bar).fill, opacity: getComputedStyle(bar).opacity })),
      ];
      return { paper, drawn };
    });
    expect(colors.drawn.length).toBeGreaterThanOrEqual(4);
    for (const { color, opacity } of colors.drawn) {
      expect(opacity).toBe('1');
      expect(contrast(parseColor(color), parseColor(colors.paper)), color).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('a shared link', () => {
  it('restores what the sender saw, all recomputed: step, earlier step in view, pair, maps', async () => {
    const { page, problems: wrong } = await openReady(
      `${linked} steps="200" tokenizer="word" d-model="8" vocab-size="120"`,
    );
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 7);
    await setNumber(page, 'Step to run to', 40);
    await button(page, 'Run to step').click();
    await readOut(page, /After 40 steps/);
    await page.locator('.token-field').nth(1).fill('the');
    await page.keyboard.press('Enter');
    await choose(page, 'Tokens', '8');
    await choose(page, 'First', 'frequency');
    await page.getByText('Logits', { exact: true }).click();
    await page.getByRole('slider', { name: 'Look back' }).fill('15');
    const seen = await moment(page, /After 26 steps .* Looking back from step 40/);
    const last = await lastStep(page);
    await openLink(page);
    const opened = await moment(page, /^\s*After 26 steps .* Looking back from step 40/);
    expect(opened).toEqual(seen);
    expect(await lastStep(page)).toEqual(last);
    expect(await page.locator('.token-field').nth(1).inputValue()).toBe('the');
    expect(wrong).toEqual([]);
  });

  it('restores the samples that the sender read, from the same prompt', async () => {
    const tiny =
      'd-model="16" n-layers="1" n-heads="2" context-length="16" batch-size="4" tokenizer="bpe" vocab-size="300" story-length="60000"';
    const { page } = await open(`${linked} model="transformer" ${tiny} steps="60"`);
    await page.locator('.sample-text b').nth(1).waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('The dog');
    await page.keyboard.press('Enter');
    await setNumber(page, 'Temperature', 1);
    await setNumber(page, 'Step to run to', 20);
    await button(page, 'Run to step').click();
    await readOut(page, /After 20 steps/);
    await page.getByRole('slider', { name: 'Look back' }).fill('15');
    const pattern = /^\s*After 15 steps .* Looking back from step 20/;
    const said = await readOut(page, pattern);
    const written = await page.locator('.sample-text').allTextContents();
    await openLink(page);
    expect(await readOut(page, pattern)).toBe(said);
    await expect.poll(() => page.locator('.sample-text').allTextContents()).toEqual(written);
    await expect.poll(() => stepCount(page)).toBe('Step 20 of 60');
  });

  it('restores a sample that was written again, and one of an earlier step with its former prompt', async () => {
    const tiny =
      'd-model="16" n-layers="1" n-heads="2" context-length="16" batch-size="4" tokenizer="bpe" vocab-size="300" story-length="60000"';
    const { page } = await open(`${linked} model="transformer" ${tiny} steps="60"`);
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    const texts = () => page.locator('.sample-text').allTextContents();
    // A run reports its step before its models have written there.
    const shows = (expected: string[]) => expect.poll(texts, { timeout: 60_000 }).toEqual(expected);
    const runTo = async (step: number) => {
      await setNumber(page, 'Step to run to', step);
      await button(page, 'Run to step').click();
      await readOut(page, new RegExp(`After ${String(step)} steps`));
    };
    await page.locator('.sample-text b').nth(1).waitFor();
    // Between two of the steps at which every run is sampled.
    await runTo(13);
    await prompt.fill('The dog');
    await page.keyboard.press('Enter');
    await page.locator('.sample-text:not(.is-live) b', { hasText: 'The dog' }).nth(1).waitFor();
    for (const seed of [2, 3]) {
      await button(page, 'Write again').click();
      await page
        .getByText(`Written at step 13; both from the same prompt with the same seed (${String(seed)})`)
        .waitFor();
    }
    const early = await texts();
    await runTo(20);
    await prompt.fill('Lily');
    await page.keyboard.press('Enter');
    await page.locator('.sample-text:not(.is-live) b', { hasText: 'Lily' }).nth(1).waitFor();
    await button(page, 'Write again').click();
    await page.getByText('with the same seed (4)').waitFor();
    const late = await texts();
    await openLink(page);
    await readOut(page, /After 20 steps/);
    await shows(late);
    // The link's run only has its own prompt; the sender's is gone with the page.
    await openHashOf(page, { 'view-step': '13', prompt: 'The dog', 'sample-seed': '3' });
    await readOut(page, /^\s*After 13 steps .* Looking back from step 20/);
    await shows(early);
    await prompt.fill('Lily');
    await page.keyboard.press('Enter');
    await page.locator('.sample-text:not(.is-live) b', { hasText: 'Lily' }).nth(1).waitFor();
    await page.getByRole('slider', { name: 'Look back' }).fill('13');
    await readOut(page, /^\s*After 13 steps/);
    await shows(early);
    await openLink(page);
    await readOut(page, /^\s*After 13 steps .* Looking back from step 20/);
    await shows(early);
  });

  it.each(['1e9', '100001', '-5', '2.5', 'NaN', 'Infinity', 'soon'])(
    'to step %s trains nothing and explains why',
    async (step) => {
      const { page, problems: wrong } = await openHash(`steps="30" ${small}`, `at-step=${step}`);
      await readOut(page, /In this text/);
      expect(await problems(page)).toMatch(/^The attribute at-step is “.*”; expected an integer from 0 to 100,000/);
      await expect.poll(() => stepCount(page)).toBe('Step 0 of 30');
      expect(await lastStep(page)).toBeUndefined();
      expect(wrong).toEqual([]);
    },
  );

  it('that would train for a long time waits for the reader', async () => {
    const { page } = await openHash(`steps="30" ${small}`, 'at-step=100000&d-model=256&vocab-size=2048&tokenizer=word');
    await expect.poll(() => runState(page)).toContain('This link leads to step 100,000');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 30');
    expect(await page.getByRole('spinbutton', { name: 'Step to run to' }).inputValue()).toBe('100,000');
    expect(await lastStep(page)).toBeUndefined();
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 30');
    expect(await runState(page)).not.toContain('This link leads');
  });

  it('to the sender’s own text explains that the text was not sent', async () => {
    const { page } = await openHash(`steps="30" ${small}`, 'text-source=own&at-step=12');
    await expect.poll(() => runState(page)).toContain('made with its sender’s own text');
    await page.getByRole('textbox', { name: 'Paste a text here' }).fill('abcabcabcab');
    await button(page, 'Use this text').click();
    await expect.poll(() => facts(page)).toContain('pasted text: 11 characters');
    expect(await runState(page)).not.toContain('sender');
    await button(page, 'Run to step').click();
    await readOut(page, /After 12 steps/);
  });

  it.each([
    ['story-length=1e12&text-source=stories', /^The attribute story-length is “1000000000000”/],
    ['states=999999&text-source=markov-chain', /^The attribute states is “999999”/],
    ['map-tokens=-3&map-order=up&map-values=&pair-from=%00&pair-to=x&view-step=7&linear-steps=no', /^$/],
  ])('with %s opens a working figure', async (hash, said) => {
    const { page, problems: wrong } = await openHash(`steps="30" ${small}`, hash);
    await readOut(page, /In this text/);
    expect(await problems(page)).toMatch(said);
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 30');
    expect(wrong).toEqual([]);
  });
});

describe('a run that was ended by a change of settings', () => {
  it('can be restored with its settings and step', async () => {
    const { page } = await openReady(`steps="60" ${small}`);
    await setNumber(page, 'Step to run to', 20);
    await button(page, 'Run to step').click();
    const said = await readOut(page, /After 20 steps/);
    const last = await lastStep(page);
    await button(page, 'Settings').click();
    await setNumber(page, 'Width', 8);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 60');
    await setNumber(page, 'Seed', 9);
    await expect.poll(() => runState(page)).toContain('Undo: back to step 20');
    await button(page, 'Undo: back to step 20').click();
    await expect.poll(() => stepCount(page)).toBe('Step 20 of 60');
    expect(await readOut(page, /^\s*After 20 steps/)).toBe(said);
    await expect.poll(() => lastStep(page)).toEqual(last);
    const lab = page.locator('tied-training-lab');
    expect([await lab.getAttribute('d-model'), await lab.getAttribute('seed')]).toEqual(['4', '1']);
    expect(await button(page, /^Undo/).count()).toBe(0);
  });
});
