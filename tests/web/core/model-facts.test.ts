/**
 * Diagnostics of the tables of published models against values that another program computed in double precision. These are in
 * model-facts.json, which lies beside the project, as do the models. Every value there is compared; one without a measure
 * below fails. Participation ratios and CKA use centered tables; nothing else is centered.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type Matrix, type Symmetry } from '../../../web/index.js';
import { PUBLISHED_MODELS, type PublishedModel } from './published-models.js';
import { rowsOf, sharedFile } from './support.js';

type Nearest = [name: string, cosine: number][];
interface Facts {
  [name: string]: number | Nearest | Facts;
}

const file = sharedFile('models/model-facts.json');
const published = (file === null ? {} : JSON.parse(new TextDecoder().decode(file))) as Record<string, Facts>;

/** By path, as in `E_norm/min` or `nearest_in_E/a`. */
const flat = (facts: Facts, prefix = ''): [path: string, expected: number | Nearest][] =>
  Object.entries(facts).flatMap(([name, value]) =>
    typeof value === 'number' || Array.isArray(value)
      ? [[prefix + name, value] as [string, number | Nearest]]
      : flat(value, `${prefix}${name}/`),
  );

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['diagnostics', 'readout'] });
});

const lengthOf = (values: ArrayLike<number>): number =>
  Math.sqrt(Array.from(values).reduce((sum, value) => sum + value ** 2, 0));
/** No verb returns the length of each row. */
const lengths = (table: Matrix): number[] => rowsOf(table).map(lengthOf);
const frobenius = (table: Matrix): number => lengthOf(core.spectrum(table, { center: false }).values);

/** Ranks from 1. With these as counts, a verb returns the rank correlation with any values. No two values here are equal. */
function ranksOf(values: readonly number[]): Uint32Array {
  const ranks = new Uint32Array(values.length);
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  order.forEach((index, i) => (ranks[index] = i + 1));
  return ranks;
}

/** Starting at 1, which makes no difference to a rank correlation. */
const idsOf = ({ rows }: Matrix): Uint32Array => Uint32Array.from({ length: rows }, (_, i) => i + 1);

type Measure = (model: PublishedModel) => number;

const ofTable = (prefix: 'E' | 'U', table: (model: PublishedModel) => Matrix): Record<string, Measure> => ({
  [`${prefix}_norm/min`]: (model) => Math.min(...lengths(table(model))),
  [`${prefix}_norm/mean`]: (model) => core.normFrequency(table(model), idsOf(table(model))).meanNorm,
  [`${prefix}_norm/max`]: (model) => Math.max(...lengths(table(model))),
  [`${prefix}_frobenius`]: (model) => frobenius(table(model)),
  [`${prefix}_mean_pairwise_cosine`]: (model) => core.isotropy(table(model)).meanCosine,
  // `meanShare` is this length over the root mean square length of the rows.
  [`${prefix}_mean_vector_norm`]: (model) =>
    (core.isotropy(table(model)).meanShare * frobenius(table(model))) / Math.sqrt(table(model).rows),
  [`${prefix}_participation_ratio`]: (model) => core.isotropy(table(model)).participationRatio,
  [`spearman_${prefix}_norm_vs_id`]: (model) => core.normFrequency(table(model), idsOf(table(model))).spearman,
  [`spearman_${prefix}_norm_vs_count_in_tiny_shakespeare`]: (model) =>
    core.normFrequency(table(model), model.counts!).spearman,
});

const embeddingOf = ({ tables }: PublishedModel): Matrix => tables.embedding;
const unembeddingOf = ({ tables }: PublishedModel): Matrix => tables.unembedding!;
const symmetry = ({ tables }: PublishedModel): Symmetry => core.directPathSymmetry(tables);

const AS_THEY_ARE = { method: 'identity', center: false, holdOut: 0, nullRuns: 0 } as const;
const beside = ({ tables }: PublishedModel): { meanCosine: number; difference: number } => {
  const { embedding, unembedding = embedding } = tables;
  const { meanCosine, residual } = core.align(embedding, unembedding, AS_THEY_ARE);
  return { meanCosine, difference: residual * frobenius(unembedding) };
};

const withFinalNorm = ({ trainer }: PublishedModel): Symmetry =>
  trainer!.directPath({ finalNorm: true, symmetry: true });

