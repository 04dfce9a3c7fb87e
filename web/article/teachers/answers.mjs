/**
 * The numeric answers of the page for teachers: those of small examples are worked out here as a student would, those about real models and the story are
 * the article's facts. A test computes all of them again in another way.
 */

/** The table of the article's first figure, and one whose rows lie on a line. */
export const examples = {
  words: ['New', 'York', 'City'],
  table: [
    [1, 0.5],
    [0.8, 0.9],
    [0.3, 1.2],
  ],
  line: [
    [1, 0],
    [5, 0],
    [-1, 0],
  ],
  /** Shares of the words of a text that has only three. */
  shares: [0.5, 0.3, 0.2],
  /** Rows: the current token of an invented chain. */
  chain: [
    [0.05, 0.9, 0.05],
    [0.1, 0.1, 0.8],
    [0.4, 0.3, 0.3],
  ],
  hidden: [1, 2],
  predicted: [0.2, 0.5, 0.3],
  target: 1,
  wide: { vocabSize: 32_000, dModel: 4096 },
  /** The share from which a rule of thumb says that a table is worth saving. */
  worthSaving: 0.15,
};

const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const scoresOf = (rows) => rows.map((row) => rows.map((other) => dot(row, other)));
const normalized = (values) => values.map((value) => value / sum(values));
const softmaxRows = (scores) => scores.map((row) => normalized(row.map(Math.exp)));

/** The shares at which a chain settles, from any start. */
function settledShares(chain) {
  let shares = chain.map(() => 1 / chain.length);
  for (let step = 0; step < 1000; step++) {
    shares = chain.map((_, to) => sum(shares.map((share, from) => share * chain[from][to])));
  }
  return shares;
}

const entropy = (shares) => -sum(shares.map((share) => (share > 0 ? share * Math.log(share) : 0)));

/** Layers of 12 d² parameters at which the table falls below a share of the tied model. */
const layersFor = ({ vocabSize, dModel }, share) => Math.ceil((vocabSize * (1 / share - 1)) / (12 * dModel));

function tableAnswers() {
  const scores = scoresOf(examples.table);
  const probabilities = softmaxRows(scores);
  // A row's total of exponentials, as a share of all.
  const settled = normalized(scores.map((row) => sum(row.map(Math.exp))));
  const [newAt, yorkAt, cityAt] = [0, 1, 2];
  return {
    ...{ newNew: scores[newAt][newAt], newYork: scores[newAt][yorkAt], newCity: scores[newAt][cityAt] },
    ...{ yorkAfterNew: probabilities[newAt][yorkAt], newAfterYork: probabilities[yorkAt][newAt] },
    ...{ newShare: settled[newAt], yorkShare: settled[yorkAt] },
    forth: settled[newAt] * probabilities[newAt][yorkAt],
    back: settled[yorkAt] * probabilities[yorkAt][newAt],
  };
}

function lineAnswers() {
  const [[newAfterNew, yorkAfterNew], [newAfterYork, yorkAfterYork]] = softmaxRows(scoresOf(examples.line));
  const sides = { product: yorkAfterNew * newAfterYork, limit: newAfterNew * yorkAfterYork };
  return { newAfterNew, yorkAfterNew, newAfterYork, yorkAfterYork, ...sides };
}

function chainAnswers() {
  const shares = settledShares(examples.chain);
  return {
    ...{ first: shares[0], second: shares[1], third: shares[2] },
    ignorant: entropy(shares),
    best: sum(examples.chain.map((row, from) => shares[from] * entropy(row))),
  };
}

function gradientAnswers() {
  const errors = examples.predicted.map((share, at) => share - (at === examples.target ? 1 : 0));
  const rows = errors.map((error) => examples.hidden.map((value) => error * value));
  return { errors, rows, loss: -Math.log(examples.predicted[examples.target]) };
}

/** @param {{ accounting: any, repeating: any, lab: any, story: any }} facts The article's. */
export function teachersAnswers({ accounting, repeating, lab, story }) {
  const { gpt2, head } = accounting;
  const gpt2Sizes = { vocabSize: 50_257, dModel: 768 };
  const { wide, worthSaving } = examples;
  return {
    table: tableAnswers(),
    line: lineAnswers(),
    repeats: {
      least: sum(examples.shares.map((share) => share ** 2)),
      ...{ the: repeating.wordNeeded, all: repeating.needed, story: repeating.repeats },
    },
    chain: chainAnswers(),
    gpt2: {
      ...gpt2Sizes,
      stored: gpt2.tied,
      entries: gpt2.saved,
      ofTied: gpt2.savedOfStored,
      ofUntied: gpt2.savedOfUntied,
    },
    layers: { narrow: layersFor(gpt2Sizes, worthSaving), wide: layersFor(wide, worthSaving), limit: worthSaving },
    head: { tokens: head.tokens, forward: head.forward, backward: head.backward, bytes: head.logitsBytes },
    gradient: gradientAnswers(),
    story: { yorkAfterNew: story.yorkAfterNew, tied: lab.yorkAfterNew.tied },
  };
}
