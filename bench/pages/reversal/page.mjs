// An encoder-decoder that learns to reverse words of 8 letters out of 26, through the built package as in a page.
import { createLab } from '/dist/tied-embeddings.js';

const tyings = { 1: 'all', 2: 'decoder', 3: 'none' };
const trained = 20_000;
const heldOut = 300;
/** Steps after which held-out words are counted. */
const chunk = 50;
/** A model that has not learned by then has failed. */
const mostSteps = 1000;

const lab = await createLab();
if (lab.mode !== 'worker') throw new Error('the lab has no worker of its own');
const texts = await lab.writePairs({ task: 'reversal', seed: 1, count: trained + heldOut, length: 8 });
const tokenizer = await lab.pairTokenizer(texts);
const { pairs, sourceLength, contextLength } = await lab.encodePairs({ pairs: texts, tokenizer });
const part = (from, to) => ({ source: pairs.source.slice(from, to), target: pairs.target.slice(from, to) });

globalThis.measureReversal = async (tables) => {
  const start = performance.now();
  const trainer = await lab.createTrainer({
    model: {
      kind: 'encoder-decoder',
      vocabSize: tokenizer.vocabSize,
      dModel: 64,
      tying: tyings[tables],
      nEncoderLayers: 1,
      nDecoderLayers: 1,
      sourceLength,
      contextLength,
    },
    training: { learningRate: 0.003, warmupSteps: 20, batchSize: 64, seed: 1 },
    pairs: part(0, trained),
    validationPairs: part(trained, trained + heldOut),
  });
  let exactMatch = 0;
  while (exactMatch <= 0.99 && trainer.step < mostSteps) {
    await trainer.run(chunk, { recordEvery: chunk });
    ({ exactMatch } = await trainer.evaluatePairs());
  }
  const seconds = (performance.now() - start) / 1000;
  const steps = trainer.step;
  trainer.dispose();
  if (exactMatch <= 0.99) throw new Error(`after ${steps} steps ${exactMatch} of the words are reversed`);
  return { seconds, calls: 1, facts: { 'exact match': exactMatch, steps } };
};
globalThis.ready = true;
