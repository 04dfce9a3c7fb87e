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
 * The direct path of a model of this package, whatever lies between its tables.
 * @param {import('./tied-embeddings.js').Core} core @param {import('./tied-embeddings.js').Trainer} trainer @param {number} worst
 */
export function pathsOfModel(core, trainer, worst) {
  const { kind, vocabSize } = trainer.model;
  const parameters = trainer.parameters();
  const has = (name) => parameters.some((one) => one.name === name);
  const embedding = trainer.matrix('embedding');
  const withFinalNorm = kind === 'transformer' ? trainer.directPath({ finalNorm: true, symmetry: true }) : null;
  const found = (relation, unembedding, factors) => ({
    relation,
    unembedding,
    leftOut: has('output_bias') ? ['output_bias'] : [],
    directPath: core.directPathSymmetry({ embedding, ...factors }, { worst }),
    withFinalNorm,
    note: null,
  });
  if (has('between')) return found('derived', null, { between: trainer.matrix('between') });
  if (has('low_rank.a')) {
    const unembedding = corrected(embedding, trainer.matrix('low_rank.a'), trainer.matrix('low_rank.b'));
    return found('derived', unembedding, { unembedding });
  }
  if (has('mlp.up.weight')) {
    const whole = vocabSize <= largestWhole;
    const ids = Uint32Array.from({ length: whole ? vocabSize : 0 }, (_, id) => id);
    return {
      relation: 'derived',
      unembedding: null,
      leftOut: [],
      directPath: whole ? core.symmetry(trainer.nextTokenLogits({ from: ids }), { worst }) : null,
      withFinalNorm,
      note: whole
        ? 'A network lies between the tables, so its scores, biases included, are compared, not a product of tables.'
        : `A network lies between the tables, and the scores of ${vocabSize} tokens with each other are too many to form.`,
    };
  }
  const separate = parameters.some(({ name, tiedTo }) => name === 'unembedding' && tiedTo === null);
  if (!separate) return found('shared', null, {});
  const unembedding = trainer.matrix('unembedding');
  return found('separate', unembedding, { unembedding });
}

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
