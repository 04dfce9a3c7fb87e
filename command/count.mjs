// count: parameters, work, memory and advice for any architecture.
import { existsSync } from 'node:fs';
import { nearest, tableBytes } from './command-parts.js';
import { architectureOptions, batchOptions, contextOptions } from './architecture-flags.mjs';
import { common } from './declare.mjs';
import { exitCodes, Refusal, refusalOf } from './exit-codes.mjs';
import { nameOf, readText, stdin } from './files.mjs';
import { flagsOf, optionsOf, withFlags } from './option-flags.mjs';
import { bold, bytesOf, columns, grouped, layersInWords, percent } from './style.mjs';
import { loadCore } from './tied-embeddings.js';

const tyings = ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank', 'tied-inputs', 'tied-decoder'];
/** Used if neither a flag nor the architecture gives the length of a sequence. */
const usualTokens = 1024;

/** @type {import('./declare.mjs').Verb} */
export const count = {
  name: 'count',
  summary: 'count the parameters, work and memory of any transformer, and advise on tying',
  about:
    'CONFIG is the config.json of a model, as Hugging Face writes it (- for standard input), or the id of a known model (--models lists them). Architecture flags ' +
    'override it, or describe a model without CONFIG; --family, --vocab-size, --d-model and --n-layers are then required. Nothing is fetched.',
  operands: [{ name: 'CONFIG', kind: 'file', optional: true }],
  flags: {
    models: { kind: 'switch', summary: 'list the known models' },
    bits: {
      kind: 'integer',
      least: 1,
      most: 16,
      summary: 'bytes of the token tables in files with so many bits a weight, by program',
    },
    csv: { kind: 'switch', summary: 'the bytes of the token tables as CSV; with --models, of every known model' },
    tensors: { kind: 'switch', summary: 'list every tensor' },
    tying: { kind: 'choice', of: tyings, summary: 'which tables share storage (default: as CONFIG says, else tied)' },
    json: common.json,
    ...flagsOf(batchOptions, 'Work and memory'),
    ...flagsOf(contextOptions, 'Advice'),
    ...flagsOf(architectureOptions, 'Architecture'),
  },
  examples: [
    'npx tied-embeddings count config.json',
    'npx tied-embeddings count gpt2 --tying untied --sequences 8 --precision mixed',
    'npx tied-embeddings count --models --bits 4 --csv',
    'npx tied-embeddings count --family llama --vocab-size 32000 --d-model 2048 --n-layers 16 --json',
  ],
  run,
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands: [config] }) {
  const core = await loadCore({ modules: ['accounting'] });
  try {
    if (flags.csv === true && flags.json === true) throw new Refusal('--csv and --json were both given; choose one');
    if (flags.csv === true) {
      const models = flags.models === true ? core.knownModels() : [described(core, config, flags)];
      process.stdout.write(csvOf(core, models, flags.bits));
      return exitCodes.done;
    }
    if (flags.models === true) {
      listModels(core.knownModels(), flags.json === true);
      return exitCodes.done;
    }
    const result = counted(core, described(core, config, flags), flags);
    const tables =
      flags.bits === undefined ? {} : { tableBytes: tableBytes(result.parameters.architecture, flags.bits) };
    const text = { tableBytes: null, ...result, ...tables };
    process.stdout.write(
      flags.json === true ? `${JSON.stringify({ ...result, ...tables })}\n` : inWords(text, flags.tensors === true),
    );
    return exitCodes.done;
  } catch (error) {
    throw withFlags(refusalOf(error), flags);
  } finally {
    core.dispose();
  }
}

