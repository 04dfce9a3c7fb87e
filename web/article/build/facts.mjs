import { accountingFacts } from './accounting-facts.mjs';
import { bigramTable } from './bigram-table.mjs';
import { priceFacts } from './price-facts.mjs';
import { alphabetFacts, oddsExample, repeatingFacts } from './repeating-facts.mjs';
import { rounded } from './rounded.mjs';
import { semidefiniteFacts } from './semidefinite-facts.mjs';

/**
 * Every number on the page, computed with the library that the page runs. Only the examples (the three vectors, the
 * invented chain) are typed in.
 */

/** Pairs of words in a fixed order, for the table of section 2. */
const namedPairs = [
  ['New', 'York'],
  ['Fifth', 'Avenue'],
  ['high', 'school'],
  ['Central', 'Park'],
  ['Brooklyn', 'Bridge'],
  ['ice', 'cream'],
];

/** Rows and columns of the drawing at the top. */
const heroWords = ['the', 'New', 'York', 'high', 'school', 'Fifth', 'Avenue', 'Grand', 'Central', 'Park'];

/** Steps at which the models of that drawing are looked at, up to the lab's last. */
const heroSteps = [0, 5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 400, 500];

const exampleTokens = ['New', 'York', 'City'];
const exampleEmbedding = { rows: 3, cols: 2, data: Float32Array.of(1, 0.5, 0.8, 0.9, 0.3, 1.2) };
const exampleChain = { rows: 3, cols: 3, data: Float32Array.of(0.05, 0.9, 0.05, 0.1, 0.1, 0.8, 0.4, 0.3, 0.3) };

function softmaxRow(matrix, row) {
  const logits = [...matrix.data.slice(row * matrix.cols, (row + 1) * matrix.cols)];
  const largest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function explorerFacts(core) {
  const logits = core.directPath({ embedding: exampleEmbedding });
  const probabilities = exampleTokens.map((_, row) => softmaxRow(logits, row));
  return {
    tokens: exampleTokens,
    embedding: [...exampleEmbedding.data],
    logits: [...logits.data],
    probabilities,
    yorkAfterNew: probabilities[0][1],
    newAfterYork: probabilities[1][0],
  };
}

/** Tokenizes the text and counts its pairs. */
function readText(core, text, options) {
  const tokenizer = core.trainTokenizer(text, options);
  const tokens = [...tokenizer.tokens];
  const ids = tokenizer.encode(text);
  const { counts } = core.bigrams(ids, tokens.length);
  tokenizer.dispose();
  return { tokens, counts, ids, length: ids.length, table: bigramTable(counts), bounds: core.bigramBounds(counts) };
}

function idOf(tokens, word) {
  const id = tokens.indexOf(word);
  if (id < 0) throw new Error(`The story has no token "${word}"`);
  return id;
}

function floorsOf(core, name, read) {
  const { unigram, bigram, symmetricLogits } = read.bounds;
  return {
    name,
    vocabSize: read.tokens.length,
    length: read.length,
    unigram,
    bigram,
    symmetricLogits,
    price: symmetricLogits - bigram,
    ...priceFacts(core, read),
  };
}

function pairFacts(read) {
  return namedPairs.map(([first, second]) => {
    const from = idOf(read.tokens, first);
    const to = idOf(read.tokens, second);
    return {
      first,
      second,
      forward: read.table.count(from, to),
      backward: read.table.count(to, from),
      probability: read.table.conditional(from, to),
      reverseProbability: read.table.conditional(to, from),
    };
  });
}

const heroIds = (read) => Uint32Array.from(heroWords, (word) => idOf(read.tokens, word));

/** What a model with one table and one with two say about the words of the drawing at `heroSteps`: [step][from, to], to three digits. */
const heroFrames = (arms) =>
  Object.fromEntries(
    arms
      .filter(({ tying }) => tying === 'tied' || tying === 'untied')
      .map(({ tying, frames }) => [tying, rounded(frames, 3)]),
  );

/** What the lab's models have learned about these words. */
function heroFacts(read, arms) {
  const shared = arms.find(({ tying }) => tying === 'tied').frames.at(-1);
  const ids = [...heroIds(read)];
  const grid = (value) => ids.map((from) => ids.map((to) => value(from, to)));
  return {
    words: heroWords,
    text: grid(read.table.conditional),
    symmetric: grid(read.table.symmetricConditional),
    shared: ids.map((_, row) => shared.slice(row * ids.length, (row + 1) * ids.length)),
    counts: grid(read.table.count),
    steps: heroSteps,
    frames: heroFrames(arms),
  };
}

const trainedLoss = (trainer, steps) => {
  trainer.run(steps, { recordEvery: steps });
  return trainer.evaluate().loss;
};

/** The chain of section 6: floors in closed form, best direct paths by training on its exact pairs. */
function toyFacts(core) {
  const bounds = core.markovBounds(exampleChain);
  const share = (row, col) => bounds.stationary[row] * exampleChain.data[row * 3 + col];
  // Counts must be integers, so shares are in parts per million.
  const pairs = Float32Array.from({ length: 9 }, (_, index) => Math.round(1e6 * share(Math.floor(index / 3), index % 3)));
  // With three tokens, training runs at thousands of steps per second, and the last digits take many steps.
  const steps = 20_000;
  const train = (tying, dModel) => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel, tying, initStd: 0.5 },
      training: { learningRate: 0.05, decay: 'cosine', totalSteps: steps, seed: 1 },
      bigramCounts: { rows: 3, cols: 3, data: pairs },
    });
    const loss = trainedLoss(trainer, steps);
    trainer.dispose();
    return loss;
  };
  const grid = (value) => exampleTokens.map((_, row) => exampleTokens.map((_, col) => value(row, col)));
  return {
    tokens: exampleTokens,
    flow: grid(share),
    symmetricFlow: grid((row, col) => (share(row, col) + share(col, row)) / 2),
    unigram: bounds.unigram,
    bigram: bounds.bigram,
    symmetricLogits: bounds.symmetricLogits,
    tiedNarrow: train('tied', 1),
    tiedWide: train('tied', 3),
    untied: train('untied', 2),
  };
}

