// One model in a lab, through the built package as in a page: its steps in one worker, or in as many as there are cores.
import { createLab } from '/dist/tied-embeddings.js';
import { openLoops, speedOfAllLoops } from '/arms/loops.mjs';
import { compared, others } from './models.mjs';

const models = { ...compared, ...others };
/** Steps per call, as in the figures. */
const chunk = 8;
/** Long enough for a trainer to ask for partners and for engines to translate their code. */
const warmUpMilliseconds = 1500;

const cores = navigator.hardwareConcurrency;

async function trained(name, threads) {
  const { batchSize, ...model } = models[name];
  const tokenIds = Uint32Array.from({ length: 40_000 }, (_, at) => (at * 7919 + (at >> 3)) % model.vocabSize);
  const lab = await createLab(threads === 1 ? {} : { threads });
  if (lab.mode !== 'worker') throw new Error('the lab has no worker');
  // Builds without shards have one thread.
  const training = { learningRate: 0.001, batchSize, seed: 1, ...(threads > 1 && { shards: threads }) };
  const trainer = await lab.createTrainer({ model, training, tokenIds });
  const end = performance.now() + warmUpMilliseconds;
  while (performance.now() < end) await trainer.run(chunk);
  return trainer;
}

/** Steps in calls of `chunk`, for so long. */
async function timed(trainer, milliseconds) {
  const start = performance.now();
  let calls = 0;
  do {
    await trainer.run(chunk);
    calls += chunk;
  } while (performance.now() - start < milliseconds);
  return { seconds: (performance.now() - start) / 1000, calls };
}

const trainers = new Map();
let loops;

/** For a profile: nothing else computes. */
globalThis.runSteps = async (name, threads, milliseconds) => {
  if (!trainers.has(name)) trainers.set(name, trained(name, threads));
  const trainer = await trainers.get(name);
  for (const until = performance.now() + 30_000; trainer.threads < threads && performance.now() < until;)
    await trainer.run(1);
  return { ...(await timed(trainer, milliseconds)), threads: trainer.threads };
};

/** `threads`: 0 = as many as there are cores. */
globalThis.measureSteps = async (name, wanted, milliseconds, attempts = 3) => {
  const threads = wanted === 0 ? cores : wanted;
  const id = `${name} ${threads}`;
  if (!trainers.has(id)) trainers.set(id, trained(name, threads));
  const trainer = await trainers.get(id);
  loops ??= await openLoops(cores);
  const gain = await speedOfAllLoops(loops, 4_000_000);
  // Partners were let go while others were measured.
  const until = performance.now() + 3000;
  do await trainer.run(chunk);
  while (threads > 1 && trainer.threads < threads && performance.now() < until);
  await trainer.run(chunk);
  const { seconds, calls } = await timed(trainer, milliseconds);
  const atWork = trainer.threads ?? 1;
  if (atWork !== threads) {
    // A trainer that was slow with partners, as on a busy machine, asks for others only much later.
    trainers.delete(id);
    trainer.dispose();
    if (attempts > 1) return globalThis.measureSteps(name, wanted, milliseconds, attempts - 1);
    throw new Error(`${atWork} threads are at work; expected ${threads}`);
  }
  return { seconds, calls, facts: { threads, 'register loops at once': gain } };
};
globalThis.ready = true;
