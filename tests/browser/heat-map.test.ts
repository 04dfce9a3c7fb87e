// The matrix as colored cells: cells, labels and frame agree, for viewing, keyboard and screen readers.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations, openFixture, type OpenOptions } from './harness.js';

const script = `
import { defineShared } from './web/elements/shared/shared.define.ts';
defineShared();
document.documentElement.style.background = 'Canvas';
const map = document.querySelector('tied-heat-map');
map.label = 'Scores.';
window.show = (names, change = {}) => {
  const count = names.length;
  Object.assign(map, {
    rowLabels: names,
    colLabels: names,
    // Every cell is at one end of the scale, so that its edges can be found among the pixels.
    values: Array.from({ length: count * count }, (_, at) => ((Math.floor(at / count) + at) % 2 === 0 ? 1 : -1)),
    ...change,
  });
  return map.updateComplete;
};
window.show(['New', 'York', 'City']);
`;

async function open(options?: OpenOptions) {
  const body = '<div id="place"><tied-heat-map hide-legend></tied-heat-map></div><div id="other"></div>';
  const opened = await openFixture({ title: 'Map', script, body }, options);
  await opened.page.locator('tied-heat-map .frame').waitFor();
  await opened.page.evaluate(() => document.fonts.ready);
  return opened;
}

/** Two frames, after which observers have fired and elements have drawn. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    await (document.querySelector('tied-heat-map') as unknown as { updateComplete: Promise<unknown> }).updateComplete;
  });

const show = async (page: Page, names: readonly string[], change: object = {}) => {
  await page.evaluate(
    ([given, more]) =>
      (window as unknown as { show: (names: readonly string[], change: object) => unknown }).show(given, more),
    [names, change] as const,
  );
  await settled(page);
};

const tokens = (count: number) => Array.from({ length: count }, (_, at) => `token ${String(at)}`);

interface Measured {
  /** Left, top, width, height in CSS pixels, relative to the stage. */
  stage: number[];
  canvas: number[];
  svg: number[];
  frame: number[];
  /** The extent of the painted area, from the pixels of the canvas. */
  painted: number[];
  /** Canvas pixels per CSS pixel. */
  density: number;
  labels: { text: string; size: number; left: number; top: number; right: number; bottom: number }[];
}

const measured = (page: Page): Promise<Measured> =>
  page.evaluate(() => {
    const root = document.querySelector('tied-heat-map')?.shadowRoot;
    const part = <Name extends Element>(selector: string): Name => {
      const found = root?.querySelector<Name>(selector);
      if (!found) throw new Error(selector);
      return found;
    };
    const origin = part('.stage').getBoundingClientRect();
    const box = (element: Element): number[] => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left - origin.left, top - origin.top, width, height];
    };
    const canvas = part<HTMLCanvasElement>('.stage canvas');
    // A copy, so the browser keeps drawing the original as for readers.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let y = 0; y < canvas.height; y++) {
      for (let x = 0; x < canvas.width; x++) {
        if ((data[(y * canvas.width + x) * 4 + 3] ?? 0) < 128) continue;
        extent.left = Math.min(extent.left, x);
        extent.top = Math.min(extent.top, y);
        extent.right = Math.max(extent.right, x + 1);
        extent.bottom = Math.max(extent.bottom, y + 1);
      }
    }
    const scale = canvas.getBoundingClientRect().width / canvas.width;
    const { left, top, right, bottom } = extent;
    // The frame's line is half a pixel outside the cells.
    const frame = part<SVGRectElement>('.frame');
    const number = (name: string): number => Number(frame.getAttribute(name));
    return {
      stage: box(part('.stage')),
      canvas: box(canvas),
      svg: box(part('.stage > svg')),
      frame: [number('x') + 0.5, number('y') + 0.5, number('width') - 1, number('height') - 1],
      painted: [left, top, right - left, bottom - top].map((value) => value * scale),
      density: 1 / scale,
      labels: [...(root?.querySelectorAll('.stage > svg text') ?? [])].map((label) => {
        const place = label.getBoundingClientRect();
        return {
          text: label.textContent,
          size: Number.parseFloat(getComputedStyle(label).fontSize),
          left: place.left - origin.left,
          top: place.top - origin.top,
          right: place.right - origin.left,
          bottom: place.bottom - origin.top,
        };
      }),
    };
  });

async function expectInRegister(page: Page, what: string): Promise<void> {
  const { stage, canvas, svg, frame, painted } = await measured(page);
  for (const [name, box] of Object.entries({ canvas, svg })) {
    box.forEach((value, at) => {
      expect(Math.abs(value - (stage[at] ?? 0)), `${what}: ${name} ${String(at)}`).toBeLessThanOrEqual(0.5);
    });
  }
  // Between cells there is up to a pixel of background, and a cell's edge may lie inside a pixel.
  painted.forEach((value, at) => {
    expect(Math.abs(value - (frame[at] ?? 0)), `${what}: painted ${String(at)}`).toBeLessThanOrEqual(
      at < 2 ? 1.5 : 2.5,
    );
  });
}

