// <tied-training-lab> used as a reader would, by mouse, keyboard, typing and dropping, on the real core in a worker.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

// Beside registering the element, the page keeps what its events say.
const script = `
import './web/elements/training-lab/training-lab.define.ts';
import { configureSharedLab } from './web/elements/shared/shared-lab.ts';
configureSharedLab({ workerUrl: 'worker.js' });
// The browser's own, light or dark: what contrasts are measured against.
document.documentElement.style.background = 'Canvas';
window.steps = [];
window.changes = [];
addEventListener('tied-step', (event) => window.steps.push(event.detail));
addEventListener('tied-change', (event) => window.changes.push(event.detail));
`;

interface Step {
  step: number;
  losses: Record<string, number>;
}

async function open(attributes = '', options?: OpenOptions, before = '') {
  const body = `${before}<tied-training-lab heading-level="2" ${attributes}></tied-training-lab>`;
  const opened = await openFixture({ title: 'Lab', script, body }, options);
  return opened;
}

async function openReady(attributes = '', options?: OpenOptions) {
  const opened = await open(attributes, options);
  await opened.page.locator('.facts', { hasText: 'tokens of' }).waitFor();
  await readOut(opened.page, /In this text/);
  return opened;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const radio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });
const field = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
const stepCount = (page: Page) => page.locator('.step-count').textContent();
const facts = async (page: Page) => ((await page.locator('.facts').textContent()) ?? '').replace(/\s+/g, ' ').trim();
const problems = async (page: Page) => (await page.locator('.problem').allTextContents()).join(' ');
const lastStep = (page: Page) => page.evaluate(() => (window as unknown as { steps: Step[] }).steps.at(-1));

/** Waits until the read-out matches, and gives it. */
async function readOut(page: Page, pattern: RegExp): Promise<string> {
  const found = page.locator('.read-out', { hasText: pattern });
  await found.waitFor({ timeout: 60_000 });
  return ((await found.textContent()) ?? '').replace(/\s+/g, ' ').trim();
}

async function choose(page: Page, label: string, value: string) {
  await page.getByRole('combobox', { name: label }).selectOption(value);
}

async function setNumber(page: Page, name: string, value: number) {
  await field(page, name).fill(String(value));
  await page.keyboard.press('Enter');
}

/** Drops a file on the figure as a browser does. */
async function dropFile(page: Page, name: string, content: string | number[]) {
  await page.evaluate(
    ({ fileName, data }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([typeof data === 'string' ? data : Uint8Array.from(data)], fileName));
      const target = document.querySelector('tied-training-lab')?.shadowRoot?.querySelector('.lab');
      for (const type of ['dragover', 'drop']) {
        target?.dispatchEvent(
          new DragEvent(type, { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true }),
        );
      }
    },
    { fileName: name, data: content },
  );
}

/** The figure's own tables, by caption. */
async function tables(page: Page): Promise<Record<string, string[][]>> {
  await button(page, 'Show data').click();
  const found = await page.locator('.data table').evaluateAll((all) =>
    all.map((table) => ({
      caption: table.querySelector('caption')?.textContent.trim() ?? '',
      rows: [...table.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent.trim())),
    })),
  );
  await button(page, 'Hide data').click();
  return Object.fromEntries(found.map(({ caption, rows }) => [caption, rows]));
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds on the wall, and of the thread's own processor time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/**
 * The longest task of the page's main thread while `during` goes on, in milliseconds: by the clock, which other
 * programs of the machine lengthen, and in processor time, which they do not.
 */
async function longestTask(page: Page, during: () => Promise<unknown>): Promise<{ clock: number; processor: number }> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await during();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) =>
      name.endsWith('RunTask') && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  const most = (values: number[]) =>
    Math.round(values.reduce((longest, value) => Math.max(longest, value), 0) / 100) / 10;
  return { clock: most(tasks.map(({ dur = 0 }) => dur)), processor: most(tasks.map(({ tdur = 0 }) => tdur)) };
}

const number = (text: string | undefined): number => Number((text ?? '').replace('\u2212', '-').replace(/,/g, ''));

