// <tied-training-lab>, used as by a reader, by mouse and keyboard, with the real core in a worker.
import { describe, expect, it } from 'vitest';
import { openFixture } from './harness.js';
import {
  button,
  facts,
  lastStep,
  longestTask,
  number,
  open,
  openReady,
  radio,
  readOut,
  script,
  setNumber,
  stepCount,
  tables,
  type Step,
} from './training-lab-page.js';

describe('the lab, untouched', () => {
  it('reads the built-in text, shows its floors and bigrams, and trains nothing by itself', async () => {
    const { page, problems: wrong } = await openReady();
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 500');
    expect(await facts(page)).toMatch(
      /^A year in New York: [\d,]+ characters, cut into [\d,]+ tokens, 500 different\.$/,
    );
    expect(await readOut(page, /Press play/)).toMatch(
      /York follows New \d+(\.\d)?% of the time, and New never follows York\./,
    );
    for (const floor of ['unigram floor', 'symmetric floor', 'bigram floor']) {
      await page.locator('tied-line-chart text', { hasText: floor }).waitFor();
    }
    expect(await page.locator('tied-heat-map').count()).toBe(5);
    expect(await page.evaluate(() => (window as unknown as { steps: Step[] }).steps)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('starts no worker before it is near the screen', async () => {
    const { page, problems: wrong } = await open('', {}, '<svg width="10" height="6000" aria-hidden="true"></svg>');
    await readOut(page, /The text is read when this figure comes into view/);
    expect(page.workers()).toEqual([]);
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await readOut(page, /In this text/);
    await expect.poll(() => page.workers()).toHaveLength(2);
    expect(wrong).toEqual([]);
  });

  it('uses one worker on a machine with one core, says so, and trains both models in turn', async () => {
    const { page, problems: wrong } = await open(
      'arms="tied untied" steps="30"',
      { cores: 1 },
      '<svg width="10" height="6000" aria-hidden="true"></svg>',
    );
    await page.locator('tied-training-lab').scrollIntoViewIfNeeded();
    await readOut(page, /In this text/);
    await expect.poll(() => page.workers()).toHaveLength(1);
    expect(await facts(page)).toContain('The models take turns');
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    expect(Object.keys((await lastStep(page))?.losses ?? {})).toEqual(['tied', 'untied']);
    expect(wrong).toEqual([]);
  });
});

describe('running', () => {
  it('trains every model to a falling loss by mouse: tied stalls, untied reaches the bigram floor', async () => {
    const { page, problems: wrong } = await openReady('steps="150"');
    const longest = await longestTask(page, async () => {
      await button(page, 'Play').click();
      await readOut(page, /After 150 steps .* training has yet to gain/);
    });
    // The design's limit is 50 ms. It is printed, not tested, since a busy machine would make a test fail without a bug.
    console.log(
      `longest main-thread task while training: ${longest.processor} ms of processor time, ${longest.clock} ms by the clock`,
    );
    const said = await readOut(page, /After 150 steps/);
    expect(said).toMatch(
      /the tied model is \d\.\d{3} nats above the bigram floor; untied .* No symmetric model can avoid 0\.\d{3} of the tied model’s\./,
    );
    await expect.poll(() => stepCount(page)).toBe('Step 150 of 150');
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

  it('also trains without a worker, in slices between which the page can respond', async () => {
    const { page } = await openFixture({
      title: 'Lab',
      script: script.replace("'worker.js'", "'nowhere.js'"),
      body: '<tied-training-lab heading-level="2" steps="60"></tied-training-lab>',
    });
    await readOut(page, /In this text/);
    const longest = await longestTask(page, async () => {
      await button(page, 'Play').click();
      await readOut(page, /After 60 steps .* training has yet to gain/);
    });
    console.log(
      `longest main-thread task without a worker: ${longest.processor} ms of processor time, ${longest.clock} ms by the clock`,
    );
    expect(page.workers()).toEqual([]);
  });

  it('plays and pauses by space, steps and looks back by arrows, and rewinds by Home to the same weights', async () => {
    const { page, problems: wrong } = await openReady('steps="100000" tokenizer="character" d-model="8"');
    await page.locator('.curves').focus();
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => stepCount(page)).toBe(`Step ${String(step)} of 100,000`);
    }
    const third = await lastStep(page);
    expect(third?.step).toBe(3);
    await page.keyboard.press('ArrowLeft');
    await readOut(page, /After 2 steps .* Looking back from step 3/);
    await page.keyboard.press('End');
    await readOut(page, /After 3 steps/);
    await page.keyboard.press(' ');
    await button(page, 'Pause').waitFor();
    await page.keyboard.press(' ');
    await button(page, 'Play').waitFor();
    const paused = await stepCount(page);
    await page.keyboard.press('Home');
    await expect.poll(() => stepCount(page)).toBe('Step 0 of 100,000');
    expect(paused).not.toBe('Step 0 of 100,000');
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => stepCount(page)).toBe(`Step ${String(step)} of 100,000`);
    }
    expect(await lastStep(page)).toEqual(third);
    expect(wrong).toEqual([]);
  });

  it('takes a step for each press, however fast, and no step after a held key is released', async () => {
    const { page, problems: wrong } = await openReady('steps="100000" tokenizer="character" d-model="8"');
    await button(page, 'One step').evaluate((pressed: HTMLElement) => {
      for (let press = 0; press < 5; ++press) pressed.click();
    });
    await expect.poll(() => stepCount(page)).toBe('Step 5 of 100,000');
    // Like a held key: the first event is a press, the others repeat before the worker can have answered.
    await page.locator('.curves').evaluate(async (curves) => {
      for (let time = 0; time < 50; ++time) {
        const key = { key: 'ArrowRight', bubbles: true, composed: true, cancelable: true, repeat: time > 0 };
        curves.dispatchEvent(new KeyboardEvent('keydown', key));
        for (let turn = 0; turn < 20; ++turn) await Promise.resolve();
      }
    });
    await expect.poll(() => stepCount(page)).toBe('Step 6 of 100,000');
    await page.locator('.curves').press('ArrowRight');
    await expect.poll(() => stepCount(page)).toBe('Step 7 of 100,000');
    expect(wrong).toEqual([]);
  });

  it('runs to a step, returns to an earlier one, and runs slowly on request', async () => {
    const { page } = await openReady('tokenizer="character" d-model="8"');
    await setNumber(page, 'Step to run to', 40);
    await button(page, 'Run to step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 40 of 500');
    // The event is fired after the drawing.
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
    await expect.poll(async () => (await lastStep(page))?.step).toBeGreaterThan(42);
    await button(page, 'Pause').click();
    await button(page, 'Play').waitFor();
    // Slow means one step at a time, whatever the timing.
    const steps = await page.evaluate(() => (window as unknown as { steps: Step[] }).steps.map(({ step }) => step));
    const slow = steps.slice(steps.lastIndexOf(40));
    expect(slow).toEqual(slow.map((_, index) => 40 + index));
  });

  it('shows the losses of the step under the pointer, without moving to it', async () => {
    const { page } = await openReady(`steps="20" tokenizer="character" d-model="4" arms="tied untied"`);
    await button(page, 'Play').click();
    await readOut(page, /After 20 steps/);
    const chart = page.locator('tied-line-chart');
    const { width = 0, height = 0 } = (await chart.locator('svg.chart').boundingBox()) ?? {};
    await chart.locator('svg.chart').hover({ position: { x: width / 3, y: height / 2 } });
    await expect
      .poll(() => chart.locator('.values').innerText())
      .toMatch(/^step \d+\s+tied\s+\d\.\d{3}\s+untied\s+\d\.\d{3}$/);
    expect(await readOut(page, /After 20 steps/)).not.toContain('Looking back');
    await page.mouse.move(0, 0);
    await expect.poll(() => chart.locator('.values').count()).toBe(0);
  });

  it('scrubs through stored steps with the slider and by pressing in the chart', async () => {
    const { page } = await openReady('steps="60" tokenizer="character" d-model="8"');
    await button(page, 'Play').click();
    await readOut(page, /After 60 steps/);
    await page.getByRole('slider', { name: 'Look back' }).focus();
    await page.keyboard.press('Home');
    await readOut(page, /At step 0 .* Looking back from step 60/);
    const box = await page.locator('tied-line-chart svg.chart').boundingBox();
    if (box === null) throw new Error('no chart');
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height / 2);
    await readOut(page, /After \d+ steps? .* Looking back/);
    await button(page, 'Newest').click();
    await readOut(page, /After 60 steps/);
  });

  it('rests off screen, says so, and continues when visible again', async () => {
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
