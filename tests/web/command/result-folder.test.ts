// Where the command stores results, in one folder or in many.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mostInOneFolder, ResultFolder } from '../../../command/result-folder.mjs';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tied-embeddings-results-'));
});
afterEach(() => {
  rmSync(path, { recursive: true });
});

const job = { id: '5f0123456789abcd' };
const row = { id: job.id, step: 3, metric: 'loss', layer: null, band: null, value: 1.5, unit: 'nats per token' };
const result = (model: Uint8Array | null = null) => ({
  run: { id: job.id, arm: 'tied', status: 'done', error: null },
  metrics: [row, { ...row, step: 4, value: null }],
  model,
});
const files = (): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

const few = (): ResultFolder => new ResultFolder(path, mostInOneFolder);
const many = (): ResultFolder => new ResultFolder(path, mostInOneFolder + 1);

describe('a folder of results', () => {
  it('has the results of few jobs side by side, and those of many in subfolders', () => {
    few().write(job, result(Uint8Array.of(1)));
    expect(files()).toEqual([`${job.id}.jsonl`, `${job.id}.model`]);
    many().write({ id: 'a7' + job.id.slice(2) }, result());
    expect(files()).toContain(`a7/a7${job.id.slice(2)}.jsonl`);
  });

  it.each([
    { written: 'one folder', by: few, others: [many, () => new ResultFolder(path)] },
    { written: 'folders', by: many, others: [few, () => new ResultFolder(path)] },
  ])('finds results that were written into $written', ({ by, others }) => {
    const given = result(Uint8Array.of(1, 2, 3));
    by().write(job, given);
    for (const other of others) {
      expect(other().has(job)).toBe(true);
      expect(other().hasFailed(job)).toBe(false);
      expect(other().read(job)).toEqual(given);
    }
  });

  it('resumes from a state in the other location, and leaves none behind', () => {
    const model = Uint8Array.of(10, 13, 10);
    few().writeState(job, { step: 7, metrics: [row], seconds: 2, model });
    expect(many().stateOf(job)).toEqual({ step: 7, metrics: [row], seconds: 2, model });
    many().writeState(job, { step: 9, metrics: [row], seconds: 3, model });
    // The later state is the one in its own location.
    expect(many().stateOf(job)).toMatchObject({ step: 9 });
    many().write(job, result());
    expect(files()).toEqual([`5f/${job.id}.jsonl`]);
  });

  it('names a damaged result and its location', () => {
    many().write(job, result());
    const file = join(path, '5f', `${job.id}.jsonl`);
    mkdirSync(join(path, 'other'));
    renameSync(file, join(path, 'other', 'kept'));
    expect(existsSync(file)).toBe(false);
    expect(() => few().read(job)).toThrow(/5f0123456789abcd\.jsonl is damaged: ENOENT/);
  });

  it.each([
    { of: 'a result', cut: `${job.id}.jsonl` },
    { of: 'the model of a result', cut: `${job.id}.model` },
  ])('has no result if $of is truncated, at any byte', ({ cut }) => {
    const given = result(Uint8Array.of(1, 2, 10, 4));
    few().write(job, given);
    const file = join(path, cut);
    const whole = readFileSync(file);
    for (let bytes = 0; bytes < whole.length; bytes++) {
      writeFileSync(file, whole.subarray(0, bytes));
      expect(few().has(job), `${String(bytes)} of ${String(whole.length)} bytes`).toBe(false);
      expect(few().hasFailed(job)).toBe(false);
    }
    // The job runs again, and the later result replaces the remains.
    few().write(job, given);
    expect(few().read(job)).toEqual(given);
  });

  it('has no result whose end was never written, as after a power failure of the disk', () => {
    few().write(job, result());
    const file = join(path, `${job.id}.jsonl`);
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole.subarray(0, -20), Buffer.alloc(20)]));
    expect(few().has(job)).toBe(false);
  });

  it('takes the complete one of two results', () => {
    const given = result();
    many().write(job, given);
    writeFileSync(join(path, `${job.id}.jsonl`), '{"run":{"id":');
    expect(few().has(job)).toBe(true);
    expect(few().read(job)).toEqual(given);
  });

  it('reads older results, which do not contain their length, and first lines of any length', () => {
    const { run, metrics } = result();
    const lines = [{ run }, ...metrics.map((metric) => ({ metric }))].map((line) => JSON.stringify(line));
    writeFileSync(join(path, `${job.id}.jsonl`), `${lines.join('\n')}\n`);
    expect(few().read(job)).toEqual(result());
    const long = { ...result(), run: { ...run, status: 'failed', error: 'é'.repeat(10_000) } };
    few().write(job, long as unknown as ReturnType<typeof result>);
    expect(few().hasFailed(job)).toBe(true);
    expect(few().read(job)).toEqual(long);
  });

  it('does not resume from a truncated state', () => {
    const model = Uint8Array.of(10, 13, 10);
    few().writeState(job, { step: 7, metrics: [row], seconds: 2, model });
    const file = join(path, `${job.id}.state`);
    const whole = readFileSync(file);
    for (let bytes = 0; bytes < whole.length; bytes++) {
      writeFileSync(file, whole.subarray(0, bytes));
      expect(few().stateOf(job), `${String(bytes)} bytes`).toBeNull();
    }
  });

  it('stores the experiment again if its file was truncated', () => {
    few().keepExperiment('ab', { name: 'one' });
    const [file] = few().experiments() as [string];
    writeFileSync(file, '{"na');
    few().keepExperiment('ab', { name: 'one' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'one' });
  });
});
