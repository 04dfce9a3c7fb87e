// TensorFlow.js on its WebAssembly backend.
import * as tf from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops.js';
import { tfjsTrainer } from './tfjs-training.mjs';

/** @type {import('./peer.mjs').Library} */
export const tfjsLibrary = {
  async load() {
    setWasmPaths('/tfjs/');
    await tf.setBackend('wasm');
    await tf.ready();
  },
  async product(m, k, n, a, b) {
    const left = tf.tensor2d(a, [m, k]);
    const right = tf.tensor2d(b, [k, n]);
    return {
      run: () => tf.matMul(left, right).dispose(),
      result: () => tf.tidy(() => tf.matMul(left, right).dataSync()),
    };
  },
  trainer: async (model, parameters) => tfjsTrainer(tf, model, parameters),
};
