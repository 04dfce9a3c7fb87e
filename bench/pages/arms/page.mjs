// Two models in two labs, through the built package as in a page: at once, or one after the other.
import { createLab } from '/dist/tied-embeddings.js';
import { openLoops, speedOfAllLoops, timed } from '/arms/loops.mjs';

/** The training lab's default model, tied and untied, trained on computed token ids instead of a text. */
const model = { kind: 'transformer', vocabSize: 512, dModel: 64, nLayers: 4, nHeads: 4, contextLength: 64 };
const training = { learningRate: 0.001, batchSize: 16, seed: 1 };
const tokenIds = Uint32Array.from({ length: 40_000 }, (_, at) => (at * 7919 + (at >> 3)) % model.vocabSize);

/** Steps per call, as in the figures. */
const chunk = 4;
const chunksACall = 5;

const labs = [await createLab(), await createLab()];
if (labs.some(({ mode }) => mode !== 'worker')) throw new Error('a lab has no worker of its own');
const arms = await Promise.all(
  ['tied', 'untied'].map((tying, at) => labs[at].createTrainer({ model: { ...model, tying }, training, tokenIds })),
);
const loops = await openLoops(2);

const run = (arm) => arm.run(chunk, { recordEvery: 1 });

const ways = {
  // Both wait for each other after each chunk, as in the figures.
  together: async () => {
    for (let done = 0; done < chunksACall; done++) await Promise.all(arms.map(run));
  },
  'in-turn': async () => {
    for (const arm of arms) for (let done = 0; done < chunksACall; done++) await run(arm);
  },
};

globalThis.measureArms = async (way, milliseconds) => {
  const gain = await speedOfAllLoops(loops, 4_000_000);
  let spent = 0;
  let calls = 0;
  do {
    spent += await timed(ways[way]);
    calls++;
  } while (spent < milliseconds);
  return { seconds: spent / 1000, calls, facts: { 'two register loops at once': gain } };
};
// V8 recompiles hot code; that is not measured here.
await ways.together();
await speedOfAllLoops(loops, 1_000_000);
globalThis.ready = true;