/** The largest default number of tokens in the lab's maps. */
const mostShownTokens = 24;

/** Ids of the tokens that the lab's maps show by default, in order. */
function shownTokens(read, { mapTokens, oneWayPairs }) {
  const frequencies = new Uint32Array(read.tokens.length);
  for (const id of read.ids) frequencies[id]++;
  const pairs = oneWayPairs(read.counts, frequencies, mostShownTokens / 2);
  const { mapIds, orders } = mapTokens(pairs, frequencies, mostShownTokens);
  return Uint32Array.from(orders['one-way'], (position) => mapIds[position]);
}

/** One of the lab's models, on all pairs of its text. */
function labTrainer(core, read, { directPathArm }, settings, tying) {
  const { model, training } = directPathArm(settings, tying);
  return core.createTrainer({
    model: { ...model, vocabSize: read.tokens.length },
    training: { ...training, seed: settings.seed },
    bigramCounts: read.counts,
  });
}

/** More starts besides the lab's own, to separate chance from effect. */
const furtherSeeds = [2, 3, 4, 5];

/** The gaps of one model from further starts. */
function furtherGaps(core, read, inputs, tying) {
  const { defaultSettings } = inputs;
  return furtherSeeds.map((seed) => {
    const trainer = labTrainer(core, read, inputs, { ...defaultSettings, seed }, tying);
    const loss = trainedLoss(trainer, defaultSettings.steps);
    trainer.dispose();
    return loss - read.bounds.bigram;
  });
}

/** The lab's own models on the lab's own defaults, to the end, with the loss of every step for the drawing. */
function labFacts(core, read, inputs) {
  const { allArms, defaultSettings } = inputs;
  const { steps, dModel } = defaultSettings;
  const vocabSize = read.tokens.length;
  const [newId, yorkId] = [idOf(read.tokens, 'New'), idOf(read.tokens, 'York')];
  const { bigram, symmetricLogits, unigram } = read.bounds;
  const shown = shownTokens(read, inputs);
  const arms = allArms.map((tying) => {
    const trainer = labTrainer(core, read, inputs, defaultSettings, tying);
    // In parts, which gives the same bits as one run.
    const losses = [];
    const frames = heroSteps.map((step) => {
      if (step > trainer.step) losses.push(...trainer.run(step - trainer.step).map((record) => record.loss));
      return [...trainer.nextTokenProbabilities({ from: heroIds(read), to: heroIds(read) }).data];
    });
    if (trainer.step !== steps) throw new Error(`The drawing at the top ends at step ${trainer.step}, the lab's run at ${steps}`);
    const { loss } = trainer.evaluate();
    const next = trainer.nextTokenProbabilities({ from: Uint32Array.of(newId), to: Uint32Array.of(newId, yorkId) }).data;
    const probabilities = [...trainer.nextTokenProbabilities({ from: shown, to: shown }).data];
    trainer.dispose();
    const gap = loss - bigram;
    return { tying, losses, loss, gap, newAfterNew: next[0], yorkAfterNew: next[1], probabilities, frames };
  });
  // The same at four times the width, to separate the effect of the eigenvalues' sign from that of the width.
  const wideWidth = 4 * dModel;
  const wide = labTrainer(core, read, inputs, { ...defaultSettings, dModel: wideWidth }, 'tied');
  const wideGap = trainedLoss(wide, steps) - bigram;
  const wideLogits = core.directPath({ embedding: wide.matrix('embedding') });
  wide.dispose();
  const narrowWidth = dModel / 8;
  const narrow = labTrainer(core, read, inputs, { ...defaultSettings, dModel: narrowWidth }, 'tied');
  const narrowGap = trainedLoss(narrow, steps) - bigram;
  narrow.dispose();
  const arm = (tying) => arms.find((one) => one.tying === tying);
  const text = { yorkAfterNew: read.table.conditional(newId, yorkId), newAfterNew: read.table.conditional(newId, newId) };
  const price = symmetricLogits - bigram;
  const semidefinite = semidefiniteFacts({
    ids: read.ids,
    size: vocabSize,
    logits: wideLogits.data,
    tiedGap: arm('tied').gap,
  });
  const seeds = arms.map(({ tying, gap }) => {
    const gaps = [gap, ...furtherGaps(core, read, inputs, tying)];
    return { tying, gaps, mean: gaps.reduce((sum, one) => sum + one, 0) / gaps.length };
  });
  return {
    steps,
    dModel,
    vocabSize,
    unigram,
    bigram,
    symmetricLogits,
    shownTokens: [...shown].map((id) => read.tokens[id]),
    arms,
    seeds,
    starts: 1 + furtherSeeds.length,
    gap: {
      tied: arm('tied').gap,
      untied: arm('untied').gap,
      tiedLinear: arm('tied-linear').gap,
      tiedMlp: arm('tied-mlp').gap,
      symmetric: price,
      tiedWide: wideGap,
      tiedNarrow: narrowGap,
    },
    semidefinite,
    wideWidth,
    narrowWidth,
    symmetricShare: price / arm('tied').gap,
    yorkAfterNew: { text: text.yorkAfterNew, tied: arm('tied').yorkAfterNew },
    newAfterNew: { text: text.newAfterNew, tied: arm('tied').newAfterNew },
  };
}

