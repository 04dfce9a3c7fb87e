// The recorded runs in docs/experiments support the claims that `npm run experiments` checks, and docs/small-transformers.md states
// their numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claims, costClaims, pathClaims, scaleClaims, widthClaims } from '../../../tools/experiments/claims.mjs';
import { rowClaims } from '../../../tools/experiments/row-claims.mjs';
import { recordedRows, repeated } from '../../../tools/experiments/recorded.mjs';
import { deviation, mean, valuesOf } from '../../../tools/experiments/runs.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { cosinesByChance } from '../../../web/core/diagnostics/cosine-by-chance.js';
import { studentQuantile } from '../../../web/core/experiment/statistics.js';
import { spectrumByChance } from '../../../web/core/diagnostics/spectrum-by-chance.js';

type Claim = [sentence: string, holds: boolean, measured: string];

const recorded = recordedRows();
type Row = (typeof recorded)[number];
const failing = (all: Claim[]): string[] => all.filter(([, holds]) => !holds).map(([sentence]) => sentence);
const changed = (quantity: string, change: (row: Row) => number): Row[] =>
  recorded.map((row) => (row.quantity === quantity ? { ...row, value: change(row) } : row));

describe('the claims', () => {
  it('hold for the recorded runs', () => {
    expect(failing(claims(recorded) as Claim[])).toEqual([]);
    expect(scaleClaims(recorded)).toHaveLength(3);
    expect(failing(scaleClaims(recorded) as Claim[])).toEqual([]);
  });

  it('do not hold for other runs', () => {
    // For one seed, both models are equally far from their answers.
    const alike = changed('tuned lens, layer 1', (row) => (row.seed === 1 ? 0.1 : row.value));
    expect(failing(claims(alike) as Claim[])).toEqual([
      'layer 1 is further from the answer in the tied model, in each seed',
    ]);
    const further = changed('tuned lens, layer 0', (row) => row.value + 0.1);
    expect(failing(claims(further) as Claim[])).toEqual([
      'tied, tuned lens, layer 0: 0.58 +- 0.06',
      'untied, tuned lens, layer 0: 0.35 +- 0.03',
    ]);
    const back = changed('input table to tied-input-x10, linear', () => 0.7);
    expect(failing(scaleClaims(back) as Claim[])).toHaveLength(1);
  });

  it('about paths hold for the recorded runs, except those that docs/small-transformers.md names', () => {
    expect(pathClaims(recorded)).toHaveLength(14);
    expect(failing(pathClaims(recorded) as Claim[])).toEqual(
      ['tied', 'untied'].map(
        (model) =>
          `the correlation of the whole ${model} model with the bigrams falls after its peak, by more than three deviations`,
      ),
    );
    const apart = changed('output table to tied, spectral distance', () => 0.7);
    expect(failing(pathClaims(apart) as Claim[])).toContain(
      'the output table is closer to the tied one, by more than three deviations: spectral distance',
    );
    const oneSeed = changed('breaking pairs, embeddings at step 200', (row) =>
      row.variant === 'tied' && row.seed === 2 ? 0.001 : row.value,
    );
    expect(failing(pathClaims(oneSeed) as Claim[])).toContain(
      'the path of a shared table is symmetric, and no pair breaks its law, at every step',
    );
    expect(pathClaims(recorded.filter(({ variant }) => variant !== 'untied'))).toEqual([]);
  });

  it('about rows and layers hold for the recorded runs, except those that docs/small-transformers.md names', () => {
    expect(rowClaims(recorded)).toHaveLength(21);
    const missed = [
      'CKA: with the input gradient times 5 the input table is closer to the tied one, by more than three deviations',
      'held-out R2 of frequency: above 0 in the input rows, in each seed',
      'tied: after 800 steps as many rows are pushed as if the predictions were right, +- 0.05',
      'untied: after 800 steps as many rows are pushed as if the predictions were right, +- 0.05',
      'the first layer is worth more in the tied model, in each seed',
    ];
    expect(failing(rowClaims(recorded) as Claim[])).toEqual(missed);
    const idle = changed('loss added without layer 1', (row) =>
      row.variant === 'tied' && row.seed === 1 ? 0 : row.value,
    );
    expect(failing(rowClaims(idle) as Claim[])).toEqual([
      ...missed,
      'the other three together are worth more in the tied model, in each seed',
    ]);
    const unlike = changed('output table to tied, principal subspaces', (row) => row.value - 0.2);
    expect(failing(rowClaims(unlike) as Claim[])).toContain(
      'principal subspaces: the output table is closer to the tied one than the input table, by more than three deviations',
    );
    expect(rowClaims(recorded.filter(({ variant }) => variant !== 'tied-input-x5'))).toEqual([]);
  });

  it('about widths hold for the recorded runs', () => {
    expect(widthClaims(recorded)).toHaveLength(8);
    expect(failing(widthClaims(recorded) as Claim[])).toEqual([]);
    const flat = changed('perpendicular over parallel, right', (row) =>
      row.variant === 'untied-128' ? 1.9 : row.value,
    );
    expect(failing(widthClaims(flat) as Claim[])).toEqual([
      'untied, right token: the ratio grows with the width, in each seed',
    ]);
    expect(widthClaims(recorded.filter(({ variant }) => variant !== 'tied-32'))).toEqual([]);
  });

  it('about the cost of one table need three seeds of each width, and can fail', () => {
    expect(costClaims(recorded)).toHaveLength(4);
    // Told as failing in docs/small-transformers.md.
    expect(failing(costClaims(recorded) as Claim[])).toEqual([
      'one table costs something at every width, in each seed',
    ]);
    expect(costClaims(recorded.filter(({ variant, seed }) => variant !== 'tied-256' || seed < 2))).toEqual([]);
    const costs = { 16: 0.23, 32: 0.2, 64: 0.12, 128: 0.01, 256: 0.005 };
    const rowsOf = (of: Record<string, number>): Row[] =>
      Object.entries(of).flatMap(([width, cost]) =>
        [0, 1, 2].flatMap((seed) =>
          ['tied', 'untied'].map((tying) => ({
            variant: width === '64' ? tying : `${tying}-${width}`,
            seed,
            quantity: 'validation loss',
            value: 3.8 + (tying === 'tied' ? cost + 0.001 * seed : 0),
          })),
        ),
      );
    expect(costClaims(rowsOf(costs))).toHaveLength(4);
    expect(failing(costClaims(rowsOf(costs)) as Claim[])).toEqual([]);
    expect(failing(costClaims(rowsOf({ ...costs, 256: -0.02 })) as Claim[])).toEqual([
      'one table costs something at every width, in each seed',
    ]);
    expect(failing(costClaims(rowsOf({ ...costs, 256: 0.3 })) as Claim[])).toHaveLength(2);
  });

  it('about scales need all recorded runs', () => {
    expect(scaleClaims(recorded.filter(({ variant }) => variant !== 'tied-input-x2'))).toEqual([]);
  });
});

