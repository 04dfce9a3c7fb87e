/** Published models: whether they are tied, the evidence, and numbers of their tables that another program computed. */
import { describe, expect, test } from 'vitest';
import type { OpenCheckpointOptions } from '../../../web/core/checkpoint/types.js';
import { loadCore, type Matrix } from '../../../web/index.js';
import { sharedFile, sharedFiles } from '../core/support.js';
import { fileOf } from './checkpoint-files.js';
import { openHere } from './open-here.js';

interface Facts {
  vocab: number;
  dim: number;
  E_norm: { min: number; mean: number; max: number };
  U_norm?: { min: number; mean: number; max: number };
  direct_path?: { frobenius: number; asymmetry_ratio: number };
}

const core = await loadCore({ modules: ['checkpoint'] });
const facts = sharedFile('models/model-facts.json');
const FACTS = facts === null ? {} : (JSON.parse(new TextDecoder().decode(facts)) as Record<string, Facts>);

function normsOf({ rows, cols, data }: Matrix): Facts['E_norm'] {
  const norms = Array.from({ length: rows }, (_, row) => Math.hypot(...data.subarray(row * cols, (row + 1) * cols)));
  return { min: Math.min(...norms), mean: norms.reduce((sum, norm) => sum + norm, 0) / rows, max: Math.max(...norms) };
}

/** To the digits of the facts, or to those of a half-precision table. */
function near(value: number, fact: number, digits: number): void {
  expect(Math.abs(value - fact)).toBeLessThanOrEqual(Math.abs(fact) * digits + 1e-9);
}

interface Model {
  file: string;
  is: string;
  evidence: string;
  /** Of the numbers, relative. */
  digits: number;
  options?: OpenCheckpointOptions;
  names?: string;
}

const named = (input: string, output: string): { options: OpenCheckpointOptions } => ({
  options: { tables: { input, output } },
});
const STORIES = { is: 'stories260k (tied)', names: 'tokenizers/llama2c-tok512.bin' };

const MODELS: readonly Model[] = [
  { file: 'stories260k.bin', evidence: 'missing-output', digits: 1e-6, ...STORIES },
  { file: 'stories260k.safetensors', evidence: 'alias', digits: 1e-6, ...STORIES },
  { file: 'stories260k-f16.safetensors', evidence: 'alias', digits: 1e-3, ...STORIES },
  { file: 'stories260k-bf16.safetensors', evidence: 'alias', digits: 5e-3, ...STORIES },
  { file: 'tiny-rwkv-5v1-730k-fp32.bin', is: 'tiny-rwkv-5v1-730k (untied)', evidence: 'different', digits: 1e-6 },
  {
    file: 'tiny-rwkv-5v1-730k-embeddings.safetensors',
    is: 'tiny-rwkv-5v1-730k (untied)',
    evidence: 'different',
    digits: 1e-6,
  },
  {
    file: 'charrnn-shakespeare.safetensors',
    is: 'charrnn-shakespeare (untied)',
    evidence: 'different',
    digits: 1e-6,
    names: 'models/charrnn-shakespeare-vocab.json',
    ...named('embedding', 'softmax_w'),
  },
  {
    file: 'charrnn-darwin.safetensors',
    is: 'charrnn-darwin (untied)',
    evidence: 'different',
    digits: 1e-6,
    names: 'models/charrnn-darwin-vocab.json',
    ...named('embedding', 'softmax_w'),
  },
  { file: 'microgpt-names.json', is: 'microgpt-names (untied)', evidence: 'different', digits: 1e-6 },
  { file: 'microgpt-names-f64.safetensors', is: 'microgpt-names (untied)', evidence: 'different', digits: 1e-6 },
  {
    file: 'g2p-en.safetensors',
    is: 'g2p-en decoder (untied)',
    evidence: 'different',
    digits: 1e-6,
    ...named('dec_emb', 'fc_w'),
  },
  {
    file: 'aren-transliteration.safetensors',
    is: 'aren-transliteration decoder (untied)',
    evidence: 'different',
    digits: 1e-6,
    ...named('decoder/embeddings/weight', 'decoder/projection/weight'),
  },
];

