import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type KnownModel } from '../../../web/index.js';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { knownModels } from '../../../web/core/accounting/known-models/known-models.js';

const MODELS = knownModels();
const NAMED = MODELS.map((model): [string, KnownModel] => [model.id, model]);

/** Models whose exact published count covers slightly different parameters: our count minus theirs, and why. */
const KNOWN_DIFFERENCES: Record<string, number> = {
  // Two rows of positions before the first position, each 768 wide.
  'opt-125m': 2 * 768,
  // A norm of 2 d and one bias per token, where the published count has the pooler; both have one map of d² + d.
  'bert-base': 2 * 768 + 30_522,
  'bert-large': 2 * 1024 + 30_522,
  // Biases of the output maps of attention.
  'gpt-neo-2.7b': -32 * 2560,
  // 64 frequencies of rotary positions in each of 36 layers, which are not trained.
  'smollm3-3b': -36 * 64,
  // A gate of 2,048 elements in each of 24 layers.
  'qwen1.5-moe-a2.7b': -24 * 2048,
};

/** Models whose total is published exactly, not rounded to millions. */
const isExact = ({ published }: KnownModel): boolean => published !== null && published.total % 100_000 !== 0;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const storedOf = ({ architecture, tying }: KnownModel): number =>
  Number(core.countParameters(architecture, tying).stored);

