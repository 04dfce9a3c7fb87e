// Tables written by the command, larger than what it converts to columns or text at a time.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, expect, it, vi } from 'vitest';
import { writeTables } from '../../../command/tables.mjs';

// The script of the report is built.
vi.mock(import('../../../command/report.mjs'), async (original) => ({
  ...(await original()),
  reportPage: (report: object) => JSON.stringify(report),
}));

const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-tables-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const count = 41_234;
const metrics = Array.from({ length: count }, (_, i) => ({
  id: String(i % 100),
  step: i,
  metric: i % 2 === 0 ? 'loss' : 'isotropy(embedding).isoScore',
  layer: i % 3 === 0 ? null : i % 7,
  band: i % 5 === 0 ? 0.5 * i : null,
  value: i % 11 === 0 ? null : Math.sin(i),
  unit: i % 2 === 0 ? 'nats, per token' : '',
}));

it('every row is written once and in order, in each format', async () => {
  const spec = { name: 'many', seeds: [1], arms: {}, measure: [] };
  writeTables(folder, spec as never, { runs: [], metrics, claims: [], problems: [] });
  const file = (name: string): Buffer => readFileSync(join(folder, name));
  const lines = file('metrics.jsonl').toString().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(metrics);
  const parquet = new Uint8Array(file('metrics.parquet')).buffer;
  expect(await parquetReadObjects({ file: parquet })).toEqual(metrics);
  const csv = file('metrics.csv').toString().split('\r\n');
  expect(csv[0]).toBe('id,step,metric,layer,band,value,unit');
  expect(csv[1]).toBe('0,0,loss,,0,,"nats, per token"');
  expect(csv[count]).toBe(
    `${String((count - 1) % 100)},${String(count - 1)},isotropy(embedding).isoScore,${String((count - 1) % 7)},,${String(Math.sin(count - 1))},`,
  );
  expect(csv).toHaveLength(count + 2);
});

it('seeds are integers and times are times in Parquet', async () => {
  const runs = [
    { id: 'a', seed: 2 ** 53 - 1, started_at: '2026-01-02T03:04:05.678Z', seconds: 1.5, cpu: null },
    { id: 'b', seed: 0, started_at: '2026-12-31T23:59:59.999Z', seconds: 2, cpu: 'x' },
  ];
  const spec = { name: 'times', seeds: [1], arms: {}, measure: [] };
  writeTables(folder, spec as never, { runs, metrics: [], claims: [], problems: [] } as never);
  const read = (name: string): Promise<Record<string, unknown>[]> =>
    parquetReadObjects({ file: new Uint8Array(readFileSync(join(folder, name))).buffer });
  expect((await read('runs.parquet')).map(({ id, seed }) => [id, seed])).toEqual([
    ['a', 9_007_199_254_740_991n],
    ['b', 0n],
  ]);
  expect((await read('clock.parquet')).map(({ started_at: at }) => at)).toEqual(
    runs.map(({ started_at: at }) => new Date(at)),
  );
});
