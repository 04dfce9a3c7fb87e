// Every kind of file that is written here is read by a program of others, with the same names, shapes and values.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { npyOf } from '../../command/npy.mjs';
import { writeTables } from '../../command/tables.mjs';
import { createLab, loadCore, type Trainer } from '../../web/index.js';
import { writeModelsFile } from '../../web/elements/shared/models-file-writer.js';
import { load, obstacle, titled } from './programs.js';

// The script of the report is built.
vi.mock(import('../../command/report.mjs'), async (original) => ({ ...(await original()), reportPage: () => '' }));

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'tied-judges-'));
afterAll(() => rmSync(folder, { recursive: true }));
const put = (name: string, bytes: Uint8Array): string => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};

const gpt = { kind: 'transformer', dModel: 32, nLayers: 2, nHeads: 2, contextLength: 16 } as const;
const architectures = {
  'GPT-2': { ...gpt, norm: 'layer-norm', biases: 'all' },
  Llama: { ...gpt, norm: 'rms-norm', positions: 'rotary', feedForward: 'swiglu', biases: 'none' },
  ours: gpt,
  'a direct path': { kind: 'direct-path', dModel: 32 },
} as const;
const kinds = Object.keys(architectures) as (keyof typeof architectures)[];
const text = core.writeStories({ seed: 1, length: 4000 });
const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 300, alphabet: 'bytes' });

function trained(kind: keyof typeof architectures, tying: 'tied' | 'untied'): Trainer {
  const trainer = core.createTrainer({
    model: { ...architectures[kind], vocabSize: tokenizer.vocabSize, tying },
    training: { learningRate: 0.01, batchSize: 4, seed: 1 },
    tokenIds: tokenizer.encode(text),
    tokenizer,
  });
  trainer.run(3);
  return trainer;
}
const cases = kinds.flatMap((kind) => (['tied', 'untied'] as const).map((tying) => [kind, tying] as const));

interface SafetensorsHeader {
  header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
  parameterCount: Record<string, number>;
}
interface Hub {
  parseSafetensorsMetadata(options: object): Promise<SafetensorsHeader>;
}

