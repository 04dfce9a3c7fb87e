// replay --pytorch: the same run as a script for PyTorch, with the tokens beside it. It draws the initial weights and the batches itself.
import { basename, dirname, join } from 'node:path';
import { Refusal } from './exit-codes.mjs';
import { writeWhole } from './files.mjs';
import { npyOf } from './npy.mjs';
import { directPath, transformer } from './pytorch-models.mjs';
import { asking, comparison, draws, imports, training } from './pytorch-parts.mjs';

/** So many of the losses are in the script, besides those of the first steps. */
const recorded = 20;

/**
 * The largest difference of a loss from the record, in nats per token, up to a step: both sum in single precision, in other orders. Tied
 * and untied models and small GPTs stay far below it. At the usual rate, direct paths with a map overshoot in the middle of a run, from
 * step 75 on where this was measured: there rounding grows to a tenth of a nat for a few steps.
 */
const close = 0.001;
const overshooting = 0.2;
const closeSteps = 50;

function toleranceOf({ kind, tying }, steps) {
  const overshoots = kind === 'direct-path' && (tying === 'tied-linear' || tying === 'tied-mlp');
  return overshoots && steps > closeSteps ? { [closeSteps]: close, [steps]: overshooting } : { [steps]: close };
}

/** @param {string} file @param {{ step: number }} run */
export function checkScript(file, { step }) {
  if (!file.endsWith('.py')) throw new Refusal(`--pytorch is '${file}'; expected a name that ends with .py`);
  if (step === 0)
    throw new Refusal('the link is of step 0, where there are no losses; expected a later one for --pytorch');
}

/**
 * @param {string} file @param {string} link
 * @param {{ model: string, step: number }} run
 * @param {Pick<import('./replay-run.mjs').Opened, 'starts' | 'tokenIds'>} opened @param {readonly import('./replay-run.mjs').Trained[]} trained
 * @returns {string} The name of the file of tokens.
 */
export function writeScript(file, link, { model, step }, { starts, tokenIds }, trained) {
  const tokens = `${basename(file, '.py')}.tokens.npy`;
  const models = Object.fromEntries(
    trained.map(({ name, losses }, i) => {
      const { options, weights } = starts[i];
      return [
        name,
        { ...options, initialWeights: weights, tolerance: toleranceOf(options.model, step), losses: some(losses) },
      ];
    }),
  );
  const script = [
    about(tokens),
    imports,
    `\nRUN = json.loads(r'''${literal({ link, tokens, steps: step, models })}''')\n`,
    draws,
    model === 'transformer' ? transformer : directPath,
    training,
    asking,
    comparison,
  ].join('');
  writeWhole(join(dirname(file), tokens), npyOf(Uint16Array.from(tokenIds)));
  writeWhole(file, script);
  return join(dirname(file), tokens);
}

/** By step, from 1: the first ten, the last of those that must be close, and about twenty to the last. @param {readonly number[]} losses */
function some(losses) {
  const every = Math.max(1, Math.ceil(losses.length / recorded));
  const isKept = (step) => step <= 10 || step === closeSteps || step % every === 0 || step === losses.length;
  return Object.fromEntries(losses.map((loss, i) => [i + 1, loss]).filter(([step]) => isKept(step)));
}

const about = (
  tokens,
) => `"""Trains again, in PyTorch, what a figure's link leads to, and compares the losses with the record of tied-embeddings.

It draws the same initial weights and the same batches from the same seed. The tokens are in ${tokens}, beside it.
Needs Python 3.8, NumPy and PyTorch 1.13 or later. A number of steps may follow its name, to compare the first ones only. Exit code 1: the
losses differ by more than the tolerance.
"""

`;

/** JSON for a raw string of Python, which ends with three quotes: no quote is left, whatever the link has. @param {unknown} value */
export const pythonLiteral = (value) => JSON.stringify(value).replaceAll("'", String.raw`\u0027`);

/** @param {{ models: object } & Record<string, unknown>} run */
function literal({ models, ...run }) {
  const json = pythonLiteral;
  const ofModel = (fields) => Object.entries(fields).map(([name, value]) => `   ${json(name)}: ${json(value)}`);
  const named = Object.entries(models).map(([name, fields]) => `  ${json(name)}: {\n${ofModel(fields).join(',\n')} }`);
  const before = Object.entries(run).map(([name, value]) => ` ${json(name)}: ${json(value)},\n`);
  return `{\n${before.join('')} "models": {\n${named.join(',\n')} } }`;
}
