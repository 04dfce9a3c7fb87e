// <tied-parameter-calculator> with whole models: presets, changes, every tensor, config.json, encoder-decoders.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { data, drawings, plain, readOut } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/parameter-calculator/parameter-calculator.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = (attributes: string, options?: OpenOptions) =>
  openFixture(
    {
      title: 'Calculator',
      script,
      body: `<tied-parameter-calculator heading-level="2" ${attributes}></tied-parameter-calculator>`,
    },
    options,
  );

const box = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });

describe('a known model', () => {
  it('is counted to the last parameter, with both denominators', async () => {
    const { page, problems } = await open('model="gpt2"');
    await expect.poll(() => readOut(page)).toContain('Tying saves 38.6M parameters, 31.0% of the tied model, 23.7% of');
    const rows = await data(page);
    // Published: 124,439,808; a second table of 50,257 × 768 on top.
    expect(rows).toContainEqual(expect.stringContaining('Tied: one table, both roles 1 124,439,808'));
    expect(rows).toContainEqual(expect.stringContaining('Untied: a table for each role 2 163,037,184'));
    expect(rows).toContainEqual('embedding [50,257 × 768] 1 38,597,376 its own');
    expect(rows).toContainEqual('unembedding [50,257 × 768] 1 38,597,376 embedding');
    expect(rows).toContainEqual(
      expect.stringMatching(/^layers\.\*\.feed_forward\.up\.weight \[3,072 × 768\] 12 28,311,552/),
    );
    expect(problems).toEqual([]);
  });

  it('lists the bytes of both tables in the files of a program, which can be chosen', async () => {
    const { page, problems } = await open('model="llama-3.2-1b"');
    await expect.poll(() => readOut(page)).toContain('262.7M');
    // 128,256 × 2,048 values: 6.5625 bits each where they write, 4.5 where they only read.
    await expect
      .poll(() => data(page))
      .toContainEqual('Q4_K_M 215,470,080 (Q6_K) 147,750,912 (Q4_K) 215,470,080 (Q6_K) 147,750,912 40.68%');
    await page.getByRole('combobox', { name: 'Bytes in files of' }).selectOption({ label: 'MLX' });
    const packed = '147,750,912 (affine 4-bit)';
    await expect.poll(() => data(page)).toContainEqual(`4-bit ${packed} ${packed} ${packed} 147,750,912 50%`);
    expect(await data(page)).not.toContainEqual(expect.stringContaining('Q4_K_M'));
    await expect.poll(() => page.locator('tied-parameter-calculator').getAttribute('files')).toBe('mlx');
    expect(problems).toEqual([]);
  });

  it('has bars of parts whose lengths add up', async () => {
    const { page } = await open('model="gpt2"');
    await expect
      .poll(async () => (await drawings(page))[0])
      .toContain('Tied: one table, both roles: 124.4M parameters');
    const lengths = await page
      .locator('.ways rect.bar')
      .evaluateAll((bars) =>
        bars.map((bar) => [bar.getAttribute('class') ?? '', bar.getBoundingClientRect().width] as const),
      );
    const sum = (part: string): number =>
      lengths.filter(([name]) => name.includes(part)).reduce((total, [, length]) => total + length, 0);
    // A shared table of 38.6M; two of them if untied; 28.3M of attention in each bar. Each seam takes two pixels.
    expect(Math.abs(sum('bar-shared-table') - sum('bar-input-table'))).toBeLessThan(0.5);
    expect(Math.abs(sum('bar-shared-table') - sum('bar-output-table'))).toBeLessThan(2.5);
    expect(sum('bar-attention') / 2 / sum('bar-shared-table')).toBeCloseTo(28.348 / 38.597, 1);
    expect(plain(await page.locator('.key').textContent())).toContain('Shared table 38.6M 31.0%');
  });

  it('can be chosen from a list by keyboard, changed, and restored', async () => {
    const { page, problems } = await open('model="gpt2"');
    await expect.poll(() => readOut(page)).toContain('38.6M');
    await page.getByRole('combobox', { name: 'Model', exact: true }).focus();
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption({ label: 'GPT-2 XL' });
    await expect.poll(() => readOut(page)).toContain('1.6B tied');
    expect(await page.locator('tied-parameter-calculator').getAttribute('model')).toBe('gpt2-xl');
    await box(page, 'Layers').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('tied-parameter-calculator').getAttribute('n-layers')).toBe('47');
    // With 47 layers it is no longer GPT-2 XL.
    const chosen = (): Promise<string | undefined> =>
      page
        .getByRole('combobox', { name: 'Model', exact: true })
        .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.label);
    await expect.poll(chosen).toBe('Edited from GPT-2 XL');
    await page.getByRole('button', { name: 'Undo edits' }).click();
    await expect.poll(() => page.locator('tied-parameter-calculator').getAttribute('n-layers')).toBeNull();
    await expect.poll(chosen).toBe('GPT-2 XL');
    await box(page, 'Layers').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(chosen).toBe('Edited from GPT-2 XL');
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption({ label: 'GPT-2 XL' });
    await expect.poll(chosen).toBe('GPT-2 XL');
    await expect.poll(() => box(page, 'Layers').inputValue()).toBe('48');
    expect(await data(page)).toContainEqual(expect.stringContaining('1,557,611,200'));
    expect(problems).toEqual([]);
  });

  it('keeps a number of heads that divides the width while the width is dragged', async () => {
    const { page, problems } = await open('model="llama-3.2-1b"');
    const said = page.locator('.problem');
    await expect.poll(() => readOut(page)).toContain('Tying saves');
    const place = await box(page, 'Width').boundingBox();
    if (place === null) throw new Error('no box');
    await page.mouse.move(place.x + 40, place.y + 10);
    await page.mouse.down();
    for (let step = 1; step <= 20; step++) await page.mouse.move(place.x + 40 + step * 7, place.y + 10);
    await page.mouse.up();
    await expect.poll(() => box(page, 'Width').inputValue()).not.toBe('2,048');
    const width = Number((await box(page, 'Width').inputValue()).replace(/,/g, ''));
    // The last result belongs to the last width: one table of 128,256 tokens.
    const table = (128_256 * width).toLocaleString('en-US');
    await expect.poll(() => data(page)).toContainEqual(expect.stringMatching(new RegExp(`^embedding .* ${table} `)));
    expect(await said.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('can be opened by an attribute, a property or a call, which discards earlier edits', async () => {
    const { page } = await open('model="gpt2" n-layers="3"');
    await expect.poll(() => box(page, 'Layers').inputValue()).toBe('3');
    const calculator = page.locator('tied-parameter-calculator');
    await calculator.evaluate((element) => {
      element.setAttribute('model', 'gpt2-medium');
    });
    await expect.poll(() => box(page, 'Layers').inputValue()).toBe('24');
    await expect.poll(() => readOut(page)).toContain('354.8M tied');
    await box(page, 'Layers').fill('5');
    await page.keyboard.press('Enter');
    await expect.poll(() => calculator.getAttribute('n-layers')).toBe('5');
    await calculator.evaluate((element) => {
      (element as unknown as { openModel: (id: string) => void }).openModel('gpt2-medium');
    });
    await expect.poll(() => box(page, 'Layers').inputValue()).toBe('24');
  });

  it('is restored from a link with all changes', async () => {
    const { page, problems } = await open('link-state="sizes" model="gpt2"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await expect.poll(() => readOut(page)).toContain('38.6M');
    await page.getByText('More about the model').click();
    await page.getByRole('combobox', { name: 'Tables' }).selectOption({ label: 'One for each role' });
    await page.getByRole('combobox', { name: 'Positions' }).selectOption({ label: 'Rotary' });
    await box(page, 'Feed-forward width').fill('1000');
    await page.keyboard.press('Enter');
    // From the last change: the narrower layers.
    await expect.poll(() => readOut(page)).toMatch(/Tying would save 38\.6M.* 85\.4M tied/);
    const before = await readOut(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.locator('.note[role=status]').textContent()).toBe('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).hash).toBe('#tied=sizes&model=gpt2&d-feed-forward=1000&positions=rotary&tying=untied');
    await page.goto('about:blank');
    await page.goto(link);
    await expect.poll(() => readOut(page)).toBe(before);
    expect(problems).toEqual([]);
  });
});

describe('savings over a set of configurations', () => {
  it('match GPT-2 as published, so GPT-2 small has a single percentage', async () => {
    const { page } = await open('model="gpt2"');
    await expect.poll(async () => (await drawings(page))[2]).toContain('GPT-2 small: 31.0% of tied, 23.7% of untied');
    expect((await drawings(page))[2]).toContain('The model above: 31.0% of tied, 23.7% of untied');
    for (const total of ['124,439,808', '354,823,168', '774,030,080', '1,557,611,200']) {
      await expect.poll(() => data(page)).toContainEqual(expect.stringContaining(` ${total} `));
    }
  });

  it('match the formula to the digit, under names other than GPT-2’s', async () => {
    const { page } = await open('model="gpt2"');
    await expect.poll(async () => (await drawings(page))[2]).toContain('GPT-2 small');
    await page.getByText('Plain formula', { exact: true }).last().click();
    // 12 d² + 4 d per layer at the sizes of GPT-2 small to XL, and a large vocabulary.
    const formula = [
      ['12 layers, width 768, 50,257 tokens', '38,597,376', '31.2%', '23.8%'],
      ['24 layers, width 1,024, 50,257 tokens', '51,463,168', '14.6%', '12.7%'],
      ['36 layers, width 1,280, 50,257 tokens', '64,328,960', '8.3%', '7.7%'],
      ['48 layers, width 1,600, 50,257 tokens', '80,411,200', '5.2%', '4.9%'],
      ['24 layers, width 1,024, 128,000 tokens', '131,072,000', '30.3%', '23.2%'],
    ] as const;
    await expect.poll(async () => (await drawings(page))[2]).toContain('12 layers, width 768, 50,257 tokens: 31.2%');
    expect((await drawings(page))[2]).not.toContain('GPT-2');
    const rows = await data(page);
    for (const [name, saved, ofTied, ofUntied] of formula) {
      expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^${name} .* ${saved} ${ofTied} ${ofUntied}$`)));
    }
    expect(await page.locator('tied-parameter-calculator').getAttribute('compare')).toBe('formula');
  });
});

describe('an encoder-decoder', () => {
  it('has one, two or three tables, and a note about a chapter that counts four', async () => {
    const tables = 'family="plain-formula" stack="encoder-decoder" n-layers="0" vocab-size="50000" d-model="768"';
    const { page, problems } = await open(tables);
    await expect
      .poll(() => readOut(page))
      .toContain('Tying saves 76.8M parameters, 200.0% of the tied model, 66.7% of the untied one');
    expect((await drawings(page))[0]).toBe(
      'Tied: one table, three roles: 38.4M parameters. Two tables: the decoder shares one: 76.8M parameters. ' +
        'Two tables: both inputs share one: 76.8M parameters. Untied: three tables: 115.2M parameters',
    );
    await expect.poll(() => page.locator('.aside').textContent()).toContain('Three tables have 115,200,000');
    expect(plain(await page.locator('.aside').textContent())).toContain('sharing saves 76,800,000, or 66.7%');
    expect(problems).toEqual([]);
  });

  it('with another output vocabulary cannot share the output table with its input', async () => {
    const { page } = await open('model="gpt2"');
    await page.getByText('More about the model').click();
    await box(page, 'Output vocabulary, in tokens').fill('1000');
    await page.keyboard.press('Enter');
    await expect.poll(() => readOut(page)).toContain('no table can serve both roles');
    await page.getByRole('combobox', { name: 'Built as' }).selectOption({ label: 'Encoder and decoder' });
    await expect.poll(() => readOut(page)).toContain('Tying would save 768.0K');
  });
});

describe('a config.json', () => {
  // The fields of a small Llama; missing fields are assumed.
  const config = {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    vocab_size: 1000,
    hidden_size: 64,
    intermediate_size: 128,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    num_key_value_heads: 2,
  };

  it('can be pasted, is counted, and lists its assumptions', async () => {
    const { page, problems } = await open('');
    await page.getByRole('button', { name: 'Read a config.json' }).click();
    await page.getByRole('textbox', { name: 'Or paste its text here' }).fill(JSON.stringify(config));
    await expect.poll(() => box(page, 'Layers').inputValue()).toBe('2');
    expect(await page.getByRole('combobox', { name: 'Model', exact: true }).inputValue()).toBe('own');
    expect(await page.locator('.config').textContent()).toContain('has been read');
    expect(await page.locator('.config li').count()).toBeGreaterThan(0);
    // By hand: 2 tables of 64,000; per layer: 64² q + 2 × 32 × 64 kv + 64² o + 3 × 64 × 128 + 2 × 64; the final norm.
    const layer = 64 * 64 + 2 * 32 * 64 + 64 * 64 + 3 * 64 * 128 + 2 * 64;
    const untied = (2 * 64_000 + 2 * layer + 64).toLocaleString('en-US');
    expect(await data(page)).toContainEqual(expect.stringContaining(`Untied: a table for each role 2 ${untied}`));
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('can be dropped on the figure, and a file that is not a configuration is refused in place', async () => {
    const { page, problems } = await open('');
    await expect.poll(() => readOut(page)).toContain('204.8M');
    const drop = (text: string, name: string) =>
      page.locator('tied-parameter-calculator').evaluate(
        (element, [content, file]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content ?? ''], file ?? ''));
          element.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
          element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        [text, name],
      );
    await drop('not a config', 'notes.txt');
    await expect.poll(() => page.locator('.config .problem').count()).toBe(1);
    expect(await readOut(page)).toContain('204.8M');
    await drop(JSON.stringify(config), 'config.json');
    await expect.poll(() => box(page, 'Vocabulary, in tokens').inputValue()).toBe('1,000');
    await expect.poll(() => page.locator('.config .problem').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('an impossible model', () => {
  it('is refused in the words of the picker’s labels', async () => {
    const { page } = await open('model="gpt2"');
    await expect.poll(() => readOut(page)).toContain('38.6M');
    await page.getByText('More about the model').click();
    await box(page, 'Heads').fill('7');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('figure > div > .problem').textContent())
      .toContain('“Heads” is 7; expected a divisor');
    expect(await readOut(page)).toContain('38.6M');
    await box(page, 'Heads').fill('6');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('figure > div > .problem').count()).toBe(0);
  });

  it('in an attribute is reported by name, and the other attributes still apply', async () => {
    const { page } = await open('model="gpt9" d-model="5"');
    await expect
      .poll(() => page.locator('figure > div > .problem').textContent())
      .toContain('The attribute model is “gpt9”');
    await expect.poll(() => readOut(page)).toContain('204.8M');
  });
});

it('a whole model passes axe, light and dark, and does not scroll sideways at 320 pixels', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, problems } = await open('model="t5-small"', { colorScheme, width: 320, touch: true });
    await expect.poll(() => readOut(page)).toContain('60.5M tied');
    await page.getByText('More about the model').click();
    await page.getByRole('button', { name: 'Read a config.json' }).click();
    await page.getByRole('button', { name: 'Show data' }).click();
    expect(await axeViolations(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
    expect(problems).toEqual([]);
  }
});
