// The part of a contender in its page: `globalThis.peer` with the ids of the library's cases, and their measurement.
// A library provides `product` and, if it can train, `trainer`; results are checked before anything is timed.
import { checkedProduct, checkedStep, timed } from './checks.mjs';

/**
 * @typedef {object} Prepared
 * @property {() => unknown} run one call; a promise if the library is asynchronous
 *
 * @typedef {object} Trainer
 * @property {(batch: { inputs: Int32Array, targets: Int32Array }) => object} load a batch in the library's form
 * @property {(batch: object) => number | Promise<number>} step its loss, before the update
 *
 * @typedef {object} Library
 * @property {() => Promise<void>} load
 * @property {(m: number, k: number, n: number, a: Float32Array, b: Float32Array) =>
 *   Promise<Prepared & { result: () => Float32Array | Promise<Float32Array> }>} product
 * @property {(model: import('../models.mjs').Model, parameters: object) => Promise<Trainer>} [trainer]
 */

async function referenceOf(id) {
  const read = async (file) => {
    const response = await fetch(`/reference/${file}`);
    if (!response.ok) throw new Error(`${file} does not exist`);
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

async function trainingStep(library, id) {
  const reference = await referenceOf(id);
  return checkedStep(await library.trainer(reference.model, reference.parameters), reference);
}

const productPattern = /^product\/(\d+)x(\d+)x(\d+)\//;

function prepare(library, id) {
  const [, m, k, n] = productPattern.exec(id) ?? [];
  if (m) return checkedProduct(library, Number(m), Number(k), Number(n));
  if (/^(train|one-model\/isolated)\//.test(id)) return trainingStep(library, id.split('/').at(-1));
  throw new Error(`there is no case ${id}`);
}

/** @param {Library} library */
export function definePeer(library) {
  const prepared = new Map();
  let loaded;
  globalThis.peer = {
    async measure(id, milliseconds) {
      // With threads, the comparison with one thread would be unfair, and the other way round.
      const threads = id.startsWith('one-model/isolated/');
      if (globalThis.crossOriginIsolated !== threads) {
        throw new Error(threads ? 'the page has no threads' : 'the page has threads; expected one that has none');
      }
      await (loaded ??= library.load());
      // Prepared cases are cached, so that each round continues from the previous one.
      if (!prepared.has(id)) prepared.set(id, await prepare(library, id));
      return timed(prepared.get(id), milliseconds);
    },
  };
}
