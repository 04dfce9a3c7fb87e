// Diagnostics of tables from a single pass over stored rows. The sums themselves are tested in tests/cpp/diagnostics.
import { beforeAll, describe, expect, test } from 'vitest';
import { PRODUCTS } from '../../../web/core/checkpoint/card/products.js';
import { TableMoments, type StoredRows } from '../../../web/core/checkpoint/card/table-moments.js';
import type { Runtime } from '../../../web/core/runtime/runtime.js';
import type { CheckpointModule } from '../../../web/core/runtime/wasm-module.js';
import { loadCore, type Core, type Matrix } from '../../../web/index.js';
import { PUBLISHED_MODELS } from '../core/published-models.js';
import { expectError, sharedFile } from '../core/support.js';
import { startCheckpoint } from './module.js';

let runtime: Runtime<CheckpointModule>;
let core: Core;
beforeAll(async () => {
  runtime = await startCheckpoint();
  core = await loadCore({ modules: ['diagnostics'] });
});

const stored = ({ data }: Matrix): StoredRows => ({
  type: 'F32',
  bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
});

/** Pseudorandom numbers with a nonzero mean. */
function table(rows: number, cols: number, seed: number): Matrix {
  let state = Math.imul(seed, 2654435761);
  const data = Float32Array.from({ length: rows * cols }, () => {
    state = Math.imul(state, 1664525) + 1013904223;
    return (state >>> 0) / 2 ** 32 - 0.4;
  });
  return { rows, cols, data };
}

function momentsOf(embedding: Matrix, unembedding: Matrix | null, norm?: Float32Array): TableMoments {
  const { rows, cols } = embedding;
  const moments = new TableMoments(runtime, { cols, tied: unembedding === null, norm });
  moments.add(rows, stored(embedding), unembedding ? stored(unembedding) : undefined);
  return moments;
}

interface Facts {
  E_participation_ratio: number;
  E_mean_pairwise_cosine: number;
  E_frobenius: number;
  U_participation_ratio?: number;
  U_mean_pairwise_cosine?: number;
  direct_path?: { frobenius: number; asymmetry_ratio: number };
}
const factsFile = sharedFile('models/model-facts.json');
const facts = (factsFile ? JSON.parse(new TextDecoder().decode(factsFile)) : {}) as Record<string, Facts>;

const length = (values: Float64Array): number => Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0));

test.each(Object.entries(PUBLISHED_MODELS))(
  '%s has the values that another program found in the whole tables',
  (name, read) => {
    const known = facts[name];
    const model = read(core);
    if (model === null || known === undefined) return;
    const { embedding, unembedding } = model.tables;
    // The file has eight digits of each number, which for some models were computed before elements were rounded to single precision.
    const expectNear = (found: number, published: number): void =>
      expect(Math.abs(found - published)).toBeLessThanOrEqual(
        (model.rounded ? 1e-6 : 1e-7) * Math.max(1, Math.abs(published)),
      );
    const moments = momentsOf(embedding, unembedding ?? null);
    const input = moments.table('input');
    expectNear(input.centered.participationRatio, known.E_participation_ratio);
    expectNear(input.meanCosine, known.E_mean_pairwise_cosine);
    expectNear(length(input.spectrum.values), known.E_frobenius);
    if (known.direct_path) {
      expectNear(moments.asymmetry().norm, known.direct_path.frobenius);
      expectNear(moments.asymmetry().asymmetry, known.direct_path.asymmetry_ratio);
    }
    if (unembedding) {
      const output = moments.table('output');
      expectNear(output.centered.participationRatio, known.U_participation_ratio!);
      expectNear(output.meanCosine, known.U_mean_pairwise_cosine!);
    }
    moments.dispose();
  },
);

