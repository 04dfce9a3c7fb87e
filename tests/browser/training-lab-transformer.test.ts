// <tied-training-lab model="transformer">, used as by a reader, with the real core in two workers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import {
  button,
  choose,
  dropFile,
  facts,
  lastStep,
  longestTask,
  number,
  open,
  problems,
  radio,
  readOut,
  runState,
  script,
  setNumber,
  stepCount,
  tables,
  type Step,
} from './training-lab-page.js';

/** A model that takes a millisecond or two per step. */
const tiny =
  'd-model="16" n-layers="1" n-heads="2" context-length="16" batch-size="4" tokenizer="bpe" vocab-size="300" story-length="60000"';

/** Keeps the figure off screen until the page is scrolled to it. */
const spacer = '<svg width="10" height="6000" aria-hidden="true"></svg>';

const samples = async (page: Page) =>
  (await page.locator('.sample-text').allTextContents()).map((text) => text.replace(/\s+/g, ' '));

async function openGpts(attributes: string, options?: OpenOptions) {
  const opened = await open(`model="transformer" ${attributes}`, options);
  await opened.page.locator('.sample-text b').nth(1).waitFor();
  await readOut(opened.page, /Press play/);
  return opened;
}

const arms = async (page: Page) => {
  const found = (await tables(page))['The models'] ?? [];
  return found.slice(1).map(([kind, parameters, loss, heldOut]) => ({
    kind,
    parameters: number(parameters),
    loss: number(loss),
    heldOut: number(heldOut),
  }));
};

describe('parts of a batch', () => {
  const settled = (page: Page) => expect.poll(() => stepCount(page)).toBe('Step 0 of 2,400');
  const parts = (page: Page) => page.locator('tied-training-lab').getAttribute('shards');

  it('are one until the reader changes the run, then as many as its batches are worth', async () => {
    const { page, problems: wrong } = await openGpts('d-model="16" n-layers="1" n-heads="2" story-length="60000"');
    expect(await parts(page)).toBe('1');
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 2);
    await settled(page);
    expect(await parts(page)).toBe('2');
    await setNumber(page, 'Sequences per step', 32);
    await settled(page);
    expect(await parts(page)).toBe('4');
    // Fewer than there were parts.
    await setNumber(page, 'Sequences per step', 1);
    await settled(page);
    expect(await parts(page)).toBe('1');
    expect(await problems(page)).toBe('');
    expect(wrong).toEqual([]);
  });

  it('give each model a second worker where there are four cores, and the figure counts them', async () => {
    const body = `<tied-training-lab model="transformer" ${tiny} shards="4" steps="5000"></tied-training-lab>`;
    const { page, problems: wrong } = await openFixture({ title: 'Lab', script, body, asksEarly: true }, { cores: 4 });
    await page.locator('.sample-text b').nth(1).waitFor();
    await button(page, 'Play').click();
    await expect.poll(() => runState(page)).toBe('Your run Training on 4 cores.');
    await expect.poll(() => page.workers()).toHaveLength(4);
    await button(page, 'Pause').click();
    expect(wrong).toEqual([]);
  });

  it('stay as a link says them', async () => {
    const { page } = await openGpts(`${tiny} shards="3"`);
    await button(page, 'Play').click();
    await expect.poll(() => runState(page)).toMatch(/^Your run Training on \d cores\.$/);
    expect(await page.locator('.run-state').evaluate((row) => row.getBoundingClientRect().height)).toBeLessThan(60);
    await button(page, 'Pause').click();
    await expect.poll(() => runState(page)).toContain('Trained on this device.');
    expect(await parts(page)).toBe('3');
  });
});

