// check: how symmetric the direct path of a checkpoint is, and measures of its tables.
import { kindOf } from './checkpoint-files.mjs';
import { openAny, openModel, withCheckpoint } from './checkpoint.mjs';
import { compareCheckpoints } from './compare-checkpoints.mjs';
import { common } from './declare.mjs';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { readBytes, readText } from './files.mjs';
import { pathsOfModel, tableCard } from './measure-tables.mjs';
import { Progress } from './progress.mjs';
import { bold, bytesOf, columns, grouped, plain } from './style.mjs';
import { loadCore } from './tied-embeddings.js';

/** Tables of this many bytes take some seconds. */
const worthWaiting = 50_000_000;

/** @type {import('./declare.mjs').Verb} */
export const check = {
  name: 'check',
  says: "measure how symmetric a checkpoint's direct path is, write its card, compare checkpoints",
  about:
    'Reads a saved trainer, a model of llama2.c or rwkv.cpp, safetensors in one file or several (their index.json), GGUF, weights as JSON, a NumPy matrix, or a table as text. From a file, also at ' +
    'a URL, it reads only the header and the token tables. For several files, such as steps of one training run, it reports how far their tables have moved. Symmetric scores cannot tell "New York" from "York New".',
  operands: [{ name: 'FILE_OR_URL', kind: 'file', repeated: true }],
  flags: {
    embedding: {
      kind: 'text',
      value: 'NAME',
      says: 'the tensor of the input embedding (default: found by the usual names)',
    },
    unembedding: {
      kind: 'text',
      value: 'NAME',
      says: 'the tensor of the output embedding; for NumPy or text, a second file',
    },
    'whole-file': { kind: 'switch', says: 'download the whole file if the server does not send ranges' },
    worst: { kind: 'integer', least: 0, most: 1000, says: 'list the pairs whose two orders differ most (default: 0)' },
    against: {
      kind: 'choice',
      of: ['first', 'previous'],
      says: 'with several checkpoints: which one each is compared with (default: first)',
    },
    tables: { kind: 'switch', says: 'also measure whether rows point in all directions equally' },
    card: {
      kind: 'switch',
      says: 'write the identity card instead, as Markdown: one pass over the rows, for tables of any size',
    },
    text: {
      kind: 'file',
      says: 'for a model with its tokenizer: write the full model card, measured on this text, preferably one that it was not trained on',
    },
    tokenizer: { kind: 'file', says: 'the tokenizer of a llama2.c model, for --text' },
    quiet: common.quiet,
    json: common.json,
  },
  examples: [
    'npx tied-embeddings check model.safetensors --worst 5',
    'npx tied-embeddings check https://huggingface.co/openai-community/gpt2/resolve/main/model.safetensors',
    'npx tied-embeddings check model.gguf --card >> README.md',
    'npx tied-embeddings check step-1.gguf step-2.gguf step-3.gguf --against previous',
    'npx tied-embeddings check model.tied --text held-out.txt > CARD.md',
  ],
  run,
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands }) {
  const [place] = operands;
  const { embedding, unembedding, worst = 0 } = flags;
  const core = await loadCore({ modules: ['checkpoint', 'diagnostics', 'readout'] });
  try {
    if (operands.length > 1) return await compareCheckpoints(core, operands, flags);
    if (flags.against !== undefined) throw new Refusal('--against was given; expected none with one checkpoint');
    if (flags.card === true) return await writeCard(core, place, flags);
    const opened = await openAny(core, place, { embedding, unembedding, wholeFile: flags['whole-file'] === true });
    if (flags.quiet !== true && sizeOf(opened) > worthWaiting) process.stderr.write('measuring\n');
    const result =
      'tables' in opened
        ? ofTables(core, place, opened.tables, flags, worst)
        : ofModel(core, place, opened, flags, worst);
    process.stdout.write(flags.json === true ? `${JSON.stringify(result)}\n` : inWords(result));
    return exitCodes.done;
  } catch (error) {
    // The caller is responsible for the values in a file.
    throw refusalOf(error, place, [...ofTheCaller, 'not-finite']);
  } finally {
    core.dispose();
  }
}

/** Progress steps of an identity card, whose progress is reported as a fraction. */
const cardSteps = 1000;
/** Flags that a card includes already or does not support. */
const notWithCard = ['worst', 'tables', 'text', 'tokenizer'];