describe.each(MODELS)('$file', ({ file, is, evidence, digits, options, names }) => {
  const bytes = sharedFile(`models/${file}`);
  const vocabulary = names === undefined ? null : sharedFile(names);
  const there = bytes !== null && FACTS[is] !== undefined && (names === undefined || vocabulary !== null);

  test.skipIf(!there)('opens, with the numbers of its tables', async () => {
    const files = [
      fileOf(file, bytes!),
      ...(vocabulary === null ? [] : [fileOf(names!.split('/').at(-1)!, vocabulary)]),
    ];
    const checkpoint = await openHere(files, options);
    const known = FACTS[is]!;
    expect(checkpoint.tying).toMatchObject({ tied: evidence !== 'different', evidence, conflict: null });
    const [embedding, unembedding] = [await checkpoint.matrix('input'), await checkpoint.matrix('output')];
    expect([embedding.rows, embedding.cols]).toEqual([known.vocab, known.dim]);
    for (const key of ['min', 'mean', 'max'] as const) {
      near(normsOf(embedding)[key], known.E_norm[key], digits);
      if (known.U_norm) near(normsOf(unembedding)[key], known.U_norm[key], digits);
    }
    const { asymmetry, norm } = core.directPathSymmetry({ embedding, unembedding });
    near(norm, known.direct_path!.frobenius, digits);
    near(asymmetry, known.direct_path!.asymmetry_ratio, Math.max(digits, 1e-5));
    if (vocabulary !== null) {
      expect(checkpoint.tokens).toHaveLength(known.vocab);
      expect(new Set(checkpoint.tokens).size).toBeGreaterThan(0.9 * known.vocab);
    }
    expect(checkpoint.notes).toHaveLength(checkpoint.format === 'json' ? 1 : 0);
  });

  test.skipIf(!there)('has an identity card with the same numbers, from one pass', async () => {
    const checkpoint = await core.openCheckpoint([fileOf(file, bytes!)], options);
    const { data, norms } = await checkpoint.identityCard();
    const known = FACTS[is]!;
    near(data.asymmetry!.norm, known.direct_path!.frobenius, digits);
    near(data.asymmetry!.asymmetry, known.direct_path!.asymmetry_ratio, Math.max(digits, 1e-5));
    if (evidence !== 'different') expect(data.asymmetry!.asymmetry).toBe(0);
    near(Math.max(...norms.input!), known.E_norm.max, digits);
    near(Math.min(...norms.output!), (known.U_norm ?? known.E_norm).min, digits);
    expect(data.selfPrediction!.count).toBeLessThanOrEqual(data.selfPrediction!.of);
  });
});

const bytesOf = (name: string): Uint8Array | null => sharedFile(`models/${name}`);

describe('an ambiguous model has no verdict, or needs a choice', () => {
  const rnn = bytesOf('charrnn-darwin.safetensors');
  test.skipIf(rnn === null)('a recurrent model has a matrix with a matching shape, which is named', async () => {
    expect((await openHere(rnn!)).tying).toMatchObject({
      ...{ tied: null, evidence: 'unknown', candidates: ['softmax_w'] },
      reason: expect.stringContaining("output table may be 'softmax_w'; naming both") as string,
    });
  });

  const g2p = bytesOf('g2p-en.safetensors');
  test.skipIf(g2p === null)('an encoder-decoder has its own names', async () => {
    await expect(openHere(g2p!)).rejects.toThrow(
      /no tensor has a known name of a table of tokens; it may be among 'dec_emb', 'enc_emb'; expected/,
    );
  });

  const vectors = bytesOf('fasttext-wiki-news-top999.vec');
  test.skipIf(vectors === null)('word vectors have one table and no statement about tying', async () => {
    const checkpoint = await openHere(fileOf('words.vec', vectors!));
    expect(checkpoint.tying).toMatchObject({ tied: null, evidence: 'unknown', conflict: null });
    const { E_norm } = FACTS['fasttext-wiki-news-top999 (no output matrix)']!;
    const norms = normsOf(await checkpoint.matrix('input'));
    near(norms.mean, E_norm.mean, 1e-6);
    expect(checkpoint.tokens!.slice(0, 3)).toEqual([',', 'the', '.']);
  });

  test.skipIf(vectors === null)('the text file of word vectors has as many rows as lines', async () => {
    const { tables } = await openHere(fileOf('words.vec', vectors!));
    expect(tables.input!.shape).toEqual([999, 300]);
  });
});

describe('every file of the folder', () => {
  const names = sharedFiles('models');
  /** Reference numbers of other programs, not models. */
  const isReference = (name: string): boolean => /-(?:facts|logits)\.(?:json|bin)$/.test(name);

  test.skipIf(names === null)('is there', () => {
    expect(names!.filter((name) => !isReference(name)).length).toBeGreaterThanOrEqual(MODELS.length);
  });

  test.each(names ?? [])('%s', async (name) => {
    const bytes = sharedFile(`models/${name}`)!;
    if (isReference(name)) {
      await expect(openHere(fileOf(name, bytes))).rejects.toMatchObject({ code: 'bad-file' });
      return;
    }
    // A vocabulary belongs to the model with the same name.
    const model = name.replace(/-vocab\.json$/, '.safetensors');
    const { options } = MODELS.find(({ file }) => file === model) ?? {};
    const files = [fileOf(name, bytes), ...(model === name ? [] : [fileOf(model, sharedFile(`models/${model}`)!)])];
    const checkpoint = await openHere(files, options);
    if (model !== name) expect(checkpoint.tokens!.filter((token) => token !== '').length).toBeGreaterThan(20);
    const { input, output } = checkpoint.tables;
    for (const table of [input, output]) {
      if (table === null) continue;
      const { rows, cols, data } = await checkpoint.matrix(table.name);
      expect(rows * cols).toBeGreaterThan(400);
      expect(data.every((value) => Number.isFinite(value))).toBe(true);
    }
    expect(input ?? output).not.toBeNull();
  });
});