describe('two small GPTs, untouched', () => {
  it('have the size of the training lab, one worker each, and write as untrained models', async () => {
    const { page, problems: wrong } = await openGpts('');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 2,400');
    expect(await arms(page)).toMatchObject([
      { kind: 'tied', parameters: 171_696 },
      { kind: 'untied', parameters: 228_336 },
    ]);
    await expect.poll(() => page.workers()).toHaveLength(2);
    expect(await facts(page)).toMatch(
      /[\d,]+ tokens \(1,180 different\) to train on; the 8,192 tokens after them are held out\./,
    );
    expect((await samples(page)).every((text) => text.length > 40)).toBe(true);
    expect(await page.evaluate(() => (window as unknown as { steps: Step[] }).steps)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('start with a smaller pair on a small screen, which the figure states', async () => {
    const { page } = await open('model="transformer"', { width: 390, touch: true });
    await page.locator('.sample-text b').nth(1).waitFor();
    const lab = page.locator('tied-training-lab');
    expect(await lab.getAttribute('d-model')).toBe('32');
    expect(await lab.getAttribute('n-layers')).toBe('2');
    expect(await facts(page)).toContain('for a small screen or little memory');
    expect(await horizontalOverflow(page)).toBe(0);
  });
});

describe('a finished run of small GPTs', () => {
  const file = join(root, 'web/article/assets/finished-transformer-run.json');
  const give = (page: Page) =>
    page.evaluate(
      (run) => {
        // A page that has only the run, without its models.
        Object.assign(document.querySelector('tied-training-lab') ?? {}, { finished: { ...run, models: undefined } });
      },
      JSON.parse(readFileSync(file, 'utf8')) as object,
    );

  it('is shown at once and labeled, can be scrubbed, and is replaced by the reader’s own', async () => {
    const { page, problems: wrong } = await open('model="transformer"', {}, spacer);
    await give(page);
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await readOut(page, /After 2,400 steps .* That is one run, with seed 1/);
    expect(await runState(page)).toBe('Finished run 2,400 steps, trained beforehand with the code that runs here.');
    await expect.poll(() => stepCount(page)).toBe('Step 2,400 of 2,400');
    expect(page.workers()).toEqual([]);
    const end = await samples(page);
    await page.getByRole('slider', { name: 'Look back' }).fill('20');
    await readOut(page, /At step 20 writing has [89]\d% of the norms of both parts of the gradient in the tied model/);
    expect(await samples(page)).not.toEqual(end);
    await page.getByRole('slider', { name: 'Look back' }).fill('0');
    expect((await readOut(page, /Both models start/)).match(/Press play/g)).toHaveLength(1);
    await button(page, 'Rewind to the same weights').click();
    await readOut(page, /Press play: both models/);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 2,400');
    await expect.poll(() => page.workers()).toHaveLength(2);
    expect(await runState(page)).toContain('Your run');
    expect(wrong).toEqual([]);
  });

  it('does not train while out of sight if the reader scrolls away before its models exist', async () => {
    const { page } = await open('model="transformer"', {}, spacer);
    await give(page);
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await readOut(page, /After 2,400 steps/);
    await button(page, 'Play').click();
    await page.evaluate(() => {
      scrollTo(0, 0);
    });
    const said = page.locator('.read-out', { hasText: 'Paused while out of sight' });
    await said.waitFor({ state: 'attached', timeout: 60_000 });
    expect(await said.textContent()).not.toContain('Press play');
    expect(await lastStep(page)).toBeUndefined();
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await expect.poll(async () => (await lastStep(page))?.step, { timeout: 60_000 }).toBeGreaterThan(0);
    await button(page, 'Pause').click();
  });

  it('keeps its bits: batches have parts only while its settings are changed', async () => {
    const { page } = await open('model="transformer"');
    await give(page);
    await page.locator('.badge.is-finished').waitFor();
    const parts = () => page.locator('tied-training-lab').getAttribute('shards');
    await button(page, 'Settings').click();
    await setNumber(page, 'Seed', 2);
    await expect.poll(parts).toBe('2');
    await setNumber(page, 'Seed', 1);
    await expect.poll(parts).toBe('1');
    await page.locator('.badge.is-finished').waitFor();
  });

  it('replaces the smaller pair of a small screen, and states its size', async () => {
    const { page } = await open('model="transformer"', { width: 390 });
    await give(page);
    await page.locator('.badge.is-finished').waitFor();
    expect(await facts(page)).toContain('those drawn here have 171,696 parameters');
  });

  it('is not shown with a prompt or temperature other than its own', async () => {
    const { page } = await open('model="transformer" prompt="Once there"', {}, spacer);
    await give(page);
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await readOut(page, /After 2,400 steps/);
    const written = page.locator('.sample-text');
    expect(await written.allTextContents()).toEqual([
      expect.stringContaining('The finished run used another prompt'),
      expect.stringContaining('The finished run used another prompt'),
    ]);
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    expect(await prompt.inputValue()).toBe('Once there');
    await prompt.fill('Maria lived in');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await samples(page))[0]).toMatch(/^Maria lived in a/);
    await setNumber(page, 'Temperature', 0);
    await expect.poll(async () => (await samples(page))[0]).toMatch(/^The finished run used/);
  });
});

describe('training two small GPTs', () => {
  it('trains them in lockstep to the end: losses fall, the role that moves the table is drawn and stated, both write', async () => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="128"`);
    const before = await samples(page);
    const longest = await longestTask(page, async () => {
      await button(page, 'Play').click();
      await readOut(page, /After 128 steps/);
    });
    // The design's limit is 50 ms. It is printed, not tested, since a busy machine would make a test fail without a bug.
    console.log(
      `longest main-thread task while two GPTs train: ${longest.processor} ms of processor time, ${longest.clock} ms by the clock`,
    );
    const said = await readOut(page, /After 128 steps/);
    expect(said).toMatch(
      /After 128 steps the loss is \d\.\d\d nats for the tied model and \d\.\d\d for the untied model; on held-out text \d\.\d\d and \d\.\d\d\./,
    );
    expect(said).toMatch(
      /At step 128 writing has \d+% of the norms of both parts of the gradient in the tied model, \d+%/,
    );
    const [tied, untied] = await arms(page);
    // An untrained model begins at ln 300 = 5.70.
    expect(tied?.loss).toBeLessThan(5.4);
    expect(untied?.loss).toBeLessThan(5.4);
    expect(untied?.parameters).toBe((tied?.parameters ?? 0) + 300 * 16);
    expect(await samples(page)).not.toEqual(before);
    const charts = page.locator('tied-line-chart');
    expect(await charts.nth(0).locator('path.raw').count()).toBe(2);
    // Sixteen measurements each; the one before the first step cannot be drawn on a log scale.
    expect(await charts.nth(0).locator('circle.mark').count()).toBe(2 * 16);
    expect(await charts.nth(1).locator('path.area').count()).toBe(2);
    expect(await charts.nth(1).locator('path.line').count()).toBe(2);
    const records = (await tables(page))['Loss (means over nearby steps) and share of the output role, step by step'];
    expect(records?.at(-1)?.[0]).toBe('128');
    expect(wrong).toEqual([]);
  });

  it('shows the output share by the other definition on request', async () => {
    const { page } = await openGpts(`${tiny} steps="30"`);
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    const by = async () =>
      (await tables(page))['Loss (means over nearby steps) and share of the output role, step by step'];
    const inTable = (await by())?.at(-1)?.[3];
    await page.getByText('Norm of the gradient that each role sends').waitFor();
    await radio(page, 'by position');
    await page.getByText('before rows of the same token are added up').waitFor();
    const byPosition = (await by())?.at(-1)?.[3];
    expect(number(inTable)).toBeGreaterThan(0);
    expect(byPosition).not.toBe(inTable);
  });

  it('can be stepped, reviewed and rewound by keyboard to the same run', async () => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="100000"`);
    await page.locator('.gpt').focus();
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => stepCount(page)).toBe(`Step ${String(step)} of 100,000`);
    }
    await expect.poll(async () => (await lastStep(page))?.step).toBe(3);
    const third = await lastStep(page);
    const written = await samples(page);
    await page.keyboard.press('ArrowLeft');
    await readOut(page, /After 2 steps .* Looking back from step 3/);
    await page.keyboard.press('End');
    await page.keyboard.press(' ');
    await button(page, 'Pause').waitFor();
    await page.keyboard.press(' ');
    await button(page, 'Play').waitFor();
    await page.keyboard.press('Home');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 100,000');
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => stepCount(page)).toBe(`Step ${String(step)} of 100,000`);
    }
    await expect.poll(async () => (await lastStep(page))?.step).toBe(3);
    expect(await lastStep(page)).toEqual(third);
    await expect.poll(() => samples(page)).toEqual(written);
    expect(wrong).toEqual([]);
  });

  it('returns to an earlier step on request', async () => {
    const { page } = await openGpts(`${tiny} steps="400"`);
    const runTo = async (step: number) => {
      await setNumber(page, 'Step to run to', step);
      await button(page, 'Run to step').click();
      await readOut(page, new RegExp(`After ${String(step)} steps`));
    };
    await runTo(60);
    const [there] = await arms(page);
    await runTo(25);
    await expect.poll(() => stepCount(page)).toBe('Step 25 of 400');
    await runTo(60);
    expect((await arms(page))[0]).toEqual(there);
  });

  it('takes turns in one worker on a machine with one core, and says so', async () => {
    const { page, problems: wrong } = await open(`model="transformer" ${tiny} steps="20"`, { cores: 1 }, spacer);
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await page.locator('.sample-text b').nth(1).waitFor();
    await expect.poll(() => facts(page)).toContain('The models take turns');
    await expect.poll(() => page.workers()).toHaveLength(1);
    await button(page, 'Play').click();
    await readOut(page, /After 20 steps/);
    expect(wrong).toEqual([]);
  });

  it('rests off screen and continues when visible again', async () => {
    const { page } = await openGpts(`${tiny} steps="100000"`);
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

describe('what the models write', () => {
  it('follows prompt and temperature, with a new seed each time, and invalid prompts are explained', async () => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="200"`);
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('The dog');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await samples(page)).every((text) => text.startsWith('The dog'))).toBe(true);
    await setNumber(page, 'Temperature', 0);
    // For the first seed, the previous text may still be shown; the second seed comes after it.
    await button(page, 'Write again').click();
    await page.getByText('same seed (2)').waitFor();
    const certain = await samples(page);
    await button(page, 'Write again').click();
    await page.getByText('same seed (3)').waitFor();
    // The most probable tokens need no seed.
    expect(await samples(page)).toEqual(certain);
    await setNumber(page, 'Temperature', 1);
    await expect.poll(() => samples(page)).not.toEqual(certain);
    await prompt.fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => problems(page)).toContain('The prompt is empty');
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 200');
    await prompt.fill('Maria');
    await page.keyboard.press('Enter');
    await expect.poll(() => problems(page)).toBe('');
    await expect.poll(async () => (await samples(page))[0]).toMatch(/^Maria/);
    expect(wrong).toEqual([]);
  });
});

describe('settings of small GPTs', () => {
  it('are refused in place if impossible, and the run continues', async () => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="100"`);
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 100');
    await button(page, 'Settings').click();
    await setNumber(page, 'Heads', 3);
    await expect
      .poll(() => problems(page))
      .toBe('3 heads do not divide the width, 16. Choose a number of heads that does. The run continues unchanged.');
    expect(await page.getByRole('spinbutton', { name: 'Heads' }).inputValue()).toBe('2');
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 100');
    // Once the run goes on, the reason is old news.
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 2 of 100');
    expect(await problems(page)).toBe('');
    await setNumber(page, 'Heads', 4);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 100');
    expect(await problems(page)).toBe('');
    // A rate that four decimals would round to 0.
    await setNumber(page, 'Learning rate', 0.00002);
    const rate = page.getByRole('spinbutton', { name: 'Learning rate' });
    await expect.poll(() => rate.inputValue()).toBe('0.000020');
    await rate.press('ArrowUp');
    await rate.press('PageDown');
    await expect.poll(() => rate.inputValue()).toBe('0.000001');
    expect(await problems(page)).toBe('');
    expect(wrong).toEqual([]);
  });

  it('offer every way of tying, and swap rather than show the same model twice', async () => {
    const { page } = await openGpts(`${tiny} steps="40" untie-at-step="20"`);
    await button(page, 'Settings').click();
    await choose(page, 'First model', 'untied');
    const lab = page.locator('tied-training-lab');
    await expect.poll(() => lab.getAttribute('arms')).toBe('untied tied');
    await choose(page, 'First model', 'untied-later');
    await choose(page, 'Second model', 'tied-low-rank');
    await expect.poll(() => lab.getAttribute('arms')).toBe('untied-later tied-low-rank');
    // Until these models are ready, the table is that of the previous ones.
    const parameters = async (): Promise<number[]> => (await arms(page)).map((arm) => arm.parameters);
    const more = async (): Promise<number> => {
      const [later = 0, lowRank = 0] = await parameters();
      return lowRank - later;
    };
    await expect.poll(more).toBe((300 + 16) * 8);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 40');
    const [later = 0] = await parameters();
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps/);
    // It is now untied: another table.
    await expect.poll(async () => (await parameters())[0]).toBe(later + 300 * 16);
  });

  it('can untie a model after one step and tie it again after another', async () => {
    const { page, problems: wrong } = await openGpts(
      `${tiny} steps="40" arms="untied-between tied" untie-at-step="10" tie-at-step="30"`,
    );
    const tables = async (): Promise<number[]> => (await arms(page)).map((arm) => arm.parameters);
    for (let step = 0; step < 12; ++step) await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 12 of 40');
    await expect.poll(async () => (await tables()).reduce((first, second) => first - second)).toBe(300 * 16);
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps/);
    await expect.poll(async () => (await tables()).reduce((first, second) => first - second)).toBe(0);
    await button(page, 'Settings').click();
    await setNumber(page, 'Tie again after step', 10);
    await expect
      .poll(() => problems(page))
      .toMatch(/^The step for tying again, 10, must come after the step for untying, 10\./);
    expect(wrong).toEqual([]);
  });

  it('can untie a model when the input share of its gradient is small, and say at which step', async () => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="40" arms="untied-by-share tied" untie-below="0"`);
    const first = async (): Promise<number> => (await arms(page))[0]?.parameters ?? 0;
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps.*So far, the model that unties by its gradient has one table\./);
    const tied = await first();
    await button(page, 'Settings').click();
    // No share is larger: the first ten steps decide.
    await setNumber(page, 'Untie if reading’s share is below', 1);
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 40');
    await button(page, 'Play').click();
    await readOut(page, /After 40 steps.*After step 10, the model that unties by its gradient has two tables\./);
    expect(await first()).toBe(tied + 300 * 16);
    expect(wrong).toEqual([]);
  });

  it('keep the run if a text is too short, and say so beside the text', async () => {
    const { page } = await openGpts(`${tiny.replace('bpe', 'character')} steps="100"`);
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 100');
    await dropFile(page, 'short.txt', 'abcabc');
    await expect.poll(() => problems(page)).toMatch(/This text leaves 6 tokens to train on, and one sequence takes 17/);
    await expect.poll(() => stepCount(page)).toBe('Step 1 of 100');
    expect(await page.locator('tied-training-lab').getAttribute('text-source')).toBe('stories');
    await dropFile(page, 'long.txt', 'New York is a city. '.repeat(40));
    await expect.poll(() => facts(page)).toContain('long.txt: 800 characters, 720 tokens');
    await button(page, 'Play').click();
    await readOut(page, /After 100 steps/);
  });

  it('let the reader switch between kinds of models if the author allows it', async () => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="30" model-choice`);
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    await radio(page, 'Direct paths');
    await page.locator('.facts', { hasText: 'A year in New York' }).waitFor();
    await readOut(page, /In this text/);
    await expect.poll(() => page.workers().length).toBe(2);
    const lab = page.locator('tied-training-lab');
    expect(await lab.getAttribute('d-model')).toBe('32');
    await radio(page, 'Small GPTs');
    await readOut(page, /Press play: both models/);
    expect(await lab.getAttribute('d-model')).toBe('16');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 30');
    expect(wrong).toEqual([]);
  });
});

