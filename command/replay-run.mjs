// Trains the models of a link as its figure does, each on its own CPU core.
import { availableParallelism } from 'node:os';
import { compareOptions, loadBuiltIn, openText, tokenNames } from './command-parts.js';
import { hashOfWeights } from './experiment-runner.js';
import { exitCodes, Refusal } from './exit-codes.mjs';
import { threadsOf } from './threads.mjs';
import { createLab } from './tied-embeddings.js';

/** If the process is killed, at most twice this much work is lost. */
const saveEveryMs = 8000;
/** Milliseconds between two checks of the clock. */
const blockMs = 300;

/**
 * @typedef {import('./command-parts.js').LinkedRun} LinkedRun
 *
 * @typedef {object} Start
 * @property {string} name @property {Uint8Array} model The model as `save` writes it, before the first step.
 * @property {string} weights @property {{ model: { kind: string, tying: unknown }, training: object }} options Options of the model and its training, with all defaults.
 *
 * @typedef {object} Opened
 * @property {Start[]} starts
 * @property {{ name: string | null, characters: number | null, tokens: number, heldOutTokens: number, vocabSize: number }} text
 * @property {Uint32Array} tokenIds The tokens that the models are trained on.
 *
 * @typedef {object} Trained
 * @property {string} name @property {number} parameters @property {string} weights
 * @property {number[]} losses Loss on the data of each step, before its update.
 * @property {object} evaluation @property {number | null} tyingChangedAt
 */

/** Reads the text and creates the models with the verbs that the figure calls. @param {LinkedRun} linked @returns {Promise<Opened>} */
export async function openRun({ settings, plan, source }, signal) {
  const { validation, alphabet } = plan;
  const lab = await createLab();
  try {
    const reading = { settings, source, validation, alphabet, loadBuiltIn, names: tokenNames, onStage() {}, signal };
    const { corpus, name } = await openText(lab, reading);
    const comparison = await lab.compare(corpus, compareOptions(plan, settings, corpus), { signal });
    const starts = [];
    for (const of of comparison.names) {
      const arm = comparison.arm(of);
      const options = { model: arm.model, training: arm.training };
      starts.push({ name: of, model: await arm.save(), weights: await hashOfWeights(arm), options });
    }
    const { characters, tokens, validationTokens: heldOutTokens, vocabSize } = corpus;
    const text = { name, characters, tokens: tokens - heldOutTokens, heldOutTokens, vocabSize };
    return { starts, text, tokenIds: await corpus.tokenIds('training') };
  } finally {
    lab.dispose();
  }
}

/**
 * @param {readonly Start[]} starts @param {number} step The step to train to.
 * @param {{ stateOf: (name: string) => import('./run-state.mjs').RunState, stop: import('./stop.mjs').Stop, progress: import('./progress.mjs').Progress }} options
 * @returns {Promise<Trained[]>}
 */
export async function trainAll(starts, step, options) {
  const queue = starts.map((start, index) => ({ start, index }));
  /** @type {Trained[]} */
  const trained = [];
  const count = Math.min(starts.length, availableParallelism());
  const work = async () => {
    const lab = await createLab({ threads: threadsOf(undefined, count) });
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        trained[next.index] = await trainOne(lab, next.start, step, options);
      }
    } catch (error) {
      // The other workers end with their current models.
      queue.length = 0;
      throw error;
    } finally {
      lab.dispose();
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: count }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  if (options.stop.asked && trained.filter(Boolean).length < starts.length) throw stopped();
  return trained;
}

const stopped = () => new Refusal('stopped; run the same command to resume', exitCodes.unfinished);

/** @returns {Promise<Trained>} */
async function trainOne(lab, { name, model }, end, { stateOf, stop, progress }) {
  const state = stateOf(name);
  const before = state.exists ? state.read() : { model, facts: { losses: [] } };
  const trainer = await lab.loadTrainer(before.model);
  const losses = [...before.facts.losses];
  const save = async () => state.write(trainer, { losses });
  progress.add(trainer.step);
  const first = performance.now();
  let block = 1;
  let saved = first;
  while (trainer.step < end) {
    if (stop.asked) {
      await save();
      throw stopped();
    }
    const began = performance.now();
    const steps = Math.min(block, end - trainer.step);
    // Without a signal: an interrupted step would lose its record.
    const { loss } = await trainer.run(steps, { columns: true });
    losses.push(...loss);
    progress.add(steps, `${name} ${losses.at(-1).toFixed(3)}`);
    if (performance.now() - saved > saveEveryMs) {
      await save();
      saved = performance.now();
    }
    block = Math.max(1, Math.round((block * blockMs) / Math.max(1, performance.now() - began)));
  }
  // In case another model is stopped.
  if (performance.now() - first > saveEveryMs) await save();
  const result = {
    name,
    parameters: (await trainer.parameters()).reduce((sum, { count }) => sum + count, 0),
    weights: await hashOfWeights(trainer),
    losses,
    evaluation: await trainer.evaluate(),
    tyingChangedAt: trainer.tyingChangedAt,
  };
  trainer.dispose();
  return result;
}
