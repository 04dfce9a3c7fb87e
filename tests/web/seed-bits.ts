/**
 * One little scenario whose every bit follows from its seeds. Tests in Node and in browsers run it and compare with the
 * same constants: the same seed gives the same bits in every engine.
 */
import type { Core, Matrix, Tying } from '../../web/index.js';

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

/** Hashes by name. Takes well under a second. */
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
  return hashes;
}

function parameterHash(matrices: readonly Matrix[]): string {
  return hashOf(matrices.map(({ data }) => data));
}

/** What `seedBits` gives everywhere. A change here changes what every link with a seed shows: say so in the changelog. */
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
};
