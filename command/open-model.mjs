// Opens a model that can run, in a lab: one that train saved, or a checkpoint of another program.
import { basename } from 'node:path';
import { filesOf, kindOf, modelFileOf } from './checkpoint-files.mjs';
import { ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { readBytes } from './files.mjs';
import { readTokenizer } from './read-tokenizer.mjs';
import { plain } from './style.mjs';
import { usual } from './training-flags.mjs';

/** Codes with which a checkpoint may be refused. */
const refusals = /** @type {const} */ ([...ofTheCaller, 'not-finite']);

/**
 * @param {import('./tied-embeddings.js').Lab} lab @param {string} named A file, or a folder with a model.
 * @param {{ tokenizerFile?: string }} how
 */
export async function openModel(lab, named, { tokenizerFile }) {
  const file = modelFileOf(named);
  if (kindOf(file) !== 'own-file') {
    return withReader(lab, file, tokenizerFile, (checkpoint, tokenizer) => checkpoint.toTrainer({ tokenizer }));
  }
  if (tokenizerFile !== undefined)
    throw new Refusal(`--tokenizer was given, but ${file} is a saved trainer, which has its own`);
  try {
    return await lab.loadTrainer(readBytes(file));
  } catch (error) {
    throw refusalOf(error, file);
  }
}

/**
 * The model that a plan starts from, with the plan's training and the text encoded in its tokens.
 * @param {import('./tied-embeddings.js').Lab} lab @param {import('./training-plan.mjs').Plan} plan @param {string} text
 */
export async function trainerFrom(lab, { from = '', model, training, validation }, text) {
  const file = modelFileOf(from);
  const train = async (checkpoint, tokenizer, kind) => {
    const reader = tokenizer ?? (await checkpoint.tokenizer());
    if (reader === null) throw new Refusal(`${file} has no tokenizer; expected one beside it`);
    const ids = await reader.encode(text);
    // Holds out the last tokens, as a corpus does.
    const held = Math.floor(ids.length * validation);
    const [tokenIds, heldOut] = [ids.subarray(0, ids.length - held), ids.subarray(ids.length - held)];
    const rest = heldOut.length < 2 ? {} : { validationTokenIds: heldOut };
    const batchSize = training.batchSize ?? usual.batchSize[kind ?? (await kindIn(checkpoint, model))];
    return checkpoint.toTrainer({ model, training: { ...training, batchSize }, tokenIds, ...rest, tokenizer: reader });
  };
  if (kindOf(file) !== 'own-file') return withReader(lab, file, undefined, train);
  const saved = await openModel(lab, file, {});
  const { kind } = saved.model;
  const head = 'head' in saved.model ? saved.model.head : undefined;
  if (head !== undefined)
    throw new Refusal(
      `${file}: model.head.kind is '${head.kind}'; expected 'full': other heads have the order of tokens of the text that they were made for`,
    );
  const checkpoint = await lab.openCheckpoint(await saved.toSafetensors());
  try {
    return await train(checkpoint, (await saved.tokenizer()) ?? undefined, kind);
  } catch (error) {
    throw refusalOf(error, file, refusals);
  } finally {
    saved.dispose();
  }
}

/** The kind of model in a checkpoint, which only the whole model tells. */
async function kindIn(checkpoint, model) {
  const trainer = await checkpoint.toTrainer({ model });
  try {
    return trainer.model.kind;
  } finally {
    trainer.dispose();
  }
}

/**
 * A checkpoint of another program, with the given tokenizer or its own.
 * @template T @param {import('./tied-embeddings.js').Lab} lab @param {string} file @param {string | undefined} tokenizerFile
 * @param {(checkpoint: import('./tied-embeddings.js').LabCheckpoint, tokenizer: import('./tied-embeddings.js').LabTokenizer | undefined) => Promise<T>} use
 */
async function withReader(lab, file, tokenizerFile, use) {
  const tokenizer =
    tokenizerFile === undefined
      ? undefined
      : await readTokenizer(tokenizerFile, (...file) => lab.loadTokenizer(...file));
  try {
    const checkpoint = await lab.openCheckpoint(await filesOf(file, kindOf(file)));
    const used = await use(checkpoint, tokenizer);
    for (const note of checkpoint.notes) process.stderr.write(`${plain(note)}\n`);
    checkpoint.dispose();
    return used;
  } catch (error) {
    const refusal = /** @type {Error} */ (refusalOf(error, file, refusals));
    // The message already names the file.
    refusal.message = refusal.message
      .replace(`${file}: ${basename(file)}: `, `${file}: `)
      // Models whose tables have to be named do not run.
      .replace(/expected (?:a model, or )?tables: \{.*$/, 'expected a model of the architecture of GPT-2 or Llama');
    throw refusal;
  }
}