describe('for tables that are also measured in memory', () => {
  const [embedding, unembedding] = [table(300, 20, 1), table(300, 20, 2)];
  const norm = Float32Array.from({ length: 20 }, (_, j) => 0.5 + j / 10);

  test('spectra, isotropy, alignments and asymmetry are the same', () => {
    const moments = momentsOf(embedding, unembedding, norm);
    expect(moments.rows).toBe(300);
    const output = moments.table('output');
    const isotropy = core.isotropy(unembedding);
    expect(output.isoScore).toBeCloseTo(isotropy.isoScore!, 6);
    expect(output.meanShare).toBeCloseTo(isotropy.meanShare, 6);
    // Entries are rounded to 2^-24 of the largest in their column and block.
    for (const center of [true, false]) {
      const { values, participationRatio, effectiveRank } = core.spectrum(unembedding, { center });
      const found = center ? output.centered : output.spectrum;
      expect(found.participationRatio).toBeCloseTo(participationRatio, 6);
      expect(found.effectiveRank).toBeCloseTo(effectiveRank, 6);
      found.values.forEach((value, k) => expect(value).toBeCloseTo(values[k]!, 6));
    }
    const alignment = moments.alignment({ nullRuns: 3, seed: 1 });
    for (const method of ['identity', 'orthogonal', 'linear'] as const) {
      const whole = core.align(embedding, unembedding, { method, holdOut: 0, nullRuns: 0 });
      expect(alignment[method]).toBeCloseTo(whole.residual, 5);
    }
    expect(alignment.null.runs).toHaveLength(3);
    expect(moments.alignment({ nullRuns: 3, seed: 1 })).toEqual(alignment);
    expect(moments.alignment({ nullRuns: 3, seed: 2 })).not.toEqual(alignment);
    // Unrelated tables: close to the null, whose runs differ by a few percent with so few columns.
    expect(Math.abs(alignment.cosine / alignment.null.mean - 1)).toBeLessThan(0.15);
    expect(alignment.linear! / alignment.linearNull).toBeCloseTo(1, 1);

    const scaled = { ...unembedding, data: unembedding.data.map((x, i) => x * norm[i % 20]!) };
    for (const folded of [false, true]) {
      const whole = core.directPathSymmetry({ embedding, unembedding: folded ? scaled : unembedding });
      const found = moments.asymmetry(folded);
      expect(found.asymmetry).toBeCloseTo(whole.asymmetry, 6);
      expect(found.norm / whole.norm).toBeCloseTo(1, 6);
      expect(found.skewNorm / whole.skewNorm).toBeCloseTo(1, 6);
      expect(found.null).toBeGreaterThan(0);
    }
    moments.dispose();
  });

  test('every row is read, in parts and for any stored type', () => {
    const moments = new TableMoments(runtime, { cols: 32, tied: false, norm: new Float32Array(32).fill(2) });
    // More rows than one call takes. The first element of each block is row % 100 times its scale of 1, the others are 0.
    const rows = 2 ** 18 / 32 + 500;
    const quants = new Uint8Array(34 * rows);
    const halves = new Uint8Array(64 * rows);
    for (let row = 0; row < rows; row++) {
      quants.set([0x00, 0x3c, row % 100], 34 * row);
      halves.set([0x00, 0x40, 0x00, 0x42], 64 * row); // 2, 3, 0, ...
    }
    const found = moments.add(rows, { type: 'Q8_0', bytes: quants }, { type: 'F16', bytes: halves });
    expect(moments.rows).toBe(rows);
    for (const row of [0, 1, 57, 2 ** 13 - 1, 2 ** 13, rows - 1]) {
      const first = row % 100;
      expect(found.inputNorms[row]).toBe(first);
      expect(found.outputNorms[row]).toBeCloseTo(Math.sqrt(13), 6);
      expect(found.products[row]).toBe(2 * first);
      expect(found.folded[row]).toBe(4 * first);
    }
    expect(moments.table('input').leftOut).toBe(Math.ceil(rows / 100));
    expect(() => moments.alignment()).toThrow(/^output is constant; expected rows that differ$/);
    moments.dispose();
  });

  test('a tied table is symmetric, and aligned with itself', () => {
    const moments = momentsOf(embedding, null, norm);
    expect(moments.asymmetry().asymmetry).toBe(0);
    expect(moments.asymmetry(true).asymmetry).toBe(0);
    expect(moments.table('output')).toEqual(moments.table('input'));
    expect(moments.alignment()).toMatchObject({ identity: 0 });
    moments.dispose();
    expectError(() => moments.asymmetry(), 'disposed', /^the sums over the rows has been disposed of/);
  });
});

