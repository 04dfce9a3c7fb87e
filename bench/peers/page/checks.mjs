// The checks of a peer before it is timed, and the timing.
import { randomNumbers, repeatedBatch, streamBatch } from '../models.mjs';

/** Tolerance of float products against sums in double precision, in units of the last place of sqrt(k), as errors grow. */
const productTolerance = 4e-7;
/** Relative tolerance of losses: far above rounding over five steps, far below the effect of another model or optimizer. */
const lossTolerance = 5e-5;

/** One call of the product of [m, k] by [k, n], after checking 20 entries of its result.
 * @param {import('./peer.mjs').Library} library */
export async function checkedProduct(library, m, k, n) {
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

/**
 * One step on the whole batch, after checking the losses of the first steps.
 * @param {import('./peer.mjs').Trainer} trainer
 */
export async function checkedStep(trainer, { model, stream, losses }) {
  const timed = trainer.load(streamBatch(stream));
  const repeated = model.kind === 'transformer' ? trainer.load(repeatedBatch(model, stream)) : timed;
  for (const [step, expected] of losses.entries()) {
    const loss = await trainer.step(step + 1 < losses.length ? repeated : timed);
    if (!(Math.abs(loss - expected) <= lossTolerance * expected)) {
      throw new Error(`its loss at step ${step + 1} is ${loss}; expected ${expected}, like ours`);
    }
  }
  return () => trainer.step(timed);
}

/** Calls `run` for at least the given time, reading the clock only occasionally. */
export async function timed(run, milliseconds) {
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
