// A model of this package gets one verdict and one direct path from `check`, in every format that it is saved in: every head, rank and tying.
import { describe, expect, test } from 'vitest';
import { loadCore, type ModelConfig, type Trainer } from '../../../web/index.js';
import { ownFolder, runCheck } from './run-check.js';

const core = await loadCore({ modules: ['models'] });
const { put } = ownFolder();
const V = 24;
const tokenIds = Uint32Array.from({ length: 300 }, (_, i) => (i * 7 + (i % 5) * (i % 3)) % V);
const transformer = { kind: 'transformer', vocabSize: V, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 6 } as const;
const path = { kind: 'direct-path', vocabSize: V, dModel: 8 } as const;

const HEADS = {
  sampled: { kind: 'sampled', samples: 6, proposal: 'log-uniform' },
  adaptive: { kind: 'adaptive', cutoffs: [6, 12], divisor: 2 },
  clustered: { kind: 'clustered', clusters: 4 },
  culled: { kind: 'culled', kept: 12 },
} as const;

interface Expected {
  readonly tied: boolean | null;
  readonly relation: string;
  /** Whether scores of pairs are a product of tables that the files hold. */
  readonly hasPath: boolean;
}
const SHARED: Expected = { tied: true, relation: 'shared', hasPath: true };
const SEPARATE: Expected = { tied: false, relation: 'separate', hasPath: true };
const DERIVED: Expected = { tied: null, relation: 'derived', hasPath: true };

const MODELS: readonly (readonly [what: string, model: object, expected: Expected])[] = [
  ...(['tied', 'untied'] as const).flatMap((tying) => {
    const plain = tying === 'tied' ? SHARED : SEPARATE;
    return [
      [`a transformer, ${tying}`, { ...transformer, tying }, plain],
      [`a direct path, ${tying}`, { ...path, tying }, plain],
      [`a table of rank 3, ${tying}`, { ...transformer, tying, tableRank: 3 }, plain],
      [`a direct path with a table of rank 3, ${tying}`, { ...path, tying, tableRank: 3 }, plain],
      ...Object.entries(HEADS).map(([name, head]): readonly [string, object, Expected] => [
        `head ${name}, ${tying}`,
        { ...transformer, tying, head },
        name === 'adaptive' ? { ...(tying === 'tied' ? DERIVED : SEPARATE), hasPath: false } : plain,
      ]),
    ] as (readonly [string, object, Expected])[];
  }),
  ['tied-linear', { ...path, tying: 'tied-linear' }, DERIVED],
  ['tied-mlp', { ...path, tying: 'tied-mlp' }, DERIVED],
  ['tied-low-rank', { ...transformer, tying: 'tied-low-rank', lowRank: 2 }, DERIVED],
  ['tied-linear, a transformer', { ...transformer, tying: 'tied-linear' }, DERIVED],
];

interface Found {
  readonly relation: string;
  readonly tying: { readonly tied: boolean | null; readonly reason: string; readonly candidates: string[] };
  readonly leftOut: string[];
  readonly directPath: { readonly asymmetry: number; readonly norm: number; readonly symmetric: boolean } | null;
}

function trained(model: ModelConfig): Trainer {
  const trainer = core.createTrainer({
    model,
    training: { learningRate: 0.1, batchSize: 4, seed: 3 },
    tokenIds,
  } as Parameters<typeof core.createTrainer>[0]);
  trainer.run(5);
  return trainer;
}

