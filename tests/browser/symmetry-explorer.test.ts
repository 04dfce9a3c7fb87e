// <tied-symmetry-explorer>, used as by a reader, by mouse, touch, keyboard and typing, with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import { savePicture } from './save-picture.js';

// The page's worker is beside its script (see the harness). Its background is the browser's own, light or dark, and
// contrasts are measured against it.
const script = `
import './web/elements/symmetry-explorer/symmetry-explorer.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.style.background = 'Canvas';
`;

async function open(options?: OpenOptions, attributes = '') {
  const opened = await openFixture(
    {
      title: 'Explorer',
      script,
      body: `<tied-symmetry-explorer heading-level="2" ${attributes}></tied-symmetry-explorer>`,
    },
    options,
  );
  await opened.page.locator('.read-out strong').waitFor();
  return opened;
}

/** No-break spaces only matter for typesetting. */
const claim = async (page: Page) => (await page.locator('.read-out strong').textContent())?.replace(/\s/g, ' ');
const cells = (page: Page) => page.locator('tied-heat-map .number').allTextContents();
const checks = async (page: Page): Promise<string[]> =>
  (await page.locator('.checks li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const entry = (page: Page, token: string, dimension: number, matrix = 'W_E') =>
  page.getByRole('spinbutton', { name: `${matrix}, ${token}, dimension ${String(dimension)}` });
const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });
const vector = (page: Page, name: string, axis = 0) =>
  page.getByRole('slider', { name: `${name}, ${axis === 0 ? 'first' : 'second'} number`, exact: true });

