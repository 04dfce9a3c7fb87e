// <tied-model-table>, used as by a reader, by mouse, touch and keyboard, with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { plain } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/model-table/model-table.define.ts';
import './web/elements/parameter-calculator/parameter-calculator.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = async (attributes = '', options?: OpenOptions, after = '') => {
  const opened = await openFixture(
    { title: 'Models', script, body: `<tied-model-table heading-level="2" ${attributes}></tied-model-table>${after}` },
    options,
  );
  await opened.page.locator('tied-model-table .models').waitFor();
  return opened;
};

const table = (page: Page) => page.locator('tied-model-table');
const readOut = async (page: Page): Promise<string> => plain(await table(page).locator('.read-out').textContent());
/** The ids in the order of the rows. */
const shown = (page: Page): Promise<(string | null)[]> =>
  table(page)
    .locator('tbody tr[data-model]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-model')));
const cells = (page: Page, id: string): Promise<string[]> =>
  table(page)
    .locator(`tr[data-model="${id}"] .value`)
    .evaluateAll((values) => values.map((value) => (value.textContent ?? '').replace(/\u00a0/g, ' ').trim()));
const showAll = (page: Page) => table(page).getByRole('button', { name: /^Show all \d+ models$/ });

describe('the table', () => {
  it('counts every model, and states who ties and where the rule of thumb is wrong', async () => {
    const { page, problems } = await open();
    await showAll(page).click();
    expect((await shown(page)).length).toBeGreaterThanOrEqual(40);
    // Published: 124,439,808. One table is 31.0% of it, and 23.7% of the model with two.
    expect(await cells(page, 'gpt2')).toEqual([
      '2019',
      '50,257',
      '768',
      '12',
      'tied',
      '38.6M',
      '124.4M',
      '31.0%',
      '31.0%',
      '23.7%',
    ]);
    const [, , , , tying, , , share, ofTied, ofUntied] = await cells(page, 'pythia-70m');
    expect([tying, share]).toEqual(['untied', '73.1%']);
    expect([ofTied, ofUntied].every((text) => /^would save\(\d+\.\d%\)$/.test(text ?? ''))).toBe(true);
    const said = await readOut(page);
    expect(said).toMatch(/of the .* models are tied\. The rule of 5 and 15% would tie .* whose makers did not:/);
    expect(said).toContain('Pythia 70M');
    expect(problems).toEqual([]);
  });

  it('sorts by a column, in reverse on the second press, and announces it', async () => {
    const { page } = await open();
    const head = (name: string) => table(page).getByRole('columnheader', { name });
    const years = async (): Promise<number[]> =>
      (await table(page).locator('td[data-key="year"] .value').allTextContents()).map(Number);
    await head('Year').getByRole('button').click();
    await expect.poll(() => head('Year').getAttribute('aria-sort')).toBe('descending');
    const falling = await years();
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    await head('Year').getByRole('button').press('Enter');
    expect(await head('Year').getAttribute('aria-sort')).toBe('ascending');
    const rising = await years();
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    expect(rising).not.toEqual(falling);
    await head('Model').getByRole('button').press('Space');
    expect(await head('Year').getAttribute('aria-sort')).toBe('none');
    expect(await head('Model').getAttribute('aria-sort')).toBe('ascending');
    expect(await table(page).getAttribute('sort')).toBe('name');
  });

  it('filters by tying, family and text, and resets all filters', async () => {
    const { page } = await open();
    const before = await shown(page);
    await table(page).getByRole('radio', { name: 'Untied' }).check();
    await expect.poll(() => readOut(page)).toContain('models chosen are tied');
    expect(new Set(await table(page).locator('td[data-key="tying"] .value').allTextContents())).not.toContain('tied');
    await table(page).getByRole('combobox', { name: 'Family' }).selectOption({ label: 'GPT-NeoX' });
    await table(page).getByRole('searchbox', { name: 'Find' }).fill('pythia 70');
    await expect.poll(() => shown(page)).toEqual(['pythia-70m']);
    expect(await readOut(page)).toContain('The one model chosen is not tied.');
    await table(page).getByRole('searchbox', { name: 'Find' }).fill('zebra');
    await expect.poll(() => table(page).locator('td.nothing').textContent()).toContain('No model matches');
    await table(page).getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => shown(page)).toEqual(before);
  });

  it('opens the sources of a row from its name, by mouse or keyboard', async () => {
    const { page } = await open();
    const name = table(page).getByRole('button', { name: /^Pythia 70M / });
    await name.click();
    await expect.poll(() => name.getAttribute('aria-expanded')).toBe('true');
    const details = plain(await table(page).locator('.details').textContent());
    expect(details).toMatch(/Counted 70,\d{3},\d{3}; with all token tables shared it would be/);
    expect(details).toContain('Published 70,426,624 parameters');
    expect(details).toContain('Sizes from');
    expect(details).toContain('the rule says tie. Its makers did otherwise.');
    expect(await readOut(page)).toContain('Pythia 70M is not tied. Tying would save it 25.8M parameters');
    await name.press('Enter');
    expect(await table(page).locator('.details').count()).toBe(0);
  });
});

