// train: trains a model on a text and saves it along the way.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { weightsName } from './checkpoint-files.mjs';
import { common } from './declare.mjs';
import { exitCodes, Refusal, refusalOf } from './exit-codes.mjs';
import { checkWritable, isFolder as isFolderAt, readText, writeInParts, writeWhole } from './files.mjs';
import { trainerFrom } from './open-model.mjs';
import { flagsOf, withFlags } from './option-flags.mjs';
import { Progress } from './progress.mjs';
import { RunState } from './run-state.mjs';
import { Stop } from './stop.mjs';
import { columns, grouped } from './style.mjs';
import { createLab } from './tied-embeddings.js';
import { threadsFlag, threadsOf } from './threads.mjs';
import { modelOptions, scheduleFlags, textFlags, trainingOptions } from './training-flags.mjs';
import { idOf, planOf } from './training-plan.mjs';

/** If the process is killed, at most twice this much work is lost: the time between two saves, and the steps until a save is noticed to be due. */
const saveEveryMs = 8000;
/** Milliseconds between two checks of the clock. */
const blockMs = 300;
const mostSteps = 1_000_000;

/** @type {import('./declare.mjs').Verb} */
export const train = {
  name: 'train',
  summary: 'train a model on a text file; resumes where it was stopped',
  about:
    'Learns a tokenizer, trains a model on a text, and saves it as a file for evaluate, generate, check and loadTrainer, or, by its file name, as safetensors or GGUF, both with the tokenizer. ' +
    'If OUT is a folder or ends in /, it gets model.safetensors, config.json and tokenizer.json, which transformers opens; this needs the architecture of GPT-2 (--norm layer-norm --biases all) or Llama. TEXT may be -, standard input. ' +
    'Ctrl-C, SIGTERM, SIGUSR1 and SIGUSR2 save progress in OUT.state and exit with 75; the same command resumes, to the same bits, even after kill -9.',
  operands: [{ name: 'TEXT', kind: 'file' }],
  flags: {
    out: { kind: 'file', summary: 'where to save: a file, or a folder for transformers (default: model.tied)' },
    from: {
      kind: 'file',
      summary:
        'continue training a model that train saved, or a checkpoint that generate accepts, with its sizes and its tokenizer',
    },
    overwrite: { kind: 'switch', summary: 'replace an existing model' },
    config: {
      kind: 'file',
      summary:
        'JSON with tokenizer, validation, model and training, as in an experiment, for everything that flags do not set',
    },
    threads: threadsFlag('threads that share the parts of a batch, if --shards is more than 1 (default: the cores)'),
    quiet: common.quiet,
    json: common.json,
    ...textFlags,
    ...flagsOf(modelOptions, 'Model'),
    ...scheduleFlags,
    ...flagsOf(trainingOptions, 'Training'),
  },
  examples: [
    'npx tied-embeddings train book.txt --steps 2000 --tying untied --out untied.tied',
    'npx tied-embeddings train book.txt --config model.json --seed 2 --out gpt.safetensors',
    'npx tied-embeddings train book.txt --from small/model.safetensors --steps 100 --out tuned.gguf',
    'npx tied-embeddings train book.txt --norm layer-norm --biases all --out gpt/',
    'npx tied-embeddings train book.txt --kind direct-path --tokenizer word --learning-rate 0.05',
  ],
  run,
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands: [file] }) {
  const plan = planOf(flags);
  const { out = 'model.tied' } = flags;
  const isFolder = isFolderName(out);
  checkWritable(isFolder ? join(out, weightsName) : out);
  const text = readText(file);
  const threads = threadsOf(flags.threads, 1);
  const stop = new Stop();
  const lab = await createLab({ threads });
  try {
    const state = new RunState(`${out.replace(/[/\\]+$/, '')}.state`, idOf(plan, text, lab.version));
    const written = isFolder ? join(out, weightsName) : out;
    if (!state.exists && flags.overwrite !== true && existsSync(written)) {
      throw new Refusal(`${written} already exists; expected --overwrite, or another --out`);
    }
    const started = await begin(lab, plan, text, state, stop);
    const { trainer } = started;
    // Refuses, before it is trained, a model that these files cannot hold.
    if (isFolder) await trainer.toTransformers({ to: new WritableStream() });
    else if (out.endsWith('.gguf')) await trainer.toGguf({ to: new WritableStream() });
    const parameters = (await trainer.parameters()).reduce((sum, { count }) => sum + count, 0);
    const loss = await steps(trainer, plan.steps, state, stop, {
      total: plan.steps - trainer.step,
      opening: `${grouped(parameters)} parameters, ${grouped(trainer.model.vocabSize)} tokens in the vocabulary, step ${trainer.step} of ${plan.steps}`,
      shown: flags.quiet !== true,
    });
    const evaluation = await trainer.evaluate();
    if (isFolder) await writeFolder(out, trainer);
    else await writeModel(out, trainer);
    state.remove();
    const result = {
      file: out,
      steps: trainer.step,
      parameters,
      vocabSize: trainer.model.vocabSize,
      trainingLoss: loss,
      evaluation,
    };
    process.stdout.write(flags.json === true ? `${JSON.stringify(result)}\n` : inWords(result, plan));
    return exitCodes.done;
  } catch (error) {
    if (stop.asked && error.code === 'cancelled') {
      throw new Refusal('stopped before the first step; run the same command to start again', exitCodes.unfinished);
    }
    throw withFlags(refusalOf(error), flags);
  } finally {
    stop.release();
    lab.dispose();
  }
}