describe('the explorer, tied', () => {
  it('shows the example: its table, its products and its checks', async () => {
    const { page, problems } = await open();
    const values = (fields: Element[]): string[] => fields.map((field) => (field as HTMLInputElement).value);
    expect(await page.locator('.matrix .name').evaluateAll(values)).toEqual(['New', 'York', 'City']);
    const entries = await page.locator('.matrix .box').evaluateAll(values);
    expect(entries).toEqual(['1.000', '0.500', '0.800', '0.900', '0.300', '1.200']);
    expect(await cells(page)).toEqual(['1.25', '1.25', '0.90', '1.25', '1.45', '1.32', '0.90', '1.32', '1.53']);
    expect(await checks(page)).toEqual([
      'New → York 1.250 = equals York → New 1.250',
      'New → City 0.900 = equals City → New 0.900',
      'York → City 1.320 = equals City → York 1.320',
    ]);
    expect(await claim(page)).toBe('All 3 pairs are equal both ways.');
    expect(problems).toEqual([]);
  });

  it('changes a cell and its mirror together as a number is stepped, typed and dragged', async () => {
    const { page } = await open();
    await entry(page, 'New', 0).focus();
    await page.keyboard.press('ArrowUp');
    await expect
      .poll(() => cells(page))
      .toEqual(['1.35', '1.29', '0.92', '1.29', '1.45', '1.32', '0.92', '1.32', '1.53']);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => entry(page, 'New', 0).inputValue()).toBe('0.550');
    await entry(page, 'New', 0).fill('-2');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await cells(page)).slice(0, 4)).toEqual(['4.25', '−1.15', '0.00', '−1.15']);
    const place = await entry(page, 'City', 1).boundingBox();
    if (place === null) throw new Error('no box');
    await page.mouse.move(place.x + 30, place.y + 10);
    await page.mouse.down();
    await page.mouse.move(place.x + 60, place.y + 10, { steps: 6 });
    await page.mouse.up();
    // 30 pixels are ten steps of 0.05.
    await expect.poll(() => entry(page, 'City', 1).inputValue()).toBe('1.700');
    await expect.poll(() => claim(page)).toBe('All 3 pairs are equal both ways.');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(async () => (await cells(page)).join(' ')).toBe('1.25 1.25 0.90 1.25 1.45 1.32 0.90 1.32 1.53');
  });

  it('moves a vector by mouse and arrow keys, in the plane and in the table at once', async () => {
    const { page } = await open();
    const grip = page.locator('[data-vector=E1] .ring');
    const place = await grip.boundingBox();
    if (place === null) throw new Error('no grip');
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
    await page.mouse.down();
    await page.mouse.move(place.x - 80, place.y + 40, { steps: 8 });
    await page.mouse.up();
    const moved = Number(await entry(page, 'York', 0).inputValue());
    expect(moved).toBeLessThan(0.7);
    await vector(page, 'York').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => Number(await entry(page, 'York', 0).inputValue())).toBeCloseTo(moved + 0.05, 6);
    const high = Number(await entry(page, 'York', 1).inputValue());
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(async () => Number(await entry(page, 'York', 1).inputValue())).toBeCloseTo(high + 0.5, 6);
    // Each of its two values has its own slider, which is focused while it changes.
    const focused = (axis: number) => vector(page, 'York', axis).evaluate((slider) => slider.matches(':focus'));
    expect([await focused(0), await focused(1)]).toEqual([false, true]);
    for (const axis of [0, 1]) {
      const value = await vector(page, 'York', axis).getAttribute('aria-valuenow');
      expect(Number(value)).toBe(Number(await entry(page, 'York', axis).inputValue()));
    }
    await expect.poll(() => claim(page)).toBe('All 3 pairs are equal both ways.');
  });

  it.each([320, 360, 430, 768])(
    'keeps its plane in place while the reader moves a vector, %i px wide',
    async (width) => {
      const { page } = await open({ width });
      for (const mode of ['Tied', 'Untied']) {
        await choose(page, mode);
        const top = () =>
          page
            .locator('tied-vector-plane')
            .first()
            .evaluate((plane) => plane.getBoundingClientRect().top + scrollY);
        const before = await top();
        await entry(page, 'New', 1).fill('0.2');
        await page.keyboard.press('Enter');
        await expect.poll(() => entry(page, 'New', 1).inputValue()).toBe('0.200');
        expect(await top()).toBe(before);
      }
    },
  );

  it('moves a vector by touch in every direction, and scrolls the page elsewhere', async () => {
    const { page } = await open({ width: 360, height: 640, touch: true });
    const session = await page.context().newCDPSession(page);
    const ring = page.locator('[data-vector=E2] .ring');
    const value = async () => [
      Number(await entry(page, 'City', 0).inputValue()),
      Number(await entry(page, 'City', 1).inputValue()),
    ];
    const drag = async (from: { x: number; y: number }, [right, down]: readonly [number, number]) => {
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
      for (let part = 1; part <= 8; part++) {
        const to = { x: from.x + (right * part) / 8, y: from.y + (down * part) / 8 };
        await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [to] });
      }
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const place = async () => {
      const box = await ring.boundingBox();
      if (box === null) throw new Error('no grip');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    await ring.evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
    });
    const scrolled = () => page.evaluate(() => scrollY);
    const start = await scrolled();
    for (const way of [
      [0, 60],
      [0, -60],
      [50, 80],
      [-50, -40],
      [60, 0],
    ] as const) {
      const [x = 0, y = 0] = await value();
      await drag(await place(), way);
      const moved = async () => {
        const [newX = 0, newY = 0] = await value();
        return [Math.sign(Math.round((newX - x) * 5)), Math.sign(Math.round((y - newY) * 5))];
      };
      await expect.poll(moved, { timeout: 20_000 }).toEqual(way.map(Math.sign));
      expect(await scrolled(), way.join()).toBe(start);
    }
    // A corner of the plane where no tip is.
    const plane = await page.locator('tied-vector-plane svg').boundingBox();
    if (plane === null) throw new Error('no plane');
    await drag({ x: plane.x + 8, y: plane.y + plane.height - 8 }, [0, -120]);
    await expect.poll(scrolled, { timeout: 20_000 }).toBeGreaterThan(start + 30);
  });

  it('outlines a cell and its mirror by mouse and keyboard, and writes out its sum', async () => {
    const { page } = await open();
    const map = page.getByRole('grid');
    await map.focus();
    await expect.poll(() => page.locator('tied-heat-map .cell').count()).toBe(1);
    await expect.poll(() => page.locator('tied-heat-map .mirror').count()).toBe(1);
    expect(await claim(page)).toBe('New → York: 1.000 × 0.800 + 0.500 × 0.900 = 1.250.');
    expect(await page.locator('tied-vector-plane g.pointed .label').allTextContents()).toEqual(['New', 'York']);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => claim(page)).toContain('York → York');
    expect(await page.locator('tied-heat-map .mirror').count()).toBe(0);
    await map.blur();
    await expect.poll(() => page.locator('tied-heat-map .cell').count()).toBe(0);
    const place = await map.boundingBox();
    if (place === null) throw new Error('no map');
    await page.mouse.move(place.x + place.width - 20, place.y + place.height - 100);
    await expect.poll(() => claim(page)).toContain('York → City');
    await page.mouse.move(5, 5);
    await expect.poll(() => claim(page)).toBe('All 3 pairs are equal both ways.');
  });

  it.each([320, 360, 390])(
    'at rest on a phone of %i px has targets for fingers, and a pressed cell says its sum where the sentence is',
    async (width) => {
      const { page } = await open({ width, height: 844, touch: true, atRest: true });
      expect(await page.locator('.matrix:visible').count()).toBe(0);
      const frame = (await page.locator('tied-heat-map .frame').boundingBox())!;
      const choices = await page.locator('.segments label:visible').evaluateAll((all) =>
        all.map((one) => {
          const { width: wide, height } = one.getBoundingClientRect();
          return Math.min(wide, height);
        }),
      );
      const grips = await page
        .locator('.grip')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      expect(choices).toHaveLength(3);
      expect(grips).toHaveLength(3);
      for (const side of [frame.width / 3, frame.height / 3, ...choices, ...grips])
        expect(side).toBeGreaterThanOrEqual(44);
      const height = () => page.locator('figure').evaluate((one) => one.getBoundingClientRect().height);
      const sentence = () => page.locator('.read-out').evaluate((one) => one.getBoundingClientRect().top);
      const [before, above] = [await height(), await sentence()];
      await page.touchscreen.tap(frame.x + frame.width / 2, frame.y + frame.height / 6);
      await expect.poll(() => claim(page)).toBe('New → York: 1.000 × 0.800 + 0.500 × 0.900 = 1.250.');
      expect(await height()).toBe(before);
      // Another choice has another drawing in the same place.
      await choose(page, 'Untied');
      await expect.poll(() => page.locator('[data-vector=U0]').count()).toBe(1);
      expect(await sentence()).toBe(above);
      expect(await horizontalOverflow(page)).toBe(0);
    },
  );

  it('does not mistake symmetric logits for symmetric probabilities', async () => {
    const { page } = await open();
    await choose(page, 'Probabilities');
    await expect
      .poll(() => cells(page))
      .toEqual(['0.370', '0.370', '0.261', '0.304', '0.371', '0.326', '0.227', '0.346', '0.427']);
    expect(await claim(page)).toBe('Symmetric logits, unequal probabilities.');
    await page.getByRole('button', { name: 'Show data' }).click();
    const data = await page.locator('.data').textContent();
    for (const share of ['0.3697', '0.2605', '0.3036', '0.3708', '0.3256', '0.2273', '0.3459', '0.4268']) {
      expect(data).toContain(share);
    }
  });
});

