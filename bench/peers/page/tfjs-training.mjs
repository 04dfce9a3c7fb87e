// A training step in TensorFlow.js, in the fastest form found for its WebAssembly backend. That backend multiplies quickly
// (with XNNPACK) only if neither factor is transposed, so factors are transposed explicitly, in the forward pass and in
// gradients. It has no kernel for the gradient of the lookup, which is a product with one-hot rows instead. The library
// has Adam, but not AdamW.
import { normEpsilon, optimizer, transposed } from '../models.mjs';

const geluScale = Math.sqrt(2 / Math.PI);

function productsOf(tf) {
  const transpose = (x) => tf.transpose(x, x.rank === 2 ? [1, 0] : [0, 1, 3, 2]);
  const product = tf.customGrad((x, y, save) => {
    save([x, y]);
    const gradFunc = (dy, [x, y]) => [tf.matMul(dy, transpose(y)), tf.matMul(transpose(x), dy)];
    return { value: tf.matMul(x, y), gradFunc };
  });
  return { product, transpose };
}

function lossOf(tf, model, p, maskOfAttention) {
  const { dModel, nLayers, nHeads, contextLength: length, batchSize } = model;
  const { product, transpose } = productsOf(tf);
  const lookup = (table, { inputs, oneHotTransposed }) =>
    tf.customGrad((matrix, save) => {
      save([]);
      return { value: tf.gather(matrix, inputs), gradFunc: (dy) => tf.matMul(oneHotTransposed(), dy) };
    })(table);
  const crossEntropy = (logits, { oneHotTargets }) => tf.logSoftmax(logits).mul(oneHotTargets).sum(-1).mean().neg();
  if (model.kind === 'direct-path') {
    return (batch) => crossEntropy(product(lookup(p.embedding, batch), p.unembedding), batch);
  }
  const norm = (x, weight) => x.mul(x.square().mean(-1, true).add(normEpsilon).rsqrt()).mul(weight);
  const gelu = (x) => x.mul(0.5).mul(x.square().mul(x).mul(0.044715).add(x).mul(geluScale).tanh().add(1));
  const attention = (x, prefix) => {
    const [query, key, value] = product(
      norm(x, p[`${prefix}.attention_norm.weight`]),
      p[`${prefix}.attention.query_key_value.weight`],
    )
      .reshape([batchSize, length, 3, nHeads, dModel / nHeads])
      .transpose([2, 0, 3, 1, 4])
      .unstack(0);
    const scores = product(query, transpose(key)).mul((dModel / nHeads) ** -0.5);
    const mixed = product(tf.softmax(scores.add(maskOfAttention)), value);
    const rows = mixed.transpose([0, 2, 1, 3]).reshape([batchSize * length, dModel]);
    return product(rows, p[`${prefix}.attention.output.weight`]);
  };
  const feedForward = (x, prefix) => {
    const normed = norm(x, p[`${prefix}.feed_forward_norm.weight`]);
    const hidden = product(normed, p[`${prefix}.feed_forward.up.weight`]).add(p[`${prefix}.feed_forward.up.bias`]);
    return product(gelu(hidden), p[`${prefix}.feed_forward.down.weight`]).add(p[`${prefix}.feed_forward.down.bias`]);
  };
  return (batch) => {
    let x = lookup(p.embedding, batch)
      .reshape([batchSize, length, dModel])
      .add(p.positions)
      .reshape([batchSize * length, dModel]);
    for (let layer = 0; layer < nLayers; layer++) {
      x = x.add(attention(x, `layers.${layer}`));
      x = x.add(feedForward(x, `layers.${layer}`));
    }
    return crossEntropy(product(norm(x, p['final_norm.weight']), transpose(p.embedding)), batch);
  };
}

/** @returns {import('./peer.mjs').Trainer} */
export function tfjsTrainer(tf, model, start) {
  const { vocabSize, contextLength: length } = model;
  const parameters = {};
  for (const [name, parameter] of Object.entries(start)) {
    const turns = name.startsWith('layers.') && parameter.shape.length === 2;
    const { data, shape } = turns || name === 'unembedding' ? transposed(parameter) : parameter;
    parameters[name] = tf.variable(tf.tensor(data, shape));
  }
  const mask =
    length &&
    tf.tidy(() =>
      tf.linalg
        .bandPart(tf.ones([length, length]), -1, 0)
        .sub(1)
        .mul(1e9),
    );
  const loss = lossOf(tf, model, parameters, mask);
  const { learningRate, beta1, beta2, epsilon } = optimizer;
  const adam = tf.train.adam(learningRate, beta1, beta2, epsilon);
  const variables = Object.values(parameters);
  return {
    load({ inputs, targets }) {
      const ids = tf.tensor1d(inputs, 'int32');
      const oneHotTargets = tf.tidy(() => tf.oneHot(tf.tensor1d(targets, 'int32'), vocabSize).toFloat());
      return { inputs: ids, oneHotTargets, oneHotTransposed: () => tf.oneHot(ids, vocabSize).toFloat().transpose() };
    },
    step(batch) {
      const value = adam.minimize(() => loss(batch), true, variables);
      const [number] = value.dataSync();
      value.dispose();
      return number;
    },
  };
}