/** @param {string} out */
const isFolderName = (out) => /[/\\]$/.test(out) || isFolderAt(out);

/** @param {string} folder @param {import('./tied-embeddings.js').LabTrainer} trainer */
async function writeFolder(folder, trainer) {
  let beside = {};
  // The weights get their name last, so a folder that has them is complete.
  await writeInParts(join(folder, weightsName), async (to) => {
    beside = await trainer.toTransformers({ to });
    for (const [name, bytes] of Object.entries(beside)) writeWhole(join(folder, name), bytes);
  });
  if (beside['tokenizer.json'] === undefined)
    process.stderr.write(
      `${folder} has no tokenizer.json, because transformers has no rules for this tokenizer; this command finds it in ${weightsName}\n`,
    );
}

/** The file name determines the kind of file. */
async function writeModel(out, trainer) {
  const kind = out.endsWith('.gguf') ? 'toGguf' : out.endsWith('.safetensors') ? 'toSafetensors' : 'save';
  await writeInParts(out, (to) => trainer[kind]({ to }));
}

/** A new trainer, or the one in the state, which includes its data and its tokenizer. */
async function begin(lab, plan, text, state, stop) {
  if (state.exists) return { trainer: await lab.loadTrainer(state.read().model) };
  const { tokenizer, validation, model, training } = plan;
  if (plan.from !== undefined) return { trainer: await trainerFrom(lab, plan, text) };
  const corpus = await lab.openCorpus(text, { tokenizer, validation, signal: stop.signal });
  const tokenIds = await corpus.tokenIds('training');
  const heldOut = await corpus.tokenIds('validation');
  const trainer = await lab.createTrainer({
    model: { ...model, vocabSize: corpus.vocabSize },
    training,
    tokenIds,
    ...(heldOut.length < 2 ? {} : { validationTokenIds: heldOut }),
    tokenizer: corpus.tokenizer,
  });
  corpus.dispose();
  return { trainer };
}

/** Trains up to `end`; returns the loss on the last step's data. The number of steps per call changes no bit. */
async function steps(trainer, end, state, stop, progressOptions) {
  const progress = new Progress(progressOptions);
  let block = 1;
  let saved = performance.now();
  let loss = null;
  try {
    while (trainer.step < end) {
      const [before, began] = [trainer.step, performance.now()];
      const goal = Math.min(block, end - before, mostSteps);
      try {
        const columnsOf = await trainer.run(goal, { columns: true, recordEvery: goal, signal: stop.signal });
        loss = columnsOf.loss.at(-1);
      } catch (error) {
        if (!stop.asked) throw error;
      }
      if (stop.asked && trainer.step < end) {
        await state.write(trainer, { step: trainer.step });
        throw new Refusal(
          `stopped at step ${trainer.step} of ${end}; run the same command to resume`,
          exitCodes.unfinished,
        );
      }
      progress.add(trainer.step - before, `step ${trainer.step} of ${end}, loss ${loss.toFixed(3)}`);
      if (performance.now() - saved > saveEveryMs) {
        await state.write(trainer, { step: trainer.step });
        saved = performance.now();
      }
      block = Math.max(1, Math.round((block * blockMs) / Math.max(1, performance.now() - began)));
    }
  } finally {
    progress.end();
  }
  return loss;
}

function inWords({ file, steps: done, parameters, trainingLoss, evaluation }, { validation }) {
  const { loss, perplexity, bitsPerByte } = evaluation;
  return columns([
    ['saved', file],
    ['steps', grouped(done)],
    ['parameters', grouped(parameters)],
    ...(trainingLoss === null
      ? []
      : /** @type {[string, string][]} */ ([['loss of the last batch', `${trainingLoss.toFixed(4)} nats per token`]])),
    [validation > 0 ? 'loss on held-out text' : 'loss on the text', `${loss.toFixed(4)} nats per token`],
    ['perplexity', perplexity.toFixed(2)],
    ...(bitsPerByte === null ? [] : /** @type {[string, string][]} */ ([['bits per byte', bitsPerByte.toFixed(4)]])),
  ]);
}