describe('small GPTs for all readers', () => {
  it.each(['light', 'dark'] as const)('have no axe violation, %s, with everything open', async (colorScheme) => {
    const { page, problems: wrong } = await openGpts(`${tiny} steps="30" model-choice`, {
      colorScheme,
      reducedMotion: true,
    });
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    await button(page, 'Settings').click();
    await choose(page, 'Text', 'own');
    await button(page, 'Show data').click();
    expect(await axeViolations(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it.each([320, 768, 1440])('never scroll sideways at %i px', async (width) => {
    const { page } = await openGpts(
      `${tiny} steps="12" model-choice arms="tied-low-rank untied-later" untie-at-step="6"`,
      {
        width,
      },
    );
    await button(page, 'Play').click();
    await readOut(page, /After 12 steps/);
    await button(page, 'Settings').click();
    expect(await horizontalOverflow(page)).toBe(0);
  });

  it('put their state into embed code', async () => {
    const { page } = await openGpts(`${tiny} steps="30" prompt="Once"`);
    await button(page, 'Embed').click();
    const code = await page.locator('.embed-code').inputValue();
    for (const attribute of ['model="transformer"', 'n-heads="2"', 'arms="tied untied"', 'prompt="Once"']) {
      expect(code).toContain(attribute);
    }
    expect(code).not.toContain('optimizer');
  });
});