describe('the explorer, untied and random', () => {
  it('breaks the symmetry with a separate output table, and restores it when both tables are equal', async () => {
    const { page } = await open();
    await choose(page, 'Untied');
    await expect.poll(() => claim(page)).toBe('3 of 3 pairs differ.');
    expect((await checks(page))[0]).toBe('New → York 1.500 ≠ differs from York → New 0.160');
    await page.getByRole('button', { name: 'Make both tables equal' }).click();
    await expect.poll(() => claim(page)).toBe('All 3 pairs are equal both ways.');
    await entry(page, 'York', 1, 'W_U').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => claim(page)).toBe('2 of 3 pairs differ.');
  });

  it('counts random tables correctly, one and a hundred at a time', async () => {
    const { page, problems } = await open();
    await choose(page, 'Random');
    await expect.poll(() => claim(page)).toBe('1 of 1 random matrices gave a symmetric result.');
    const first = await cells(page);
    await page.getByRole('button', { name: 'Draw one' }).click();
    await expect.poll(() => claim(page)).toBe('2 of 2 random matrices gave a symmetric result.');
    await expect.poll(() => cells(page)).not.toEqual(first);
    await page.getByRole('button', { name: 'Draw 100' }).click();
    await expect.poll(() => claim(page)).toBe('102 of 102 random matrices gave a symmetric result.');
    expect(await page.locator('.read-out').textContent()).toContain('0 of 102 did');
    await choose(page, 'Tied');
    await expect.poll(() => cells(page)).toContain('1.53');
    expect(problems).toEqual([]);
  });
});