describe('the chart', () => {
  const point = (page: Page, id: string) => table(page).locator(`g.point[data-id="${id}"]`);

  it('names the model under the pointer, and a click opens its row', async () => {
    const { page } = await open();
    const place = await point(page, 'gpt2-xl').locator('.shape').boundingBox();
    if (place === null) throw new Error('no mark');
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
    await expect.poll(() => table(page).locator('.pointed-name').textContent()).toBe('GPT-2 XL');
    await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    // Not among the first rows, so the others are shown.
    await expect.poll(() => table(page).getAttribute('model')).toBe('gpt2-xl');
    expect(await readOut(page)).toContain('GPT-2 XL is tied. Tying saves it 80.4M parameters');
    const focused = await table(page).evaluate(
      (element) => element.shadowRoot?.activeElement?.querySelector('.model-name')?.textContent,
    );
    expect(focused).toBe('GPT-2 XL');
  });

  it('is one tab stop, and arrow keys move between models by size', async () => {
    const { page } = await open();
    expect(await table(page).locator('g.point[tabindex="0"]').count()).toBe(1);
    await table(page).locator('g.point[tabindex="0"]').focus();
    const sizes: number[] = [];
    for (let step = 0; step < 4; step++) {
      const focused = table(page).locator('g.point:focus .shape');
      const box = await focused.boundingBox();
      sizes.push((box?.x ?? 0) + (box?.width ?? 0) / 2);
      await page.keyboard.press('ArrowRight');
    }
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    await page.keyboard.press('End');
    const last = await table(page).locator('g.point:focus').getAttribute('data-id');
    await page.keyboard.press('Enter');
    await expect.poll(() => table(page).getAttribute('model')).toBe(last);
  });

  it('places marks by fraction and size, with different marks for tied and untied', async () => {
    const { page } = await open();
    const centre = async (id: string): Promise<[number, number]> => {
      const box = await point(page, id).locator('.shape').boundingBox();
      return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    };
    const [small, large] = [await centre('gpt2'), await centre('gpt2-xl')];
    expect(large[0]).toBeGreaterThan(small[0]);
    expect(large[1]).toBeGreaterThan(small[1]);
    expect(await point(page, 'gpt2').locator('circle.shape').count()).toBe(1);
    expect(await point(page, 'pythia-70m').locator('path.shape').count()).toBe(1);
    // Models for which the rule disagrees have a ring.
    expect(await point(page, 'pythia-70m').locator('.otherwise').count()).toBe(1);
    expect(await point(page, 'gpt2').locator('.otherwise').count()).toBe(0);
  });

  it('draws the thresholds for the rule’s own quantity, with no ring on the wrong side and a name for each ring but one', async () => {
    const { page } = await open();
    await expect.poll(() => table(page).locator('line.reference').count()).toBe(2);
    const drawn = await table(page).evaluate((element) => {
      const root = element.shadowRoot!;
      const levels = [...root.querySelectorAll('line.reference')].map((line) => Number(line.getAttribute('y1')));
      return {
        levels,
        rings: [...root.querySelectorAll('svg.chart .point .otherwise')].map((ring) => ({
          name: (ring.closest('.point')?.getAttribute('aria-label') ?? '').split(',')[0],
          tied: ring.closest('.point')?.classList.contains('is-tied') === true,
          y: Number(ring.getAttribute('cy')),
        })),
        names: [...root.querySelectorAll('svg.chart text.name')].map(({ textContent }) => textContent),
        said: root.querySelector('.read-out')?.textContent ?? '',
      };
    });
    const [tieAbove = 0, notBelow = 0] = drawn.levels;
    expect(drawn.rings.length).toBeGreaterThan(4);
    for (const { name, tied, y } of drawn.rings) {
      // Lower means less. The rule would untie a tied model below the lower line, and tie an untied one above the upper line.
      if (tied) expect(y, name).toBeGreaterThanOrEqual(notBelow);
      else expect(y, name).toBeLessThan(tieAbove);
    }
    // Where three models of one size are side by side, one name may find no place; pointing at its mark says it.
    const unnamed = drawn.rings.filter(({ name }) => !drawn.names.includes(name!));
    expect(unnamed.length, unnamed.map(({ name }) => name).join(', ')).toBeLessThanOrEqual(1);
    expect(drawn.names).toContain('GPT-2 XL');
    // The sentence below names all of them, on phones, too, whose drawing has no names.
    for (const { name } of drawn.rings) expect(drawn.said).toContain(name);
  });

  it('draws neither thresholds nor rings for the savings by tying', async () => {
    const { page } = await open();
    await table(page).getByText('What tying saves', { exact: true }).click();
    await expect.poll(() => table(page).locator('line.reference').count()).toBe(0);
    expect(await table(page).locator('svg.chart .otherwise').count()).toBe(0);
    expect(await table(page).getAttribute('chart')).toBe('saved');
    expect(await point(page, 'gpt2').getAttribute('aria-label')).toBe(
      'GPT-2 small, tied, 124.4M parameters, 23.7% saved by tying',
    );
  });

  it('has marks of at least 24 pixels to click', async () => {
    const { page } = await open('', { width: 320 });
    const sizes = await table(page)
      .locator('g.point[role=button]')
      .evaluateAll((marks) =>
        marks.map((mark) => mark.getBoundingClientRect()).map(({ width, height }) => [width, height]),
      );
    expect(sizes.length).toBeGreaterThan(50);
    for (const side of sizes.flat()) expect(side).toBeGreaterThanOrEqual(24);
  });
});

