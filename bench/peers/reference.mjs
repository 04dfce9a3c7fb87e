// The reference for each peer before it is timed: our trainer's initial weights, and the losses of its first steps. Written
// to files that pages and Python read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { models, optimizer, parameterShapes, tokenStream } from './models.mjs';

/** Steps on the batch of the check, before the loss on the timed batch. */
const checkedSteps = 4;

/** The losses of `checkedSteps` steps on a batch that our trainer is made to draw, then the loss on the whole stream. */
function losses(trainer, stream) {
  const steps = trainer.run(checkedSteps).map(({ loss }) => loss);
  return [...steps, trainer.evaluate(stream).loss];
}

/**
 * A trainer with the same data in each step: for a transformer, one sequence repeated in the batch (a stream with no
 * other), for a direct path, all pairs of the stream (as a table of counts).
 */
function trainerOf(core, { batchSize, ...model }, stream) {
  const { learningRate, beta1, beta2, epsilon } = optimizer;
  const training = { learningRate, beta1, beta2, epsilon, batchSize, seed: 1 };
  if (model.kind === 'transformer') {
    return core.createTrainer({ model, training, tokenIds: stream.slice(0, model.contextLength + 1) });
  }
  const counts = new Float32Array(model.vocabSize ** 2);
  for (let i = 0; i + 1 < stream.length; i++) counts[stream[i] * model.vocabSize + stream[i + 1]]++;
  return core.createTrainer({
    model,
    training,
    bigramCounts: { rows: model.vocabSize, cols: model.vocabSize, data: counts },
  });
}

/**
 * The initial state of a peer and its expected losses: { model, optimizer, parameters: [{ name, shape, offset }], stream, losses },
 * and the values of all parameters, one after the other.
 */
export function referenceOf(core, model) {
  const stream = tokenStream(model);
  const trainer = trainerOf(core, model, stream);
  const parameters = [];
  const values = [];
  let offset = 0;
  for (const [name, shape] of Object.entries(parameterShapes(model))) {
    const { data } = trainer.matrix(name);
    const size = shape.reduce((product, length) => product * length, 1);
    if (data.length !== size) throw new Error(`${name} has ${data.length} numbers; expected ${size}`);
    parameters.push({ name, shape, offset });
    values.push(data);
    offset += size;
  }
  const owned = trainer.parameters().filter(({ count }) => count > 0);
  if (owned.length !== parameters.length) {
    throw new Error(`the trainer has ${owned.map(({ name }) => name).join(', ')}; expected what parameterShapes() has`);
  }
  const all = new Float32Array(offset);
  values.forEach((data, i) => all.set(data, parameters[i].offset));
  const reference = { model, optimizer, parameters, stream: [...stream], losses: losses(trainer, stream) };
  trainer.dispose();
  return { reference, values: all };
}

/**
 * Writes `<id>.json` and `<id>.f32` for each model.
 * @param {string} package_ our package: dist/tied-embeddings.js
 */
export async function writeReferences(package_, folder) {
  const { loadCore } = await import(pathToFileURL(package_).href);
  const core = await loadCore();
  mkdirSync(folder, { recursive: true });
  for (const [id, model] of Object.entries(models)) {
    const { reference, values } = referenceOf(core, model);
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(reference));
    writeFileSync(join(folder, `${id}.f32`), new Uint8Array(values.buffer));
  }
}