describe('shares of the products', () => {
  const shares = [
    { first: 0, end: 1, of: 3 },
    { first: 1, end: 3, of: 3 },
  ];

  // Panels of 8 columns and blocks of 256 rows; the last ones are partial.
  test.each([true, false])('combine to the bits of a single core (tied: %s)', (tied) => {
    const [input, output] = [table(300, 43, 1), tied ? null : table(300, 43, 2)];
    const whole = momentsOf(input, output);
    const [one, other] = shares.map((share) => {
      const moments = new TableMoments(runtime, { cols: 43, tied, share });
      moments.add(300, stored(input), output ? stored(output) : undefined);
      return moments;
    }) as [TableMoments, TableMoments];
    expect(one.table('input').spectrum.values).not.toEqual(whole.table('input').spectrum.values);
    for (const which of PRODUCTS[tied ? 'tied' : 'untied']) one.join(which, other.product(which));
    const found = (moments: TableMoments): unknown[] => [
      ...[moments.asymmetry(), moments.table('input'), moments.table('output'), moments.drift()],
      ...(tied ? [] : [moments.alignment({ nullRuns: 1, seed: 3 })]),
    ];
    expect(found(one)).toEqual(found(whole));
    expect(found(other)).not.toEqual(found(whole));
  });

  test('refuse a product of another size', () => {
    const moments = new TableMoments(runtime, { cols: 4, tied: true, share: shares[0] });
    expect(() => moments.join(0, new Uint8Array(120))).toThrow(
      /^product\.length is 120; expected 128, of cols x cols doubles$/,
    );
  });
});

describe('refuses', () => {
  const rows = stored(table(2, 4, 1));
  const tied = (): TableMoments => new TableMoments(runtime, { cols: 4, tied: true });
  const untied = (): TableMoments => new TableMoments(runtime, { cols: 4, tied: false });

  test.each([
    [
      'rows of another length',
      () => tied().add(3, rows),
      /^input\.bytes\.length is 32; expected 48, 3 rows of 4 elements of F32$/,
    ],
    [
      'output rows of a tied table',
      () => tied().add(2, rows, rows),
      /^output is an object; expected none for tied tables$/,
    ],
    ['no output rows', () => untied().add(2, rows), /^output is undefined; expected rows of the output table$/],
    [
      'output rows of another length',
      () => untied().add(2, rows, { ...rows, type: 'F64' }),
      /^output\.bytes\.length is 32; expected 64,/,
    ],
    [
      'rows that are no whole blocks',
      () => tied().add(2, { ...rows, type: 'Q8_0' }),
      /^cols is 4; expected a multiple of 32, the block of Q8_0$/,
    ],
    [
      'a norm of another length',
      () => new TableMoments(runtime, { cols: 4, tied: true, norm: new Float32Array(3) }),
      /^norm\.length is 3; expected 4, one for each column$/,
    ],
    [
      'what is not finite, by its place',
      () => tied().add(2, stored({ ...table(2, 4, 1), data: Float32Array.of(1, 2, 3, 4, 5, Infinity, 7, 8) })),
      /^input\[1, 1\] is Infinity; expected a finite number$/,
    ],
    [
      'to read what has no rows',
      () => tied().table('input'),
      /^input is all zeros; expected at least one row that is not zero$/,
    ],
  ])('%s', (_, act, message) => expect(act).toThrow(message));
});