describe('the lab, untouched', () => {
  it('reads the built-in text, shows its floors and bigrams, and trains nothing by itself', async () => {
    const { page, problems: wrong } = await openReady();
    expect(await stepCount(page)).toBe('Step 0 of 500');
    expect(await facts(page)).toMatch(/^A year in New York: [\d,]+ characters, cut into [\d,]+ tokens of 500 kinds\.$/);
    expect(await readOut(page, /Press play/)).toMatch(
      /York follows New in \d+(\.\d)? of 100 cases, and New follows York in none/,
    );
    for (const floor of ['next token alone', 'best symmetric logits', 'what the text allows']) {
      await page.locator('tied-line-chart text', { hasText: floor }).waitFor();
    }
    expect(await page.locator('tied-heat-map').count()).toBe(5);
    expect(await page.evaluate(() => (window as unknown as { steps: Step[] }).steps)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('starts no worker before it comes near the screen', async () => {
    const { page, problems: wrong } = await open('', {}, '<svg width="10" height="6000" aria-hidden="true"></svg>');
    await readOut(page, /The text is read when this figure comes into view/);
    expect(page.workers()).toEqual([]);
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await readOut(page, /In this text/);
    expect(page.workers()).toHaveLength(1);
    expect(wrong).toEqual([]);
  });
});

describe('a run that was finished before', () => {
  it('is shown, marked, while the lab is set as it was, until the reader runs', async () => {
    const { page } = await open('steps="2" tokenizer="character" d-model="4" arms="tied"');
    await page.evaluate(() => {
      const lab = document.querySelector('tied-training-lab') as unknown as HTMLElement & {
        runSettings: () => unknown;
        finished: unknown;
      };
      lab.finished = {
        textSource: lab.getAttribute('text-source'),
        settings: lab.runSettings(),
        bounds: { unigram: 3, bigram: 2, symmetricLogits: 2.25 },
        tokens: ['e', ' '],
        arms: [{ tying: 'tied', losses: [4, 3, 2.5], probabilities: [0.1, 0.2, 0.3, 0.4] }],
      };
    });
    const mark = page.locator('.facts', { hasText: 'Drawn here: 2 steps, computed when this page was built.' });
    await mark.waitFor();
    expect(await readOut(page, /After/)).toBe(
      'Computed when this page was built. After 2 steps the tied model is 0.500 nats above what the text allows ' +
        '(0.250 of that no symmetric model can avoid). Press play to train the models yourself; your run takes the ' +
        'place of this one.',
    );
    // It knows two tokens only, so that pair and maps are the models' own.
    expect(await page.getByText('Of the computed run this was not kept').count()).toBe(2);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 2);
    await readOut(page, /In this text/);
    expect(await mark.count()).toBe(0);
    await setNumber(page, 'Seed', 1);
    await mark.waitFor();
    await readOut(page, /Computed when/);
    await button(page, 'Play').click();
    await readOut(page, /^\s*After 2 steps/);
    expect(await mark.count()).toBe(0);
    await button(page, 'Rewind to the same weights').click();
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 2');
    expect(await mark.count()).toBe(0);
  });
});

describe('running', () => {
  it('trains every model to a falling loss by mouse: tied stalls, untied goes to what the text allows', async () => {
    const { page, problems: wrong } = await openReady('steps="150"');
    const longest = await longestTask(page, async () => {
      await button(page, 'Play').click();
      await readOut(page, /After 150 steps .* training has not yet won/);
    });
    // The design's limit is 50 ms; printed, since a busy machine would make a test of it fail for no fault of ours.
    console.log(
      `longest main-thread task while training: ${longest.processor} ms of processor time, ${longest.clock} ms by the clock`,
    );
    const said = await readOut(page, /After 150 steps/);
    expect(said).toMatch(
      /the tied model is \d\.\d{3} nats above what the text allows \(0\.\d{3} of that no symmetric model can avoid\)/,
    );
    expect(await stepCount(page)).toBe('Step 150 of 150');
    const steps = await page.evaluate(() => (window as unknown as { steps: Step[] }).steps);
    const first = steps[0];
    const last = steps.at(-1);
    const floors = (await tables(page))['Floors, nats per token'] ?? [];
    const [unigram, symmetric, bigram] = floors.slice(1).map(([, value]) => number(value));
    for (const arm of ['tied', 'untied', 'tied-linear', 'tied-mlp']) {
      expect(last?.losses[arm]).toBeLessThan(first?.losses[arm] ?? 0);
      expect(last?.losses[arm]).toBeLessThan(unigram ?? 0);
      expect(last?.losses[arm]).toBeGreaterThan((bigram ?? 0) - 0.0001);
    }
    expect(last?.losses['tied']).toBeGreaterThan(symmetric ?? 0);
    expect(last?.losses['untied']).toBeLessThan((bigram ?? 0) + 0.05);
    expect(wrong).toEqual([]);
  });

  it('trains without a worker as well, in slices between which the page goes on', async () => {
    const { page } = await openFixture({
      title: 'Lab',
      script: script.replace("'worker.js'", "'nowhere.js'"),
      body: '<tied-training-lab heading-level="2" steps="60"></tied-training-lab>',
    });
    await readOut(page, /In this text/);
    const longest = await longestTask(page, async () => {
      await button(page, 'Play').click();
      await readOut(page, /After 60 steps .* training has not yet won/);
    });
    console.log(
      `longest main-thread task without a worker: ${longest.processor} ms of processor time, ${longest.clock} ms by the clock`,
    );
    expect(page.workers()).toEqual([]);
  });

  it('plays and pauses by space, steps and looks back by arrows, and rewinds by Home to the same weights', async () => {
    const { page, problems: wrong } = await openReady('steps="4000" tokenizer="character" d-model="8"');
    await page.locator('.curves').focus();
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => stepCount(page)).toBe(`Step ${String(step)} of 4,000`);
    }
    const third = await lastStep(page);
    expect(third?.step).toBe(3);
    await page.keyboard.press('ArrowLeft');
    await readOut(page, /After 2 steps .* Looking back; the run stands at step 3/);
    await page.keyboard.press('End');
    await readOut(page, /After 3 steps/);
    await page.keyboard.press(' ');
    await button(page, 'Pause').waitFor();
    await page.keyboard.press(' ');
    await button(page, 'Play').waitFor();
    const paused = await stepCount(page);
    await page.keyboard.press('Home');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 4,000');
    expect(paused).not.toBe('Step 0 of 4,000');
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => stepCount(page)).toBe(`Step ${String(step)} of 4,000`);
    }
    expect(await lastStep(page)).toEqual(third);
    expect(wrong).toEqual([]);
  });

  it('runs to a step, goes back to an earlier one, and goes slowly when told', async () => {
    const { page } = await openReady('tokenizer="character" d-model="8"');
    await setNumber(page, 'Step to run to', 40);
    await button(page, 'Run to step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 40 of 500');
    // The event follows the drawing.
    await expect.poll(async () => (await lastStep(page))?.step).toBe(40);
    const there = await lastStep(page);
    await setNumber(page, 'Step to run to', 10);
    await button(page, 'Run to step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 10 of 500');
    await setNumber(page, 'Step to run to', 40);
    await button(page, 'Run to step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 40 of 500');
    await expect.poll(() => lastStep(page)).toEqual(there);
    await radio(page, 'Slow');
    await button(page, 'Play').click();
    await expect.poll(() => stepCount(page)).toBe('Step 41 of 500');
    await button(page, 'Pause').click();
    await button(page, 'Play').waitFor();
  });

  it('scrubs through kept steps by the slider and by pressing in the chart', async () => {
    const { page } = await openReady('steps="60" tokenizer="character" d-model="8"');
    await button(page, 'Play').click();
    await readOut(page, /After 60 steps/);
    await page.getByRole('slider', { name: 'Look back' }).focus();
    await page.keyboard.press('Home');
    await readOut(page, /Before the first step .* Looking back; the run stands at step 60/);
    const box = await page.locator('tied-line-chart svg.chart').boundingBox();
    if (box === null) throw new Error('no chart');
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height / 2);
    await readOut(page, /After \d+ steps? .* Looking back/);
    await button(page, 'Newest').click();
    await readOut(page, /After 60 steps/);
  });

  it('rests out of sight, says so, and goes on when it is seen again', async () => {
    const { page } = await openReady('steps="100000" tokenizer="character" d-model="4" arms="tied"');
    await page.evaluate(() => {
      const tall = document.createElement('div');
      tall.style.height = '5000px';
      document.querySelector('main')?.append(tall);
    });
    await button(page, 'Play').click();
    await button(page, 'Pause').waitFor();
    await page.evaluate(() => {
      scrollTo(0, 5000);
    });
    await page.locator('.read-out', { hasText: 'Paused while out of sight' }).waitFor({ state: 'attached' });
    const rested = await lastStep(page);
    await page.evaluate(() => {
      scrollTo(0, 0);
    });
    await expect.poll(async () => (await lastStep(page))?.step).toBeGreaterThan(rested?.step ?? 0);
    await button(page, 'Pause').click();
  });
});

