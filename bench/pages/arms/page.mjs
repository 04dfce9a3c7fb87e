// Two models in two labs, through the built package as in a page: at once, or one after the other.
import { createLab } from '/dist/tied-embeddings.js';

/** The training lab's default model, tied and untied, trained on computed token ids instead of a text. */
const model = { kind: 'transformer', vocabSize: 512, dModel: 64, nLayers: 4, nHeads: 4, contextLength: 64 };
const training = { learningRate: 0.001, batchSize: 16, seed: 1 };
const tokenIds = Uint32Array.from({ length: 40_000 }, (_, at) => (at * 7919 + (at >> 3)) % model.vocabSize);

/** Steps per call, as in the figures. */
const chunk = 4;
const chunksACall = 5;

const answerOf = (worker) =>
  new Promise((resolve) => {
    worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
  });

async function openLoop() {
  const worker = new globalThis.Worker('/arms/loop-worker.mjs', { type: 'module' });
  await answerOf(worker);
  return (turns) => {
    const answer = answerOf(worker);
    worker.postMessage(turns);
    return answer;
  };
}

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

const labs = [await createLab(), await createLab()];
if (labs.some(({ mode }) => mode !== 'worker')) throw new Error('a lab has no worker of its own');
const arms = await Promise.all(
  ['tied', 'untied'].map((tying, at) => labs[at].createTrainer({ model: { ...model, tying }, training, tokenIds })),
);
const loops = [await openLoop(), await openLoop()];

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

/** The speed of two loops at once relative to one after the other. */
async function gainOfLoops(turns) {
  const apart = (await loops[0](turns)) + (await loops[1](turns));
  return apart / (await timed(() => Promise.all(loops.map((loop) => loop(turns)))));
}

globalThis.measureArms = async (way, milliseconds) => {
  const gain = await gainOfLoops(4_000_000);
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
await gainOfLoops(1_000_000);
globalThis.ready = true;
