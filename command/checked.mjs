// What check finds out about one checkpoint.
import { openModel } from './checkpoint.mjs';
import { Refusal } from './exit-codes.mjs';
import { readBytes, readText } from './files.mjs';
import { pathsOfModel, tableCard } from './measure-tables.mjs';

/**
 * @param {import('./tied-embeddings.js').Core} core @param {string} place @param {Record<string, any>} flags
 * @param {Awaited<ReturnType<typeof import('./checkpoint.mjs').openAny>>} opened
 */
export const checkedOf = (core, place, flags, opened) =>
  'tables' in opened ? ofTables(core, place, flags, opened.tables) : ofModel(core, place, flags, opened);

function ofTables(core, place, flags, tables) {
  for (const name of ['text', 'tokenizer']) {
    if (flags[name] !== undefined)
      throw new Refusal(`--${name} was given, but ${place} has tables only; expected a model that runs here`);
  }
  const { format, bytes, bytesRead, parameters, facts, tying, embedding, factors, tokens } = tables;
  const relation = relationOf(tables);
  // For a single table there is nothing else to measure.
  const measuresRows = embedding !== null && (flags.tables === true || relation === 'single');
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
    tying,
    leftOut: tables.leftOut,
    directPath: factors === null ? null : named(core.directPathSymmetry(factors, { worst: flags.worst ?? 0 }), tokens),
    withFinalNorm: null,
    cards: measuresRows ? cardsOf(core, tables) : null,
    model: null,
    card: null,
    notes: tables.notes,
  };
}

/** @param {import('./tied-embeddings.js').Core} core @param {import('./checkpoint.mjs').Tables} tables */
function cardsOf(core, { facts, embedding, unembedding, copied }) {
  const cards = tableCard(core, embedding, copied ? null : unembedding);
  // An output table on its own.
  return facts.embedding === null ? { input: null, output: cards.input } : cards;
}

/** @param {import('./checkpoint.mjs').Tables} tables */
function relationOf({ copied, facts, tying }) {
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

/** Of a model that is read whole. */
const verdicts = {
  shared: { tied: true, evidence: 'same-storage', reason: 'The model has one table for both roles.' },
  separate: { tied: false, evidence: 'different', reason: 'The model has two tables.' },
  derived: {
    ...{ tied: null, evidence: 'unknown' },
    reason: 'The model has one table, with a map between its two roles: this is neither plain tying nor two tables.',
  },
};

function ofModel(core, place, flags, file) {
  const named = ['embedding', 'unembedding'].find((name) => flags[name] !== undefined);
  if (named !== undefined) throw new Refusal(`--${named} was given, but ${place} itself says which tables it has`);
  const trainer = openModel(core, place, file, flags.tokenizer === undefined ? null : readBytes(flags.tokenizer));
  const { vocabSize, dModel } = trainer.model;
  const parameters = trainer.parameters();
  const paths = pathsOfModel(core, trainer, flags.worst ?? 0);
  const facts = (name) => ({ name, shape: [vocabSize, dModel], type: 'F32' });
  const verdict = verdicts[paths.relation];
  return {
    file: place,
    format: file.format,
    bytes: file.model.length,
    bytesRead: file.model.length,
    parameters: parameters.reduce((sum, { count }) => sum + count, 0),
    tables: { embedding: facts('embedding'), unembedding: paths.relation === 'separate' ? facts('unembedding') : null },
    relation: paths.relation,
    evidence: verdict.evidence,
    conflict: null,
    tying: { ...verdict, candidates: [], distance: null, conflict: null, roles: null },
    leftOut: paths.leftOut,
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
