// Tables that diagnostics cannot measure. The error names the argument, its value and what was expected.
import { describe, expect, test } from 'vitest';
import { loadCore, type AlignmentMethod, type Core, type Matrix } from '../../../web/index.js';
import { any, testRefusals, withEntry, type Refusal } from './refusals.js';
import { matrixOf } from './support.js';

const ROWS = 12;
const COLS = 3;
const ORTHOGONAL = { method: 'orthogonal' } as const;
const methods: readonly AlignmentMethod[] = ['identity', 'orthogonal', 'linear', 'ridge'];

/** Irregular entries: fractional parts of multiples of irrational numbers. */
const tableOf = (rows: number, cols: number, factor: number): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, (_, i) => (((i + 1) * factor) % 1) - 0.5),
});
const A = tableOf(ROWS, COLS, Math.SQRT2);
const B = tableOf(ROWS, COLS, Math.sqrt(7));
const SHORT = tableOf(ROWS - 1, COLS, Math.sqrt(7));
const WIDE = tableOf(ROWS, COLS + 1, Math.sqrt(7));
const zeros = (rows = ROWS): Matrix => ({ rows, cols: COLS, data: new Float32Array(rows * COLS) });
/** Every row is the first row. */
const FLAT = matrixOf(Array.from({ length: ROWS }, () => [1, 2, 3]));
const withColumn = (of: (row: readonly number[]) => number): Matrix =>
  matrixOf(
    Array.from({ length: ROWS }, (_, i) => {
      const row = Array.from(A.data.subarray(i * COLS, (i + 1) * COLS));
      return [row[0]!, row[1]!, of(row)];
    }),
  );
const CONSTANT = withColumn(() => 2);
const DEPENDENT = withColumn(([first, second]) => first! - second!);
/** NaN in two rows. */
const BROKEN = withEntry(withEntry(A, 4, NaN), 10, NaN);
const IDS = Uint32Array.from({ length: ROWS }, (_, i) => i);

type Two = (on: Core, a: Matrix, b: Matrix) => unknown;
type One = (on: Core, table: Matrix) => unknown;
const NAN_ROWS = 'finite numbers; 2 of 12 rows have others$';

/** What every verb that takes two tables with equally many rows refuses. */
const refusalsOfTwo = (verb: string, act: Two, [a, b]: readonly [string, string]): Refusal[] => [
  [
    `${verb}: unequal rows`,
    ({ core }) => act(core, A, SHORT),
    'shape-mismatch',
    RegExp(`^${b}\\.rows is 11; expected as many rows as ${a} has, 12$`),
  ],
  [
    `${verb}: zeros in the first table`,
    ({ core }) => act(core, zeros(), B),
    'invalid-argument',
    RegExp(`^${a} is all zeros; expected at least one row that is not zero$`),
  ],
  [
    `${verb}: zeros in the second table`,
    ({ core }) => act(core, A, zeros()),
    'invalid-argument',
    RegExp(`^${b} is all zeros; expected at least one row that is not zero$`),
  ],
  [
    `${verb}: NaN in the first table`,
    ({ core }) => act(core, BROKEN, B),
    'not-finite',
    RegExp(`^${a}\\[1, 1\\] is NaN; expected ${NAN_ROWS}`),
  ],
  [
    `${verb}: NaN in the second table`,
    ({ core }) => act(core, A, BROKEN),
    'not-finite',
    RegExp(`^${b}\\[1, 1\\] is NaN; expected ${NAN_ROWS}`),
  ],
];

const refusalsOfOne = (verb: string, act: One): Refusal[] => [
  [
    `${verb}: zeros`,
    ({ core }) => act(core, zeros()),
    'invalid-argument',
    /^table is all zeros; expected at least one row that is not zero$/,
  ],
  [
    `${verb}: NaN`,
    ({ core }) => act(core, BROKEN),
    'not-finite',
    RegExp(`^table\\[1, 1\\] is NaN; expected ${NAN_ROWS}`),
  ],
];

const PAIRS = ['a', 'b'] as const;

