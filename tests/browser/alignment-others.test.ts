// The fold with other measures in <tied-alignment>, on the article's two finished models with the real core in a worker.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import type { Lab, Matrix } from '../../web/core/types.js';
import type { Tables } from '../../web/elements/alignment/compared-tables.js';
import { openTables } from '../../web/elements/alignment/tables.js';
import { createLab } from '../../web/worker/lab.js';
import { button, choose, plain } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import { savePicture } from './save-picture.js';

/** Records the verbs that are called; a call of the verb in `held` never reaches the worker. */
const script = `
import './web/elements/alignment/alignment.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.style.background = 'Canvas';
const page = globalThis as unknown as { asked: string[]; held: string };
page.asked = [];
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...more) {
  const name = message?.m === 'call' ? message.a[0].verb : (message?.m ?? '');
  page.asked.push(name);
  if (name !== page.held) postMessage.call(this, message, ...more);
};
`;
const path = join(root, 'web/article/assets/finished-transformers.safetensors');
const summary = (page: Page) => page.locator('.others > summary');
const status = async (page: Page): Promise<string> => plain(await page.locator('.others > p').first().textContent());
const said = (page: Page) => expect.poll(() => status(page), { timeout: 120_000 }).toMatch(/^By \d of 4 measures/);
const asked = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
const hold = (page: Page, verb: string) => page.evaluate((name) => Object.assign(globalThis, { held: name }), verb);
const ofTheFold = ['spectrum', 'isotropy', 'normFrequency', 'cka', 'spectralDistance', 'writeStories'];

async function open(options?: OpenOptions, attributes = '') {
  const body = `<tied-alignment heading-level="2" link-state="whose" weights="models.safetensors" ${attributes}></tied-alignment>`;
  const opened = await openFixture({ title: 'Alignment', script, body }, options);
  await opened.page.route('**/models.safetensors', (route) => route.fulfill({ path }));
  await button(opened.page, 'Measure').click();
  await summary(opened.page).waitFor({ timeout: 60_000 });
  return opened;
}

/** The rows of a table in the fold: names and cell texts. */
const rowsOf = (page: Page, caption: string): Promise<[string, string[]][]> =>
  page
    .locator('.others table', { has: page.locator('caption', { hasText: caption }) })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector('th')!.textContent.trim(),
        Array.from(row.querySelectorAll('td'), (cell) => cell.textContent.replace(/\s+/g, ' ').trim()),
      ]),
    );

/** Checks that a cell shows a value and its chance level, to the digits that it has. */
function expectCell(cell: string, value: number, chance: number | string): void {
  const [shown = '', level = ''] = cell.replaceAll('−', '-').split(' by chance ');
  const isRounded = (text: string, to: number): void => {
    const unit = 10 ** -(text.split('.')[1]?.length ?? 0);
    expect(Math.abs(Number(text) - to), `${cell}: ${String(to)}`).toBeLessThan(0.51 * unit);
  };
  isRounded(shown, value);
  if (typeof chance === 'string') expect(level).toBe(chance);
  else isRounded(level.replace('± ', ''), chance);
}

