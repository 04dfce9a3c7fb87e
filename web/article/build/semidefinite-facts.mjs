/**
 * Why a shared table costs more than symmetry: its direct path has no negative eigenvalue. Two numbers separate that from its
 * simplest consequence, the law for pairs, P(j|i) P(i|j) ≤ P(i|i) P(j|j): a loss that symmetric logits reach although they obey the
 * law, and a loss below which no shared table comes. Both are for a text closed to a circle (its last token is followed by its
 * first), so that every token is as often the first of a pair as the second.
 */

/** Fractions of pairs J, R = (J + Jᵀ) / 2 and its row sums. @param {{ ids: Uint32Array, size: number }} text */
export function circleOf({ ids, size }) {
  const pairs = new Float64Array(size * size);
  ids.forEach((id, at) => {
    pairs[id * size + ids[(at + 1) % ids.length]] += 1 / ids.length;
  });
  const symmetric = new Float64Array(size * size);
  const sums = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      symmetric[i * size + j] = (pairs[i * size + j] + pairs[j * size + i]) / 2;
      sums[i] += symmetric[i * size + j];
    }
  }
  return { size, pairs, symmetric, sums };
}

/** Entropy of the next token given the current one, from fractions of pairs and their row sums. */
export function conditionalEntropy(pairs, sums) {
  let entropy = 0;
  const size = sums.length;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const share = pairs[i * size + j];
      if (share > 0) entropy -= share * Math.log(share / sums[i]);
    }
  }
  return entropy;
}

/** The loss of symmetric logits on R, and its derivatives by the logits, which are written to `slopes`. */
function lossOf({ size, symmetric, sums }, logits, slopes) {
  let loss = 0;
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let largest = -Infinity;
    for (let j = 0; j < size; j++) largest = Math.max(largest, logits[row + j]);
    let total = 0;
    for (let j = 0; j < size; j++) total += slopes[row + j] = Math.exp(logits[row + j] - largest);
    loss += sums[i] * (largest + Math.log(total));
    for (let j = 0; j < size; j++) {
      loss -= symmetric[row + j] * logits[row + j];
      slopes[row + j] = (sums[i] * slopes[row + j]) / total - symmetric[row + j];
    }
  }
  return loss;
}

/** Adam, with a rate that falls to 0 over all steps. */
function adam(count, steps) {
  const [mean, square] = [new Float64Array(count), new Float64Array(count)];
  return (values, at, slope, step) => {
    mean[at] = 0.9 * mean[at] + 0.1 * slope;
    square[at] = 0.99 * square[at] + 0.01 * slope * slope;
    const size = Math.sqrt(square[at] / (1 - 0.99 ** step)) + 1e-12;
    const rate = 0.3 * Math.cos((0.5 * Math.PI * (step - 1)) / steps);
    values[at] -= (rate * mean[at]) / (1 - 0.9 ** step) / size;
  };
}

/**
 * A loss that symmetric logits reach although they obey the law for every pair: the lowest such loss is this or less. With
 * S_ij = (D_i + D_j) / 2 - q_ij² the law holds whatever D and q are, so every step of the search counts.
 */
export function lawAbidingLoss(circle, steps = 100) {
  const { size, symmetric, sums } = circle;
  const unseen = 5e-5 / size;
  const logOf = (i, j) => Math.log(Math.max(symmetric[i * size + j], (unseen * (sums[i] + sums[j])) / 2));
  const diagonal = Float64Array.from(sums, (_, i) => Math.max(...Array.from({ length: size }, (__, j) => logOf(i, j))));
  const apart = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      apart[i * size + j] = Math.sqrt(Math.max(0.01, (diagonal[i] + diagonal[j]) / 2 - logOf(i, j)));
    }
  }
  const [moveDiagonal, moveApart] = [adam(size, steps), adam(size * size, steps)];
  const logits = new Float64Array(size * size);
  const slopes = new Float64Array(size * size);
  let least = Infinity;
  for (let step = 1; step <= steps; step++) {
    for (let i = 0; i < size; i++) {
      logits[i * size + i] = diagonal[i];
      for (let j = 0; j < i; j++) {
        logits[i * size + j] = logits[j * size + i] = (diagonal[i] + diagonal[j]) / 2 - apart[i * size + j] ** 2;
      }
    }
    least = Math.min(least, lossOf(circle, logits, slopes));
    for (let i = 0; i < size; i++) {
      let slope = 0;
      for (let j = 0; j < size; j++) slope += (slopes[i * size + j] + slopes[j * size + i]) / 2;
      moveDiagonal(diagonal, i, slope, step);
      for (let j = 0; j < i; j++) {
        const at = i * size + j;
        moveApart(apart, at, -2 * apart[at] * (slopes[at] + slopes[j * size + i]), step);
      }
    }
  }
  return least;
}