describe('opening a model elsewhere', () => {
  it('sets the model of the target calculator, and takes the reader there, into its fold', async () => {
    const { page, problems } = await open(
      'for="calculator"',
      {},
      `<details>
        <summary>Calculator</summary>
        <tied-parameter-calculator id="calculator" heading-level="2"></tied-parameter-calculator>
      </details>`,
    );
    await table(page).getByRole('button', { name: 'Open GPT-2 small in the calculator' }).click();
    const calculator = page.locator('tied-parameter-calculator');
    await expect.poll(() => calculator.getAttribute('model')).toBe('gpt2');
    await expect
      .poll(async () => plain(await calculator.locator('.read-out').textContent()))
      .toContain('38.6M parameters');
    const focused = await calculator.evaluate((element) => element.shadowRoot?.activeElement?.id);
    expect(focused).toBe('title');
    await expect
      .poll(() => calculator.evaluate((element) => element.getBoundingClientRect().top < innerHeight / 2))
      .toBe(true);
    expect(problems).toEqual([]);
  });

  it('notifies a listener, who can prevent it, and reports a missing target', async () => {
    const { page } = await open('for="nowhere"');
    await page.evaluate(() => {
      document.addEventListener('tied-model', (event) => {
        document.title = (event as CustomEvent<{ id: string }>).detail.id;
      });
    });
    await table(page).getByRole('button', { name: 'Open Pythia 70M in the calculator' }).click();
    await expect.poll(() => page.title()).toBe('pythia-70m');
    await expect
      .poll(() => table(page).locator('.problem').textContent())
      .toContain('no element with the id “nowhere”');
    await page.evaluate(() => {
      document.addEventListener('tied-model', (event) => {
        event.preventDefault();
      });
    });
    await table(page).getByRole('columnheader', { name: 'Year' }).getByRole('button').click();
    expect(await table(page).locator('.problem').count()).toBe(0);
    await table(page).locator('.open-model').first().click();
    expect(await table(page).locator('.problem').count()).toBe(0);
  });

  it('offers the author’s link without `for`, and nothing without either', async () => {
    const linked = await open('calculator-link="#calculator={model}"');
    const link = table(linked.page).getByRole('link', { name: 'Open Pythia 70M in the calculator' });
    expect(await link.getAttribute('href')).toBe('#calculator=pythia-70m');
    const bare = await open();
    expect(await table(bare.page).locator('.open-model').count()).toBe(0);
  });
});

