// Runs the register loop when told: a number of turns comes in, the milliseconds that they took go out.
import { registerLoop } from './register-loop.mjs';

const { instance } = await WebAssembly.instantiate(registerLoop());
globalThis.addEventListener('message', ({ data: turns }) => {
  const start = performance.now();
  instance.exports.run(turns);
  globalThis.postMessage(performance.now() - start);
});
globalThis.postMessage('ready');