/** What is counted: the file or the known model, overridden by the flags. */
function described(core, config, flags) {
  const changes = optionsOf(architectureOptions, flags);
  const found = config === undefined ? null : foundModel(core, config);
  if (found === null && ['family', 'vocabSize', 'dModel', 'nLayers'].some((name) => changes[name] === undefined)) {
    throw new Refusal(
      'no CONFIG was given; expected a file, a known model, or --family, --vocab-size, --d-model and --n-layers',
    );
  }
  const architecture = { ...found?.architecture, ...changes };
  const tying = flags.tying ?? found?.tying;
  if (tying === null) throw tyingNotKnown(core, architecture, found);
  return { name: found?.name ?? null, architecture, tying, assumptions: found?.assumptions ?? [] };
}

/** A count needs an answer, and the file has two. */
function tyingNotKnown(core, architecture, { assumptions }) {
  const ways = architecture.family === 't5' ? ['tied', 'tied-inputs'] : ['tied', 'untied'];
  const each = ways.map(
    (way) => `--tying ${way} (${grouped(core.countParameters(architecture, way).stored)} parameters)`,
  );
  return new Refusal(`${assumptions.at(-1)} Choose with ${each.join(' or ')}`);
}

function foundModel(core, config) {
  const models = core.knownModels();
  const known = models.find(({ id }) => id === config);
  if (known !== undefined) return { ...known, assumptions: [] };
  if (config !== stdin && !existsSync(config) && !/[./\\]/.test(config)) {
    const close = nearest(
      config,
      models.map(({ id }) => id),
    );
    throw new Refusal(
      `${config} is neither a file nor a known model; ${close === null ? 'see --models' : `did you mean ${close}?`}`,
    );
  }
  const text = readText(config);
  try {
    return core.importConfig(text);
  } catch (error) {
    const refusal = /** @type {Error} */ (refusalOf(error, nameOf(config)));
    // The package calls every such file by its usual name.
    refusal.message = refusal.message.replace(`${nameOf(config)}: config.json: `, `${nameOf(config)}: `);
    throw refusal;
  }
}

function counted(core, { name, architecture, tying, assumptions }, flags) {
  const parameters = core.countParameters(architecture, tying);
  const { contextLength } = parameters.architecture;
  /** @type {import('../web/core/types.js').Batch} */
  const batch = {
    sequences: 1,
    tokens: contextLength > 0 ? contextLength : usualTokens,
    tying: parameters.tying,
    ...optionsOf(batchOptions, flags),
  };
  // What listed tensors are multiplied with is not in their list.
  const compute = parameters.architecture.family === 'listed' ? null : core.countCompute(architecture, batch);
  const { precision, optimizer } = batch;
  const context = {
    ...(precision === undefined ? {} : { precision }),
    ...(optimizer === undefined ? {} : { optimizer }),
    ...optionsOf(contextOptions, flags),
  };
  return { name, parameters, batch, compute, advice: core.adviseTying(architecture, context), assumptions };
}

function listModels(models, json) {
  if (json) process.stdout.write(`${JSON.stringify(models)}\n`);
  else process.stdout.write(columns(models.map(({ id, name, tying }) => [id, `${name}, ${tying}`])));
}

function inWords({ name, parameters, batch, compute, advice, assumptions, tableBytes: tables }, tensors) {
  const { stored, active, groups, roles, tying, tied, untied, saved, savedOfUntied, architecture } = parameters;
  const { vocabSize, dModel, nLayers, family } = architecture;
  const parts = Object.entries(groups).map(([group, number]) => [
    `  ${group}`,
    `${grouped(number)}, ${percent(number / stored)}`,
  ]);
  const rows = [
    ['parameters', `${grouped(stored)}, ${tying}`],
    ...parts,
    ...rolesIn(roles, stored),
    ...(active === stored ? [] : [['used per token', grouped(active)]]),
    ...(tied === null ? [] : [['tied', grouped(tied)]]),
    ['untied', grouped(untied)],
    ['saved by this tying', `${grouped(saved)}, ${percent(savedOfUntied)} of the untied model`],
  ];
  const list = tensors ? `\n${bold('Tensors')}\n${tensorRows(parameters.tensors)}` : '';
  const taken = assumptions.map((one) => `  ${one}\n`).join('');
  return [
    `${bold(name ?? family)}: vocabulary ${grouped(vocabSize)}, width ${grouped(dModel)}, ${layersInWords(nLayers)}\n`,
    columns(/** @type {[string, string][]} */ (rows)),
    list,
    tables === null ? '' : tablesInWords(tables),
    workInWords(compute, batch),
    `\n${bold('Advice')}: ${advice.sentence}\n`,
    ...advice.reasons.map(({ sentence }) => `  - ${sentence}\n`),
    taken === '' ? '' : `\n${bold('Assumptions')}\n${taken}`,
  ].join('');
}