const page = readFileSync(join(root, 'docs/small-transformers.md'), 'utf8');
const shown = (variant: string, quantity: string, decimals: number): string => {
  const values = valuesOf(recorded, variant, quantity) as number[];
  expect(values, `${variant}, ${quantity}`).toHaveLength(3);
  const middle = mean(values).toFixed(decimals);
  return `${Number(middle) === 0 ? middle.replace('-', '') : middle} ± ${deviation(values).toFixed(decimals)}`;
};

it('docs/small-transformers.md has the means and deviations of the recorded runs', () => {
  const section = page.slice(page.indexOf('## Measured through the head'));
  const row = (quantity: string, decimals: number): string =>
    `| ${['tied', 'untied', 'tied-input-x5'].map((variant) => shown(variant, quantity, decimals)).join(' | ')} |`;
  const steps = (variant: string, quantity: string, decimals: number): string =>
    `| ${[1, 20, 100, 800].map((step) => shown(variant, `${quantity} at step ${String(step)}`, decimals)).join(' | ')} |`;
  for (const layer of [0, 1, 2, 3]) expect(section).toContain(row(`tuned lens, layer ${String(layer)}`, 3));
  for (const [quantity, decimals] of [
    ['logit lens, layer 0', 1],
    ['perpendicular over parallel, predicted', 2],
    ['perpendicular over parallel, right', 2],
    ['cosine with the output row, predicted', 3],
    ['cosine with the input row, predicted', 3],
  ] as const) {
    expect(section).toContain(row(quantity, decimals));
  }
  for (const variant of ['tied', 'untied']) {
    for (const quantity of ['output share', 'output share by position', 'held-out output share', 'reach']) {
      expect(section).toContain(steps(variant, quantity, quantity === 'reach' ? 3 : 2));
    }
  }
  for (const scale of [2, 5, 10]) {
    const variant = `tied-input-x${String(scale)}`;
    for (const table of ['input', 'output']) {
      expect(section).toContain(shown('untied', `${table} table to ${variant}, linear`, 3));
    }
    expect(section).toContain(shown(variant, 'tuned lens, layer 0', 3));
  }
  for (const band of ['100 to 316', '317 to 999', '1000 to 3162', '3163 to 9999', '31623 to 99999']) {
    expect(section).toContain(
      `| ${shown('tied', `loss, tokens with ${band}`, 3)} | ${shown('untied', `loss, tokens with ${band}`, 3)} |`,
    );
  }
});