/** The published shape of the 260K model of karpathy/tinyllamas, from its file. */
const storiesShape = {
  kind: 'transformer',
  tying: 'tied',
  vocabSize: 512,
  dModel: 64,
  nLayers: 5,
  nHeads: 8,
  nKeyValueHeads: 4,
  dFeedForward: 172,
  contextLength: 512,
  positions: 'rotary',
  feedForward: 'swiglu',
  biases: 'none',
};

/** Parameters of a transformer, tensor by tensor, as the core allocates them. */
function parametersOf(core, shape) {
  const trainer = core.createTrainer({
    model: shape,
    training: { learningRate: 1e-3, batchSize: 1, seed: 1 },
    tokenIds: new Uint32Array(2 * shape.contextLength),
  });
  const parameters = trainer.parameters();
  trainer.dispose();
  return parameters;
}

const sumOf = (parameters) => parameters.reduce((sum, { count }) => sum + count, 0);

function storiesFacts(core) {
  const parameters = parametersOf(core, storiesShape);
  const total = sumOf(parameters);
  return { total, tableShare: parameters.find(({ name }) => name === 'embedding').count / total };
}

/** What `<tied-bigrams>` shows about the cycles of the story. */
function cycleFacts(core, counts, { bigramsSettings: { nullRuns, seed } }) {
  const { affinity, null: chance } = core.kolmogorovCycles(counts, { nullRuns: nullRuns.initial, seed: seed.initial });
  return { affinity, chance: chance.mean };
}

/** The sizes of the transformers in docs/experiments, whose shape docs/small-transformers.md describes. */
function experimentSizes(core) {
  const sizeOf = (tying, dModel) =>
    sumOf(parametersOf(core, { kind: 'transformer', vocabSize: 512, nLayers: 4, nHeads: 4, contextLength: 64, dModel, tying }));
  return { tied: sizeOf('tied', 64), untied: sizeOf('untied', 64), tiedMap: sizeOf('tied-linear', 64), tiedWide: sizeOf('tied', 72) };
}

/** @param {{ core: any, inputs: any, report?: (what: string) => void }} options */
export async function computeFacts({ core, inputs, report = () => undefined }) {
  const [story] = inputs.builtInTexts;
  const text = await story.load();
  const everyWord = readText(core, text, { kind: 'word', vocabSize: 4096 });
  const commonWords = readText(core, text, { kind: 'word', vocabSize: inputs.defaultSettings.vocabSize });
  const bytePairs = readText(core, text, { kind: 'bpe', vocabSize: 512 });
  const characters = readText(core, text, { kind: 'character' });
  const pairs = pairFacts(everyWord);
  report('training the models of the figures');
  const lab = labFacts(core, commonWords, inputs);
  return {
    story: {
      characters: text.length,
      newYork: pairs[0].forward,
      yorkNew: pairs[0].backward,
      yorkAfterNew: pairs[0].probability,
    },
    pairs,
    hero: heroFacts(commonWords, lab.arms),
    explorer: explorerFacts(core),
    floors: [
      floorsOf(core, 'characters', characters),
      floorsOf(core, 'byte pairs', bytePairs),
      floorsOf(core, 'words', commonWords),
    ],
    irreversibility: core.irreversibility(characters.counts),
    cycles: cycleFacts(core, characters.counts, inputs),
    repeating: repeatingFacts(commonWords),
    odds: oddsExample(core, (logits) => exampleTokens.map((_, row) => softmaxRow(logits, row))),
    alphabet: alphabetFacts(core),
    toy: toyFacts(core),
    lab: { ...lab, arms: lab.arms.map(({ frames: _, ...arm }) => arm) },
    accounting: accountingFacts(core),
    stories: storiesFacts(core),
    experimentSizes: experimentSizes(core),
  };
}
