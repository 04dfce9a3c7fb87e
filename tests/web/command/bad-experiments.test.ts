/** An experiment file with one invalid field at a time: the command ends with 64 and one line that says where and what. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { main } from '../../../command/main.mjs';
import { badCases } from '../experiment/bad-spec-cases.js';
import { translators } from '../experiment/specs.js';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-bad-'));
  file = join(folder, 'claim.json');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** JSON has no functions and similar values: those are left out or are null. */
const inFile = badCases.filter(({ value }) => isPlain(value));

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'object' && value !== null) {
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
  }
  return ['string', 'boolean', 'undefined'].includes(typeof value) || value === null;
}

async function refusal(words: string[]): Promise<{ code: number; said: string }> {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  return { code: await main(words), said };
}

test.each(inFile)('$place: $value', async ({ spec, named }) => {
  writeFileSync(file, JSON.stringify(spec));
  const { code, said } = await refusal(['experiment', 'run', file]);
  expect(code).toBe(64);
  expect(said.split('\n')).toHaveLength(2);
  expect(said.startsWith(`tied-embeddings: ${file}: `)).toBe(true);
  expect(said).toContain(named);
});

test('an invalid line in a file of pairs is named by its number', async () => {
  writeFileSync(join(folder, 'words.tsv'), 'tied\tdeit\nuntied deitnu\n');
  writeFileSync(file, JSON.stringify({ ...translators, pairs: { file: 'words.tsv' } }));
  const { code, said } = await refusal(['experiment', 'run', file]);
  expect({ code, said }).toEqual({
    code: 64,
    said: `tied-embeddings: ${file}: line 2 of text has no tab; expected a source, a tab and a target\n`,
  });
});

test('a missing file of pairs is named', async () => {
  writeFileSync(file, JSON.stringify({ ...translators, pairs: { file: 'none.tsv' } }));
  const { code, said } = await refusal(['experiment', 'run', file]);
  expect(code).toBe(64);
  expect(said).toMatch(/^tied-embeddings: .*none\.tsv cannot be read.*\n$/);
});

test('there are more than 200 cases', () => {
  expect(inFile.length).toBeGreaterThan(260);
});

test('runs that fail are told, with the reason of the first: a text that is too short', async () => {
  const model = { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 };
  const arms = { one: { model: { tying: 'tied' } }, other: { model: { tying: 'untied' } } };
  const spec = {
    ...{ name: 'short', text: { string: 'ab' }, tokenizer: { kind: 'bpe', vocabSize: 300 }, model, arms },
    ...{ training: { steps: 4, learningRate: 0.003, batchSize: 2 }, seeds: [1, 2], claims: [] },
    measure: [{ metric: 'loss' }],
  };
  writeFileSync(file, JSON.stringify(spec));
  const results = join(folder, 'short');
  const words = ['experiment', 'run', file, '--results', results, '--quiet'];
  const line =
    /^tied-embeddings: 4 of 4 runs failed; the first is 'one' with seed 1: .*expected more tokens than the context, 8\n$/;
  // The second time there is nothing left to run.
  for (const time of ['first', 'second']) {
    const { code, said } = await refusal(words);
    expect(code, time).toBe(70);
    expect(said, time).toMatch(line);
    vi.restoreAllMocks();
  }
});
