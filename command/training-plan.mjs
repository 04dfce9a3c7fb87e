// The plan of train: flags override the file, which overrides the defaults. Checked before a text is read.
import { createHash } from 'node:crypto';
import { checkOptions, completeModel, completeTokenizer, completeTraining } from './command-parts.js';
import { kebab } from './declare.mjs';
import { Refusal, refusalOf } from './exit-codes.mjs';
import { readJson } from './files.mjs';
import { optionsOf, withFlags } from './option-flags.mjs';
import { modelOptions, textFlags, trainingOptions, usual } from './training-flags.mjs';

/** Any vocabulary size serves to check a model's other options. */
const someVocabulary = 1024;

const largestUsual = Math.max(...Object.values(usual.batchSize));

/**
 * @typedef {object} Plan
 * @property {Record<string, any>} tokenizer @property {number} validation
 * @property {string} [from] The model to start from.
 * @property {Record<string, any>} model Without vocabSize. @property {Record<string, any>} training Without steps. @property {number} steps
 */

/** Settings that can be given for an existing model, if its files do not state them or to override them. */
const settings = [
  ...['nHeads', 'nKeyValueHeads', 'contextLength', 'normEpsilon', 'rotaryBase', 'feedForward', 'dropout', 'tying'],
];

const scheduleNames = /** @type {const} */ (['untie-at-step', 'tie-at-step']);

/** Flags that a model to continue from leaves no room for. */
const notFrom = [
  ...Object.keys(modelOptions)
    .filter((name) => !settings.includes(name))
    .map(kebab),
  ...scheduleNames,
  ...Object.keys(textFlags).filter((name) => name !== 'validation'),
];

/** @param {Record<string, any>} flags @returns {Plan} */
export function planOf(flags) {
  const file = flags.config === undefined ? {} : readConfig(flags.config);
  if (flags.from !== undefined) return planFrom(flags, file);
  const model = { ...usual.model, ...file.model, ...optionsOf(modelOptions, flags), ...scheduleOf(flags) };
  const { steps, ...training } = { ...usual.training, ...file.training, ...optionsOf(trainingOptions, flags) };
  const plan = {
    tokenizer: { ...usual.tokenizer, ...file.tokenizer, ...tokenizerOf(flags) },
    validation: flags.validation ?? file.validation ?? usual.validation,
    model,
    training: {
      batchSize: usual.batchSize[model.kind],
      ...training,
      // The cosine ends with the run.
      ...(training.decay === 'cosine' && training.totalSteps === undefined ? { totalSteps: steps } : {}),
    },
    steps,
  };
  try {
    check(plan);
  } catch (error) {
    throw withFlags(refusalOf(error), flags);
  }
  return plan;
}

/** Continuing from a model, which has its own sizes and tokenizer. */
function planFrom(flags, file) {
  const model = { ...file.model, ...optionsOf(modelOptions, flags), ...scheduleOf(flags) };
  const isOther = (name, value) => !settings.includes(name) || (name === 'tying' && typeof value !== 'string');
  const [other] = [
    ...notFrom.filter((name) => flags[name] !== undefined).map((name) => `--${name}`),
    ...['model', 'tokenizer'].flatMap((part) =>
      Object.entries(file[part] ?? {})
        .filter(([name, value]) => isOther(name, value))
        .map(([name]) => `${part}.${name} of ${flags.config}`),
    ),
  ];
  if (other !== undefined)
    throw new Refusal(
      `--from was given with ${other}; expected only ${settings.map((name) => `--${kebab(name)}`).join(', ')}, since the model has its own`,
    );
  const { steps, ...training } = { ...usual.training, ...file.training, ...optionsOf(trainingOptions, flags) };
  const plan = {
    ...{ from: flags.from, model, steps, tokenizer: {} },
    validation: flags.validation ?? file.validation ?? usual.validation,
    // Without a size of batches, that of the model's kind, which its file tells.
    training: {
      ...training,
      ...(training.decay === 'cosine' && training.totalSteps === undefined ? { totalSteps: steps } : {}),
    },
  };
  try {
    checkTraining({ ...plan, training: { batchSize: largestUsual, ...plan.training } });
  } catch (error) {
    throw withFlags(refusalOf(error), flags);
  }
  return plan;
}

function check({ tokenizer, validation, model, training, steps }) {
  checkTraining({ validation, training, steps });
  completeTokenizer(tokenizer, 'tokenizer');
  completeModel({ ...model, vocabSize: someVocabulary });
}

function checkTraining({ validation, training, steps }) {
  if (!Number.isSafeInteger(steps) || steps < 1)
    throw new Refusal(`training.steps is ${steps}; expected an integer of at least 1`);
  if (typeof validation !== 'number' || !(validation >= 0 && validation <= 0.9)) {
    throw new Refusal(`validation is ${JSON.stringify(validation)}; expected a number from 0 to 0.9`);
  }
  completeTraining(training, false);
}

/** @returns {Record<string, any>} */
function readConfig(file) {
  const given = readJson(file);
  try {
    /** @type {Record<string, any>} */
    const config = checkOptions('config', given, ['tokenizer', 'validation', 'model', 'training']);
    for (const name of ['tokenizer', 'model', 'training']) {
      const part = config[name];
      if (part !== undefined && (typeof part !== 'object' || part === null || Array.isArray(part))) {
        throw new Refusal(`${file}: ${name} is ${JSON.stringify(part)}; expected an object`);
      }
    }
    if (config.model?.vocabSize !== undefined)
      throw new Refusal(`${file}: model.vocabSize was given; expected tokenizer.vocabSize`);
    return config;
  } catch (error) {
    throw refusalOf(error, file);
  }
}

function scheduleOf(flags) {
  const names = scheduleNames.filter((name) => flags[name] !== undefined);
  if (names.length === 0) return {};
  if (flags.tying !== undefined) {
    throw new Refusal(`--${['tying', ...names].join(' and --')} were given; expected one of them`);
  }
  // With both flags, the earlier step determines how the model starts.
  const changes = names
    .sort((one, other) => flags[one] - flags[other])
    .map((name) => ({ [name === 'tie-at-step' ? 'tieAtStep' : 'untieAtStep']: flags[name] }));
  return { tying: changes.length === 1 ? changes[0] : changes };
}

const tokenizerOf = (flags) => ({
  ...(flags.tokenizer === undefined ? {} : { kind: flags.tokenizer }),
  ...(flags['vocab-size'] === undefined ? {} : { vocabSize: flags['vocab-size'] }),
  ...(flags.alphabet === undefined ? {} : { alphabet: flags.alphabet }),
});

/** Identifies the bits of a run: the same for the same plan, text and version. @param {Plan} plan @param {string} text @param {string} version */
export function idOf(plan, text, version) {
  const sorted = (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((name) => [name, sorted(value[name])]),
        )
      : value;
  return createHash('sha256')
    .update(JSON.stringify(sorted(plan)))
    .update(`\n${version}\n`)
    .update(text)
    .digest('hex');
}
