// What <tied-alignment> measures on the article's two finished models, and how it reports it. Its use is tested in tests/browser/alignment.test.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab } from '../../../web/core/types.js';
import { alignmentStrings as texts } from '../../../web/elements/alignment/alignment.strings.js';
import { summaryOf } from '../../../web/elements/alignment/summary.js';
import type { Tables } from '../../../web/elements/alignment/compared-tables.js';
import {
  measureTables,
  measureWithWord,
  neighborsOf,
  openTables,
  tokenOf,
  type Measured,
  type Question,
} from '../../../web/elements/alignment/tables.js';
import { fetchModels } from '../../../web/elements/shared/models-file.js';
import { createLab } from '../../../web/worker/lab.js';

const file = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
const { signal } = new AbortController();
let lab: Lab;
let tables: Tables;
beforeAll(async () => {
  lab = await createLab();
  tables = await openTables(lab, file, texts.otherFile);
});
afterAll(() => lab.dispose());
afterEach(() => {
  vi.unstubAllGlobals();
});

const measured = (change: Partial<Question> = {}, onProgress: (fraction: number) => void = () => undefined) =>
  measureTables(
    lab,
    tables,
    { method: 'linear', center: true, holdOut: true, others: false, ...change },
    { signal, onProgress },
  );

describe('the tables in the file', () => {
  it('are the three tables of the two models, with the names of their tokens', () => {
    expect([tables.tied, tables.reading, tables.writing].map(({ rows, cols }) => [rows, cols])).toEqual(
      Array(3).fill([1180, 48]),
    );
    expect(tables.names).toContain('girl');
    expect(tables.reading.data).not.toEqual(tables.writing.data);
  });

  it('are refused with a sentence if the file is another or truncated', async () => {
    const broken = file.slice();
    broken.fill(0x7b, 8, 200);
    for (const bytes of [
      new Uint8Array(0),
      new TextEncoder().encode('<!doctype html>'),
      broken,
      file.slice(0, 90_000),
    ]) {
      await expect(openTables(lab, bytes, texts.otherFile)).rejects.toThrow(texts.otherFile);
    }
  });

  it('are fetched with progress, and up to a limit', async () => {
    const told: number[] = [];
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(file.slice())));
    expect(await fetchModels('models', { signal, onBytes: (bytes) => told.push(bytes) })).toEqual(file);
    expect(told.at(-1)).toBe(file.length);
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(new Uint8Array(64 * 2 ** 20 + 1))));
    await expect(fetchModels('models', { signal, onBytes: () => undefined })).rejects.toThrow('larger than expected');
  });
});