describe('settings', () => {
  it('starts again from step 0 when a setting changes, says so, and tells the page', async () => {
    const { page, problems: wrong } = await openReady('steps="40" tokenizer="character" d-model="8"');
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps/);
    const seedOne = await lastStep(page);
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 2);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 40');
    expect(await facts(page)).toContain('started again from step 0');
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

  it('trains on batches with raw losses behind smoothed lines, and says what they are means of', async () => {
    const { page } = await openReady('steps="80" tokenizer="character" d-model="8" batch-size="64"');
    await button(page, 'Play').click();
    await readOut(page, /After 80 steps/);
    expect(await page.locator('tied-line-chart path.raw').count()).toBe(4);
    await page.getByText('Lines are means over 25 steps').waitFor();
  });

  it('knows the floors of a chain exactly', async () => {
    const { page } = await openReady('text-source="markov-chain" states="5" steps="50"');
    expect(await facts(page)).toMatch(/The chain itself allows \d\.\d{3} nats, this sample of it \d\.\d{3}\.$/);
  });

  it('refuses what cannot be run in a sentence and goes on with the default', async () => {
    const { page } = await openReady('d-model="0" tokenizer="character"');
    expect(await problems(page)).toContain('d-model is 0; the smallest possible is 1');
    expect(await page.locator('tied-training-lab').getAttribute('d-model')).toBe('32');
  });

  it('says that a learning rate was too large, and works after it was made smaller', async () => {
    const { page } = await openReady(
      'tokenizer="character" optimizer="sgd" learning-rate="10" d-model="64" steps="400"',
    );
    await button(page, 'Play').click();
    await expect.poll(() => problems(page)).toContain('A loss grew beyond all numbers');
    await button(page, 'Settings').click();
    await setNumber(page, 'Learning rate', 0.05);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 400');
    expect(await problems(page)).toBe('');
  });
});