describe('cells, labels and frame of a heat map', () => {
  it('stay aligned for every number and order of tokens, and at every width', async () => {
    const { page, problems } = await open();
    for (const count of [3, 16, 40, 64, 12, 96, 2]) {
      await show(page, tokens(count));
      await expectInRegister(page, `${String(count)} tokens`);
    }
    await show(page, tokens(16).reverse());
    await expectInRegister(page, 'the other way round');
    for (const width of [1440, 900, 320, 390, 700]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await expectInRegister(page, `window of ${String(width)}`);
    }
    expect(problems).toEqual([]);
  });

  it('stay aligned on a high-density screen, and after being zoomed, hidden or moved', async () => {
    const { page } = await open({ density: 2, width: 700 });
    await show(page, tokens(40));
    await expectInRegister(page, 'dense');
    expect((await measured(page)).density).toBeCloseTo(2, 1);

    const session = await page.context().newCDPSession(page);
    // Like zooming to 150%: fewer CSS pixels, each with more screen pixels.
    const screen = { width: 467, height: 600, mobile: false };
    await session.send('Emulation.setDeviceMetricsOverride', { ...screen, deviceScaleFactor: 3 });
    await expect.poll(async () => (await measured(page)).density).toBeCloseTo(3, 1);
    await expectInRegister(page, 'zoomed');

    const place = (change: (place: HTMLElement) => void) => page.locator('#place').evaluate(change);
    await place((element) => (element.hidden = true));
    await page.setViewportSize({ width: 400, height: 900 });
    await show(page, tokens(16));
    await place((element) => (element.hidden = false));
    await settled(page);
    await expectInRegister(page, 'shown again');

    await page.evaluate(() => {
      const other = document.querySelector<HTMLElement>('#other');
      other!.style.width = '260px';
      other!.append(document.querySelector('tied-heat-map')!);
    });
    await settled(page);
    await expect.poll(async () => (await measured(page)).stage[2]).toBeLessThanOrEqual(260);
    await expectInRegister(page, 'moved');
  });

  it('have labels of at least eleven pixels inside the drawing, also for newlines and wide characters', async () => {
    const { page } = await open();
    const hostile = [
      '\n',
      'WWWWWWWWWWWWWWWW',
      '뉴욕뉴욕뉴욕뉴욕뉴욕뉴욕',
      '🗽🗽🗽🗽🗽🗽🗽🗽',
      '\t',
      ' ',
      '—',
      'extraordinarily',
      '@@@@@@@@',
      'i',
    ];
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      for (const names of [hostile, [...hostile, ...tokens(14)], [...tokens(54), ...hostile], ['\n', 'W']]) {
        for (const pointed of [null, { row: 1, col: names.length - 1 }]) {
          await show(page, names, { cell: pointed });
          const { labels, svg } = await measured(page);
          expect(labels.length).toBeGreaterThan(3);
          for (const { text, size, left, top, right, bottom } of labels) {
            const what = `${JSON.stringify(text)} of ${String(names.length)} at ${String(width)}`;
            expect(text, what).toMatch(/\S/);
            expect(size, what).toBeGreaterThanOrEqual(11);
            // The box of a line is slightly taller than its letters.
            expect(Math.min(left, top), what).toBeGreaterThanOrEqual(-0.5);
            expect(right, what).toBeLessThanOrEqual((svg[2] ?? 0) + 0.5);
            expect(bottom, what).toBeLessThanOrEqual((svg[3] ?? 0) + 0.5);
          }
        }
      }
    }
  });
});

