// Runs the register loop on request: receives a number of iterations, and returns the milliseconds that they took.
import { registerLoop } from './register-loop.mjs';

const { instance } = await WebAssembly.instantiate(registerLoop());
globalThis.addEventListener('message', ({ data: turns }) => {
  const start = performance.now();
  instance.exports.run(turns);
  globalThis.postMessage(performance.now() - start);
});
globalThis.postMessage('ready');