describe('the measurement', () => {
  it('finds the tied table like both others, by each map, centered or not, on unseen tokens, too; neither is clearly ahead', async () => {
    for (const method of ['linear', 'orthogonal'] as const) {
      for (const center of [true, false]) {
        const { writing, reading } = (await measured({ method, center })).pairs;
        for (const { alignment, overlap } of [writing, reading]) {
          expect(alignment.meanCosine).toBeGreaterThan(alignment.null.meanCosine + 0.15);
          expect(alignment.heldOut!.meanCosine).toBeGreaterThan(0.25);
          expect(overlap.overlap).toBeGreaterThan(20 * overlap.null);
        }
        expect(Math.abs(writing.alignment.meanCosine - reading.alignment.meanCosine)).toBeLessThan(0.05);
        expect(Math.abs(writing.overlap.overlap - reading.overlap.overlap)).toBeLessThan(0.05);
      }
    }
  });

  it('is the same when a page gets it from the lab, and reports progress', async () => {
    const told: number[] = [];
    const { own } = (await measured({}, (fraction) => told.push(fraction))).pairs;
    const direct = await lab.align(tables.reading, tables.writing, { method: 'linear', nullRuns: 5 });
    expect(own.alignment).toEqual(direct);
    expect(told).toEqual([1 / 3, 2 / 3, 1]);
  });

  it('is small enough to ship with a page, including the neighbors of one word', async () => {
    const question = { method: 'linear', center: true, holdOut: true, others: false } as const;
    const listening = { signal, onProgress: () => undefined };
    const brought = await measureWithWord(lab, tables, question, 'She', listening);
    expect(JSON.stringify(brought).length).toBeLessThan(5000);
    expect(summaryOf(texts, JSON.parse(JSON.stringify(brought)) as Measured)).toEqual(
      summaryOf(texts, await measured()),
    );
    const { row, neighbors, names } = brought.words!;
    expect(neighbors).toEqual(await neighborsOf(lab, tables, tokenOf(tables.names, 'She'), true));
    expect(names[row]).toBe(tables.names[row]);
    expect(neighbors.writing.map((one) => names[one.row])).toEqual(
      neighbors.writing.map((one) => tables.names[one.row]),
    );
  });

  it('leaves no token out if nothing is held out', async () => {
    const { pairs } = await measured({ holdOut: false });
    expect(Object.values(pairs).map(({ alignment }) => alignment.heldOut)).toEqual([null, null, null]);
  });

  it('ends when it is cancelled', async () => {
    const asked = measureTables(
      lab,
      tables,
      { method: 'linear', center: true, holdOut: true, others: false },
      { signal: AbortSignal.abort(), onProgress: () => undefined },
    );
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('the sentences about it', () => {
  const said = (found: Measured): string => Object.values(summaryOf(texts, found)).join(' ');
  /** The same measurement with other cosines with the tied table. */
  const withFits = (found: Measured, fits: Readonly<Record<'writing' | 'reading', number>>): Measured => {
    const changed = (['writing', 'reading'] as const).map((id) => {
      const { alignment, overlap } = found.pairs[id];
      return [id, { alignment: { ...alignment, meanCosine: fits[id] }, overlap }];
    });
    return { ...found, pairs: { ...found.pairs, ...(Object.fromEntries(changed) as typeof found.pairs) } };
  };

  it('are computed from the numbers', async () => {
    const found = await measured();
    expect(said(found)).toBe(
      'The tied table is about as close to the writing table (0.45) as to the reading table (0.47). Shuffled rows reach 0.19 by chance. ' +
        'On tokens that the map has not seen, where chance is 0, writing reaches 0.36 and reading 0.38. Of its 10 nearest neighbors in the tied table, ' +
        'a token shares 3.0 with the writing table and 2.9 with the reading table; by chance 0.1.',
    );
    expect(said(withFits(found, { writing: 0.5, reading: 0.8 }))).toMatch(
      /^The tied table is closer to the reading table \(0\.80\) than to the writing table \(0\.50\)\./,
    );
    expect(said(withFits(found, { writing: 0.5, reading: 0.549 }))).toMatch(
      /^The tied table is about as close to the writing/,
    );
    expect(said(withFits(found, { writing: 0.551, reading: 0.5 }))).toMatch(/^The tied table is closer to the writing/);
    expect(said(withFits(found, { writing: 0.18, reading: 0.1 }))).toMatch(/^Neither table .* beyond chance/);
  });

  it('do not mention unseen tokens if none are held out, and claim nothing without a map', async () => {
    expect(said(await measured({ holdOut: false }))).not.toContain('not seen');
    expect(said(await measured({ method: 'identity', holdOut: false }))).toMatch(
      /^Without a map, the writing table reaches 0\.06 and the reading table 0\.08\. Each model finds its own axes/,
    );
  });
});

describe('the sentences without chance levels', () => {
  it('report the measurement without its chance levels', async () => {
    const found = await measured();
    const [shown, hidden] = [true, false].map((chance) => Object.values(summaryOf(texts, found, chance)).join(' '));
    expect(shown!.match(/chance/g)).toHaveLength(3);
    expect(hidden).not.toContain('chance');
    expect(hidden).toContain('On tokens that the map has not seen, writing reaches 0.36 and reading 0.38.');
  });
});

describe('a word', () => {
  it('is found by its spelling, at the start of a word, or in other case', () => {
    const found = (word: string): string | undefined => tables.names[tokenOf(tables.names, word)];
    expect(['She', 'she', '␣girl', 'girl', ' girl ', 'GIRL', 'york', '!'].map(found)).toEqual([
      'She',
      'she',
      'girl',
      'girl',
      'girl',
      'girl',
      'York',
      '!',
    ]);
    const pieces = ['her', '␣her', '␣girl', 'q'];
    expect(['her', 'girl', 'GIRL', 'q'].map((word) => pieces[tokenOf(pieces, word)])).toEqual([
      'her',
      '␣girl',
      '␣girl',
      'q',
    ]);
    expect(['', '  ', 'quetzal', '漢字'].map(found)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('has its neighbors in each table, without itself', async () => {
    const row = tokenOf(tables.names, 'girl');
    const found = await neighborsOf(lab, tables, row, true);
    for (const list of Object.values(found)) {
      expect(list).toHaveLength(6);
      expect(list.map((one) => one.row)).not.toContain(row);
    }
    for (const name of ['tied', 'writing'] as const) {
      expect(tables.names[found[name][0]!.row]).toBe('boy');
    }
  });
});
