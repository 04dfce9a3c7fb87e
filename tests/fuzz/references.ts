/** Known computations whose results must be the same to the bit, whatever was called before. */
import type { Core } from '../../web/index.js';
import { hashOf } from '../web/seed-bits.js';

const TEXT = 'the cat sat on the mat. the dog sat on the log. '.repeat(8);

/** Hashes by name; takes a few hundredths of a second. */
export function references(core: Core): Record<string, string> {
  const hashes: Record<string, string> = {};
  const keep = (name: string, ...arrays: ArrayBufferView[]): void => void (hashes[name] = hashOf(arrays));
  const keepNumbers = (name: string, numbers: object): void =>
    keep(name, new TextEncoder().encode(JSON.stringify(numbers)));

  const tokenizer = core.trainTokenizer(TEXT, { kind: 'bpe', vocabSize: 30, alphabet: 'text' });
  const ids = tokenizer.encode(TEXT);
  const { vocabSize } = tokenizer;
  keep('tokenizer', ids, tokenizer.save());
  keepNumbers('text', [tokenizer.decode(ids) === TEXT, tokenizer.tokens]);
  const { counts } = core.bigrams(ids, vocabSize);
  keep('bigrams', counts.data);
  keepNumbers('bounds', core.bigramBounds(counts));
  const stories = core.writeStories({ seed: 3, length: 200 });
  const transition = core.randomMarkovChain({ states: 6, seed: 4 });
  keep('generated texts', new TextEncoder().encode(stories), transition.data);
  keep('markov sample', core.sampleMarkovChain({ transition, length: 50, seed: 5 }));
  keep('stationary', core.markovBounds(transition).stationary);
  keepNumbers('symmetry', core.symmetry(transition, { worst: 3 }));
  keepNumbers('fits', core.fitBounds(transition, 2));
  const embedding = { rows: 6, cols: 2, data: transition.data.slice(0, 12) };
  keep('least squares', core.solveUnembedding({ embedding, target: transition }).data);
  const gpt = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
  keepNumbers('parameters', core.countParameters(gpt));
  keepNumbers('compute', core.countCompute(gpt, { sequences: 2, tokens: 64 }));
  keepNumbers('advice', core.adviseTying(gpt));

  const table = core.createTrainer({
    model: { kind: 'direct-path', vocabSize, dModel: 5, tying: 'tied-mlp', outputBias: true },
    training: { learningRate: 0.05, seed: 6, weightDecay: 0.1, gradientClip: 1 },
    bigramCounts: counts,
  });
  table.run(20);
  keep('a direct path', table.save(), table.matrix('embedding').data);
  table.dispose();
  const writer = core.createTrainer({
    model: {
      kind: 'transformer',
      vocabSize,
      dModel: 8,
      nLayers: 2,
      nHeads: 2,
      contextLength: 8,
      tying: { untieAtStep: 5 },
      dropout: 0.1,
    },
    training: { learningRate: 0.02, seed: 7, batchSize: 2, gradientAccumulation: 2 },
    tokenIds: ids,
    tokenizer,
  });
  writer.run(10);
  const written = writer.generate({ prompt: 'the', tokens: 20, seed: 8 });
  keep('a transformer', writer.save(), writer.toSafetensors());
  keepNumbers('written', [written.text, writer.evaluate()]);
  keep('looked at', writer.logits(ids.subarray(0, 8)).data, writer.gradient().total.data);
  const again = core.loadTrainer(writer.save());
  writer.rewind(3);
  writer.run(7);
  keep('rewound', writer.save());
  if (hashOf([again.save()]) !== hashes.rewound) hashes.rewound += ' is not what was saved';
  writer.dispose();
  again.dispose();
  tokenizer.dispose();
  return hashes;
}

/** The names of results that differ. */
export function differences(found: Record<string, string>, expected: Record<string, string>): string[] {
  return Object.keys(expected).filter((name) => found[name] !== expected[name]);
}
