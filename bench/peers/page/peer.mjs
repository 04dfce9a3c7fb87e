// The half of a contender that is in its page: `globalThis.peer` with the ids that the library can do, and their measurement.
// A library gives `product` and, where it can train, `trainer`; each result is checked before anything is timed.
import { models, randomNumbers, repeatedBatch, streamBatch } from '../models.mjs';

/**
 * @typedef {object} Prepared
 * @property {() => unknown} run one call; a promise where the library needs to be waited for
 *
 * @typedef {object} Trainer
 * @property {(batch: { inputs: Int32Array, targets: Int32Array }) => object} load a batch as the library wants it
 * @property {(batch: object) => number | Promise<number>} step its loss, before the update
 *
 * @typedef {object} Library
 * @property {() => Promise<void>} load
 * @property {(m: number, k: number, n: number, a: Float32Array, b: Float32Array) =>
 *   Promise<Prepared & { result: () => Float32Array | Promise<Float32Array> }>} product
 * @property {(model: import('../models.mjs').Model, parameters: object) => Promise<Trainer>} [trainer]
 */

/** Of float products against sums in double precision, in units of the last place of sqrt(k), as errors grow. */
const productTolerance = 4e-7;
/** Of losses against ours: far more than rounding gives in five steps, far less than any other model or optimizer. */
const lossTolerance = 5e-5;

async function checkedProduct(library, m, k, n) {
  const random = randomNumbers(1);
  const a = Float32Array.from({ length: m * k }, () => random() - 0.5);
  const b = Float32Array.from({ length: k * n }, () => random() - 0.5);
  const product = await library.product(m, k, n, a, b);
  await product.run();
  const result = await product.result();
  for (let entry = 0; entry < 20; entry++) {
    const row = Math.floor(random() * m);
    const column = Math.floor(random() * n);
    let expected = 0;
    for (let i = 0; i < k; i++) expected += a[row * k + i] * b[i * n + column];
    const difference = Math.abs(result[row * n + column] - expected);
    if (!(difference <= productTolerance * Math.sqrt(k))) {
      throw new Error(
        `its product is wrong: ${result[row * n + column]} in row ${row}, column ${column}; expected ${expected}`,
      );
    }
  }
  return product.run;
}

async function referenceOf(id) {
  const read = async (file) => {
    const response = await fetch(`/reference/${file}`);
    if (!response.ok) throw new Error(`${file} is not there`);
    return response;
  };
  const reference = await (await read(`${id}.json`)).json();
  const values = new Float32Array(await (await read(`${id}.f32`)).arrayBuffer());
  const parameters = {};
  for (const { name, shape, offset } of reference.parameters) {
    const size = shape.reduce((product, length) => product * length, 1);
    parameters[name] = { data: values.slice(offset, offset + size), shape };
  }
  return { ...reference, parameters };
}

async function checkedTrainer(library, id) {
  const model = models[id];
  const { parameters, stream, losses } = await referenceOf(id);
  const trainer = await library.trainer(model, parameters);
  const timed = trainer.load(streamBatch(stream));
  const repeated = model.kind === 'transformer' ? trainer.load(repeatedBatch(model, stream)) : timed;
  for (const [step, expected] of losses.entries()) {
    const loss = await trainer.step(step + 1 < losses.length ? repeated : timed);
    if (!(Math.abs(loss - expected) <= lossTolerance * expected)) {
      throw new Error(`its loss of step ${step + 1} is ${loss}; expected ${expected}, as ours`);
    }
  }
  return () => trainer.step(timed);
}

const productPattern = /^product\/(\d+)x(\d+)x(\d+)\//;

function prepare(library, id) {
  const [, m, k, n] = productPattern.exec(id) ?? [];
  if (m) return checkedProduct(library, Number(m), Number(k), Number(n));
  if (id.startsWith('train/')) return checkedTrainer(library, id.slice('train/'.length));
  throw new Error(`there is no case ${id}`);
}

/** Calls `run` for at least so long, looking at the clock only now and then. */
async function timed(run, milliseconds) {
  let calls = 0;
  const start = performance.now();
  for (let chunk = 1; ;) {
    for (let i = 0; i < chunk; i++) {
      const pending = run();
      if (pending instanceof Promise) await pending;
    }
    calls += chunk;
    const passed = performance.now() - start;
    if (passed >= milliseconds) return { seconds: passed / 1000, calls };
    if (passed < milliseconds / 8) chunk *= 2;
  }
}

/** @param {Library} library */
export function definePeer(library) {
  const prepared = new Map();
  let loaded;
  globalThis.peer = {
    async measure(id, milliseconds) {
      // With threads it would be measured against one thread.
      if (globalThis.crossOriginIsolated) throw new Error('the page has threads; expected one that has none');
      await (loaded ??= library.load());
      // What has been prepared is kept, so that each round goes on where the last one ended.
      if (!prepared.has(id)) prepared.set(id, await prepare(library, id));
      return timed(prepared.get(id), milliseconds);
    },
  };
}