/** What @huggingface/hub reads of a repository that holds only this file; it reads parts of files. */
async function readByHub(bytes: Uint8Array): Promise<SafetensorsHeader> {
  const fetchPart = (_: unknown, { headers }: RequestInit = {}): Promise<Response> => {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(new Headers(headers).get('range') ?? '') ?? [];
    if (from === undefined) return Promise.resolve(new Response(bytes.slice(), { headers: { etag: '"1"' } }));
    const part = bytes.slice(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
    return Promise.resolve(new Response(part, { status: 206, headers: { etag: '"1"', 'content-range': range } }));
  };
  const { parseSafetensorsMetadata } = await load<Hub>('@huggingface/hub');
  return parseSafetensorsMetadata({
    repo: 'someone/model',
    path: 'model.safetensors',
    computeParametersCount: true,
    fetch: fetchPart,
  });
}

/** The values of an F32 tensor at the place that its header names. */
function valuesAt(bytes: Uint8Array, [begin, end]: [number, number]): Float32Array {
  const first = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  return new Float32Array(bytes.slice(first + begin, first + end).buffer);
}

describe.skipIf(obstacle)(titled('safetensors, read by @huggingface/hub'), () => {
  test.each(cases)('of %s, %s', async (kind, tying) => {
    const trainer = trained(kind, tying);
    const bytes = trainer.toSafetensors();
    const { header, parameterCount } = await readByHub(bytes);
    const parameters = trainer.parameters().filter(({ count }) => count > 0);
    expect(parameterCount).toEqual({ F32: parameters.reduce((sum, { count }) => sum + count, 0) });
    const all = Object.values(header).filter(({ dtype }) => dtype !== undefined);
    expect(all.every(({ dtype }) => dtype === 'F32')).toBe(true);
    const largest = trainer.matrix('embedding');
    const found = all.filter(
      ({ shape, data_offsets: place }) =>
        shape.join() === `${largest.rows},${largest.cols}` && valuesAt(bytes, place).join() === largest.data.join(),
    );
    expect(found).toHaveLength(1);
  });

  test('of the models of a figure, in 32 and 16 bits', async () => {
    const lab = await createLab();
    const words = await lab.trainTokenizer(text, { kind: 'word' });
    const modelOf = async (tying: 'tied' | 'untied') => {
      const trainer = await lab.createTrainer({
        model: { kind: 'direct-path', vocabSize: words.vocabSize, dModel: 8, tying },
        training: { learningRate: 0.1, batchSize: 4, seed: 1 },
        tokenIds: await words.encode(text),
      });
      await trainer.run(3);
      return trainer;
    };
    const models = { tied: await modelOf('tied'), untied: await modelOf('untied') };
    for (const precision of ['F32', 'F16'] as const) {
      const bytes = await writeModelsFile({ models, tokenizer: words, precision });
      const { header } = await readByHub(bytes);
      const tables = Object.entries(header).filter(([, { dtype }]) => dtype === precision);
      expect(tables.map(([name]) => name).sort()).toEqual(
        ['tied.embedding', 'untied.embedding', 'untied.unembedding'].sort(),
      );
    }
    lab.dispose();
  });
});

interface GgufReader {
  gguf(
    path: string,
    options: object,
  ): Promise<{
    metadata: Record<string, unknown>;
    tensorInfos: { name: string; shape: bigint[]; dtype: number }[];
    parameterCount: number;
  }>;
}

describe.skipIf(obstacle)(titled('GGUF, read by @huggingface/gguf'), () => {
  const written = cases.filter(([kind]) => kind === 'GPT-2' || kind === 'Llama');
  test.each(written.flatMap(([kind, tying]) => (['F32', 'F16'] as const).map((type) => [kind, tying, type] as const)))(
    'of %s, %s, in %s',
    async (kind, tying, type) => {
      const trainer = trained(kind, tying);
      const { gguf } = await load<GgufReader>('@huggingface/gguf');
      const file = put(`${kind}-${tying}-${type}.gguf`, trainer.toGguf({ type }));
      const { metadata, tensorInfos, parameterCount } = await gguf(file, {
        allowLocalFile: true,
        computeParametersCount: true,
      });
      expect(metadata).toMatchObject({
        version: 3,
        'general.architecture': kind === 'Llama' ? 'llama' : 'gpt2',
        'tokenizer.ggml.model': 'gpt2',
        'general.file_type': type === 'F32' ? 0 : 1,
      });
      expect(metadata['tokenizer.ggml.tokens']).toHaveLength(tokenizer.vocabSize);
      const tables = tensorInfos.filter(({ name }) => /^(token_embd|output)\.weight$/.test(name));
      expect(tables.map(({ name }) => name).sort()).toEqual(
        tying === 'tied' ? ['token_embd.weight'] : ['output.weight', 'token_embd.weight'],
      );
      for (const { shape, dtype } of tables) {
        expect(shape.map(Number)).toEqual([32, tokenizer.vocabSize]);
        expect(dtype).toBe(type === 'F32' ? 0 : 1);
      }
      expect(parameterCount).toBe(trainer.parameters().reduce((sum, { count }) => sum + count, 0));
    },
  );
});

type Row = Record<string, unknown>;
interface Duck {
  DuckDBInstance: {
    create(file: string): Promise<{
      connect(): Promise<{
        runAndReadAll(query: string): Promise<{ getRowObjects(): Row[] }>;
        closeSync(): void;
      }>;
    }>;
  };
}

describe.skipIf(obstacle)(titled('tables of an experiment, read by DuckDB'), () => {
  const count = 41_234;
  const numbers = [0.1, -1 / 3, 5e-324, 1.7976931348623157e308, 1e-9, 12_345_678.9, -0, 0, 2 ** 53];
  const metrics = Array.from({ length: count }, (_, i) => ({
    id: String(i % 100),
    step: i,
    metric: i % 2 === 0 ? 'loss' : 'isotropy(embedding).isoScore',
    layer: i % 3 === 0 ? null : i % 7,
    band: i % 5 === 0 ? 0.5 * i : null,
    value: i % 11 === 0 ? null : i < 100 ? numbers[i % numbers.length]! : 1 / (i + 1),
    unit: i % 2 === 0 ? 'nats, per "token"' : '',
  }));

  test('Parquet, CSV and lines of JSON have all rows, with every bit of their values', async () => {
    const spec = { name: 'many', seeds: [1], arms: {}, measure: [] };
    writeTables(folder, spec as never, { runs: [], metrics, claims: [], problems: [] });
    const { DuckDBInstance } = await load<Duck>('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const csv = `read_csv('${join(folder, 'metrics.csv')}', types = {'id': 'VARCHAR', 'value': 'DOUBLE', 'unit': 'VARCHAR'})`;
    const sources = {
      parquet: `'${join(folder, 'metrics.parquet')}'`,
      json: `read_json('${join(folder, 'metrics.jsonl')}', columns = {id: 'VARCHAR', step: 'BIGINT', metric: 'VARCHAR', layer: 'BIGINT', band: 'DOUBLE', value: 'DOUBLE', unit: 'VARCHAR'})`,
      csv,
    };
    for (const [name, source] of Object.entries(sources)) {
      const reader = await connection.runAndReadAll(`select * from ${source} order by step`);
      const rows = reader.getRowObjects();
      expect(rows, name).toHaveLength(count);
      const whole = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
      const wrong = rows.filter((row, i) =>
        Object.entries(metrics[i]!).some(([column, value]) => {
          const found = whole(row[column]);
          if (name === 'parquet') return !Object.is(found, value);
          // An empty text and no text are the same in CSV; a zero has no sign in CSV and JSON.
          return found !== (name === 'csv' && value === '' ? null : value);
        }),
      );
      expect(wrong.slice(0, 3), name).toEqual([]);
    }
    connection.closeSync();
  });
});

interface Npy {
  parse(bytes: ArrayBuffer): { data: ArrayLike<number>; shape: number[]; dtype: string };
}

test.skipIf(obstacle)(titled('tokens in .npy, read by npyjs'), async () => {
  const { parse } = await load<Npy>('npyjs');
  for (const ids of [[], [7], tokenizer.encode(text), Array.from({ length: 65_536 }, (_, i) => i)]) {
    const file = put('tokens.npy', npyOf(Uint16Array.from(ids)));
    const { data, shape } = parse(new Uint8Array(readFileSync(file)).buffer);
    expect(shape).toEqual([ids.length]);
    expect(Array.from(data)).toEqual([...ids]);
  }
});
