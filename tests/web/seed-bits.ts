/**
 * A small scenario in which seeds determine every bit. Tests in Node and in browsers run it and compare with the
 * same constants: the same seed gives the same bits in every engine.
 */
import type { Core, Matrix, Tying, TransformerConfig } from '../../web/index.js';

/** FNV-1a over the bytes, 64 bits, as 16 hexadecimal digits. */
export function hashOf(arrays: readonly ArrayBufferView[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const array of arrays) {
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
  }
  return hash.toString(16).padStart(16, '0');
}

const TYINGS: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp'];

/** Tying during training, and the three named architectures; tests/cpp/training/test_bits.cpp has the same cases. */
const TRANSFORMERS: readonly [name: string, change: Partial<TransformerConfig>][] = [
  ['tied', {}],
  ['untied', { tying: 'untied' }],
  ['tied-linear', { tying: 'tied-linear' }],
  ['tied-low-rank', { tying: 'tied-low-rank', lowRank: 3 }],
  ['untied late', { tying: { untieAtStep: 20 } }],
  ['tied late', { tying: { tieAtStep: 20 } }],
  ['of GPT-2', { norm: 'layer-norm', biases: 'all', dropout: 0.1, outputBias: false }],
  [
    'of llama2.c',
    {
      positions: 'rotary',
      feedForward: 'swiglu',
      biases: 'none',
      nKeyValueHeads: 1,
      embeddingScale: 'sqrt-d-model',
      outputBias: false,
    },
  ],
];

/** Hashes by name. Takes about a second. */
export function seedBits(core: Core): Record<string, string> {
  const hashes: Record<string, string> = {};
  const transition = core.randomMarkovChain({ states: 23, seed: 11 });
  hashes['markov chain'] = hashOf([transition.data]);
  const tokenIds = core.sampleMarkovChain({ transition, length: 5000, seed: 12 });
  hashes['markov sample'] = hashOf([tokenIds]);
  const stories = core.writeStories({ seed: 13, length: 20000 });
  hashes.stories = hashOf([new TextEncoder().encode(stories)]);
  const tokenizer = core.trainTokenizer(stories, { kind: 'bpe', vocabSize: 400 });
  hashes['bpe ids'] = hashOf([tokenizer.encode(stories)]);
  tokenizer.dispose();
  const { counts } = core.bigrams(tokenIds, 23);

  for (const tying of TYINGS) {
    const model = { kind: 'direct-path', vocabSize: 23, dModel: 9, tying, outputBias: true } as const;
    const pairs = core.createTrainer({
      model,
      training: { learningRate: 0.02, warmupSteps: 5, weightDecay: 0.1, gradientClip: 1, batchSize: 64, seed: 14 },
      tokenIds,
    });
    pairs.run(60);
    hashes[`${tying}, pairs`] = parameterHash(pairs.parameters().map(({ name }) => pairs.matrix(name)));
    pairs.dispose();

    const table = core.createTrainer({
      model,
      training: { learningRate: 0.05, decay: 'cosine', totalSteps: 60, seed: 15 },
      bigramCounts: counts,
    });
    table.run(60);
    hashes[`${tying}, table`] = parameterHash(table.parameters().map(({ name }) => table.matrix(name)));
    table.dispose();
  }
  Object.assign(hashes, transformerBits(core));
  return hashes;
}

/** Forty steps of each, on a token stream that needs no other module, and a text that one of them writes. */
function transformerBits(core: Core): Record<string, string> {
  const hashes: Record<string, string> = {};
  const tokenIds = Uint32Array.from({ length: 5000 }, (_, i) => (i * i + (i >> 3)) % 23);
  for (const [name, change] of TRANSFORMERS) {
    const trainer = core.createTrainer({
      model: {
        kind: 'transformer',
        vocabSize: 23,
        dModel: 12,
        nLayers: 2,
        nHeads: 2,
        contextLength: 8,
        tying: 'tied',
        outputBias: true,
        ...change,
      },
      training: {
        learningRate: 0.01,
        warmupSteps: 5,
        weightDecay: 0.1,
        gradientClip: 1,
        batchSize: 4,
        gradientAccumulation: 2,
        seed: 14,
      },
      tokenIds,
    });
    trainer.run(40);
    const stored = trainer.parameters().filter(({ tiedTo }) => tiedTo === null);
    hashes[`transformer ${name}`] = parameterHash(stored.map((parameter) => trainer.matrix(parameter.name)));
    const { tokenIds: written } = trainer.generate({ prompt: tokenIds.subarray(0, 3), tokens: 50, seed: 16, topK: 9 });
    hashes[`written by a transformer ${name}`] = hashOf([written]);
    trainer.dispose();
  }
  return hashes;
}

function parameterHash(matrices: readonly Matrix[]): string {
  return hashOf(matrices.map(({ data }) => data));
}

/** What `seedBits` returns everywhere. A change here changes what every link with a seed shows: say so in the changelog. */
export const SEED_BITS: Record<string, string> = {
  'markov chain': '737a5eaefb72e742',
  'markov sample': 'ed7702646283aa42',
  stories: '019be636fac3dd34',
  'bpe ids': '02632b3b5d2ff5e8',
  'tied, pairs': 'e500ce737a40551d',
  'tied, table': '74610b32dda5cc03',
  'untied, pairs': 'cf1665ffa4365daa',
  'untied, table': '478b792d66e80181',
  'tied-linear, pairs': '05de6b6f4dd4bde7',
  'tied-linear, table': 'c2c8d81d5792bde2',
  'tied-mlp, pairs': '6fc49f358d16456b',
  'tied-mlp, table': '2cac880b099522e1',
  'transformer tied': 'af919b5c69cf8e22',
  'transformer untied': 'eea91b3743d35e38',
  'transformer tied-linear': '0408b970f7bb9a9e',
  'transformer tied-low-rank': '19efa1fda162de84',
  'transformer untied late': 'd349fc3750b3bb2c',
  'transformer tied late': 'c3b0eae1ca323efb',
  'transformer of GPT-2': '18718ae319651f16',
  'transformer of llama2.c': '3aee9513c906548f',
  'written by a transformer tied': 'e7267e5e00f0a4de',
  'written by a transformer untied': 'f875437ae16237e3',
  'written by a transformer tied-linear': '847f7ad3f633e16b',
  'written by a transformer tied-low-rank': '82bdc5e855ba8fa4',
  'written by a transformer untied late': 'c6a24275f5a015ca',
  'written by a transformer tied late': 'f1a00acbdb5356d5',
  'written by a transformer of GPT-2': 'f691cdaf4ddf6905',
  'written by a transformer of llama2.c': '67fdcd78074f6674',
};
