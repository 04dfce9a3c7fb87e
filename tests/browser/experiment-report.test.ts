// The report of `experiment collect`, opened from disk: no server, nothing fetched, and the numbers of the records.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import type { ClaimOutcome, ExperimentMetric, ExperimentRun, ExperimentSpec } from '../../web/index.js';
import { axeViolations, horizontalOverflow, openFile, type OpenOptions } from './harness.js';

const spec: ExperimentSpec = {
  name: 'small',
  text: { stories: { seed: 1, length: 6000 } },
  tokenizer: { kind: 'word' },
  model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
  training: { steps: 40, learningRate: 0.01, batchSize: 4 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  grid: { 'model.dModel': [4, 8] },
  seeds: [1, 2, 3],
  measure: [
    { metric: 'loss', every: 20 },
    { metric: 'symmetry' },
    { metric: 'logit-lens' },
    { metric: 'alignment', between: ['tied.embedding', 'untied.unembedding'] },
    { metric: 'alignment', between: ['tied.embedding', 'untied.embedding'] },
  ],
  claims: [
    { id: 'learns', says: 'loss(tied) < loss(tied, step=0) in every seed', words: 'It learns. </script><b>Really</b>' },
    { id: 'never', says: 'loss(tied) < 0' },
  ],
};

let folder: string;
const rows = <Row>(name: string): Row[] =>
  readFileSync(join(folder, 'tables', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
  writeFileSync(join(folder, 'claim.json'), JSON.stringify(spec));
  for (const verb of ['run', 'collect']) {
    const words = [join(root, 'dist/command.js'), 'experiment', verb, join(folder, 'claim.json'), '--quiet'];
    expect(spawnSync(process.execPath, words, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function open(options?: OpenOptions) {
  const opened = await openFile(join(folder, 'tables/report.html'), options);
  await opened.page.locator('tied-experiment-report h1').waitFor();
  return opened;
}

/** The cells of a table of numbers: its column heads, and its rows by name, with the values that the text was formatted from. */
const tableOf = (page: Page, within: string) =>
  page
    .locator(`${within} details table`)
    .first()
    .evaluate((table) => ({
      head: [...table.querySelectorAll('thead th')].map(({ textContent }) => textContent.trim()),
      rows: Object.fromEntries(
        [...table.querySelectorAll('tbody tr')].map((row) => [
          row.querySelector('th')!.textContent.trim(),
          [...row.querySelectorAll('td')].map((cell) => cell.querySelector('data')?.value ?? null),
        ]),
      ),
    }));

/** The value of a metric at its last step. */
function recorded(metric: string, arm: string, seed: number, dModel: number, layer: number | null = null): string {
  const run = rows<ExperimentRun>('runs.jsonl').find(
    (one) => one.arm === arm && one.seed === seed && one.point === JSON.stringify({ 'model.dModel': dModel }),
  )!;
  const all = rows<ExperimentMetric>('metrics.jsonl').filter(
    (row) => row.id === run.id && row.metric === metric && row.layer === layer,
  );
  return String(all.at(-1)!.value);
}

describe('a report opened from disk', () => {
  it('shows the numbers of the records and the verdicts', async () => {
    const { page, problems } = await open();
    const { claims } = JSON.parse(readFileSync(join(folder, 'tables/claims.json'), 'utf8')) as {
      claims: ClaimOutcome[];
    };
    expect(claims[1]!.verdict).toBe('fails');
    const verdicts = await page.locator('.claim-part > .verdict').allTextContents();
    expect(verdicts.map((verdict) => verdict.toLowerCase())).toEqual(claims.map(({ verdict }) => verdict));
    expect(await page.locator('.claim-part h3').first().textContent()).toBe('It learns. </script><b>Really</b>');
    for (const [at, dModel] of [4, 8].entries()) {
      const shown = await tableOf(page, `#claim-learns .point:nth-of-type(${String(at + 1)})`);
      const { difference, values } = claims[0]!.points[at]!;
      expect(shown.head).toEqual([...values.map(({ name }) => name), 'Difference']);
      for (const [place, seed] of spec.seeds.entries()) {
        const expected = [...values.map((one) => one.values[place]), difference!.values[place]].map(String);
        expect(shown.rows[`Seed ${String(seed)}`]).toEqual(expected);
        expect(expected[0]).toBe(recorded('loss', 'tied', seed, dModel));
      }
      expect(shown.rows['Mean']?.at(-1)).toBe(String(difference!.mean));
      expect(shown.rows['Half of the 95% interval']?.at(-1)).toBe(String(difference!.halfWidth));
    }
    expect(problems).toEqual([]);
  });

  it('shows each metric at each point of the grid, with differences paired by seed and chance levels', async () => {
    const { page, problems } = await open();
    const names = await page
      .locator('.metric')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['metric']));
    expect(names.slice(0, 4)).toEqual(['loss', 'loss.bitsPerByte', 'symmetry', 'symmetry.maxDifference']);
    expect(names).toContain('alignment(tied.embedding).heldOut');
    expect(names.filter((name) => name?.includes('chance'))).toEqual([]);
    for (const dModel of [4, 8]) {
      await page.locator('.chooser select').selectOption(`model.dModel = ${String(dModel)}`);
      const loss = await tableOf(page, '[data-metric="loss"]');
      expect(loss.head).toEqual(['tied', 'untied', 'untied − tied']);
      const differences = spec.seeds.map((seed) => {
        const [tied, untied] = ['tied', 'untied'].map((arm) => recorded('loss', arm, seed, dModel));
        const difference = Number(untied) - Number(tied);
        expect(loss.rows[`Seed ${String(seed)}`]).toEqual([tied, untied, String(difference)]);
        return difference;
      });
      const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
      expect(loss.rows['Mean']?.[2]).toBe(String(mean));
      const deviation = Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 2);
      // Student's t with two degrees of freedom: 4.302652729911275 at 95%. The last bits depend on the order of the products.
      expect(Number(loss.rows['Half of the 95% interval']?.[2])).toBeCloseTo(
        (4.302652729911275 * deviation) / Math.sqrt(3),
        10,
      );
      const symmetry = await tableOf(page, '[data-metric="symmetry"]');
      expect(symmetry.head.slice(0, 4)).toEqual(['tied', 'tied, by chance', 'untied', 'untied, by chance']);
      expect(symmetry.rows['Seed 2']?.slice(2, 4)).toEqual([
        recorded('symmetry', 'untied', 2, dModel),
        recorded('symmetry.chance', 'untied', 2, dModel),
      ]);
      const alignment = await tableOf(page, '[data-metric="alignment(tied.embedding).heldOut"]');
      expect(alignment.head.filter((name) => !name.includes('by chance'))).toEqual([
        'untied.unembedding',
        'untied.embedding',
        'untied.embedding − untied.unembedding',
      ]);
      expect(alignment.rows['Seed 3']?.[0]).toBe(
        recorded('alignment(tied.embedding, untied.unembedding).heldOut', 'tied', 3, dModel),
      );
      const lens = await tableOf(page, '[data-metric="logit-lens"]');
      const layer = spec.seeds.map((seed) => Number(recorded('logit-lens', 'untied', seed, dModel, 0)));
      expect(lens.rows['0']?.[1]).toBe(String(layer.reduce((sum, one) => sum + one, 0) / layer.length));
    }
    expect(problems).toEqual([]);
  });

  it('says where the numbers come from, and links to the files beside it', async () => {
    const { page, problems } = await open();
    const runs = rows<ExperimentRun>('runs.jsonl');
    expect(await page.locator('.models tbody tr').count()).toBe(runs.length);
    const hashes = await page
      .locator('.models code data')
      .evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value));
    expect(hashes).toEqual(runs.map(({ weights_sha256 }) => weights_sha256));
    const facts = await page.locator('#provenance + .facts').textContent();
    for (const fact of [runs[0]!.spec_hash, runs[0]!.text_sha256!, runs[0]!.engine, runs[0]!.package_version])
      expect(facts).toContain(fact);
    expect(JSON.parse((await page.locator('.spec pre').textContent())!)).toMatchObject(spec);
    const links = page.locator('.files a');
    expect(await links.count()).toBe(11);
    const urls = await links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(urls.filter((url) => !existsSync(fileURLToPath(url)))).toEqual([]);
    expect(urls.map((url) => url.replace(/.*\//, ''))).toContain('metrics.parquet');
    expect(problems).toEqual([]);
  });

  it.each<[string, OpenOptions]>([
    ['light', {}],
    ['320 px, dark', { width: 320, colorScheme: 'dark' }],
    ['forced colors', { forcedColors: true }],
  ])('fits and is accessible: %s', async (_, options) => {
    const { page, problems } = await open(options);
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) (one as HTMLDetailsElement).open = true;
    });
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