describe('pairs', () => {
  it('outlines a cell and its mirror in every map, and shows that pair', async () => {
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

  it('moves through cells by keyboard without stepping the run', async () => {
    const { page } = await openReady('steps="30"');
    await page.locator('tied-heat-map .stage').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await stepCount(page)).toBe('Step 0 of 30');
    expect(await page.locator('.token-field').first().inputValue()).not.toBe('New');
  });

  it('takes any two tokens of the text, swaps them, and names one that it does not know', async () => {
    const { page } = await openReady('steps="30"');
    await page.locator('.token-field').nth(0).fill('Fifth');
    await page.keyboard.press('Enter');
    await page.locator('.token-field').nth(1).fill('Avenue');
    await page.keyboard.press('Enter');
    await page.locator('.bar-title', { hasText: 'P(Avenue | Fifth)' }).waitFor();
    await button(page, 'Swap').click();
    await page.locator('.bar-title').first().filter({ hasText: 'P(Fifth | Avenue)' }).waitFor();
    await page.locator('.token-field').nth(0).fill('xylophone');
    await page.keyboard.press('Enter');
    await expect.poll(() => problems(page)).toContain('“xylophone” is not a token of this text');
  });
});

describe("the reader's own text", () => {
  it('takes a pasted text and trains on it', async () => {
    const { page, problems: wrong } = await openReady('steps="20" tokenizer="character"');
    await choose(page, 'Text', 'own');
    await button(page, 'Use this text').click();
    expect(await problems(page)).toContain('There is no text yet');
    await page.getByRole('textbox', { name: 'Paste a text here' }).fill('aaaa');
    await button(page, 'Use this text').click();
    await expect.poll(() => problems(page)).toContain('only one kind of token (a)');
    await page.getByRole('textbox', { name: 'Paste a text here' }).fill('abcabcabcab');
    await button(page, 'Use this text').click();
    await expect.poll(() => facts(page)).toBe('pasted text: 11 characters, cut into 11 tokens of 3 kinds.');
    expect(await problems(page)).toBe('');
    await button(page, 'Play').click();
    await readOut(page, /After 20 steps/);
    expect(wrong).toEqual([]);
  });

  it('says what is wrong with a dropped file, and takes a good one', async () => {
    const { page } = await openReady('steps="20" tokenizer="character"');
    await dropFile(page, 'picture.png', [0x89, 0x50, 0x4e, 0x47, 0, 0, 0]);
    await expect.poll(() => problems(page)).toContain('picture.png does not look like plain text');
    await dropFile(page, 'empty.txt', '');
    await expect.poll(() => problems(page)).toContain('empty.txt is empty');
    expect(await facts(page)).toContain('A year in New York');
    await dropFile(page, 'ab.txt', 'abababab');
    await expect.poll(() => facts(page)).toBe('ab.txt: 8 characters, cut into 8 tokens of 2 kinds.');
    expect(await problems(page)).toBe('');
  });

  const shakespeare = join(root, '../shared/data/corpora/tiny-shakespeare.txt');
  const present = existsSync(shakespeare);
  if (!present) console.log('skipped: ../shared/data/corpora/tiny-shakespeare.txt is not there');

  it.skipIf(!present)('reaches the known numbers of tiny-shakespeare by characters, dropped on the page', async () => {
    const { page, problems: wrong } = await openReady('steps="3000" tokenizer="character" d-model="16"');
    await dropFile(page, 'tiny-shakespeare.txt', readFileSync(shakespeare, 'utf8'));
    await expect
      .poll(() => facts(page), { timeout: 30_000 })
      .toBe('tiny-shakespeare.txt: 1,115,394 characters, cut into 1,115,394 tokens of 65 kinds.');
    await button(page, 'Play').click();
    await readOut(page, /After 3,000 steps .* training has not yet won/);
    const found = await tables(page);
    const [unigram = 0, symmetric = 0, bigram = 0] = (found['Floors, nats per token'] ?? [])
      .slice(1)
      .map(([, value]) => number(value));
    // Closed forms, to the four places that the table gives.
    expect(unigram).toBeCloseTo(3.3128, 4);
    expect(bigram).toBeCloseTo(2.4526, 4);
    expect(symmetric - bigram).toBeCloseTo(0.2905, 3);
    // Best fits by another program (L-BFGS): 0.588 tied, 0.002 untied, 0.022 with a map; the bounds are the issue's.
    const { losses = {} } = (await lastStep(page)) ?? {};
    const above = (arm: string) => (losses[arm] ?? Number.NaN) - bigram;
    console.log(
      `above the bigram entropy: ${['tied', 'untied', 'tied-linear', 'tied-mlp'].map((arm) => `${arm} ${above(arm).toFixed(4)}`).join(', ')}`,
    );
    expect(Math.abs(above('tied') - 0.588)).toBeLessThan(0.005);
    expect(above('untied')).toBeLessThan(0.01);
    expect(above('tied-linear')).toBeLessThan(0.03);
    // P(j|i) P(i|j) <= P(i|i) P(j|j) for all 65 x 65 pairs of the tied model, from the figure's own numbers; the
    // relative slack is that of four single-precision probabilities.
    const tied = await page.evaluate(() => {
      const figure = document.querySelector('tied-training-lab') as unknown as {
        controller: { viewed: { arms: { probabilities: Float32Array }[] } };
      };
      return Array.from(figure.controller.viewed.arms[0]?.probabilities ?? []);
    });
    expect(tied).toHaveLength(65 * 65);
    const p = (from: number, to: number) => tied[from * 65 + to] ?? Number.NaN;
    let violations = 0;
    for (let i = 0; i < 65; i += 1) {
      for (let j = 0; j < 65; j += 1) {
        if (!(p(i, j) * p(j, i) <= p(i, i) * p(j, j) * (1 + 1e-4))) violations += 1;
      }
    }
    expect(violations).toBe(0);
    expect(wrong).toEqual([]);
  });
});

describe('for everybody', () => {
  it.each(['light', 'dark'] as const)('has no axe violation, %s, with everything open', async (colorScheme) => {
    const { page, problems: wrong } = await openReady('steps="30"', { colorScheme, reducedMotion: true });
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    await button(page, 'Settings').click();
    await choose(page, 'Text', 'own');
    await button(page, 'Show data').click();
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Embed').click();
    await radio(page, 'Logits');
    expect(await axeViolations(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it.each([320, 768, 1440])('never scrolls sideways at %i px', async (width) => {
    const { page } = await openReady('steps="30"', { width });
    await button(page, 'Settings').click();
    await choose(page, 'Text', 'own');
    expect(await horizontalOverflow(page)).toBe(0);
  });

  it('can be told by touch', async () => {
    const { page } = await openReady('steps="30"', { width: 390, touch: true });
    await button(page, 'Play').tap();
    await readOut(page, /After 30 steps/);
  });

  it('puts its state into embed code', async () => {
    const { page } = await openReady('steps="30" arms="tied untied" seed="7"');
    await button(page, 'Embed').click();
    const code = await page.locator('.embed-code').inputValue();
    expect(code).toContain('seed="7"');
    expect(code).toContain('arms="tied untied"');
    expect(code).toContain('run-to="100"');
  });
});
