// jax-js on its WebAssembly device.
import * as jax from '@jax-js/jax';
import { jaxTrainer } from './jax-training.mjs';

/** @type {import('./peer.mjs').Library} */
export const jaxLibrary = {
  async load() {
    await jax.init();
    jax.defaultDevice('wasm');
  },
  async product(m, k, n, a, b) {
    const { array, matmul } = jax.numpy;
    const left = array(a).reshape([m, k]);
    const right = array(b).reshape([k, n]);
    await jax.blockUntilReady([left, right]);
    const multiply = jax.jit((x, y) => matmul(x, y));
    return {
      async run() {
        const product = multiply(left.ref, right.ref);
        await product.blockUntilReady();
        product.dispose();
      },
      result: () => multiply(left.ref, right.ref).data(),
    };
  },
  trainer: async (model, parameters) => jaxTrainer(jax, model, parameters),
};