it('docs/small-transformers.md has the means and deviations of the recorded paths and spectral distances', () => {
  const section = page.slice(page.indexOf('## The direct path over training'));
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const paths = ['embeddings', 'with final norm', 'with norm and MLP0'];
  for (const variant of ['tied', 'untied']) {
    for (const path of [...paths, 'whole model']) {
      const quantity = `correlation with bigrams, ${path} at step`;
      expect(section).toContain(
        row([0, 20, 100, 400, 800].map((step) => shown(variant, `${quantity} ${String(step)}`, 3))),
      );
    }
    for (const path of paths) {
      const measures = ['asymmetry', 'self-prediction', 'breaking pairs', 'loss of the path'];
      expect(section).toContain(row(measures.map((measure) => shown(variant, `${measure}, ${path} at step 800`, 3))));
    }
    expect(section).toContain(`| ${shown(variant, 'loss, whole model at step 800', 3)} |`);
  }
  for (const variant of ['tied', 'tied-input-x5']) {
    const distances = ['input', 'output'].map((table) => `${table} table to ${variant}, spectral distance`);
    expect(section).toContain(
      row(distances.flatMap((one) => [shown('untied', one, 3), shown('untied', `${one}, by chance`, 3)])),
    );
  }
  for (const fact of [
    'self-prediction of bigrams',
    'breaking pairs of bigrams',
    'loss of bigrams',
    'loss of single tokens',
    'correlation of single tokens with bigrams',
  ]) {
    expect(section).toContain(mean(valuesOf(recorded, 'tied', fact) as number[]).toFixed(3));
  }
});

it('docs/small-transformers.md has the means and deviations of the recorded rows and layers', () => {
  const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
  const pairs = [
    ...['output table to tied', 'input table to tied', 'input table to output table'],
    ...['output table to tied-input-x5', 'input table to tied-input-x5'],
  ];
  for (const pair of pairs) {
    const measures = ['CKA', 'CKA, by chance', 'principal subspaces', 'principal subspaces, by chance'];
    expect(page).toContain(row(...measures.map((measure) => shown('untied', `${pair}, ${measure}`, 3))));
  }
  const tables = [
    ['tied', 'table'],
    ['untied', 'input table'],
    ['untied', 'output table'],
    ['tied-input-x5', 'table'],
  ] as const;
  const ofEach = (quantity: string, decimals: number, chance: string, more = ''): string =>
    row(...tables.map(([variant, table]) => shown(variant, `${quantity}, ${table}${more}`, decimals)), chance);
  // 512 rows minus their mean; two tokens never occur.
  const noise = spectrumByChance(511, 64);
  const cosines = cosinesByChance(512, 64);
  expect(page).toContain(ofEach("mean cosine without the mean's direction", 3, cosines.projectedMeanCosine.toFixed(3)));
  expect(page).toContain(ofEach('participation ratio', 1, noise.participationRatio.toFixed(1)));
  expect(page).toContain(ofEach('R2 of frequency', 3, (64 / 509).toFixed(3)));
  expect(page).toContain(ofEach('R2 of frequency', 3, '0 or less', ', held out'));
  for (const [start, chance] of [
    ['mean cosine', cosines.meanCosine.toFixed(3)],
    ['without the mean row', cosines.centeredMeanCosine.toFixed(3)],
    ['IsoScore', ((noise.participationRatio - 1) / 63).toFixed(2)],
    ['effective rank, of 64', noise.effectiveRank.toFixed(1)],
  ] as const) {
    const line = page.split('\n').find((one) => one.startsWith(`| ${start} |`));
    expect(line).toMatch(new RegExp(`\\| ${chance} \\|$`));
  }
  const arms = ['tied', 'untied', 'tied-input-x5'];
  const largest = "perpendicular part's largest cosine with another row";
  for (const [quantity, decimals] of [
    ...['predicted', 'right'].flatMap((token) => [
      [`perpendicular over parallel, ${token}, before the norm`, 2] as const,
      [`perpendicular over parallel, ${token}, before the norm, by chance`, 2] as const,
      [`${largest}, ${token}`, 3] as const,
      [`${largest} without the mean, ${token}`, 3] as const,
    ]),
    [`${largest}, predicted, by chance`, 3] as const,
    [`${largest} without the mean, predicted, by chance`, 3] as const,
  ]) {
    expect(page).toContain(row(...arms.map((variant) => shown(variant, quantity, decimals))));
  }
  for (const variant of arms) {
    for (const [quantity, decimals] of [
      ['pushed rows', 3],
      ['pushed rows, targets drawn from the predictions', 3],
      ['pull over push', 2],
    ] as const) {
      const bySteps = [1, 20, 100, 800].map((step) => shown(variant, `${quantity} at step ${String(step)}`, decimals));
      expect(page).toContain(row(...bySteps));
    }
    const layers = [0, 1, 2, 3].map((layer) => shown(variant, `loss added without layer ${String(layer)}`, 3));
    expect(page).toContain(row(...layers));
  }
});