function tablesInWords(tables) {
  if (tables.length === 0) return `\n${bold('Tables in files')}: no rule is known for these bits and tables.\n`;
  const row = ({ program, kind, shared, input, output, tied, untied, savedOfUntied }) => [
    `${program} ${kind}`,
    `${bytesOf(tied)} tied (${shared.type}), ${bytesOf(untied)} untied (${input.type} and ${output.type}): ${percent(savedOfUntied)} saved`,
  ];
  return `\n${bold('Tables in files')}\n${columns(tables.map(row))}`;
}

const csvHead =
  'model,vocabulary,width,program,kind,bits,shared_type,input_type,output_type,tied_bytes,untied_bytes,saved_bytes,saved_share';
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line for each model and each kind of file. */
function csvOf(core, models, bits) {
  const lines = models.flatMap(({ id, name, architecture, tying }) => {
    const { architecture: complete } = core.countParameters(architecture, tying ?? undefined);
    const { vocabSize, dModel, family } = complete;
    return tableBytes(complete, bits).map(({ program, kind, bits: nominal, shared, input, output, ...sizes }) =>
      [
        ...[id ?? name ?? family, vocabSize, dModel, program, kind, nominal, shared.type, input.type, output.type],
        ...[sizes.tied, sizes.untied, sizes.saved, sizes.savedOfUntied.toFixed(4)],
      ]
        .map((value) => quoted(String(value)))
        .join(','),
    );
  });
  return `${[csvHead, ...lines].join('\n')}\n`;
}

const roleNames = {
  readsAndWrites: 'tables that read and write',
  reads: 'tables that only read',
  writes: 'tables that only write',
};

const rolesIn = (roles, stored) =>
  Object.entries(roleNames).flatMap(([role, name]) =>
    roles[role] === 0 ? [] : [[name, `${grouped(roles[role])}, ${percent(roles[role] / stored)}`]],
  );

function workInWords(compute, batch) {
  if (compute === null) return `\n${bold('Work and memory')} are not counted for layers of this kind.\n`;
  const { bytes, flop, headShare, serving, seconds } = compute;
  const work = [
    ['forward', `${flop.forward.toPrecision(3)} FLOP, ${percent(headShare)} of them in the head`],
    ['forward and backward', `${flop.total.toPrecision(3)} FLOP`],
    ...(seconds === null ? [] : [['seconds per step', seconds.step.toPrecision(3)]]),
    ['to train', bytesOf(bytes.total)],
    ...['weights', 'gradients', 'optimizer', 'activations', 'logits'].map((part) => [
      `  ${part}`,
      bytesOf(bytes[part]),
    ]),
    ['to write text', `${bytesOf(serving.total)}, ${bytesOf(serving.readPerToken)} read per token`],
  ];
  const of = `${batch.sequences} x ${batch.tokens} tokens, ${batch.precision ?? 'float32'}, ${batch.optimizer ?? 'adamw'}`;
  return `\n${bold('Work and memory')} of ${of}\n${columns(/** @type {[string, string][]} */ (work))}`;
}

const tensorRows = (tensors) =>
  columns(
    tensors.map(({ name, shape, copies, tiedTo, count: number }) => [
      name,
      `[${shape.join(', ')}]${copies === 1 ? '' : ` x ${copies}`}, ${tiedTo === null ? grouped(number) : `is ${tiedTo}`}`,
    ]),
  );