describe('a heat map for assistive technology', () => {
  it('is a grid of named rows, columns and cells, each with its value, and describes its keys', async () => {
    const { page } = await open();
    await show(page, ['New', 'York', 'City'], { values: [0, 1, 2, 3, 4, 5, 6, 7, 8] });
    const grid = page.getByRole('grid', { name: 'Scores.' });
    expect(await grid.getByRole('columnheader').allTextContents()).toEqual(['New', 'York', 'City']);
    expect(await grid.getByRole('rowheader').allTextContents()).toEqual(['New', 'York', 'City']);
    const cells = await grid.getByRole('gridcell').allTextContents();
    expect(cells).toHaveLength(9);
    expect(cells[5]).toBe('York, City: 5.00');
    expect(await page.getByRole('application').count()).toBe(0);
    const description = await grid.evaluate((element) => {
      const root = element.getRootNode() as ShadowRoot;
      return root.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent;
    });
    expect(description).toContain('Arrow keys');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('has one active cell, which follows the keys, and exposes only a small part of a large map', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      const map = document.querySelector('tied-heat-map') as HTMLElement & { cell: unknown };
      map.addEventListener('tied-cell', (event) => {
        map.cell = (event as CustomEvent<{ cell: unknown }>).detail.cell;
      });
    });
    await show(page, tokens(64));
    const grid = page.getByRole('grid');
    const active = () =>
      grid.evaluate((element) => {
        const id = element.getAttribute('aria-activedescendant') ?? '';
        const cell = (element.getRootNode() as ShadowRoot).getElementById(id);
        const row = cell?.closest('[role=row]');
        return cell === null
          ? null
          : [cell.textContent, Number(row?.getAttribute('aria-rowindex')), Number(cell.getAttribute('aria-colindex'))];
      });
    expect(await active()).toBeNull();
    await page.keyboard.press('Tab');
    await expect.poll(active).toEqual(['token 0, token 1: −1.00', 2, 3]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toEqual(['token 1, token 1: 1.00', 3, 3]);
    await page.keyboard.press('Control+End');
    await expect.poll(active).toEqual(['token 63, token 63: 1.00', 65, 65]);
    await page.keyboard.press('Home');
    await expect.poll(active).toEqual(['token 63, token 0: −1.00', 65, 2]);
    expect([await grid.getAttribute('aria-rowcount'), await grid.getAttribute('aria-colcount')]).toEqual(['65', '65']);
    expect(await grid.getByRole('gridcell').count()).toBeLessThanOrEqual(144);
    expect(await axeViolations(page)).toEqual([]);
    await grid.blur();
    await expect.poll(active).toBeNull();
  });
});

describe('the colors of a heat map', () => {
  /** The colors of the first cell, of the second, and of the background around them. */
  const colors = (page: Page): Promise<{ cells: number[][]; paper: number[] }> =>
    page.evaluate(() => {
      const root = document.querySelector('tied-heat-map')?.shadowRoot;
      const canvas = root?.querySelector('canvas');
      const frame = root?.querySelector('.frame');
      if (!canvas || !frame) throw new Error('no map');
      const [x, y] = [Number(frame.getAttribute('x')), Number(frame.getAttribute('y'))];
      const at = (left: number): number[] => [
        ...canvas
          .getContext('2d')!
          .getImageData(left, y + 8, 1, 1)
          .data.subarray(0, 3),
      ];
      const probe = document.createElement('span');
      probe.style.color = 'Canvas';
      root?.append(probe);
      const paper = getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
      probe.remove();
      const side = Number(frame.getAttribute('width')) / 3;
      return { cells: [at(x + 8), at(x + 8 + side)], paper };
    });
  const brightness = ([red = 0, green = 0, blue = 0]: number[]): number => (red + green + blue) / 3;
  const distance = (one: number[], other: number[]): number =>
    Math.hypot(...one.map((channel, at) => channel - (other[at] ?? 0)));

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`distinguish values under forced colors, ${colorScheme}`, async () => {
      const { page } = await open({ forcedColors: true, colorScheme });
      await show(page, ['New', 'York', 'City'], { numbers: true });
      const { cells, paper } = await colors(page);
      const [positive = [], negative = []] = cells;
      expect(distance(positive, negative)).toBeGreaterThan(60);
      expect(distance(positive, paper)).toBeGreaterThan(40);
      expect(distance(negative, paper)).toBeGreaterThan(40);
    });
  }

  it('follow every way of making the page dark', async () => {
    const { page } = await open();
    await show(page, ['New', 'York', 'City']);
    const first = async (): Promise<number> => brightness((await colors(page)).cells[0] ?? []);
    const light = await first();
    const place = (change: (place: HTMLElement) => void) => page.locator('#place').evaluate(change);
    await place((element) => {
      element.style.colorScheme = 'dark';
    });
    await expect.poll(first).toBeGreaterThan(light + 50);
    await place((element) => {
      element.style.colorScheme = '';
    });
    await expect.poll(first).toBe(light);
    // A style sheet rule, which changes no attribute.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('#place { color-scheme: dark }');
      document.adoptedStyleSheets = [sheet];
    });
    await expect.poll(first).toBeGreaterThan(light + 50);
    await page.evaluate(() => {
      document.querySelector('#other')!.append(document.querySelector('tied-heat-map')!);
    });
    await expect.poll(first).toBe(light);
  });

  it('accept notations that the browser does not convert', async () => {
    const { page } = await open({ colorScheme: 'dark' });
    await page.evaluate(() => {
      const map = document.querySelector<HTMLElement>('tied-heat-map');
      map!.style.setProperty('--tied-color-positive', 'oklch(0.9 0.19 110)');
      map!.style.setProperty('--tied-color-negative', 'color(display-p3 0 0.6 1)');
    });
    // Yellow and blue, as set.
    const cells = async () => (await colors(page)).cells;
    await expect.poll(async () => (await cells())[0]?.map((channel) => Math.round(channel / 64))).toEqual([4, 4, 1]);
    const [, blue = []] = await cells();
    expect(blue[2]).toBeGreaterThan((blue[0] ?? 0) + 150);
  });
});
