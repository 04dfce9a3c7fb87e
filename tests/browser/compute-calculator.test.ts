// <tied-compute-calculator>, used as by a reader, by mouse, keyboard and typing, with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { data, drawings, plain, readOut } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/compute-calculator/compute-calculator.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = async (attributes = '', options?: OpenOptions) => {
  const opened = await openFixture(
    {
      title: 'Work',
      script,
      body: `<tied-compute-calculator heading-level="2" ${attributes}></tied-compute-calculator>`,
    },
    options,
  );
  await opened.page.locator('.head-bars, .key').first().waitFor();
  return opened;
};

const text = async (page: Page, selector: string): Promise<string> =>
  plain((await page.locator(selector).allTextContents()).join(' '));
const box = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });

describe('the calculator of work and memory', () => {
  it('starts with 4 x 128 tokens, width 4,096 and a vocabulary of 32,000: the work of the head and of the model', async () => {
    const { page, problems } = await open();
    await expect
      .poll(() => readOut(page))
      .toContain('takes 67.1B multiply-accumulates forward and 134.2B backward: 2% of this model’s work');
    const rows = await data(page);
    expect(rows).toContainEqual(
      expect.stringMatching(/^Head 67,108,864,000 134,217,728,000 201,326,592,000 1\.97\d*%$/),
    );
    expect(rows).toContainEqual(expect.stringMatching(/^Input lookup 0 0 0 0%$/));
    // 512 x 32,000 values of 4 bytes, tied or not.
    expect(rows).toContainEqual('Logits 65,536,000 65,536,000');
    // One table of 32,000 x 4,096, as weights, gradients and two optimizer averages.
    expect(rows).toContainEqual(`Saved by tying ${(4 * 4 * 32_000 * 4096).toLocaleString('en-US')}`);
    expect(problems).toEqual([]);
  });

  it('states that tying saves memory but no multiplications', async () => {
    const { page } = await open();
    expect(await readOut(page)).toContain('Tying saves none of it. It saves memory: 2.1 GB of');
    const [work = '', memory = ''] = await drawings(page);
    expect(work).toContain('Forward: 3.4T multiply-accumulates (Input lookup 0, ');
    expect(work).toContain('Head 67.1B');
    expect(memory).toMatch(/Tied: one table, both roles: \d+ GB .*Untied: a table for each role: \d+ GB/);
  });

  it('draws the parts of a bar to scale', async () => {
    const { page } = await open();
    const width = async (selector: string): Promise<number> =>
      (await page
        .locator(selector)
        .first()
        .evaluate((bar) => bar.getBoundingClientRect().width)) || 0;
    // The feed-forward part has three matrices of 11,008 x 4,096, attention has four of 4,096 x 4,096.
    const ratio = (await width('.segment.part-feed-forward')) / (await width('.segment.part-projections'));
    expect(ratio).toBeGreaterThan(1.9);
    expect(ratio).toBeLessThan(2.1);
  });

  it('follows the batch while a number is typed and when it is changed by arrow keys', async () => {
    const { page, problems } = await open();
    await box(page, 'Sequences per batch').fill('8');
    await expect.poll(() => readOut(page)).toContain('134.2B multiply-accumulates forward and 268.4B');
    await box(page, 'Tokens per sequence').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.locator('tied-compute-calculator').getAttribute('tokens')).toBe('131');
    await expect.poll(() => readOut(page)).toContain('137.4B multiply-accumulates forward');
    expect(problems).toEqual([]);
  });

  it('follows the model: a known one, and the reader’s variant of it', async () => {
    const { page } = await open();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('gpt2');
    await expect.poll(() => readOut(page)).toContain('takes 19.8B multiply-accumulates forward');
    const share = /: (\d+(?:\.\d)?)% of this model/.exec(await readOut(page));
    expect(Number(share?.[1])).toBeGreaterThan(29);
    expect(Number(share?.[1])).toBeLessThan(32);
    await box(page, 'Layers').fill('0');
    await page.keyboard.press('Enter');
    await expect.poll(() => readOut(page)).toContain('without layers there is no other work');
  });

  it('counts bytes in the chosen precision, and fewer for a simpler optimizer', async () => {
    const { page } = await open();
    const saved = () => text(page, '.saved td');
    expect(await saved()).toBe('2.1 GB');
    await page.getByRole('combobox', { name: 'Optimizer' }).selectOption('sgd');
    await expect.poll(saved).toBe('1.05 GB');
    await page.getByRole('combobox', { name: 'Number format' }).selectOption('bfloat16');
    await expect.poll(saved).toBe('524 MB');
    expect(await page.locator('tied-compute-calculator').getAttribute('precision')).toBe('bfloat16');
  });

  it('estimates times from the rates of the machine', async () => {
    const { page } = await open();
    expect(await text(page, '.aside')).toContain('At 100 TFLOP/s the forward pass takes 68 ms, the whole step 204 ms.');
    await box(page, 'Compute rate').fill('1');
    await expect.poll(() => text(page, '.aside')).toContain('At 1 TFLOP/s the forward pass takes 6.8 s');
    expect(await text(page, '.aside')).toContain('limited by the compute rate');
    await box(page, 'Memory bandwidth').fill('10');
    await expect.poll(() => text(page, '.aside')).toContain('limited by memory bandwidth');
  });

  it('compares other heads, with adjustable sizes', async () => {
    const { page } = await open();
    const heads = async (): Promise<string> => (await drawings(page)).at(-1) ?? '';
    // 1,025 of 32,000 tokens; 8,000 of 32,000.
    expect(await heads()).toContain('Sampled: an estimate, for training only: 3.2%');
    expect(await heads()).toContain('Culled: no probability for tokens left out: 25%');
    await box(page, 'Culled: tokens kept').fill('16000');
    await expect.poll(heads).toContain('left out: 50%');
    // One of 32,000 clusters, then a single cluster of all tokens: more than the full head.
    await box(page, 'Clustered: number of clusters').fill('32000');
    await expect.poll(heads).toMatch(/then a token in it: 100%/);
    expect(await page.locator('tied-compute-calculator').getAttribute('culled')).toBe('16000');
    await page.getByRole('spinbutton', { name: 'Vocabulary, in tokens', exact: true }).fill('1000');
    // At most, all tokens are kept.
    await expect.poll(heads).toContain('left out: 100%');
  });

  it('counts one model if the vocabularies differ, and no serving for an encoder', async () => {
    const { page } = await open('output-vocab-size="1000"');
    await expect.poll(() => readOut(page)).toContain('there is nothing to tie');
    expect((await drawings(page))[1]).not.toContain('Tied');
    const encoder = await open('model="bert"');
    await expect.poll(() => text(encoder.page, '.aside')).toContain('An encoder writes no tokens.');
  });

  it('names invalid attributes, and values too large to count', async () => {
    const { page } = await open('sequences="0" precision="float8" adaptive="9 3"');
    await expect.poll(() => page.locator('.problem').textContent()).toContain('The attribute adaptive is “9 3”');
    expect(await readOut(page)).toContain('67.1B');
    await box(page, 'Sequences per batch').fill('9007199254740991');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await page.locator('.problem').allTextContents()).join(' '))
      .toContain('Choose a smaller batch or model. The drawing still shows the previous sizes.');
    expect(await readOut(page)).toContain('67.1B');
    // It recovers afterwards.
    await box(page, 'Sequences per batch').fill('4');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await page.locator('.problem').allTextContents()).join(' ')).toBe('');
  });

  it('reports its counts to the page', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      document.addEventListener('tied-change', (event) => {
        const { tied, untied } = (event as CustomEvent<Record<string, { macs: { forward: number } }>>).detail;
        document.title = `${String(tied?.macs.forward)} ${String(untied?.macs.forward)}`;
      });
    });
    await box(page, 'Sequences per batch').fill('1');
    await expect.poll(() => page.title()).toMatch(/^(\d+) \1$/);
  });

  it('offers its state as a link if the author enables it, and opens from one', async () => {
    const { page, url, problems } = await open('link-state="work"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('combobox', { name: 'Model' }).selectOption('gpt2');
    await box(page, 'Tokens per sequence').fill('1024');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Number format' }).selectOption('mixed');
    await box(page, 'Adaptive: tokens in the head').fill('1000');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.locator('.note').textContent()).toBe('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${url}#tied=work&model=gpt2&sequences=4&tokens=1024&precision=mixed&adaptive=1000+12564`);
    await page.goto('about:blank');
    await page.goto(link);
    await expect.poll(() => readOut(page)).toContain('takes 158.1B multiply-accumulates forward');
    expect(await box(page, 'Adaptive: tokens in the head').inputValue()).toBe('1,000');
    expect(problems).toEqual([]);
  });

  it('passes axe in light and dark and does not scroll sideways at 320 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await open('', { colorScheme, width: 320, touch: true });
      await page.getByRole('button', { name: 'Show data' }).click();
      await page.getByRole('button', { name: 'Embed' }).click();
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
      expect(problems).toEqual([]);
    }
  });
});
