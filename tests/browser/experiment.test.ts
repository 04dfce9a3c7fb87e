// <tied-experiment>, used as by a reader: run, paused, reloaded and exported, with the real core in workers.
import { buffer } from 'node:stream/consumers';
import { parquetReadObjects } from 'hyparquet';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatNumber } from '../../web/charts/number-format.js';
import { loadCore, type ExperimentRecords, type ExperimentSpec } from '../../web/index.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import { savePicture } from './save-picture.js';

/** Takes seconds in total, long enough to be paused. */
const spec: ExperimentSpec = {
  name: 'small',
  text: { stories: { seed: 1, length: 8000 } },
  tokenizer: { kind: 'word' },
  model: { kind: 'transformer', dModel: 16, nLayers: 1, nHeads: 2, contextLength: 16 },
  training: { steps: 400, learningRate: 0.01, batchSize: 4 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2, 3],
  measure: [
    { metric: 'loss', every: 100 },
    { metric: 'alignment', between: ['tied.embedding', 'untied.unembedding'] },
    { metric: 'alignment', between: ['tied.embedding', 'untied.embedding'] },
  ],
  claims: [
    {
      id: 'closer',
      says: 'alignment(untied.unembedding).heldOut > alignment(untied.embedding).heldOut in every seed',
      words: 'Closer to writing than to reading.',
    },
  ],
};

const script = `
import './web/elements/experiment/experiment.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.style.background = 'Canvas';
document.addEventListener('tied-change', ({ detail }) => (globalThis.told ??= []).push(detail));
`;

const inside = (given: unknown): string =>
  `<tied-experiment heading-level="2"><script type="application/json">${JSON.stringify(given)}</script></tied-experiment>`;

async function open(given: unknown = spec, options?: OpenOptions) {
  const opened = await openFixture({ title: 'Experiment', script, body: inside(given) }, options);
  await opened.page.locator('.plan, figure > [role=alert] .problem').first().waitFor();
  return opened;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const readOut = async (page: Page): Promise<string> =>
  ((await page.locator('.read-out').textContent()) ?? '').replace(/\s+/g, ' ').trim();
const trained = async (page: Page): Promise<number> =>
  Number.parseInt((await page.locator('.now').textContent()) ?? '', 10);
const ended = (page: Page) => page.locator('.read-out strong').waitFor({ timeout: 120_000 });
/** The line beside the bar. The status announces the same words to a screen reader, sometimes at once, sometimes later. */
const bothTrained = (page: Page) =>
  page.locator('.now', { hasText: '2 of 2 models are done.' }).waitFor({ timeout: 120_000 });

interface Told {
  state: string;
  trained: number;
  models: number;
  records: ExperimentRecords | null;
}
const told = (page: Page): Promise<Told[]> => page.evaluate(() => (globalThis as unknown as { told: Told[] }).told);
const records = async (page: Page): Promise<ExperimentRecords> => (await told(page)).at(-1)!.records!;
const hashes = ({ runs }: ExperimentRecords) => runs.map(({ id, weights_sha256: hash }) => [id, hash]);

/** Presses Pause in the page itself, in the frame in which a model is done: a slow test would come after the last one. */
const pauseOnceOneIsDone = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { shadowRoot } = document.querySelector('tied-experiment')!;
        const look = (): void => {
          const pause = [...shadowRoot!.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Pause');
          const done = Number.parseInt(shadowRoot!.querySelector('.now')?.textContent ?? '', 10);
          if (pause === undefined || !(done > 0)) requestAnimationFrame(look);
          else {
            pause.click();
            resolve();
          }
        };
        look();
      }),
  );

let inNode: ExperimentRecords;
beforeAll(async () => {
  const core = await loadCore({ modules: ['diagnostics', 'stories'] });
  inNode = await core.runExperiment(spec);
});