/** Whether a symmetric matrix is positive definite, by Cholesky's factorization. */
export function isPositiveDefinite(matrix, size) {
  const factor = Float64Array.from(matrix);
  for (let j = 0; j < size; j++) {
    for (let i = j; i < size; i++) {
      let sum = factor[i * size + j];
      for (let k = 0; k < j; k++) sum -= factor[i * size + k] * factor[j * size + k];
      if (i === j && !(sum > 0)) return false;
      factor[i * size + j] = i === j ? Math.sqrt(sum) : sum / factor[j * size + j];
    }
  }
  return true;
}

/** The joint distribution a_i a_j e^S_ij with the given margins, by Sinkhorn's scaling; the root keeps it from alternating. */
function scaledJoint(logits, sums) {
  const size = sums.length;
  const largest = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const joint = Float64Array.from(logits, (logit) => Math.exp(logit - largest));
  const scale = new Float64Array(size).fill(1);
  for (let round = 0, worst = Infinity; round < 20_000 && worst > 1e-13; round++) {
    worst = 0;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += joint[i * size + j] * scale[j];
      worst = Math.max(worst, Math.abs(sums[i] / sum / scale[i] - 1));
      scale[i] = Math.sqrt((scale[i] * sums[i]) / sum);
    }
  }
  return joint.map((value, at) => value * scale[Math.floor(at / size)] * scale[at % size]);
}

/**
 * A loss below which no shared table comes, whatever its width and output bias. Let K be any joint distribution with R's margins for
 * which K - R has no negative eigenvalue. Logits S without a negative eigenvalue have Σ R S ≤ Σ K S, so their loss on R is at least
 * their loss on K, and that is at least the conditional entropy of K. (A bias adds the same to both sides.) A trained model's logits
 * give a good K: their joint distribution, mixed with that of a text that repeats each token for ever, diag(p), as far as needed.
 * diag(p) - R is the Laplacian of a graph, which has no negative eigenvalue, so K = diag(p) would do by itself, but bounds nothing.
 *
 * @param {ReturnType<typeof circleOf>} circle @param {ArrayLike<number>} logits [V, V], symmetric
 */
export function certifiedFloor({ size, symmetric, sums }, logits) {
  const joint = scaledJoint(Array.from(logits), sums);
  const mixed = (share) =>
    joint.map((value, at) => (1 - share) * value + (at % (size + 1) === 0 ? share * sums[at / (size + 1)] : 0));
  // K - R maps the vector of ones to 0, as their margins agree. Divided by √p_i √p_j and with √p √pᵀ added, it is definite if it has
  // no negative eigenvalue elsewhere.
  const allowed = (share) => {
    const tested = mixed(share).map((value, at) => {
      const root = Math.sqrt(sums[Math.floor(at / size)] * sums[at % size]);
      return (value - symmetric[at]) / root + root;
    });
    return isPositiveDefinite(tested, size);
  };
  let [below, share] = [0, 1];
  for (let halving = 0; halving < 12; halving++) {
    const middle = (below + share) / 2;
    if (allowed(middle)) share = middle;
    else below = middle;
  }
  return conditionalEntropy(mixed(share), sums);
}

/**
 * In nats above the bigram floor of the circle. Throws unless the law for pairs explains less than a fifth, and the sign of the
 * eigenvalues more than nine tenths, of what the tied model loses beyond symmetry, as the page says.
 *
 * @param {{ ids: Uint32Array, size: number, logits: ArrayLike<number>, tiedGap: number }} options
 */
export function semidefiniteFacts({ ids, size, logits, tiedGap }) {
  const circle = circleOf({ ids, size });
  const floor = conditionalEntropy(circle.pairs, circle.sums);
  const symmetric = conditionalEntropy(circle.symmetric, circle.sums) - floor;
  const law = lawAbidingLoss(circle) - floor;
  const anyWidth = certifiedFloor(circle, logits) - floor;
  const beyond = tiedGap - symmetric;
  if (law - symmetric > 0.2 * beyond)
    throw new Error('The law for pairs may explain more than a fifth of the cost beyond symmetry');
  if (anyWidth - symmetric < 0.9 * beyond)
    throw new Error('More width might save more than a tenth of the cost beyond symmetry');
  return { symmetric, law, lawAdds: law - symmetric, anyWidth };
}
