/** Sums over a table of bigram counts, for sentences and figures of the page. Floors come from the core. */

/** @param {{ rows: number, data: Float32Array }} counts [V, V] */
export function bigramTable(counts) {
  const size = counts.rows;
  const at = (from, to) => counts.data[from * size + to];
  const rowSums = new Float64Array(size);
  const columnSums = new Float64Array(size);
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      rowSums[from] += at(from, to);
      columnSums[to] += at(from, to);
    }
  }
  const total = rowSums.reduce((sum, value) => sum + value, 0);

  return {
    size,
    total,
    count: at,
    /** How often a token is the first of a pair, as a fraction of all pairs. */
    frequency: (token) => rowSums[token] / total,
    /** P(to | from). */
    conditional: (from, to) => (rowSums[from] === 0 ? 0 : at(from, to) / rowSums[from]),
    /**
     * P(to | from) of the best model with symmetric logits: the pairs counted in both directions, R = (J + J^T) / 2,
     * divided by its row sums.
     */
    symmetricConditional: (from, to) => (at(from, to) + at(to, from)) / (rowSums[from] + columnSums[from]),
    /** How often the next token repeats the current one. */
    repeats() {
      let same = 0;
      for (let token = 0; token < size; token++) same += at(token, token);
      return same / total;
    },
  };
}
