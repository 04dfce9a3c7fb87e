// A training step in jax-js, in the fastest form found. jit cannot compile its scatter, the gradient of the lookup (it can
// compile a product with one-hot rows, which is slower). So the lookup and its gradient stay outside jit, and the loss with
// its gradient, and the update, are one compiled function each.
// In jax-js each use of an array consumes it; `.ref` preserves it for another use.
import { normEpsilon, optimizer, transposed } from '../models.mjs';

/** In the library's layout: maps are [in, out]. */
function arraysOf(np, model, parameters) {
  const arrays = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const turns = name.startsWith('layers.') && parameter.shape.length === 2;
    const { data, shape } = turns || name === 'unembedding' ? transposed(parameter) : parameter;
    arrays[name] = np.array(data).reshape(shape);
  }
  return arrays;
}

function lossOf({ numpy: np, nn }, model) {
  const { vocabSize, dModel, nLayers, nHeads, contextLength: length, batchSize } = model;
  const crossEntropy = (logits, targets) => {
    const normalizer = nn.logsumexp(logits.ref, -1);
    return normalizer.sub(logits.mul(nn.oneHot(targets, vocabSize)).sum(-1)).mean();
  };
  if (model.kind === 'direct-path') {
    return ({ unembedding }, rows, targets) => crossEntropy(np.matmul(rows, unembedding), targets);
  }
  const norm = (x, weight) => {
    const meanSquare = np.square(x.ref).mean(-1, { keepdims: true });
    return x.mul(np.reciprocal(np.sqrt(meanSquare.add(normEpsilon)))).mul(weight);
  };
  const attention = (x, p, prefix) => {
    const all = np
      .matmul(norm(x, p[`${prefix}.attention_norm.weight`]), p[`${prefix}.attention.query_key_value.weight`])
      .reshape([batchSize, length, 3, nHeads, dModel / nHeads]);
    const [query, key, value] = [all.ref.slice([], [], 0), all.ref.slice([], [], 1), all.slice([], [], 2)];
    const mixed = nn.dotProductAttention(query, key, value, { isCausal: true }).reshape([batchSize, length, dModel]);
    return np.matmul(mixed, p[`${prefix}.attention.output.weight`]);
  };
  const feedForward = (x, p, prefix) => {
    const hidden = np
      .matmul(norm(x, p[`${prefix}.feed_forward_norm.weight`]), p[`${prefix}.feed_forward.up.weight`])
      .add(p[`${prefix}.feed_forward.up.bias`]);
    return np
      .matmul(nn.gelu(hidden), p[`${prefix}.feed_forward.down.weight`])
      .add(p[`${prefix}.feed_forward.down.bias`]);
  };
  return (p, rows, targets) => {
    let x = rows.reshape([batchSize, length, dModel]).add(p.positions);
    for (let layer = 0; layer < nLayers; layer++) {
      x = x.ref.add(attention(x, p, `layers.${layer}`));
      x = x.ref.add(feedForward(x, p, `layers.${layer}`));
    }
    const hidden = norm(x, p['final_norm.weight']).reshape([batchSize * length, dModel]);
    return crossEntropy(np.matmul(hidden, np.transpose(p.embedding)), targets);
  };
}

/** AdamW without decay; `correction1` and `correction2` are the bias corrections of the two moments. */
function updateOf({ numpy: np }) {
  const { learningRate, beta1, beta2, epsilon } = optimizer;
  return (parameters, means, squares, gradients, correction1, correction2) => {
    const updated = [{}, {}, {}];
    for (const name of Object.keys(parameters)) {
      const gradient = gradients[name];
      const mean = means[name].mul(beta1).add(gradient.ref.mul(1 - beta1));
      const square = squares[name].mul(beta2).add(gradient.ref.mul(gradient).mul(1 - beta2));
      const divisor = np.sqrt(square.ref.mul(correction2.ref)).add(epsilon);
      const change = mean.ref.mul(correction1.ref).mul(learningRate).div(divisor);
      updated[0][name] = parameters[name].sub(change);
      updated[1][name] = mean;
      updated[2][name] = square;
    }
    correction1.dispose();
    correction2.dispose();
    return updated;
  };
}

const refs = (arrays) => Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, array.ref]));

/** @returns {import('./peer.mjs').Trainer} */
export function jaxTrainer(jax, model, start) {
  const { numpy: np, jit } = jax;
  const { beta1, beta2 } = optimizer;
  const lossAndGradients = jit(jax.valueAndGrad(lossOf(jax, model), { argnums: [0, 1] }));
  const update = jit(updateOf(jax));
  const sum = jit((a, b) => a.add(b));
  const zeros = () =>
    Object.fromEntries(Object.entries(parameters).map(([name, { shape }]) => [name, np.zeros(shape)]));
  let parameters = arraysOf(np, model, start);
  let means = zeros();
  let squares = zeros();
  let steps = 0;
  return {
    load: ({ inputs, targets }) => ({
      inputs: np.array(inputs, { dtype: np.int32 }),
      targets: np.array(targets, { dtype: np.int32 }),
    }),
    async step({ inputs, targets }) {
      steps++;
      const [rows, intoTable] = jax.vjp((table) => table.slice(inputs.ref), [parameters.embedding.ref]);
      const { embedding, ...others } = parameters;
      const used = model.tying === 'tied' ? parameters : others;
      const [loss, [gradients, intoRows]] = lossAndGradients(refs(used), rows, targets.ref);
      const [input] = [intoTable(intoRows)].flat();
      intoTable.dispose?.();
      gradients.embedding = embedding === used.embedding ? sum(gradients.embedding, input) : input;
      const corrections = [np.array(1 / (1 - beta1 ** steps)), np.array(1 / (1 - beta2 ** steps))];
      [parameters, means, squares] = update(parameters, means, squares, gradients, ...corrections);
      await jax.blockUntilReady([parameters, means, squares]);
      return (await loss.data())[0];
    },
  };
}
