// floor: what no tied direct path can reach on a text, whatever its width.
import { common } from './declare.mjs';
import { exitCodes, Refusal, refusalOf } from './exit-codes.mjs';
import { nameOf, readText } from './files.mjs';
import { Progress } from './progress.mjs';
import { columns, grouped, percent } from './style.mjs';
import { createLab } from './tied-embeddings.js';
import { textFlags, usual } from './training-flags.mjs';

/** Tokens of the largest table of pairs that the search takes. */
const mostTokens = 2048;

/** @type {import('./declare.mjs').Verb} */
export const floor = {
  name: 'floor',
  summary: 'certify a loss that no tied direct path has on a text, however wide it is',
  about:
    'Counts which token follows which in a text, and searches for the least loss of direct paths with one table: logits E Eᵀ, also with an output bias. The floor holds for every width and needs no trust in the search; ' +
    'the best table found shows how much too low it may be. Beside them: the floors of two tables and of symmetric logits. Losses are in nats per token, on the whole text. TEXT may be -, standard input.',
  operands: [{ name: 'TEXT', kind: 'file' }],
  flags: {
    tokenizer: textFlags.tokenizer,
    'vocab-size': { ...textFlags['vocab-size'], most: mostTokens },
    alphabet: textFlags.alphabet,
    steps: { kind: 'integer', least: 1, most: 100_000, summary: 'steps of the search, at most (default: 1000)' },
    tolerance: {
      kind: 'number',
      least: 1e-9,
      most: 1000,
      summary: 'the search ends when floor and best table are this close, in nats (default: 0.001)',
    },
    seed: { kind: 'integer', least: 0, most: 2 ** 32 - 1, summary: 'seed of the first table (default: 0)' },
    ...common,
  },
  examples: [
    'npx tied-embeddings floor book.txt --tokenizer word --vocab-size 500',
    'npx tied-embeddings floor book.txt --tokenizer character --json',
  ],
  run,
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands: [file] }) {
  const { tokenizer: kind = usual.tokenizer.kind, alphabet, steps, tolerance, seed, quiet, json } = flags;
  if (alphabet !== undefined && kind !== 'bpe')
    throw new Refusal(`--alphabet was given; expected it with --tokenizer bpe only, not ${kind}`);
  const text = readText(file);
  const lab = await createLab();
  try {
    const tokenizer = {
      kind,
      ...(alphabet === undefined ? {} : { alphabet }),
      ...(flags['vocab-size'] === undefined ? {} : { vocabSize: flags['vocab-size'] }),
    };
    const corpus = await lab.openCorpus(text, { tokenizer, validation: 0 });
    if (corpus.vocabSize > mostTokens)
      throw new Refusal(
        `${nameOf(file)} has ${grouped(corpus.vocabSize)} different tokens; expected at most ${grouped(mostTokens)}, as with --vocab-size`,
      );
    const { counts } = await corpus.bigrams();
    const { symmetricLogits: symmetric } = await lab.bigramBounds(counts);
    const found = await search(lab, counts, { steps, tolerance, seed }, quiet === true);
    const result = {
      vocabSize: corpus.vocabSize,
      tokens: corpus.tokens,
      bigram: found.bigram,
      symmetric,
      // The symmetric floor holds for tied paths, too, and is known exactly where the search ends early.
      floor: Math.max(found.floor, symmetric),
      reached: found.reached,
      steps: found.steps,
    };
    process.stdout.write(json === true ? `${JSON.stringify(result)}\n` : inWords(result));
    return exitCodes.done;
  } catch (error) {
    throw refusalOf(error, nameOf(file));
  } finally {
    lab.dispose();
  }
}

/** @param {import('./tied-embeddings.js').Lab} lab */
async function search(lab, counts, asked, isQuiet) {
  const progress = new Progress({
    total: 100,
    opening: `searching for a table of ${grouped(counts.rows)} tokens`,
    shown: !isQuiet,
  });
  let done = 0;
  try {
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    return await lab.tiedFloor(counts, {
      ...given,
      onProgress: (share) => {
        progress.add(100 * share - done);
        done = 100 * share;
      },
    });
  } finally {
    progress.end();
  }
}

function inWords({ vocabSize, tokens, bigram, symmetric, floor: certified, reached, steps }) {
  const nats = (loss) => `${loss.toFixed(4)} nats per token`;
  const cost = certified - bigram;
  const bySign = cost > 0 ? `, of which ${percent((certified - symmetric) / cost)} beyond symmetry` : '';
  return columns([
    ['tokens', `${grouped(tokens)}, ${grouped(vocabSize)} in the vocabulary`],
    ['two tables, at least', nats(bigram)],
    ['symmetric logits, at least', nats(symmetric)],
    ['one table, at least', `${nats(certified)}, for every width`],
    ['one table, best found', `${nats(reached)}, after ${grouped(steps)} steps`],
    ['what one table costs, at least', `${nats(cost)}${bySign}`],
  ]);
}
