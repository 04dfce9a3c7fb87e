// DuckDB reads the tables of an experiment: the query of README answers with the final losses, and columns have the types of their values.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { writeTables } from '../../command/tables.mjs';
import { root } from '../../tools/lib/root.mjs';
import { loadCore, type ExperimentSpec } from '../../web/index.js';
import { load, obstacle, titled } from './programs.js';

// The script of the report is built.
vi.mock(import('../../command/report.mjs'), async (original) => ({ ...(await original()), reportPage: () => '' }));

const folder = mkdtempSync(join(tmpdir(), 'tied-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface DuckDb {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        runAndReadAll(
          query: string,
        ): Promise<{ getRowObjects(): Record<string, unknown>[]; getRowObjectsJson(): Record<string, unknown>[] }>;
        closeSync(): void;
      }>;
    }>;
  };
}

const spec = {
  name: 'final-losses',
  text: { stories: { seed: 1, length: 9000 } },
  tokenizer: { kind: 'character' },
  model: { kind: 'direct-path', dModel: 4 },
  training: { steps: 60, learningRate: 0.05, batchSize: 64 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2],
  measure: [{ metric: 'loss', every: 20 }],
} as const satisfies ExperimentSpec;

describe.skipIf(obstacle)(titled('DuckDB'), () => {
  test('answers the query of README with the losses after the last step', async () => {
    const core = await loadCore();
    const records = await core.runExperiment(spec);
    writeTables(join(folder, 'tables'), spec as never, records as never);
    const { DuckDBInstance } = await load<DuckDb>('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const inFolder = (query: string): string => query.replaceAll("'tables/", `'${folder}/tables/`);
    const queries = ['README.md', 'docs/experiments.md'].flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql]) => sql!),
    );
    expect(queries.length).toBeGreaterThanOrEqual(2);
    const expected = ['tied', 'untied'].map((arm) => {
      const ids = records.runs.filter((run) => run.arm === arm).map(({ id }) => id);
      const last = records.metrics.filter(
        ({ id, metric, step }) => ids.includes(id) && metric === 'loss' && step === 60,
      );
      expect(last).toHaveLength(2);
      return { arm, loss: last.reduce((sum, { value }) => sum + value!, 0) / 2 };
    });
    for (const query of queries) {
      const rows = (await connection.runAndReadAll(inFolder(query))).getRowObjects();
      expect(rows).toEqual(expected.map(({ arm, loss }) => ({ arm, loss: expect.closeTo(loss, 12) as number })));
    }
    const described = await connection.runAndReadAll(
      inFolder(
        "describe select seed, steps, started_at, seconds from 'tables/runs.parquet' join 'tables/clock.parquet' using (id)",
      ),
    );
    const types = described.getRowObjects().map(({ column_name: name, column_type: type }) => [name, type]);
    expect(Object.fromEntries(types)).toMatchObject({ seed: 'BIGINT', steps: 'INTEGER', seconds: 'DOUBLE' });
    expect(Object.fromEntries(types)['started_at']).toMatch(/^TIMESTAMP/);
    connection.closeSync();
  }, 120_000);
});