describe('known models', () => {
  test('there are more than forty with unique ids', () => {
    expect(MODELS.length).toBeGreaterThan(40);
    expect(new Set(MODELS.map(({ id }) => id)).size).toBe(MODELS.length);
    expect(new Set(MODELS.map(({ name }) => name)).size).toBe(MODELS.length);
    for (const { id } of MODELS) expect(id).toMatch(/^[a-z0-9]+([.-][a-z0-9]+)*$/);
  });

  test('each has the properties of its type, in that order, and no others', () => {
    const kinds = { id: 'string', name: 'string', organization: 'string', year: 'number', architecture: 'object' };
    const ofAll = { ...kinds, tying: 'string', published: 'object', sources: 'object', note: 'string' };
    for (const model of MODELS) {
      const found = Object.entries(model).map(([name, value]) => [name, typeof value]);
      const expected = Object.entries(ofAll).filter(([name]) => name !== 'note' || 'note' in model);
      expect(found, model.id).toEqual(expected);
      if (model.published) expect(Object.keys(model.published), model.id).toEqual(['total', 'source']);
      expect(Object.keys(model.sources), model.id).toEqual(['sizes', 'tying']);
    }
  });

  test('the file has one model a line', () => {
    const lines = readFileSync(
      new URL('../../../web/core/accounting/known-models/known-models.json', import.meta.url),
      'utf8',
    );
    const ids = lines.split('\n').flatMap((line) => /^\{"id":"([^"]*)","name"/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(MODELS.map(({ id }) => id));
  });

  test('each names its maker, year and the source of every figure', () => {
    for (const { organization, year, sources, published } of MODELS) {
      expect(organization).not.toBe('');
      expect(year).toBeGreaterThanOrEqual(2018);
      expect(year).toBeLessThanOrEqual(2026);
      for (const source of [sources.sizes, sources.tying, ...(published ? [published.source] : [])]) {
        expect(source.length).toBeGreaterThan(12);
        expect(source).not.toMatch(/undefined|\[object|[{}|$]/);
      }
    }
  });

  test('all but a few have a published total', () => {
    const without = MODELS.filter(({ published }) => published === null);
    expect(without.length).toBeLessThan(MODELS.length / 4);
  });

  test.each(NAMED)('%s has a complete architecture and shares tables in a way that it can', (_, model) => {
    const complete = completeArchitecture(model.architecture);
    expect(completeArchitecture(complete)).toEqual(complete);
    expect(complete.outputVocabSize).toBe(complete.vocabSize);
    const count = core.countParameters(model.architecture, model.tying);
    expect(count.tables).toBe(model.tying === 'tied' ? 1 : 2);
    expect(count.architecture).toEqual(complete);
  });

  test.each(NAMED.filter(([, { published }]) => published !== null))(
    '%s is within 0.5% of its published total',
    (_, model) => {
      expect(Math.abs(storedOf(model) / model.published!.total - 1)).toBeLessThan(0.005);
    },
  );

  test.each(NAMED.filter(([, model]) => isExact(model)))(
    '%s matches the published count to the last parameter',
    (id, model) => {
      expect(storedOf(model) - model.published!.total).toBe(KNOWN_DIFFERENCES[id] ?? 0);
    },
  );

  test('most totals match to the last parameter, without any exception', () => {
    const exact = MODELS.filter((model) => isExact(model) && !(model.id in KNOWN_DIFFERENCES));
    expect(exact.length).toBeGreaterThan(MODELS.length / 2);
  });

  test('the GPT-2 sizes have 124,439,808, 354,823,168, 774,030,080 and 1,557,611,200 parameters', () => {
    const sizes = MODELS.filter(({ id }) => id.startsWith('gpt2')).map(storedOf);
    expect(sizes).toEqual([124_439_808, 354_823_168, 774_030_080, 1_557_611_200]);
  });

  test('a caller that changes the list does not change it for others', () => {
    const [first] = knownModels();
    first!.architecture.vocabSize = 1;
    first!.sources.tying = '';
    if (first!.published) first!.published.total = 0;
    first!.id = 'changed';
    expect(knownModels()[0]).toEqual(MODELS[0]);
  });
});

/** Tables as % of the model, and savings by tying as % of the untied model: one decimal, from independent counts. */
const SHARES: [id: string, tables: number, saved: number][] = [
  ['gpt2', 31.0, 23.7],
  ['gpt2-medium', 14.5, 12.7],
  ['gpt-neo-2.7b', 4.9, 4.6],
  ['pythia-70m', 73.1, 36.6],
  ['pythia-160m', 47.6, 23.8],
  ['pythia-1b', 20.4, 10.2],
  ['pythia-2.8b', 9.3, 4.6],
  ['olmo-1b', 8.8, 8.0],
  ['olmo-1b-0724', 16.1, 8.0],
  ['olmo-2-1b', 27.7, 13.8],
  ['olmo-2-7b', 11.3, 5.6],
  ['llama-2-7b', 3.9, 1.9],
  ['llama-2-70b', 0.8, 0.4],
  ['llama-3.1-8b', 13.1, 6.5],
  ['llama-3.1-70b', 3.0, 1.5],
  ['llama-3.2-1b', 21.3, 17.5],
  ['llama-3.2-3b', 12.3, 10.9],
  ['gemma-2b', 20.9, 17.3],
  ['gemma-2-2b', 22.6, 18.4],
  ['gemma-2-9b', 9.9, 9.0],
  ['gemma-3-1b', 30.2, 23.2],
  ['qwen2-0.5b', 27.6, 21.6],
  ['qwen2-1.5b', 15.1, 13.1],
  ['qwen2.5-3b', 10.1, 9.2],
  ['qwen2-7b', 14.3, 7.2],
  ['qwen3-0.6b', 26.1, 20.7],
  ['qwen3-1.7b', 18.1, 15.3],
  ['smollm2-135m', 21.0, 17.4],
  ['smollm2-360m', 13.0, 11.5],
  ['smollm-1.7b', 5.9, 5.6],
  ['tinyllama-1.1b', 11.9, 6.0],
  ['mistral-7b', 3.7, 1.9],
  ['ministral-3-3b', 11.7, 10.5],
  ['phi-3.5-mini', 5.2, 2.6],
  ['phi-4-mini', 16.0, 13.8],
  ['mobilellm-125m', 14.8, 12.9],
];

test.each(SHARES)(
  '%s: tables are %d percent of the model, tying saves %d percent of the untied model',
  (id, tables, saved) => {
    const model = MODELS.find((candidate) => candidate.id === id)!;
    const { tableShare } = core.countParameters(model.architecture, model.tying);
    const { savedOfUntied } = core.countParameters(model.architecture, 'tied');
    expect([tableShare, savedOfUntied].map((share) => Math.round(1000 * share) / 10)).toEqual([tables, saved]);
  },
);
