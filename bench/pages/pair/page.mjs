// Every diagnostic of the training lab's default pair in one lab, through the built package as in a page.
import { createLab } from '/dist/tied-embeddings.js';
import { diagnosticsOf } from '/pair/diagnostics.mjs';

const CHARACTERS = 1_115_394; // as many as the text of docs/small-transformers.md has
const STEPS = 100;
/** What the models read of the held-out text, from its beginning: 160 sequences and one more token. */
const READ_TOKENS = 10_241;

const lab = await createLab();
if (lab.mode !== 'worker') throw new Error('the lab has no worker of its own');
const corpus = await lab.openCorpus(await lab.writeStories({ seed: 1, length: CHARACTERS }), {
  tokenizer: { kind: 'bpe', vocabSize: 512, alphabet: 'text' },
  validation: 0.1,
});
const training = await corpus.tokenIds('training');
const validation = await corpus.tokenIds('validation');
const counts = await corpus.frequencies();

const recipe = {
  ...{ optimizer: 'adamw', learningRate: 3e-3, warmupSteps: 50, decay: 'cosine', totalSteps: 800 },
  ...{ finalLearningRateFraction: 0.1, weightDecay: 0.1, gradientClip: 1, beta2: 0.95, batchSize: 16, seed: 0 },
};
const model = {
  kind: 'transformer',
  vocabSize: corpus.vocabSize,
  dModel: 64,
  nLayers: 4,
  nHeads: 4,
  contextLength: 64,
};
const pair = {};
const records = {};
for (const [at, tying] of ['tied', 'untied'].entries()) {
  pair[tying] = await lab.createTrainer({
    model: { ...model, tying },
    training: { ...recipe, initSeed: at + 1 },
    tokenIds: training,
  });
  records[tying] = await pair[tying].run(STEPS);
}
const reading = (ids) => diagnosticsOf({ lab, corpus, pair, records, training, text: ids, counts });
const text = validation.slice(0, READ_TOKENS);
const diagnostics = await reading(text);
const diagnosticsOfAll = await reading(validation);

async function timed(act) {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1000;
}

/** The seconds from the abort of a verb until it rejects; null if it did not. */
async function secondsToCancel(call) {
  const cancel = new globalThis.AbortController();
  let aborted = 0;
  const onProgress = () => {
    if (aborted > 0) return;
    aborted = performance.now();
    cancel.abort();
  };
  try {
    await call({ onProgress, signal: cancel.signal });
  } catch (error) {
    if (error.code === 'cancelled') return (performance.now() - aborted) / 1000;
    throw error;
  }
  return null;
}

async function step() {
  for (const trainer of Object.values(pair)) await trainer.run(1);
}

/** Seconds of one step of each model, the mean of a few. */
async function stepSeconds() {
  const steps = 5;
  return (
    (await timed(async () => {
      for (let done = 0; done < steps; done++) await step();
    })) / steps
  );
}

/** Each diagnostic once. Facts: each verb's share of the time, progress reports, and how many steps take as long. */
async function runAll(list) {
  const byVerb = {};
  let seconds = 0;
  let reports = 0;
  const before = await stepSeconds();
  for (const { name, call } of list) {
    const spent = await timed(() => call({ onProgress: () => reports++ }));
    const [verb] = name.split(/[ ,]/);
    byVerb[verb] = (byVerb[verb] ?? 0) + spent;
    seconds += spent;
  }
  const after = await stepSeconds();
  const shares = Object.entries(byVerb).map(([verb, spent]) => [`${verb}, share`, spent / seconds]);
  return {
    seconds,
    calls: 1,
    facts: {
      'steps of both models': (2 * seconds) / (before + after),
      'reports of progress': reports,
      ...Object.fromEntries(shares),
    },
  };
}

/** One verb on both models, with their current weights and a text that no verb has read with these weights. */
async function runBoth(verb) {
  let seconds = 0;
  for (const [which, trainer] of Object.entries(pair)) {
    // Writing a parameter, even unchanged, makes the trainer drop what it has read.
    await trainer.setMatrix('embedding', await trainer.matrix('embedding'));
    seconds += await timed(() => verb(trainer, which));
  }
  const predictions = 2 * (text.length - 1);
  return { seconds, calls: 1, facts: { 'microseconds per prediction': (seconds / predictions) * 1e6 } };
}

const measures = {
  // One step of each model, in turn.
  'pair/step': async (milliseconds) => {
    let seconds = 0;
    let calls = 0;
    do {
      seconds += await timed(step);
      calls++;
    } while (seconds * 1000 < milliseconds);
    return { seconds, calls, facts: {} };
  },
  'pair/ablation': () => runBoth((trainer) => trainer.ablateLayers(text)),
  'pair/card': () =>
    runBoth((trainer, which) => trainer.modelCard({ tokenIds: text, counts, records: records[which] })),
  'pair/diagnostics': () => runAll(diagnostics),
  'pair/diagnostics/all': () => runAll(diagnosticsOfAll),
  // The verb that takes longest to stop counts.
  'pair/cancel': async () => {
    const waits = [];
    for (const { call, stops } of diagnostics) {
      if (stops) waits.push(await secondsToCancel(call));
      else await call();
    }
    const stopped = waits.filter((wait) => wait !== null);
    return { seconds: Math.max(...stopped), calls: 1, facts: { 'verbs cancelled': stopped.length } };
  },
};
globalThis.measureTwins = (id, milliseconds) => measures[id](milliseconds);
globalThis.ready = true;