const MEASURES: Readonly<Record<string, Measure>> = {
  vocab: (model) => embeddingOf(model).rows,
  dim: (model) => embeddingOf(model).cols,
  ...ofTable('E', embeddingOf),
  ...ofTable('U', unembeddingOf),
  'direct_path/frobenius': (model) => symmetry(model).norm,
  'direct_path/symmetric_frobenius': (model) => symmetry(model).symmetricNorm,
  'direct_path/antisymmetric_frobenius': (model) => symmetry(model).skewNorm,
  'direct_path/asymmetry_ratio': (model) => symmetry(model).asymmetry,
  // No verb returns it in double precision. `directPath` has it in single precision: see below.
  'direct_path/trace': ({ tables: { embedding, unembedding = embedding } }) =>
    embedding.data.reduce((sum, element, i) => sum + element * unembedding.data[i]!, 0),
  'direct_path/rows_whose_argmax_is_the_diagonal': ({ tables }) =>
    rowsOf(core.directPath(tables)).filter((row, i) => row[i] === Math.max(...row)).length,
  'direct_path_with_final_rmsnorm/frobenius': (model) => withFinalNorm(model).norm,
  'direct_path_with_final_rmsnorm/asymmetry_ratio': (model) => withFinalNorm(model).asymmetry,
  mean_cosine_E_i_U_i: (model) => beside(model).meanCosine,
  frobenius_E_minus_U: (model) => beside(model).difference,
  linear_cka_E_U: (model) => core.cka(embeddingOf(model), unembeddingOf(model)).cka,
  spearman_E_norm_U_norm: (model) =>
    core.normFrequency(embeddingOf(model), ranksOf(lengths(unembeddingOf(model)))).spearman,
  spearman_norm_vs_frequency_rank: (model) =>
    core.normFrequency(embeddingOf(model), idsOf(embeddingOf(model))).spearman,
  // With one column, the lengths of rows are the values themselves.
  spearman_id_vs_count_in_tiny_shakespeare: (model) => {
    const ids = Float32Array.from(idsOf(embeddingOf(model)));
    return core.normFrequency({ rows: ids.length, cols: 1, data: ids }, model.counts!).spearman;
  },
};

const NEIGHBORS_IN: Readonly<Record<string, (model: PublishedModel) => Matrix>> = {
  nearest_by_cosine: embeddingOf,
  nearest_in_E: embeddingOf,
  nearest_in_U: unembeddingOf,
};

/** Significant digits of the values, where trailing zeros are omitted; decimals of cosines in lists. */
const DIGITS = 8;
const COSINE_DECIMALS = 4;

/** Within half a unit of the last of `digits` digits; integers and 0 are exact. */
const near = (found: number, expected: number, digits: number): boolean =>
  Math.abs(found - expected) <=
  (Number.isInteger(expected) && Math.abs(expected) !== 1
    ? 0
    : 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(expected))) + 1 - digits));

/** The differences, in words. Rounding the values of a file to those of a table costs a digit. */
function differences(model: PublishedModel, facts: Facts): string[] {
  const digits = model.rounded ? DIGITS - 1 : DIGITS;
  return flat(facts).flatMap(([path, expected]) => {
    if (typeof expected === 'number') {
      const measure = MEASURES[path];
      if (measure === undefined) return [`${path} has no measure`];
      const found = measure(model);
      return near(found, expected, digits) ? [] : [`${path} is ${found}; expected ${expected}`];
    }
    const [list, name] = [path.slice(0, path.indexOf('/')), path.slice(path.indexOf('/') + 1)];
    const table = NEIGHBORS_IN[list]!(model);
    // The last one: pieces of text come after bytes with the same name.
    const found = core.neighbors(table, model.names.lastIndexOf(name), { k: expected.length });
    const same = found.every(
      ({ row, cosine }, i) =>
        model.names[row] === expected[i]![0] && Math.abs(cosine - expected[i]![1]) <= 0.5 * 10 ** -COSINE_DECIMALS,
    );
    const told = found.map(({ row, cosine }) => [model.names[row], cosine]);
    return same ? [] : [`${path}: ${JSON.stringify(told)}; expected ${JSON.stringify(expected)}`];
  });
}

describe.runIf(file)('facts of published models', () => {
  test('cover exactly the models here', () => {
    expect(Object.keys(published)).toEqual(Object.keys(PUBLISHED_MODELS));
  });

  test.each(Object.entries(PUBLISHED_MODELS))('are reproduced for %s', (name, read) => {
    const model = read(core);
    if (model === null) return;
    expect(differences(model, published[name]!)).toEqual([]);
    const trace = (published[name]!.direct_path as Facts | undefined)?.trace as number | undefined;
    if (trace === undefined) return;
    // A sum of nearly cancelling logits in single precision has fewer digits.
    const diagonal = rowsOf(core.directPath(model.tables)).reduce((sum, row, i) => sum + row[i]!, 0);
    expect(diagonal).toSatisfy((found: number) => near(found, trace, 6));
  });
});
