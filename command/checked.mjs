// What check finds out about one checkpoint.
import { openModel, verdictOnModel, withCheckpoint } from './checkpoint.mjs';
import { Refusal } from './exit-codes.mjs';
import { readText } from './files.mjs';
import { asymmetryByChance as byChance, measured, pathOfTrainer, tableCard } from './measure-tables.mjs';
import { readTokenizer } from './read-tokenizer.mjs';

/**
 * @param {import('./tied-embeddings.js').Core} core @param {string} place @param {Record<string, any>} flags
 * @param {Awaited<ReturnType<typeof import('./checkpoint.mjs').openAny>>} opened
 */
export function checkedOf(core, place, flags, opened) {
  if (flags.tokenizer !== undefined && flags.text === undefined)
    throw new Refusal('--tokenizer was given without --text');
  return 'tables' in opened ? ofTables(core, place, flags, opened.tables) : ofModel(core, place, flags, opened);
}

async function ofTables(core, place, flags, tables) {
  const { format, bytes, bytesRead, parameters, isWhole, facts, tying, embedding, factors, logits, tokens } = tables;
  const relation = relationOf(tables);
  // For a single table there is nothing else to measure.
  const measuresRows = embedding !== null && (flags.tables === true || relation === 'single');
  return {
    file: place,
    format,
    bytes,
    bytesRead,
    parameters,
    isWhole,
    tables: facts,
    relation,
    evidence: tying.evidence,
    conflict: tying.conflict,
    tying,
    leftOut: tables.leftOut,
    ...directPathOf(core, { factors, logits }, { worst: flags.worst ?? 0, tokens }),
    withFinalNorm: null,
    cards: measuresRows ? measured(() => cardsOf(core, tables)) : null,
    model: null,
    card: flags.text === undefined ? null : await cardOfCheckpoint(core, place, flags),
    notes: tables.notes,
  };
}

/**
 * The symmetry of what the tables say of pairs, or why it was not measured: a number that is not finite says nothing about a verdict.
 * @param {import('./tied-embeddings.js').Core} core
 * @param {Pick<import('./measure-tables.mjs').OwnPath, 'factors' | 'logits'>} path
 * @param {{ worst: number, tokens: readonly string[] | null }} how
 */
function directPathOf(core, { factors, logits }, { worst, tokens }) {
  const found = measured(() => {
    if (factors !== null) return named(core.directPathSymmetry(factors, { worst }), tokens);
    return logits === null ? null : named(core.symmetry(logits, { worst }), tokens);
  });
  if (found !== null && 'notMeasured' in found)
    return { directPath: null, asymmetryByChance: null, notMeasured: found.notMeasured };
  const asymmetryByChance = found === null || factors === null ? null : byChance(factors, found.norm);
  return { directPath: found, asymmetryByChance, notMeasured: null };
}

/** @param {import('./tied-embeddings.js').Core} core @param {import('./checkpoint.mjs').Tables} tables */
function cardsOf(core, { facts, embedding, unembedding, copied }) {
  const cards = tableCard(core, embedding, copied ? null : unembedding);
  // An output table on its own.
  return facts.embedding === null ? { input: null, output: cards.input } : cards;
}

/** @param {import('./checkpoint.mjs').Tables} tables */
function relationOf({ copied, facts, tying, derived }) {
  if (derived) return 'derived';
  if (copied) return 'copied';
  if (facts.embedding !== null && facts.unembedding !== null) return 'separate';
  if (tying.tied === null) return 'single';
  return tying.tied ? 'shared' : 'separate';
}

/** The pairs with their token strings, if the file has them. */
function named(path, tokens) {
  if (tokens === null) return path;
  const { worst } = path;
  return { ...path, worst: worst.map((pair) => ({ ...pair, tokens: [tokens[pair.row], tokens[pair.col]] })) };
}

/** What a verdict on a model that is read whole says of it, which has no tensors with names of their own. */
const verdicts = {
  alias: { tied: true, evidence: 'same-storage', reason: 'The model has one table for both roles.' },
  different: { tied: false, evidence: 'different', reason: 'The model has two tables.' },
};

async function ofModel(core, place, flags, file) {
  const named = ['embedding', 'unembedding'].find((name) => flags[name] !== undefined);
  if (named !== undefined) throw new Refusal(`--${named} was given, but ${place} itself says which tables it has`);
  const trainer = openModel(core, place, file, await tokenizerOf(core, flags));
  const parameters = trainer.parameters();
  const { tying, leftOut } = await verdictOnModel(core, place, trainer);
  const { relation, unembedding, note, includes, ...path } = await pathOfTrainer(trainer);
  const facts = (name) => {
    const { shape } = /** @type {{ shape: readonly number[] }} */ (parameters.find((one) => one.name === name));
    return { name, shape, type: 'F32' };
  };
  const verdict = { ...tying, ...verdicts[tying.evidence] };
  return {
    file: place,
    format: file.format,
    bytes: file.model.length,
    bytesRead: file.model.length,
    parameters: parameters.reduce((sum, { count }) => sum + count, 0),
    isWhole: true,
    tables: { embedding: facts('embedding'), unembedding: relation === 'separate' ? facts('unembedding') : null },
    relation: relation === 'separate' && tying.tied === true ? 'copied' : relation,
    evidence: verdict.evidence,
    conflict: tying.conflict,
    tying: verdict,
    leftOut: leftOut.filter((name) => !includes(name)),
    ...directPathOf(core, path, { worst: flags.worst ?? 0, tokens: null }),
    withFinalNorm: withFinalNorm(trainer),
    cards: flags.tables === true ? measured(() => tableCard(core, trainer.matrix('embedding'), unembedding)) : null,
    model: {
      ...trainer.model,
      step: trainer.step,
      ...(typeof trainer.model.tying === 'string' ? {} : { tyingChanges: trainer.tyingChanges }),
    },
    card: flags.text === undefined ? null : cardOf(trainer, place, flags.text),
    notes: note === null ? [] : [note],
  };
}

/** Null for models without one, and for those whose head is not the full one. */
function withFinalNorm(trainer) {
  if (trainer.model.kind !== 'transformer') return null;
  try {
    return trainer.directPath({ finalNorm: true, symmetry: true });
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code === 'unsupported') return null;
    throw error;
  }
}

const tokenizerOf = async (core, { tokenizer }) =>
  tokenizer === undefined ? undefined : await readTokenizer(tokenizer, (...file) => core.loadTokenizer(...file));

/** The card of a checkpoint whose model runs here; the package says why another one cannot. */
async function cardOfCheckpoint(core, place, { text, tokenizer, embedding, unembedding, 'whole-file': wholeFile }) {
  const given = await tokenizerOf(core, { tokenizer });
  return withCheckpoint(core, place, { embedding, unembedding, wholeFile: wholeFile === true }, async (checkpoint) => {
    const trainer = await /** @type {import('../web/core/types.js').RunnableCheckpoint} */ (checkpoint).toTrainer({
      tokenizer: given,
    });
    try {
      return cardOf(trainer, place, text);
    } finally {
      trainer.dispose();
    }
  });
}

function cardOf(trainer, place, textFile) {
  const tokenizer = trainer.tokenizer();
  if (tokenizer === null) throw new Refusal(`${place} has no tokenizer; expected one beside it, or --tokenizer FILE`);
  const tokenIds = tokenizer.encode(readText(textFile));
  return trainer.modelCard({ tokenIds });
}
