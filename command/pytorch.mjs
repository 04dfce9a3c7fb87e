// replay --pytorch: the same run as a PyTorch script, with the tokens beside it. The script draws the initial weights and the batches itself.
import { basename, dirname, join } from 'node:path';
import { Refusal } from './exit-codes.mjs';
import { writeWhole } from './files.mjs';
import { npyOf } from './npy.mjs';
import { directPath, encoderDecoder, heads, transformer } from './pytorch-models.mjs';
import { asking, comparison, draws, imports, pairData, textData, training, twoTables } from './pytorch-parts.mjs';

/** How many of the losses are in the script, in addition to those of the first steps. */
const recorded = 20;

/**
 * The largest difference of a loss from the record, in nats per token, up to a step: both sum in single precision, in different orders.
 * Tied and untied models and small GPTs stay far below it. At the usual learning rate, direct paths with a map overshoot in the middle
 * of a run (from step 75 on in our measurement); rounding then grows to a tenth of a nat for a few steps.
 */
const close = 0.001;
const overshooting = 0.2;
const closeSteps = 50;
/** For encoder-decoders and heads, in the first steps: one row more or less that a step changes makes a difference of this size. */
const closer = 2e-5;

/** @param {{ kind: string, tying: unknown }} of @param {number} steps @param {boolean} sure Whether `closer` holds. */
function toleranceOf({ kind, tying }, steps, sure) {
  const overshoots = kind === 'direct-path' && (tying === 'tied-linear' || tying === 'tied-mlp');
  const later = overshoots ? overshooting : close;
  if (steps <= closeSteps) return { [steps]: sure ? closer : close };
  return sure || overshoots ? { [closeSteps]: sure ? closer : close, [steps]: later } : { [steps]: close };
}

/** @param {string} file @param {{ step: number }} run */
export function checkScript(file, { step }) {
  if (!file.endsWith('.py')) throw new Refusal(`--pytorch is '${file}'; expected a name that ends with .py`);
  if (step === 0) throw new Refusal('the link is to step 0, which has no losses; expected a later step for --pytorch');
}

/** What the layers of the scripts compute; a model with anything else would be another one there. */
const layers = {
  norm: 'rms-norm',
  positions: 'learned',
  feedForward: 'gelu',
  finalNorm: true,
  biases: 'feed-forward',
  dropout: 0,
  outputBias: false,
  valueEmbeddings: 'none',
  objective: 'next-token',
};
const none = { head: undefined, tableRank: undefined, ngrams: undefined };

/**
 * The parts of a script for each kind of model, the name of its data, and the only values of options that it computes: absent ones are
 * the default.
 */
const kinds = {
  'direct-path': {
    data: 'tokens',
    parts: [textData, twoTables, directPath],
    only: { embeddingScale: 'none', ...none },
  },
  transformer: { data: 'tokens', parts: [textData, twoTables, transformer], only: { ...layers, ...none } },
  heads: { data: 'tokens', parts: [textData, heads], only: layers, sure: true },
  'encoder-decoder': {
    data: 'pairs',
    parts: [pairData, encoderDecoder],
    only: { ...layers, embeddingScale: 'none', logitScale: 'none' },
    sure: true,
  },
};

/** The same for the steps of all of them. */
const steps = {
  momentum: 0,
  gradientAccumulation: 1,
  decayEmbeddings: true,
  labelSmoothing: undefined,
  temperature: undefined,
};

/** @param {string} of @param {Record<string, unknown>} options @param {Record<string, unknown>} only */
function checkOnly(of, options, only) {
  for (const [name, value] of Object.entries(only)) {
    if (options[name] === undefined || options[name] === value) continue;
    const expected = value === undefined ? 'it to be absent' : literalOf(value);
    throw new Refusal(`${of}.${name} is ${literalOf(options[name])}; expected ${expected} for --pytorch`);
  }
}