describe('an experiment in the page', () => {
  it('says what it claims and trains, can be run by keyboard, and gets the same numbers and verdict as Node', async () => {
    const { page, problems } = await open();
    const plan = (await page.locator('.plan').textContent())!.replace(/\s+/g, ' ');
    expect(plan).toContain('Closer to writing than to reading.');
    expect(plan).toContain('no seed contradicts it');
    expect(plan).toContain('6 models: tied and untied, each with seeds 1, 2 and 3. 400 steps on 8,000 characters');
    await page.getByRole('button', { name: 'Run', exact: true }).focus();
    await page.keyboard.press('Enter');
    await ended(page);
    const found = await records(page);
    expect((await told(page)).at(-1)).toMatchObject({ state: 'complete', trained: 6, models: 6 });
    expect(hashes(found)).toEqual(hashes(inNode));
    expect(found.metrics).toEqual(inNode.metrics);
    expect(new Set(found.runs.map(({ cpu }) => cpu))).toEqual(new Set([null]));
    expect(found.claims).toEqual(inNode.claims);
    const verdicts = { holds: 'The claim holds.', fails: 'The claim fails.', undecided: 'Undecided.' };
    const { verdict, because } = inNode.claims[0]!;
    expect(await readOut(page)).toBe(`${verdicts[verdict]} ${because[0]!.toUpperCase()}${because.slice(1)}.`);
    // Two values and a difference for three seeds, and the same number of chance levels.
    expect(await page.locator('.claim .dot').count()).toBe(6);
    expect(await page.locator('.claim .chance').count()).toBe(6);
    expect(await page.locator('.claim .difference').count()).toBe(3);
    expect(await page.locator('tied-line-chart .run').count()).toBe(6);
    const described = await page.locator('.claim svg[role=img]').getAttribute('aria-label');
    expect(described).toContain('Differences: ');
    await expect.poll(() => page.locator('figure > [role=status]').textContent()).toBe(await readOut(page));
    await press(page, 'Show data');
    expect(await page.locator('.data tbody tr').count()).toBe(5 + 5);
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('pauses at once, resumes after a reload from the stored results, and ends with the same weights', async () => {
    const { page, problems } = await open();
    await press(page, 'Run');
    await pauseOnceOneIsDone(page);
    expect(await page.getByRole('button', { name: 'Resume', exact: true }).isVisible()).toBe(true);
    const before = await trained(page);
    await page.reload();
    await expect.poll(() => trained(page)).toBe(before);
    expect(before).toBeLessThan(6);
    await press(page, 'Resume');
    await ended(page);
    expect(hashes(await records(page))).toEqual(hashes(inNode));
    expect(problems).toEqual([]);
  });

  it('is shown again after a reload without running, and is discarded when the reader starts over', async () => {
    const { page } = await open();
    await press(page, 'Run');
    await ended(page);
    const said = await readOut(page);
    await page.reload();
    await ended(page);
    expect(await readOut(page)).toBe(said);
    await press(page, 'Start over');
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isVisible()).toBe(true);
    expect(await page.locator('.claim').count()).toBe(0);
    await page.reload();
    await page.locator('.plan').waitFor();
    await page.getByText('Results stay in this browser').waitFor();
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isVisible()).toBe(true);
  });

  it('runs in a browser without storage, and says so', async () => {
    const { page, problems } = await openFixture({
      title: 'Experiment',
      script: `IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); };\n${script}`,
      body: inside({ ...spec, seeds: [1, 2] }),
    });
    await page.getByText('This browser stores nothing for this page').waitFor();
    await press(page, 'Run');
    await ended(page);
    expect((await records(page)).runs).toHaveLength(4);
    expect(problems).toEqual([]);
  });

  it('checks several claims at each point of a grid, and names those that do not hold', async () => {
    const claims = [
      { id: 'positive', says: 'loss(tied) > 0 in every seed' },
      { id: 'negative', says: 'loss(tied) < 0 in every seed' },
    ];
    const { page, problems } = await open({ ...spec, claims, seeds: [1, 2], grid: { 'model.dModel': [4, 8] } });
    await press(page, 'Run');
    await ended(page);
    expect(await readOut(page)).toBe(
      'Claims that hold: 1; that fail: 1; undecided: 0. negative: The claim fails: 2 of 2 seeds are against it.',
    );
    expect(await page.locator('.claim .part-title').allTextContents()).toEqual(
      ['positive, model.dModel = 4: The claim holds.', 'positive, model.dModel = 8: The claim holds.']
        .concat(['negative, model.dModel = 4: The claim fails.', 'negative, model.dModel = 8: The claim fails.'])
        .map((title) => `${title} Each line is a seed.`),
    );
    // The reader chooses the point whose curves are drawn; a link contains the choice.
    const ends = async (): Promise<string[]> => {
      const { runs, metrics } = await records(page);
      const point = await page.locator('.chooser select').evaluate((select: HTMLSelectElement) => select.value);
      const [, dModel] = point.split(' = ');
      return ['tied', 'untied'].map((arm) => {
        const of = runs.filter((one) => one.arm === arm && one.point === `{"model.dModel":${dModel!}}`);
        const values = of.map(
          ({ id }) => metrics.filter((row) => row.id === id && row.metric === 'loss').at(-1)!.value!,
        );
        return `${arm} ends at ${formatNumber((values[0]! + values[1]!) / 2)}.`;
      });
    };
    const label = async (): Promise<string> =>
      (await page.locator('tied-line-chart svg').getAttribute('aria-label')) ?? '';
    const atFirst = await label();
    expect(atFirst).toContain((await ends()).join(' '));
    await page.getByLabel('Setting').selectOption('model.dModel = 8');
    await expect.poll(label).not.toBe(atFirst);
    expect(await label()).toContain((await ends()).join(' '));
    expect(
      await page.locator('tied-experiment').evaluate((element: HTMLElement & { point: number }) => element.point),
    ).toBe(1);
    expect(problems).toEqual([]);
  });

  it('closes its storage when it leaves the page or another tab changes it, and continues from it afterwards', async () => {
    const { page, problems } = await open({ ...spec, seeds: [1] });
    await press(page, 'Run');
    await bothTrained(page);
    /** The outcome of a request that needs exclusive access to the storage. */
    const deleted = () =>
      page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const request = indexedDB.deleteDatabase('tied-embeddings-experiments');
            request.onblocked = () => {
              resolve('blocked');
            };
            request.onsuccess = () => {
              resolve('done');
            };
          }),
      );
    await page.evaluate(() => {
      const element = document.querySelector('tied-experiment')!;
      Object.assign(globalThis, { element, from: element.parentElement });
      IDBDatabase.prototype.close = new Proxy(IDBDatabase.prototype.close, {
        apply: (close, database: IDBDatabase, given) => {
          const { closes = 0 } = globalThis as { closes?: number };
          Object.assign(globalThis, { closes: closes + 1 });
          Reflect.apply(close, database, given);
        },
      });
      element.remove();
    });
    const closed = () => page.evaluate(() => (globalThis as { closes?: number }).closes ?? 0);
    await expect.poll(closed).toBe(1);
    await page.evaluate(() => {
      const { element, from } = globalThis as unknown as { element: Element; from: Element };
      from.append(element);
    });
    await press(page, 'Start over');
    await press(page, 'Run');
    await bothTrained(page);
    await page.reload();
    await bothTrained(page);
    expect(await deleted()).toBe('done');
    expect(problems).toEqual([]);
  });

  it('exports its numbers as JSON, CSV and Parquet', async () => {
    const { page } = await open({ ...spec, seeds: [1, 2] });
    await press(page, 'Run');
    await ended(page);
    const { metrics, claims } = await records(page);
    const taken = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
      expect(download.suggestedFilename()).toMatch(/^small(-metrics)?\.(json|csv|parquet)$/);
      return buffer(await download.createReadStream());
    };
    const json = JSON.parse((await taken('All as JSON')).toString()) as ExperimentRecords;
    expect(json.metrics).toEqual(metrics);
    expect(json.claims).toEqual(claims);
    const csv = (await taken('Every number as CSV')).toString();
    expect(csv.split('\r\n')[0]).toBe('id,step,metric,layer,band,value,unit');
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + metrics.length);
    const parquet = new Uint8Array(await taken('Every number as Parquet'));
    expect(await parquetReadObjects({ file: parquet.buffer })).toEqual(metrics);
  });
});