it('docs/small-transformers.md has the means and deviations of the recorded widths', () => {
  const section = page.slice(page.indexOf('## The split of hidden states at other widths'));
  const widths = [16, 32, 64, 128];
  const named = (tying: string, width: number): string => (width === 64 ? tying : `${tying}-${String(width)}`);
  for (const tying of ['tied', 'untied']) {
    for (const token of ['predicted', 'right']) {
      const quantity = `perpendicular over parallel, ${token}`;
      expect(section).toContain(`| ${widths.map((width) => shown(named(tying, width), quantity, 2)).join(' | ')} |`);
    }
  }
  // What one table costs, seed by seed; further seeds of width 64 have a name of their own.
  const lossOf = (tying: string, width: number): Map<number, number> => {
    const names = [named(tying, width), `${tying}-${String(width)}`];
    const rows = recorded.filter(({ variant, quantity }) => names.includes(variant) && quantity === 'validation loss');
    return new Map(rows.map(({ seed, value }) => [seed, value]));
  };
  const cells = [...widths, 256].flatMap((width) => {
    const [tied, untied] = [lossOf('tied', width), lossOf('untied', width)];
    const costs = [...tied].filter(([seed]) => untied.has(seed)).map(([seed, loss]) => loss - untied.get(seed)!);
    if (costs.length === 0) return [];
    if (costs.length < 3) return [`${mean(costs).toFixed(3)} (${costs.length === 1 ? 'one pair' : 'two pairs'})`];
    const quantile = studentQuantile(0.95, costs.length - 1);
    return [`${mean(costs).toFixed(3)} ± ${((quantile * deviation(costs)) / Math.sqrt(costs.length)).toFixed(3)}`];
  });
  expect(page).toContain(`| tied minus untied, nats | ${cells.join(' | ')} |`);
});

describe('a run is compared with the recorded one', () => {
  const recordedRun = [
    { variant: 'tied', seed: 0, quantity: 'validation loss', value: 3.89 },
    { variant: 'untied', seed: 0, quantity: 'input table to tied, linear', value: 0.63 },
    { variant: 'untied', seed: 0, quantity: 'input table to tied-input-x5, linear', value: 0.7 },
    { variant: 'untied', seed: 1, quantity: 'input table to tied, linear', value: 0.6 },
  ];
  const run = recordedRun.slice(0, 2);
  const wrong = (rows: Row[]): string[] =>
    repeated(rows, recordedRun)
      .filter(([, holds]) => !holds)
      .map(([what, , found]) => `${what}; ${found}`);

  it('up to the step that it reached', () => {
    expect(repeated(run, recordedRun)).toHaveLength(2);
    expect(wrong(run)).toEqual([]);
  });

  it('to the last decimal', () => {
    const [tied, untied] = run as [Row, Row];
    expect(wrong([tied, { ...untied, value: 0.63001 }])).toEqual([
      'untied, seed 0: the recorded numbers come out again; 1 of 1 differ: input table to tied, linear: 0.63001 instead of 0.63',
    ]);
    expect(wrong([tied, { ...untied, value: NaN }])).toHaveLength(1);
    // The two tables of one model need no other model.
    const own = { ...untied, quantity: 'input table to output table, linear' };
    expect(repeated([tied, own], [tied, { ...own, value: 0.5 }]).map(([, holds]) => holds)).toEqual([true, false]);
  });

  it('in everything that is recorded', () => {
    const [tied, untied] = run as [Row, Row];
    expect(wrong([{ ...tied, quantity: 'another' }, untied])).toHaveLength(1);
    expect(wrong([...run, { ...tied, variant: 'never recorded' }])).toHaveLength(1);
  });
});