describe('the figure', () => {
  it('offers its order, filters and open row as a link, and opens from one', async () => {
    const { page, url, problems } = await open('link-state="models"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await table(page).getByRole('columnheader', { name: 'Width' }).getByRole('button').click();
    await table(page).getByRole('radio', { name: 'Tied', exact: true }).check();
    await table(page).getByRole('searchbox', { name: 'Find' }).fill('gpt-2');
    await table(page)
      .getByRole('button', { name: /^GPT-2 large / })
      .click();
    await table(page).getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => table(page).locator('.note[role=status]').textContent()).toBe('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${url}#tied=models&sort=width&order=descending&tying=tied&search=gpt-2&model=gpt2-large`);
    await page.goto('about:blank');
    await page.goto(link);
    await expect.poll(() => shown(page)).toEqual(['gpt2-xl', 'gpt2-large', 'gpt2-medium', 'gpt2']);
    expect(await readOut(page)).toContain('GPT-2 large is tied');
    expect(problems).toEqual([]);
  });

  it('names invalid attributes, and shows a model that filters would hide', async () => {
    const wrong = await open('sort="color" order="up" tying="half" family="x" model="y"');
    await expect
      .poll(() => table(wrong.page).locator('.problem').textContent())
      .toContain('The attribute model is “y”, which is not in this table');
    expect(await table(wrong.page).getAttribute('sort')).toBe('saved-of-untied');
    const hidden = await open('tying="untied" model="gpt2-xl"');
    expect(await shown(hidden.page)).toContain('gpt2-xl');
    expect(await table(hidden.page).getAttribute('tying')).toBe('all');
  });

  it('shows exact numbers under the drawing', async () => {
    const { page } = await open('search="gpt-2"');
    await table(page).getByRole('button', { name: 'Show data' }).click();
    const data = await table(page).locator('.data').textContent();
    for (const total of ['124,439,808', '354,823,168', '774,030,080', '1,557,611,200']) expect(data).toContain(total);
  });

  it('reports the reader’s choice to the page', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      document.addEventListener('tied-change', (event) => {
        const { models, opened } = (event as CustomEvent<{ models: string[]; opened: string | null }>).detail;
        document.title = `${String(models.length)} ${String(opened)}`;
      });
    });
    await table(page).getByRole('searchbox', { name: 'Find' }).fill('pythia 70m');
    await expect.poll(() => page.title()).toBe('1 null');
    await table(page)
      .getByRole('button', { name: /^Pythia 70M / })
      .click();
    await expect.poll(() => page.title()).toBe('1 pythia-70m');
  });

  it('turns rows into cards at 320 pixels, with an order to choose, and passes axe in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await open('for=""', { colorScheme, width: 320, touch: true });
      expect(await table(page).locator('thead').isVisible()).toBe(false);
      await table(page).getByRole('combobox', { name: 'Sort by' }).selectOption('year');
      await table(page).getByRole('button', { name: 'Largest first' }).click();
      await expect.poll(() => table(page).getAttribute('order')).toBe('ascending');
      await table(page).locator('.toggle').first().click();
      await table(page).getByRole('button', { name: 'Show data' }).click();
      expect(await horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
    }
  });

  it('never makes the page scroll sideways, whatever its width, with all rows shown', async () => {
    const { page } = await open('for="" model="gpt2"');
    await showAll(page).click();
    for (const width of [320, 400, 500, 640, 760, 816, 834, 900, 940, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => horizontalOverflow(page), { message: String(width) }).toBe(0);
    }
  });

  it('passes axe as a table, with a row open and a model of the chart under the pointer', async () => {
    const { page } = await open('for="" model="gpt2"');
    await table(page).locator('g.point[tabindex="0"]').focus();
    expect(await axeViolations(page)).toEqual([]);
  });
});