const REFUSALS: Refusal[] = [
  ...methods.flatMap((method) =>
    refusalsOfTwo(`align, ${method}`, (core, a, b) => core.align(a, b, { method }), ['source', 'target']),
  ),
  ...(['identity', 'orthogonal'] as const).map((method): Refusal => [
    `align, ${method}: another width`,
    ({ core }) => core.align(A, WIDE, { method }),
    'shape-mismatch',
    /^target\.cols is 4; expected as many columns as source has, 3; a linear map takes any$/,
  ]),
  ...(['orthogonal', 'linear'] as const).map((method): Refusal => [
    `align, ${method}: a constant column`,
    ({ core }) => core.align(CONSTANT, B, { method }),
    'invalid-argument',
    /^source column 2 is constant; expected a column that varies; a ridge map takes any$/,
  ]),
  [
    'align, orthogonal: a constant column of the target',
    ({ core }) => core.align(A, CONSTANT, { method: 'orthogonal' }),
    'invalid-argument',
    /^target column 2 is constant; expected a column that varies/,
  ],
  [
    'align, linear: dependent columns',
    ({ core }) => core.align(DEPENDENT, B, { method: 'linear' }),
    'invalid-argument',
    /^source column 2 is .*; expected /,
  ],
  ...(['source', 'target'] as const).map((which): Refusal => [
    `align, orthogonal: dependent columns of the ${which}`,
    ({ core }) => core.align(which === 'source' ? DEPENDENT : A, which === 'source' ? B : DEPENDENT, ORTHOGONAL),
    'invalid-argument',
    RegExp(`^${which} column 2 is a combination of the columns before it; expected independent columns`),
  ]),
  ...methods.map((method): Refusal => [
    `align, ${method}: rows that are all the same`,
    ({ core }) => core.align(FLAT, B, { method }),
    'invalid-argument',
    /^source (is the same in all rows; expected rows that differ|column 0 is constant; expected a column that varies)/,
  ]),
  [
    'align, linear: a penalty',
    ({ core }) => core.align(A, B, { method: 'linear', penalty: 2 }),
    'invalid-argument',
    /^options\.penalty is 2; expected it to be absent; only a ridge map has it$/,
  ],
  [
    'align, linear: a column that varies in one row only, which is held out',
    // Some of twelve seeds hold the first row out.
    ({ core }) => {
      const spike = withColumn((row) => (row[0] === A.data[0] ? 1 : 0));
      for (let seed = 0; seed < 12; seed++) core.align(spike, B, { method: 'linear', holdOut: 0.25, seed });
    },
    'invalid-argument',
    /^source column 2 is constant in the rows that are not held out; expected a column that varies/,
  ],
  [
    'spectrum: rows that are all the same',
    ({ core }) => core.spectrum(FLAT),
    'invalid-argument',
    /^table is the same in all rows; expected rows that differ$/,
  ],
  [
    'align, linear: too few rows',
    ({ core }) => core.align(tableOf(3, 3, Math.SQRT2), tableOf(3, 3, Math.sqrt(7)), { method: 'linear', holdOut: 0 }),
    'invalid-argument',
    /^source\.rows is 3; expected at least 4 rows to fit that are not zero$/,
  ],
  [
    'align, linear: too few rows beside those that are held out',
    ({ core }) =>
      core.align(tableOf(5, 3, Math.SQRT2), tableOf(5, 3, Math.sqrt(7)), { method: 'linear', holdOut: 0.4 }),
    'invalid-argument',
    /^source\.rows is 5, of which 3 are fitted; expected at least 4 rows to fit that are not zero$/,
  ],
  ...refusalsOfTwo('neighborOverlap', (core, a, b) => core.neighborOverlap(a, b, { k: 2 }), PAIRS),
  ...refusalsOfTwo('spectralDistance', (core, a, b) => core.spectralDistance(a, b, { k: 2 }), PAIRS),
  ...refusalsOfTwo('cka', (core, a, b) => core.cka(a, b), PAIRS),
  [
    'neighborOverlap: k of the rows',
    ({ core }) => core.neighborOverlap(A, B, { k: ROWS }),
    'invalid-argument',
    /^options\.k is 12; expected an integer from 1 to 11$/,
  ],
  [
    'spectralDistance: k of the rows',
    ({ core }) => core.spectralDistance(A, B, { k: ROWS }),
    'invalid-argument',
    /^options\.k is 12; expected an integer from 1 to 11$/,
  ],
  [
    'neighbors: k of the rows',
    ({ core }) => core.neighbors(A, 0, { k: ROWS }),
    'invalid-argument',
    /^options\.k is 12; expected an integer from 1 to 11$/,
  ],
  [
    'neighbors: the only row',
    ({ core }) => core.neighbors(matrixOf([[1, 2]]), 0, { k: 1 }),
    'invalid-argument',
    /^options\.k is 1; expected at most 0, the other rows that have a direction$/,
  ],
  [
    'neighbors: more than have a direction',
    ({ core }) =>
      core.neighbors(
        matrixOf([
          [1, 2],
          [2, 1],
          [0, 0],
          [0, 0],
        ]),
        0,
        { k: 2 },
      ),
    'invalid-argument',
    /^options\.k is 2; expected at most 1, the other rows that have a direction$/,
  ],
  [
    'neighbors: a vector of another width',
    ({ core }) => core.neighbors(A, new Float32Array(4).fill(1)),
    'shape-mismatch',
    /^row is a Float32Array of 4; expected 3 elements$/,
  ],
  [
    'neighbors: a vector of zeros',
    ({ core }) => core.neighbors(A, new Float32Array(3)),
    'invalid-argument',
    /^row is without a direction; expected one that is not zero/,
  ],
  [
    'neighbors: rows that are all the same, centered',
    ({ core }) => core.neighbors(FLAT, 0, { k: 2, metric: 'centered-cosine' }),
    'invalid-argument',
    /^table is the same in all rows; expected rows that differ from their mean$/,
  ],
  ...(['first', 'second'] as const).map((which): Refusal => [
    `cka: rows that are all the same in the ${which} table`,
    ({ core }) => (which === 'first' ? core.cka(FLAT, B) : core.cka(A, FLAT)),
    'invalid-argument',
    which === 'first' ? /^a is the same in all rows; expected / : /^b is the same in all rows; expected /,
  ]),
  [
    'cka: more dimensions than a table has',
    ({ core }) => core.cka(A, DEPENDENT, { dimensions: 3 }),
    'invalid-argument',
    /^options\.dimensions is 3; expected at most 2, the rank of b$/,
  ],
  [
    'cka: more dimensions than columns',
    ({ core }) => core.cka(A, B, { dimensions: 4 }),
    'invalid-argument',
    /^options\.dimensions is 4; expected at least 1 and at most 3$/,
  ],
  ...refusalsOfOne('neighbors', (core, table) => core.neighbors(table, 0, { k: 2 })),
  ...refusalsOfOne('spectrum', (core, table) => core.spectrum(table)),
  ...refusalsOfOne('isotropy', (core, table) => core.isotropy(table)),
  ...refusalsOfOne('normFrequency', (core, table) => core.normFrequency(table, IDS)),
  [
    'isotropy: counts of other rows',
    ({ core }) => core.isotropy(A, { counts: IDS.slice(1) }),
    'shape-mismatch',
    /^options\.counts\.length is 11; expected as many as the table has rows, 12$/,
  ],
  [
    'normFrequency: counts of other rows',
    ({ core }) => core.normFrequency(A, IDS.slice(1)),
    'shape-mismatch',
    /^counts\.length is 11; expected as many as the table has rows, 12$/,
  ],
  [
    'decomposeHidden: an unembedding of another width',
    ({ core }) => core.decomposeHidden(A, WIDE, IDS),
    'shape-mismatch',
    /^unembedding\.cols is 4; expected as many columns as hidden has, 3$/,
  ],
  [
    'decomposeHidden: an embedding of another width',
    ({ core }) => core.decomposeHidden(A, B, IDS, { embedding: WIDE }),
    'shape-mismatch',
    /^options\.embedding\.cols is 4; expected as many columns as hidden has, 3$/,
  ],
  [
    'decomposeHidden: an embedding of other rows',
    ({ core }) => core.decomposeHidden(A, B, IDS, { embedding: SHORT }),
    'shape-mismatch',
    /^options\.embedding\.rows is 11; expected as many rows as unembedding has, 12$/,
  ],
  [
    'decomposeHidden: targets of other states',
    ({ core }) => core.decomposeHidden(A, B, IDS.slice(1)),
    'shape-mismatch',
    /^targets\.length is 11; expected as many as hidden has rows, 12$/,
  ],
  [
    'decomposeHidden: an unembedding of zeros',
    ({ core }) => core.decomposeHidden(A, zeros(), IDS),
    'invalid-argument',
    /^unembedding is all zeros; expected at least one row that is not zero$/,
  ],
  ...(['hidden', 'unembedding', 'options.embedding'] as const).map((name): Refusal => [
    `decomposeHidden: NaN in ${name}`,
    ({ core }) =>
      core.decomposeHidden(name === 'hidden' ? BROKEN : A, name === 'unembedding' ? BROKEN : B, IDS, {
        embedding: name === 'options.embedding' ? BROKEN : B,
      }),
    'not-finite',
    RegExp(`^${name.replace('.', '\\.')}\\[1, 1\\] is NaN; expected ${NAN_ROWS}`),
  ]),
  ['align: no method', ({ core }) => core.align(A, B, any({})), 'invalid-argument', /^options\.method is undefined; /],
];

describe('diagnostics refuse', () => testRefusals(REFUSALS, { modules: ['diagnostics', 'graphs'] }));

test('diagnostics accept tables with constant or dependent columns if these do not affect the result', async () => {
  const core = await loadCore({ modules: ['diagnostics'] });
  for (const [table, cols] of [
    [CONSTANT, 2],
    [DEPENDENT, 2],
    [A, 3],
  ] as const) {
    for (const [a, b] of [
      [table, B],
      [B, table],
    ] as const) {
      const { subspaces, cka } = core.cka(a, b);
      expect(subspaces.dimensions).toBe(cols);
      expect(subspaces).toEqual(core.cka(a, b, { dimensions: cols }).subspaces);
      expect(cka).toBeGreaterThan(0);
    }
    expect(core.align(table, B, { method: 'ridge' }).meanCosine).toBeGreaterThan(-1);
    expect(core.spectrum(table).values).toHaveLength(3);
    expect(core.isotropy(table).isoScore).toBeLessThan(1);
  }
});