describe('an invalid experiment', () => {
  it.each([
    [{ ...spec, seed: [1] }, /spec\.seed is not an option.*seeds/],
    [{ ...spec, claims: [{ id: 'one', says: 'loss(tide) > 0' }] }, /did you mean 'tied'/],
    [{ ...spec, text: { file: 'absent.txt' } }, /absent\.txt cannot be fetched: 404/],
    [{ ...spec, text: { file: 'https://elsewhere.invalid/a.txt' } }, /is on another site/],
  ])('is refused with a sentence, and another one can follow', async (given, says) => {
    const { page } = await open(given);
    expect(await page.locator('figure > [role=alert]').textContent()).toMatch(says);
    await page.evaluate((good) => {
      document.querySelector('tied-experiment')!.spec = good;
    }, spec);
    await page.locator('.plan').waitFor();
    expect((await page.locator('figure > [role=alert]').textContent())!.trim()).toBe('');
  });

  it('is refused if its file is missing or not JSON', async () => {
    for (const [src, says] of [
      ['absent.json', /absent\.json cannot be fetched: 404/],
      ['fixture.js', /fixture\.js is not JSON/],
      ['https://elsewhere.invalid/claim.json', /is on another site/],
    ] as const) {
      const { page } = await openFixture({
        title: 'Bad',
        script,
        body: `<tied-experiment src="${src}"></tied-experiment>`,
      });
      await page.locator('.problem').waitFor();
      expect(await page.locator('.problem').textContent()).toMatch(says);
    }
  });
});

it.each<[string, OpenOptions]>([
  ['320 px, dark', { width: 320, colorScheme: 'dark' }],
  ['forced colors', { forcedColors: true }],
])('an experiment fits and is accessible in %s, and its picture can be saved', async (_, options) => {
  const { page, problems } = await open({ ...spec, seeds: [1, 2] }, options);
  expect(await axeViolations(page)).toEqual([]);
  await press(page, 'Run');
  await ended(page);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await savePicture(page);
  expect(problems).toEqual([]);
});