/** Refuses what a script would leave out, by the name of the option. */
function checkComputed({ model, training }, only) {
  checkOnly('model', model, only);
  const { optimizer, inputGradientScale, learningRateMultipliers } = training;
  if (optimizer !== 'sgd') checkOnly('training', training, { optimizer: 'adamw' });
  checkOnly('training', training, steps);
  checkOnly('training.learningRateMultipliers', learningRateMultipliers, { embedding: 1, unembedding: 1, inner: 1 });
  if (typeof inputGradientScale !== 'number') checkOnly('training', training, { inputGradientScale: 1 });
  const { nHeads, nKeyValueHeads = nHeads } = model;
  if (nKeyValueHeads === nHeads) return;
  throw new Refusal(`model.nKeyValueHeads is ${nKeyValueHeads}; expected model.nHeads, ${nHeads}, for --pytorch`);
}

const literalOf = (value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/**
 * @param {string} file @param {string} link
 * @param {{ model: keyof typeof kinds, step: number }} run
 * @param {{ starts: readonly import('./replay-run.mjs').Start[], tokenIds: ArrayLike<number> }} opened `tokenIds`: the tokens that the models are trained on;
 * for pairs, the lengths of source and target precede their tokens.
 * @param {readonly Pick<import('./replay-run.mjs').Trained, 'name' | 'losses'>[]} trained In any order: a model finds its start by its name,
 * because models that train at the same time do not all begin and end in the same order.
 * @returns {string} The name of the file with tokens or pairs.
 */
export function writeScript(file, link, { model, step }, { starts, tokenIds }, trained) {
  const { data, parts, only, sure = false } = kinds[model];
  const beside = `${basename(file, '.py')}.${data}.npy`;
  const models = Object.fromEntries(
    trained.map(({ name, losses }) => {
      const { options, weights } = startNamed(starts, name);
      checkComputed(options, only);
      return [
        name,
        {
          ...options,
          initialWeights: weights,
          tolerance: toleranceOf(options.model, step, sure),
          losses: some(losses),
        },
      ];
    }),
  );
  const script = [
    about(data, beside),
    imports,
    `\nRUN = json.loads(r'''${literal({ link, data: beside, steps: step, models })}''')\n`,
    draws,
    ...parts,
    training,
    asking,
    comparison,
  ].join('');
  writeWhole(join(dirname(file), beside), npyOf(Uint16Array.from(tokenIds)));
  writeWhole(file, script);
  return join(dirname(file), beside);
}

/** @param {readonly import('./replay-run.mjs').Start[]} starts @param {string} name */
function startNamed(starts, name) {
  const found = starts.filter((start) => start.name === name);
  if (found.length !== 1) throw new Error(`${found.length} models named '${name}' were started; expected 1`);
  return found[0];
}

/** Losses by step, from 1: the first ten, the last of those that must be close, and about twenty more up to the last. @param {readonly number[]} losses */
function some(losses) {
  const every = Math.max(1, Math.ceil(losses.length / recorded));
  const isKept = (step) => step <= 10 || step === closeSteps || step % every === 0 || step === losses.length;
  return Object.fromEntries(losses.map((loss, i) => [i + 1, loss]).filter(([step]) => isKept(step)));
}

const about = (
  data,
  file,
) => `"""Repeats in PyTorch the run that a figure's link leads to, and compares the losses with those that tied-embeddings recorded.

It draws the same initial weights and the same batches from the same seed. The ${data} are in ${file}, beside it.
Needs Python 3.8, NumPy and PyTorch 1.13 or later. To compare only the first steps, give their number after the script's name. Exit code 1
means that the losses differ by more than the tolerance.
"""

`;

/** JSON for a raw Python string, which ends at three quotes: no quote is left, whatever the link contains. @param {unknown} value */
export const pythonLiteral = (value) => JSON.stringify(value).replaceAll("'", String.raw`\u0027`);

/** @param {{ models: object } & Record<string, unknown>} run */
function literal({ models, ...run }) {
  const json = pythonLiteral;
  const ofModel = (fields) => Object.entries(fields).map(([name, value]) => `   ${json(name)}: ${json(value)}`);
  const named = Object.entries(models).map(([name, fields]) => `  ${json(name)}: {\n${ofModel(fields).join(',\n')} }`);
  const before = Object.entries(run).map(([name, value]) => ` ${json(name)}: ${json(value)},\n`);
  return `{\n${before.join('')} "models": {\n${named.join(',\n')} } }`;
}
