// A cold start: the library, the model named in the URL, one step.
import { initialParameters, models, streamBatch, tokenStream } from '../models.mjs';

/** @param {import('./peer.mjs').Library} library */
export async function startCold(library) {
  const model = models[new URLSearchParams(globalThis.location.search).get('model')];
  try {
    await library.load();
    const trainer = await library.trainer(model, initialParameters(model));
    await trainer.step(trainer.load(streamBatch(tokenStream(model))));
    globalThis.finished = performance.now();
  } catch (error) {
    globalThis.failed = String(error);
  }
}