describe('a link to random tables', () => {
  it('restores the table that was drawn last, and the count', async () => {
    const { page, problems } = await open({}, 'link-state="e" mode="random" seed="77"');
    await expect.poll(() => claim(page)).toBe('1 of 1 random matrices gave a symmetric result.');
    await page.getByRole('button', { name: 'Draw 100' }).click();
    await page.getByRole('button', { name: 'Draw one' }).click();
    await expect.poll(() => claim(page)).toBe('102 of 102 random matrices gave a symmetric result.');
    const drawn = () => page.locator('.tables').textContent();
    const seen = await drawn();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('draws=102');
    await page.reload();
    await expect.poll(() => claim(page)).toBe('102 of 102 random matrices gave a symmetric result.');
    expect(await drawn()).toBe(seen);
    expect(problems).toEqual([]);
  });
});

describe('tokens', () => {
  it('can be added up to twelve, renamed, and removed down to two', async () => {
    const { page, problems } = await open();
    const add = page.getByRole('button', { name: 'Add a token' });
    for (let count = 4; count <= 12; count++) await add.click();
    await expect.poll(() => add.isDisabled()).toBe(true);
    await expect.poll(() => claim(page)).toBe('All 66 pairs are equal both ways.');
    const last = page.getByRole('textbox', { name: 'Name of token 12' });
    await last.fill('Hall');
    await last.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Remove Hall' }).count()).toBe(1);
    for (let count = 12; count > 2; count--)
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await expect.poll(() => claim(page)).toBe('The pair is equal both ways.');
    expect(problems).toEqual([]);
  });

  it('keep their old name if a new one is invalid, and explain in place why', async () => {
    const { page } = await open();
    const name = page.getByRole('textbox', { name: 'Name of token 1' });
    await name.fill('York');
    await name.press('Enter');
    await expect.poll(() => page.locator('#name-problem').textContent()).toContain('Another token is called “York”');
    expect(await name.inputValue()).toBe('New');
    await name.fill('Old');
    await name.press('Enter');
    await expect.poll(() => page.locator('#name-problem').count()).toBe(0);
    await expect.poll(async () => (await checks(page))[0]).toContain('Old → York');
  });

  it.each<[string, (page: Page) => Promise<void>]>([
    ['a number', (page) => entry(page, 'York', 0).fill('2')],
    ['the view', (page) => choose(page, 'Probabilities')],
    ['the mode', (page) => choose(page, 'Random')],
  ])('are not explained any more once %s has changed', async (_, change) => {
    const { page } = await open();
    const name = page.getByRole('textbox', { name: 'Name of token 1' });
    await name.fill('W'.repeat(25));
    await name.press('Enter');
    await expect.poll(() => page.locator('#name-problem').textContent()).toContain('is longer than 24 characters');
    await change(page);
    await expect.poll(() => page.locator('#name-problem').count()).toBe(0);
  });
});

describe('a refused number', () => {
  it('leaves its row unchanged, and a message below the table names it and the value in use', async () => {
    const { page } = await open();
    const row = page.locator('.matrix tbody tr').first();
    const before = await row.boundingBox();
    await entry(page, 'New', 0).fill('500');
    await page.keyboard.press('Enter');
    const said = page.locator('.tables > .problem');
    await expect.poll(() => said.textContent()).toBe('500 is too large; the most is 99. Using 1.');
    expect(await entry(page, 'New', 0).inputValue()).toBe('1.000');
    expect(await row.boundingBox()).toEqual(before);
    await entry(page, 'New', 0).fill('2');
    await expect.poll(() => said.count()).toBe(0);
  });
});

describe('colors', () => {
  it('of the untied model are not used for unequal probabilities of a tied one', async () => {
    const { page } = await open();
    await choose(page, 'Probabilities');
    await expect.poll(async () => (await checks(page))[0]).toContain('≠');
    expect(await page.locator('.is-untied').count()).toBe(0);
    await choose(page, 'Untied');
    await expect.poll(() => page.locator('.checks .is-untied').count()).toBe(3);
  });
});