async function writeCard(core, place, flags) {
  const other = notWithCard.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new Refusal(`--${other} was given; expected none with --card`);
  if (!/^https?:/i.test(place) && kindOf(place) === 'own-file') {
    throw new Refusal(
      `${place} is a saved trainer; expected a checkpoint for --card, such as its safetensors, or --text FILE for its model card`,
    );
  }
  const { embedding, unembedding } = flags;
  const how = { embedding, unembedding, wholeFile: flags['whole-file'] === true };
  const card = await withCheckpoint(core, place, how, async (checkpoint) => {
    const progress = new Progress({ total: cardSteps, opening: 'reading the rows', shown: flags.quiet !== true });
    let told = 0;
    const onProgress = (fraction) => {
      const done = Math.floor(cardSteps * fraction);
      progress.add(done - told);
      told = done;
    };
    try {
      return await checkpoint.identityCard({ onProgress });
    } finally {
      progress.end();
    }
  });
  process.stdout.write(flags.json === true ? `${JSON.stringify(card.data)}\n` : `${card.markdown}\n`);
  return exitCodes.done;
}

const sizeOf = (opened) => ('tables' in opened ? opened.tables.embedding.data.byteLength : opened.model.length);

function ofTables(core, place, tables, flags, worst) {
  for (const name of ['text', 'tokenizer']) {
    if (flags[name] !== undefined)
      throw new Refusal(`--${name} was given, but ${place} has tables only; expected a model that runs here`);
  }
  const { format, bytes, bytesRead, parameters, facts, tying, embedding, unembedding, tokens } = tables;
  const factors = { embedding, ...(unembedding === null ? {} : { unembedding }) };
  const relation = relationOf(tables);
  return {
    file: place,
    format,
    bytes,
    bytesRead,
    parameters,
    tables: facts,
    relation,
    evidence: tying.evidence,
    conflict: tying.conflict,
    // A table not known to be an output embedding has no direct path.
    directPath: relation === 'single' ? null : named(core.directPathSymmetry(factors, { worst }), tokens),
    withFinalNorm: null,
    // For a single table there is nothing else to measure.
    cards: flags.tables === true || relation === 'single' ? tableCard(core, embedding, unembedding) : null,
    model: null,
    card: null,
    notes: tables.notes,
  };
}

/** @param {import('./checkpoint.mjs').Tables} tables */
function relationOf({ copied, unembedding, tying }) {
  if (unembedding !== null) return 'separate';
  if (copied) return 'copied';
  return tying.tied === null ? 'single' : 'shared';
}

/** The pairs with their token strings, if the file has them. */
function named(path, tokens) {
  if (tokens === null) return path;
  const { worst } = path;
  return { ...path, worst: worst.map((pair) => ({ ...pair, tokens: [tokens[pair.row], tokens[pair.col]] })) };
}

function ofModel(core, place, file, flags, worst) {
  const named = ['embedding', 'unembedding'].find((name) => flags[name] !== undefined);
  if (named !== undefined) throw new Refusal(`--${named} was given, but ${place} itself says which tables it has`);
  const trainer = openModel(core, place, file, flags.tokenizer === undefined ? null : readBytes(flags.tokenizer));
  const { vocabSize, dModel } = trainer.model;
  const parameters = trainer.parameters();
  const paths = pathsOfModel(core, trainer, worst);
  const facts = (name) => ({ name, shape: [vocabSize, dModel], type: 'F32' });
  return {
    file: place,
    format: file.format,
    bytes: file.model.length,
    bytesRead: file.model.length,
    parameters: parameters.reduce((sum, { count }) => sum + count, 0),
    tables: { embedding: facts('embedding'), unembedding: paths.relation === 'separate' ? facts('unembedding') : null },
    relation: paths.relation,
    evidence: null,
    conflict: null,
    directPath: paths.directPath,
    withFinalNorm: paths.withFinalNorm,
    cards: flags.tables === true ? tableCard(core, trainer.matrix('embedding'), paths.unembedding) : null,
    model: { ...trainer.model, step: trainer.step },
    card: flags.text === undefined ? null : cardOf(trainer, place, flags.text),
    notes: paths.note === null ? [] : [paths.note],
  };
}

function cardOf(trainer, place, textFile) {
  const tokenizer = trainer.tokenizer();
  if (tokenizer === null)
    throw new Refusal(`${place} has no tokenizer; expected one for --text (for llama2.c: --tokenizer FILE)`);
  const tokenIds = tokenizer.encode(readText(textFile));
  return trainer.modelCard({ tokenIds });
}