describe('the other measures', () => {
  let lab: Lab;
  let tables: Tables;
  let all: readonly [Matrix, Matrix, Matrix];
  beforeAll(async () => {
    lab = await createLab();
    tables = await openTables(lab, Uint8Array.from(readFileSync(path)), '');
    all = [tables.tied, tables.reading, tables.writing];
  });
  afterAll(() => lab.dispose());

  /** Waits for the agreements of the core under this map, which differ too little for either table to be ahead. */
  async function saysAgreement(page: Page, method: 'orthogonal' | 'linear'): Promise<void> {
    const fitOf = async (role: 'writing' | 'reading') =>
      `${role} table (${(await lab.align(tables[role], tables.tied, { method })).meanCosine.toFixed(2)})`;
    const claim = `about as close to the ${await fitOf('writing')} as to the ${await fitOf('reading')}.`;
    await expect.poll(async () => plain(await page.locator('.read-out').textContent())).toContain(claim);
  }

  it('are those of the core, each compared with chance', async () => {
    const { page, problems } = await open();
    await summary(page).click();
    await said(page);
    const counts = new Uint32Array(1180);
    const tokenizer = await lab.loadTokenizer(tables.tokenizer, { format: 'tied-embeddings' });
    for (const id of await tokenizer.encode(await lab.writeStories({ seed: 1, length: 200_000 }))) counts[id]!++;

    const ofTables = await rowsOf(page, 'Each table');
    for (const [at, table] of all.entries()) {
      const { null: byChance, frequencyR2, ...isotropy } = await lab.isotropy(table, { counts });
      const norms = await lab.normFrequency(table, counts);
      const expected: [number, number | string][] = [
        [isotropy.meanCosine, byChance.meanCosine],
        [isotropy.centeredMeanCosine, byChance.centeredMeanCosine],
        [isotropy.isoScore, byChance.isoScore],
        [isotropy.partition, byChance.partition],
        [isotropy.participationRatio, byChance.participationRatio],
        [isotropy.effectiveRank, byChance.effectiveRank],
        [frequencyR2!.heldOut, '≤ 0'],
        [norms.spearman, norms.null],
      ];
      expect(ofTables).toHaveLength(expected.length);
      expected.forEach(([value, chance], row) => {
        expectCell(ofTables[row]![1][at]!, value, chance);
      });
    }

    const ofPairs = await rowsOf(page, 'Two tables');
    const { tied, reading, writing } = tables;
    for (const [at, [from, to]] of [
      [writing, tied],
      [reading, tied],
      [reading, writing],
    ].entries() as IterableIterator<[number, [Matrix, Matrix]]>) {
      const alignment = await lab.align(from, to, { method: 'linear', nullRuns: 5 });
      const overlap = await lab.neighborOverlap(from, to, { metric: 'centered-cosine' });
      const { cka, null: ckaByChance, subspaces } = await lab.cka(from, to);
      const graphs = await lab.spectralDistance(from, to, { metric: 'centered-cosine' });
      const expected: [number, number][] = [
        [alignment.meanCosine, alignment.null.meanCosine],
        [overlap.overlap, overlap.null],
        [cka, ckaByChance],
        [subspaces.overlap, subspaces.null],
        [graphs.distance, graphs.null.mean],
      ];
      expect(ofPairs).toHaveLength(expected.length);
      expected.forEach(([value, chance], row) => {
        expectCell(ofPairs[row]![1][at]!, value, chance);
      });
    }

    await button(page, 'Show data').click();
    const { values } = await lab.spectrum(tied);
    const scale = Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
    const profile = page.locator('.data table').nth(2);
    expect(await profile.locator('tbody tr').count()).toBe(48);
    expect(Number(await profile.locator('tbody td').first().textContent())).toBeCloseTo(values[0]! / scale, 2);
    // The noise is the core's own initialization of a table: nearly the same in all directions.
    const noise = (await profile.locator('tbody td:last-child').allTextContents()).map(Number);
    expect(noise[0]! / noise.at(-1)!).toBeLessThan(3);
    // For each table, from tokens that never occur to the most frequent ones.
    const ofNorms = await page
      .locator('.data table')
      .nth(3)
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => Array.from(row.children, (cell) => Number(cell.textContent.replace(',', '')))),
      );
    for (const [at, table] of all.entries()) {
      const { bands, meanNorm } = await lab.normFrequency(table, counts);
      expect(ofNorms.map(([from]) => from)).toEqual(bands.map(({ from }) => 1 + from));
      ofNorms.forEach((row, band) => {
        expect(row[at + 1]).toBeCloseTo(bands[band]!.meanNorm / meanNorm, 2);
      });
      // As the article says about these models: tokens that occur at most three times have the shortest rows.
      const [never = NaN, rarest = NaN, ...others] = bands.map((band) => band.meanNorm);
      expect(Math.max(never, rarest)).toBeLessThan(Math.min(...others));
    }
    expect(problems).toEqual([]);
  });

  it('are not computed while the fold is closed, and only once when it is opened, whatever the map', async () => {
    const { page, problems } = await open();
    await choose(page, 'Map', 'Rotation');
    await saysAgreement(page, 'orthogonal');
    for (const verb of ofTheFold) expect(await asked(page)).not.toContain(verb);
    await summary(page).focus();
    await page.keyboard.press('Enter');
    await said(page);
    for (const verb of ofTheFold) expect(await asked(page)).toContain(verb);
    const distances = async () => (await asked(page)).filter((verb) => verb === 'spectralDistance').length;
    expect(await distances()).toBe(3);
    await choose(page, 'Map', 'Linear');
    await saysAgreement(page, 'linear');
    await page.keyboard.press('Home');
    await summary(page).click();
    await summary(page).click();
    await said(page);
    expect(await distances()).toBe(3);
    await choose(page, 'Mean row', 'Kept');
    await expect.poll(distances, { timeout: 60_000 }).toBe(6);
    await button(page, 'Copy link').click();
    await expect
      .poll(() => page.evaluate(() => location.hash))
      .toBe('#tied=whose&method=linear&center=as-is&other-measures=');
    expect(problems).toEqual([]);
  });

  it('end when the fold is closed, the reader cancels, or the figure leaves the page', async () => {
    const { page, problems } = await open();
    const cancels = async () => (await asked(page)).filter((name) => name === 'cancel').length;
    const underWay = async (): Promise<void> => {
      await expect.poll(async () => (await asked(page)).at(-1)).toBe('spectralDistance');
      expect(await status(page)).toBe('Comparing the tables: 57%.');
    };
    await hold(page, 'spectralDistance');
    await summary(page).click();
    await underWay();
    await summary(page).click();
    await expect.poll(cancels).toBe(1);
    expect(await button(page, 'Cancel').count()).toBe(0);

    await summary(page).click();
    await underWay();
    await button(page, 'Cancel').click();
    await expect.poll(cancels).toBe(2);
    expect(await status(page)).toBe('Nothing was measured because you cancelled.');

    await button(page, 'Measure').click();
    await underWay();
    await page.evaluate(() => {
      const figure = document.querySelector('tied-alignment')!;
      figure.remove();
      Object.assign(globalThis, { figure });
    });
    await expect.poll(cancels).toBe(3);
    await hold(page, '');
    await page.evaluate(() => {
      document.querySelector('main')!.append((globalThis as unknown as { figure: Element }).figure);
    });
    await said(page);
    expect(problems).toEqual([]);
  });

  it('are restored by a link, and show no chance levels if the reader has hidden them', async () => {
    const { page } = await open({}, 'other-measures');
    await said(page);
    expect(await page.locator('.others .by-chance').count()).toBe(39);
    const fold = page.locator('.others');
    await fold.locator('.legend li, .label', { hasText: 'Noise' }).waitFor();
    await choose(page, 'Chance', 'Hidden');
    await expect.poll(() => page.locator('.others .by-chance').count()).toBe(0);
    expect(await fold.locator('.reference, .role-chance').count()).toBe(0);
    expect(await fold.textContent()).not.toMatch(/chance|noise/i);
    const labels = await fold.locator('svg[role=img]').evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(labels.join(' ')).not.toMatch(/chance|noise/i);
    expect(labels[0]).toMatch(/^Singular values.* Tied: from \d\.\d\d to 0\.\d\d\./);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fit a phone of 320 px, are accessible in ${colorScheme}, and are in the picture`, async () => {
      const { page } = await open({ width: 320, colorScheme }, 'other-measures');
      await said(page);
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      const { picture } = await savePicture(page);
      expect(picture).toContain('Singular values');
      expect(picture).toContain('Mean norm of rows');
      expect(picture.match(/class=|var\(/)).toBeNull();
    });
  }
});