describe('attributes, events and errors', () => {
  it('start from attributes and write embed code that restores the state', async () => {
    const attributes = 'mode="untied" tokens="high, school" embedding="1 0; 0 1" unembedding="0 1; 1 0"';
    const { page } = await open({}, attributes);
    await expect.poll(() => cells(page)).toEqual(['0.00', '1.00', '1.00', '0.00']);
    await page.getByRole('button', { name: 'Embed' }).click();
    const code = await page.locator('.embed-code').inputValue();
    expect(code).toContain('mode="untied" tokens="high, school" embedding="1 0; 0 1" unembedding="0 1; 1 0"');
  });

  it('report the reader’s change to the page, with the logits', async () => {
    const { page } = await open();
    const heard = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('tied-change', (event) => {
            const { mode, tokens, symmetric, logits } = (
              event as CustomEvent<{
                mode: string;
                tokens: string[];
                symmetric: boolean;
                logits: { data: Float32Array };
              }>
            ).detail;
            resolve([mode, tokens, symmetric, logits.data.length]);
          });
        }),
    );
    await choose(page, 'Untied');
    expect(await heard).toEqual(['untied', ['New', 'York', 'City'], false, 9]);
  });

  it('name an invalid attribute and show the example in its place', async () => {
    for (const [attributes, message] of [
      ['tokens="only"', 'The attribute tokens is “only”'],
      ['tokens="a, a"', 'The attribute tokens is “a, a”'],
      ['embedding="1 2; 3"', 'The attribute embedding is “1 2; 3”'],
      ['mode="tide"', 'The attribute mode is “tide”'],
    ]) {
      const { page } = await open({}, attributes);
      expect(await page.locator('figure > [role=alert]').textContent()).toContain(message);
      expect((await cells(page)).length).toBe(9);
    }
  });

  it('report in place that a browser without WebAssembly SIMD cannot run the figure', async () => {
    const { page } = await openFixture({
      title: 'Explorer',
      script: `WebAssembly.validate = () => false;\n${script}`,
      body: '<tied-symmetry-explorer>A table of nine numbers.</tied-symmetry-explorer>',
    });
    const message = page.locator('.message');
    await expect.poll(() => message.textContent()).toContain('This figure cannot run here.');
    expect(await message.textContent()).toContain('SIMD');
    expect(await page.getByText('A table of nine numbers.').isVisible()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe('accessibility', () => {
  it('the explorer passes axe in light and dark, in every mode, wide and narrow, and never scrolls sideways', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 320],
    ] as const) {
      const { page, problems } = await open({ colorScheme, width, touch: width === 320 });
      for (const mode of ['Tied', 'Untied', 'Random'] as const) {
        await choose(page, mode);
        await page.waitForTimeout(100);
        expect(await axeViolations(page), `${mode}, ${colorScheme}`).toEqual([]);
        expect(await horizontalOverflow(page), `${mode}, ${String(width)}`).toBe(0);
      }
      await choose(page, 'Tied');
      for (let count = 4; count <= 12; count++) await page.getByRole('button', { name: 'Add a token' }).click();
      await page.getByRole('button', { name: 'Show data' }).click();
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
      expect(problems).toEqual([]);
    }
  });

  it('touch targets have at least 44 pixels', async () => {
    const { page } = await open({ width: 360, touch: true });
    const small = await page
      .locator('button, .segments label, input[type=text]')
      .evaluateAll((targets) =>
        targets
          .map((target) => ({ name: target.textContent.trim(), height: target.getBoundingClientRect().height }))
          .filter(({ height }) => height > 0 && height < 43.5),
      );
    expect(small).toEqual([]);
  });

  it('the explorer can be saved as a self-contained picture', async () => {
    const { page } = await open();
    const { name, picture } = await savePicture(page);
    expect(name).toBe('tied-symmetry-explorer.svg');
    expect(picture).toContain('Can a shared table know which word came first?');
    expect(picture).toContain('York');
    expect(picture).toContain('data:image/png;base64,');
    expect(picture).not.toContain('var(--');
  });
});