const relations = {
  shared: 'one table for both roles',
  single: 'one table; nothing says that it is also the output embedding',
  copied: 'two equal tables: tied, but stored twice',
  separate: 'two tables',
  derived: 'one table, and a map for its second role',
};

/** Why one table is assumed to have both roles, or two tables to differ. */
const evidences = {
  'missing-output': 'the file has no output table',
  'missing-input': 'the file has no input table',
  alias: 'the file says so',
  'equal-bytes': 'the same bytes',
  'equal-values': 'the same values, up to rounding',
  different: 'they differ',
  'same-storage': 'one tensor for both',
  'packed-output': 'the output table is packed',
  'packed-input': 'the input table is packed',
  'not-a-language-model': 'the file is not a whole language model',
};

function inWords(result) {
  const { file, format, bytes, bytesRead, parameters, tables, relation, evidence, conflict } = result;
  const { directPath, withFinalNorm, cards, model, card, notes } = result;
  if (card !== null) return `${card.markdown}\n`;
  const { embedding, unembedding } = tables;
  const nameOf = ({ name, shape, type }) => `${plain(name)} [${shape.join(', ')}], ${type}`;
  const rows = [
    ['format', `${format}, ${bytesOf(bytes)}${bytesRead < bytes ? `, of which ${bytesOf(bytesRead)} were read` : ''}`],
    ['parameters', grouped(parameters)],
    ...(model === null ? [] : [['model', modelInWords(model)]]),
    ['input embedding', nameOf(embedding)],
    ['output embedding', unembedding !== null ? nameOf(unembedding) : relation === 'single' ? 'not known' : 'the same'],
    ['tables', `${relations[relation]}${evidences[evidence] === undefined ? '' : ` (${evidences[evidence]})`}`],
    ...(conflict === null ? [] : [['but', plain(conflict)]]),
    ...(directPath === null ? [] : symmetryRows('direct path', directPath)),
    ...(withFinalNorm === null ? [] : symmetryRows('with the final norm', withFinalNorm)),
    ...(cards === null ? [] : cardRows(cards)),
  ];
  const worst = (directPath === null || directPath.symmetric ? [] : directPath.worst).map(
    ({ row, col, forward, backward, tokens: [from, to] = [] }) => {
      const [one, other] = [nameOfToken(row, from), nameOfToken(col, to)];
      return `  ${one} -> ${other}  ${forward.toPrecision(6)}   ${other} -> ${one}  ${backward.toPrecision(6)}\n`;
    },
  );
  return [
    `${bold(file)}\n`,
    columns(/** @type {[string, string][]} */ (rows)),
    worst.length === 0 ? '' : `\n${bold('Pairs whose two orders differ most')}\n${worst.join('')}`,
    ...notes.map((note) => `\n${plain(note)}\n`),
  ].join('');
}

const nameOfToken = (id, token) => (token === undefined || token === '' ? String(id) : `"${plain(token)}"`);

const modelInWords = ({ kind, nLayers, tying, step }) =>
  `${kind}${nLayers === undefined ? '' : `, ${nLayers} layers`}, ${typeof tying === 'string' ? tying : JSON.stringify(tying)}, step ${step}`;

const symmetryRows = (name, { symmetric, asymmetry, maxDifference }) => [
  [name, symmetric ? 'symmetric: both orders of a pair have the same score' : 'not symmetric'],
  ['  asymmetry', `${asymmetry.toPrecision(4)} (by chance ${Math.SQRT1_2.toPrecision(4)})`],
  ...(maxDifference === null || symmetric ? [] : [['  largest difference', maxDifference.toPrecision(4)]]),
];

const cardRows = ({ input, output }) =>
  [
    ['embedding', input],
    ['unembedding', output],
  ].flatMap(([name, one]) =>
    one === null
      ? []
      : [
          [`IsoScore of the ${name}`, `${one.isoScore.toPrecision(4)} (by chance ${one.null.isoScore.toPrecision(4)})`],
          ['  mean cosine', `${one.meanCosine.toPrecision(4)} (by chance ${one.null.meanCosine.toPrecision(4)})`],
          ['  effective rank', `${one.effectiveRank.toFixed(1)} (by chance ${one.null.effectiveRank.toFixed(1)})`],
        ],
  );
