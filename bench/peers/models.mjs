// The three models of the goals, as every peer trains them: their sizes, their parameters with the names and shapes of our
// trainer (a linear map is [out, in]), and the tokens of one batch.

/**
 * A and B are transformers with one matrix for embedding and logits, C is a direct path with two: W_E W_Uᵀ.
 * @typedef {{ kind: 'transformer' | 'direct-path', vocabSize: number, dModel: number, tying: 'tied' | 'untied',
 *   nLayers?: number, nHeads?: number, contextLength?: number, batchSize: number }} Model
 * @type {Record<'A' | 'B' | 'C', Model>}
 */
export const models = {
  A: {
    kind: 'transformer',
    vocabSize: 65,
    dModel: 64,
    nLayers: 4,
    nHeads: 4,
    contextLength: 64,
    tying: 'tied',
    batchSize: 16,
  },
  B: {
    kind: 'transformer',
    vocabSize: 4096,
    dModel: 128,
    nLayers: 4,
    nHeads: 4,
    contextLength: 64,
    tying: 'tied',
    batchSize: 8,
  },
  C: { kind: 'direct-path', vocabSize: 2000, dModel: 64, tying: 'untied', batchSize: 1024 },
};

/** AdamW without weight decay, which is Adam: one of the peers has nothing else. */
export const optimizer = { learningRate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

export const normEpsilon = 1e-5;

/** Tokens (for C: pairs) of one batch. */
export function tokensOf(model) {
  return model.batchSize * (model.contextLength ?? 1);
}

/** Uniform values in [0, 1) from a seed; a linear congruential generator is random enough for timing. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A stream of one batch of tokens plus one token. */
export function tokenStream(model) {
  const random = randomNumbers(7);
  return Uint32Array.from({ length: tokensOf(model) + 1 }, () => Math.floor(random() * model.vocabSize));
}

/** Consecutive sequences: token i of the stream is followed by token i + 1. */
export function streamBatch(stream) {
  return { inputs: Int32Array.from(stream.slice(0, -1)), targets: Int32Array.from(stream.slice(1)) };
}

/** The first sequence of the stream, repeated to fill the batch. */
export function repeatedBatch(model, stream) {
  const length = model.contextLength ?? 1;
  const repeat = (first) => Int32Array.from({ length: tokensOf(model) }, (_, i) => stream[first + (i % length)]);
  return { inputs: repeat(0), targets: repeat(1) };
}

/** Names and shapes of all parameters; a vector has one size. */
export function parameterShapes(model) {
  const { vocabSize, dModel } = model;
  if (model.kind === 'direct-path') return { embedding: [vocabSize, dModel], unembedding: [vocabSize, dModel] };
  const shapes = { embedding: [vocabSize, dModel], positions: [model.contextLength, dModel] };
  for (let layer = 0; layer < model.nLayers; layer++) {
    const prefix = `layers.${layer}`;
    shapes[`${prefix}.attention_norm.weight`] = [dModel];
    shapes[`${prefix}.attention.query_key_value.weight`] = [3 * dModel, dModel];
    shapes[`${prefix}.attention.output.weight`] = [dModel, dModel];
    shapes[`${prefix}.feed_forward_norm.weight`] = [dModel];
    shapes[`${prefix}.feed_forward.up.weight`] = [4 * dModel, dModel];
    shapes[`${prefix}.feed_forward.up.bias`] = [4 * dModel];
    shapes[`${prefix}.feed_forward.down.weight`] = [dModel, 4 * dModel];
    shapes[`${prefix}.feed_forward.down.bias`] = [dModel];
  }
  shapes['final_norm.weight'] = [dModel];
  return shapes;
}

/** The transpose [columns, rows] of a matrix [rows, columns], for peers whose linear maps are [in, out]. */
export function transposed({ data, shape: [rows, columns] }) {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column];
  }
  return { data: turned, shape: [columns, rows] };
}

/** Arbitrary initial values for a cold start, made in the page: close enough to normal for timing. */
export function initialParameters(model) {
  const random = randomNumbers(3);
  const parameters = {};
  for (const [name, shape] of Object.entries(parameterShapes(model))) {
    const data = new Float32Array(shape.reduce((product, size) => product * size, 1));
    if (shape.length === 2)
      for (let i = 0; i < data.length; i++) data[i] = (random() + random() + random() - 1.5) * 0.04;
    else if (name.includes('norm')) data.fill(1);
    parameters[name] = { data, shape };
  }
  return parameters;
}