describe.each(MODELS)('%s', (what, model, { tied, relation, hasPath }) => {
  const name = what.replaceAll(/\W+/g, '-');
  const trainer = trained(model as ModelConfig);
  const files = [
    put(`${name}.tied`, trainer.save()),
    put(`${name}.safetensors`, trainer.toSafetensors()),
    put(`${name}.gguf`, trainer.toGguf()),
  ];

  test('has one verdict and one direct path in all formats', async () => {
    const found: Found[] = [];
    for (const file of files) {
      const { code, out, err } = await runCheck(file, '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      found.push(JSON.parse(out) as Found);
    }
    const [saved] = found as [Found, ...Found[]];
    for (const { tying, directPath, leftOut, ...one } of found) {
      expect([tying.tied, one.relation, tying.candidates]).toEqual([tied, relation, []]);
      if (tied === null) expect(tying.reason).toBe(saved.tying.reason);
      expect(leftOut).toEqual(saved.leftOut);
      expect(directPath !== null).toBe(hasPath);
      if (directPath === null) continue;
      expect(directPath.symmetric).toBe(tied === true);
      // The same factors: GGUF and safetensors hold the same floats.
      expect(directPath).toEqual(saved.directPath);
    }
  });

  test('has a card and a row of a table in all formats', async () => {
    const cards = await runCheck(...files, '--card', '--quiet');
    expect([cards.code, cards.err, cards.out.match(/^#### Token tables$/gm)?.length]).toEqual([0, '', 3]);
    const table = await runCheck(...files, '--markdown');
    expect([table.code, table.err, table.out.trim().split('\n').length]).toEqual([0, '', 5]);
    // W_E W_Uᵀ is the path of two plain tables only.
    const isPlain = hasPath && tied !== null && !('tableRank' in model && tied === false);
    expect(/asymmetry of W_E W_Uᵀ/.test(cards.out)).toBe(isPlain);
  });
});

test('the direct path of factorized tables is that of their products', async () => {
  const trainer = trained({ ...path, tying: 'untied', tableRank: 3 } as ModelConfig);
  const whole = core.symmetry(trainer.nextTokenLogits({ from: Uint32Array.from({ length: V }, (_, id) => id) }));
  const { out } = await runCheck(put('rank.safetensors', trainer.toSafetensors()), '--json');
  const { directPath, tying } = JSON.parse(out) as Found & { tying: { distance: unknown } };
  // Floats, summed in another order.
  expect(directPath!.asymmetry).toBeCloseTo(whole.asymmetry, 5);
  // The rows of the factors are in two spaces.
  expect(tying.distance).toBeNull();
});

test('two factorized tables with equal rows and other factors are two tables', async () => {
  const trainer = trained({ ...path, tying: 'untied', tableRank: 3 } as ModelConfig);
  trainer.setMatrix('unembedding', trainer.matrix('embedding'));
  const opened = await runCheck(put('factors.safetensors', trainer.toSafetensors()), '--json');
  expect((JSON.parse(opened.out) as Found).tying).toMatchObject({ tied: false, evidence: 'different' });
  trainer.setMatrix('unembedding.factor', trainer.matrix('embedding.factor'));
  const equal = await runCheck(put('equal.safetensors', trainer.toSafetensors()), '--json');
  expect((JSON.parse(equal.out) as Found).tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
});

test.each([
  ['all', true, 'shared'],
  ['decoder', true, 'shared'],
  ['none', false, 'separate'],
] as const)('an encoder-decoder with the tying %s has one verdict in both formats', async (tying, tied, relation) => {
  const texts = [Uint32Array.of(3, 4, 5), Uint32Array.of(6, 7), Uint32Array.of(8, 9, 10)];
  const trainer = core.createTrainer({
    model: { kind: 'encoder-decoder', vocabSize: 14, dModel: 8, nHeads: 2, tying, sourceLength: 4, contextLength: 6 },
    training: { learningRate: 0.01, batchSize: 2, seed: 1 },
    pairs: { source: texts, target: texts },
  });
  trainer.run(3);
  const files = [put(`${tying}.tied`, trainer.save()), put(`${tying}.safetensors`, trainer.toSafetensors())];
  const found: Found[] = [];
  for (const file of files) found.push(JSON.parse((await runCheck(file, '--json')).out) as Found);
  expect(found.map((one) => [one.tying.tied, one.relation])).toEqual([0, 1].map(() => [tied, relation]));
  expect(found[1]!.directPath).toEqual(found[0]!.directPath);
});
