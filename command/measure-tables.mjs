// What check measures of tables and of models.

/** @typedef {import('../web/core/types.js').Matrix} Matrix */

/** Up to this vocabulary size, logits of all pairs [V, V] are formed if no factors give them. */
const largestWhole = 4096;

/** @param {import('./tied-embeddings.js').Core} core @param {Matrix} input @param {Matrix | null} output */
export const tableCard = (core, input, output) => ({
  input: core.isotropy(input),
  output: output === null ? null : core.isotropy(output),
});

/**
 * The asymmetry expected of A = E Uᵀ with the rows of U in a random order, as cards have it: its norm stays, and the mean of tr(A A) follows
 * from the sums of A, of its rows and of its columns. Null if A is zero, or there is only one token.
 * @param {{ embedding: Matrix, unembedding?: Matrix, between?: Matrix }} factors @param {number} norm ‖A‖
 */
export function asymmetryByChance({ embedding, unembedding = embedding, between }, norm) {
  const { rows } = embedding;
  if (!(norm > 0) || rows < 2) return null;
  const read = between === undefined ? embedding : product(embedding, between);
  const [sumRead, sumWritten] = [columnSums(read), columnSums(unembedding)];
  const total = sumRead.reduce((sum, value, at) => sum + value * sumWritten[at], 0);
  const ofRows = squaresOfProducts(read, sumWritten);
  const ofColumns = squaresOfProducts(unembedding, sumRead);
  const square = norm * norm;
  // A place meets itself in one of `rows` orders, and any other place in one of rows (rows - 1).
  const trace = square / rows + (total * total - ofRows - ofColumns + square) / (rows * (rows - 1));
  return Math.sqrt(Math.max(0, (1 - trace / square) / 2));
}

/** @param {Matrix} matrix */
function columnSums({ cols, data }) {
  const sums = new Float64Array(cols);
  for (let i = 0; i < data.length; i++) sums[i % cols] += data[i];
  return sums;
}

/** Σ (row · vector)². @param {Matrix} matrix @param {Float64Array} vector */
function squaresOfProducts({ rows, cols, data }, vector) {
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    let one = 0;
    for (let col = 0; col < cols; col++) one += data[row * cols + col] * vector[col];
    sum += one * one;
  }
  return sum;
}

/**
 * Why the tables cannot be measured, if that is what an error summary: numbers that are not finite and tables of zeros leave the verdict as it is.
 * Null for any other error.
 * @param {unknown} error
 */
export function whyNotMeasured(error) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  return code === 'not-finite' || (code === 'invalid-argument' && /is all zeros/.test(message)) ? message : null;
}

/** @template T @param {() => T} measure @returns {T | { notMeasured: string }} What it returns, or why there is nothing to measure. */
export function measured(measure) {
  try {
    return measure();
  } catch (error) {
    const why = whyNotMeasured(error);
    if (why === null) throw error;
    return { notMeasured: why };
  }
}

/**
 * What this package's own models have between their tables, from their parameters by name.
 * @typedef {object} OwnPath
 * @property {'shared' | 'separate' | 'derived'} relation @property {Matrix | null} unembedding As it acts, if it is not the input table.
 * @property {{ embedding: Matrix, unembedding?: Matrix, between?: Matrix } | null} factors Null: the scores are no product of tables.
 * @property {Matrix | null} logits In place of factors. @property {string | null} note
 * @property {(name: string) => boolean} includes Whether the factors or logits include a parameter that W_E W_Uᵀ leaves out.
 */

/** Names of parameters that change what the tables mean; the first that a model has decides. */
export const ownParts = ['tails.0.map', 'between', 'low_rank.a', 'mlp.up.weight', 'embedding.factor'];

/**
 * @param {{ has: (name: string) => boolean, matrix: (name: string) => Matrix | Promise<Matrix>, vocabSize: number,
 *   logitsOfAll: (ids: Uint32Array) => Matrix | null | Promise<Matrix | null> }} model @returns {Promise<OwnPath>}
 */
export async function ownPath({ has, matrix, vocabSize, logitsOfAll }) {
  const found = (relation, unembedding, factors, logits = null, note = null) => ({
    ...{ relation, unembedding, factors, logits, note },
    includes: (name) => logits !== null || (factors !== null && /^(?:between|low_rank\.[ab])$/.test(name)),
  });
  const isSeparate = has('unembedding');
  if (has('tails.0.map'))
    return found(
      ...[isSeparate ? 'separate' : 'derived', null, null, null],
      'The head orders tokens by their frequency, which its tensors do not tell: its scores are no product of two tables, and were not compared.',
    );
  const embedding = await matrix('embedding');
  if (has('between')) return found('derived', null, { embedding, between: await matrix('between') });
  if (has('low_rank.a')) {
    const unembedding = corrected(embedding, await matrix('low_rank.a'), await matrix('low_rank.b'));
    return found('derived', unembedding, { embedding, unembedding });
  }
  if (has('mlp.up.weight')) {
    const whole = vocabSize <= largestWhole;
    const ids = Uint32Array.from({ length: whole ? vocabSize : 0 }, (_, id) => id);
    const logits = whole ? await logitsOfAll(ids) : null;
    const words =
      logits === null
        ? `A network lies between the tables, and the scores of ${vocabSize} tokens with each other were not formed.`
        : 'A network lies between the tables, so its scores, biases included, are compared, not a product of tables.';
    return found('derived', null, null, logits, words);
  }
  const whole = async (name, table) => (has(`${name}.factor`) ? product(table, await matrix(`${name}.factor`)) : table);
  const input = await whole('embedding', embedding);
  if (!isSeparate) return found('shared', null, { embedding: input });
  const unembedding = await whole('unembedding', await matrix('unembedding'));
  return found('separate', unembedding, { embedding: input, unembedding });
}

/** The same for a trainer. @param {import('./tied-embeddings.js').Trainer} trainer */
export function pathOfTrainer(trainer) {
  const own = new Set(trainer.parameters().flatMap(({ name, tiedTo }) => (tiedTo === null ? [name] : [])));
  return ownPath({
    has: (name) => own.has(name),
    matrix: (name) => trainer.matrix(name),
    vocabSize: trainer.model.vocabSize,
    logitsOfAll: (ids) => scoresOf(trainer, ids),
  });
}

/** @param {import('./tied-embeddings.js').Trainer} trainer @param {Uint32Array} ids */
export const scoresOf = (trainer, ids) =>
  trainer.model.kind === 'direct-path' ? trainer.nextTokenLogits({ from: ids }) : null;

/** E + A Bᵀ. @param {Matrix} table @param {Matrix} a [V, r] @param {Matrix} b [d, r] @returns {Matrix} */
function corrected({ rows, cols, data }, { data: left, cols: rank }, { data: right }) {
  const sum = data.slice();
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      for (let k = 0; k < rank; k++) sum[row * cols + col] += left[row * rank + k] * right[col * rank + k];
    }
  }
  return { rows, cols, data: sum };
}

/** A F. @param {Matrix} table [V, r] @param {Matrix} factor [r, d] @returns {Matrix} */
function product({ rows, cols: rank, data: left }, { cols, data: right }) {
  const data = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < rank; k++) {
      const scale = left[row * rank + k];
      for (let col = 0; col < cols; col++) data[row * cols + col] += scale * right[k * cols + col];
    }
  }
  return { rows, cols, data };
}
