import { blockOf, ELEMENT_TYPES } from '../../../web/core/checkpoint/elements/element-types.js';
import { ALPHABET, PAIR_TASK, TABLE_TYING } from '../../../web/core/generated/words.js';
import { TOKENIZER_KINDS } from '../../../web/core/model/options.js';
import type { BigramTable } from '../../../web/core/text/bigram-table.js';
import type { Comparison, Core, Corpus, Tokenizer, Trainer } from '../../../web/index.js';
import { tinyModel, tinyTokenizer, VOCAB } from '../../browser/llama2c-files.js';
import type { Draw } from '../draw.js';
import * as gives from '../shapes.js';
import type { World } from '../world.js';
import { architecture, countedArchitecture, batch, config, context } from './accounting.js';
import { encoderDecoder, model, pairsFor, training } from './models.js';
import { compareOptions, corpus, corpusOptions, irreversibility, irreversibilityOptions } from './corpus-verbs.js';
import { DIAGNOSTIC_VERBS } from './diagnostic-verbs.js';
import { inLab } from './handle-verbs.js';
import { listening } from './listening.js';
import { counts, ids, matrix, seed, square, text, transition } from './values.js';
import type { Verbs } from './verb.js';
import { gpt2Files } from '../files/gpt2-tokenizer.js';

const LLAMA2C = { tokenizer: tinyTokenizer(), tied: tinyModel({ tied: true }), untied: tinyModel({ tied: false }) };

function factors(draw: Draw): object {
  const [rows, cols] = [draw.whole(1, 8), draw.whole(1, 5)];
  const more = { unembedding: () => matrix(draw, rows, cols), between: () => matrix(draw, cols, cols) };
  return { embedding: matrix(draw, rows, cols), ...draw.some(more, 0.5) };
}

const symmetryOptions = (draw: Draw): object =>
  draw.some({ tolerance: () => draw.of([0, 1e-3, 10]), worst: () => draw.whole(0, 5) }, 0.5);

/** Arguments, the last of which may be omitted. */
const withMaybe = (draw: Draw, first: unknown, last: () => unknown): unknown[] =>
  draw.odds(0.5) ? [first] : [first, last()];

/** A tokenizer of a matching or other size, live or disposed; or none. */
function maybeTokenizer(draw: Draw, world: World): { tokenizer?: Tokenizer } {
  const tokenizer = draw.odds(0.4) ? world.tokenizers.of(draw) : undefined;
  return tokenizer === undefined ? {} : { tokenizer };
}

function trainerOptions(draw: Draw, world: World): object {
  const { tokenizer } = maybeTokenizer(draw, world);
  const vocabSize = tokenizer && tokenizer.vocabSize < 600 ? tokenizer.vocabSize : draw.whole(2, 9);
  if (vocabSize > 2 && draw.odds(0.25)) {
    const some = encoderDecoder(draw, vocabSize);
    return {
      model: some,
      training: training(draw, false),
      pairs: pairsFor(draw, some),
      ...draw.some({ validationPairs: () => pairsFor(draw, some) }),
      ...(tokenizer ? { tokenizer } : {}),
    };
  }
  const some = model(draw, vocabSize);
  if (some.kind === 'direct-path' && !tokenizer && draw.odds(0.4)) {
    return { model: some, training: training(draw, true), bigramCounts: counts(draw, vocabSize) };
  }
  return {
    model: some,
    training: training(draw, false),
    tokenIds: ids(draw, vocabSize, 10, 60),
    ...draw.some({ validationTokenIds: () => ids(draw, vocabSize, 2, 20) }),
    ...(tokenizer ? { tokenizer } : {}),
  };
}

function modelOptions(draw: Draw, world: World): object {
  const stream = { training: training(draw, false), tokenIds: ids(draw, VOCAB.length, 40, 60) };
  const fits = world.tokenizers.all.find(({ vocabSize }) => vocabSize === VOCAB.length);
  return {
    format: 'llama2c',
    ...(draw.odds(0.4) ? stream : {}),
    ...(fits && draw.odds(0.6) ? { tokenizer: fits } : draw.odds(0.1) ? maybeTokenizer(draw, world) : {}),
  };
}

const symmetry = gives.record({
  symmetric: gives.boolean,
  maxDifference: gives.nullOr(gives.number),
  asymmetry: gives.number,
  norm: gives.number,
  worst: gives.listOf(gives.record({ row: gives.whole, col: gives.whole, forward: gives.number })),
});
const bounds = gives.record({
  unigram: gives.number,
  bigram: gives.number,
  symmetricLogits: gives.number,
  symmetricLogitsGap: gives.number,
});
const trainer = gives.record({ model: gives.record({ kind: gives.string }), step: gives.whole });
const tokenizer = gives.record({ kind: gives.string, vocabSize: gives.whole, tokens: gives.listOf(gives.string) });
const pair = gives.record({ source: gives.string, target: gives.string });
/** Words without the separators of pairs. */
const textPairs = (draw: Draw): { source: string; target: string }[] => {
  const word = (): string => draw.list(draw.whole(1, 6), () => draw.of(['a', 'b', 'c', 'é', '猫'])).join('');
  return draw.list(draw.whole(1, 5), () => ({ source: word(), target: word() }));
};
const macs = gives.record({ forward: gives.number, backward: gives.number, total: gives.number });

const keepTrainer = (world: World, made: Trainer): void => world.trainers.add(made);
const keepTokenizer = (world: World, made: Tokenizer): void => world.tokenizers.add(made);

export const CORE_VERBS: Verbs<Core> = {
  ...DIAGNOSTIC_VERBS,
  directPath: { names: ['factors'], args: (draw) => [factors(draw)], gives: gives.matrix },
  symmetry: {
    names: ['square', 'options'],
    args: (draw) => withMaybe(draw, square(draw), () => symmetryOptions(draw)),
    gives: symmetry,
  },
  directPathSymmetry: {
    names: ['factors', 'options'],
    args: (draw) => withMaybe(draw, factors(draw), () => symmetryOptions(draw)),
    gives: symmetry,
  },
  solveUnembedding: {
    names: ['options'],
    args: (draw) => {
      const [rows, cols] = [draw.whole(1, 7), draw.whole(1, 5)];
      return [{ embedding: matrix(draw, rows, cols), target: matrix(draw, rows, rows) }];
    },
    gives: gives.matrix,
  },
  fitBounds: {
    names: ['target', 'dModel'],
    args: (draw) => [square(draw), draw.whole(1, 8)],
    gives: gives.record({ untied: gives.number, tied: gives.number, symmetric: gives.number, skew: gives.number }),
  },
  bigramBounds: { names: ['counts'], args: (draw) => [counts(draw, draw.whole(2, 7))], gives: bounds },
  irreversibility: {
    names: ['counts', 'options'],
    args: (draw) => withMaybe(draw, counts(draw, draw.whole(2, 7)), () => irreversibilityOptions(draw)),
    gives: irreversibility,
  },
  trainTokenizer: {
    names: ['text', 'options'],
    args: (draw, world) => {
      const kind = draw.of(TOKENIZER_KINDS);
      const alphabet = kind === 'bpe' ? draw.some({ alphabet: () => draw.of(ALPHABET) }, 0.6) : {};
      const vocabSize = draw.some({ vocabSize: () => (kind === 'bpe' ? draw.whole(256, 300) : draw.whole(2, 30)) });
      return [`ab ${text(draw)}`, { kind, ...alphabet, ...vocabSize, ...inLab(draw, world) }];
    },
    gives: tokenizer,
    keep: keepTokenizer,
  },
  loadTokenizer: {
    names: ['bytes', 'options'],
    args: (draw, world) => {
      if (draw.odds(0.1)) {
        const { vocabulary, merges, whole } = gpt2Files(draw);
        return draw.odds(0.5) ? [vocabulary, { format: 'gpt2', merges }] : [whole, { format: 'gpt2' }];
      }
      return world.tokenizerFiles.length === 0 || draw.odds(0.3)
        ? [LLAMA2C.tokenizer.slice(), { format: 'llama2c' }]
        : [draw.of(world.tokenizerFiles).slice(), { format: 'tied-embeddings' }];
    },
    gives: tokenizer,
    keep: keepTokenizer,
  },
  bigrams: {
    names: ['tokenIds', 'vocabSize'],
    args: (draw) => {
      const vocabSize = draw.whole(2, 9);
      return [ids(draw, vocabSize, 2, 40), vocabSize];
    },
    gives: gives.record({ counts: gives.matrix, total: gives.number, asymmetry: gives.number }),
    keep: (world, made: BigramTable) => world.tables.add(made),
  },
  openCorpus: {
    names: ['source', 'options'],
    args: (draw) => corpusOptions(draw),
    gives: corpus,
    keep: (world, made: Corpus) => world.corpora.add(made),
  },
  compare: {
    names: ['corpus', 'options', 'controls'],
    args: (draw, world) => {
      const on = world.corpora.of(draw)!;
      return [on, compareOptions(draw, on), ...(draw.odds(0.4) ? [listening(draw, 'onFrame')] : [])];
    },
    gives: gives.record({ names: gives.listOf(gives.string), step: gives.whole }),
    keep: (world, made: Comparison) => world.comparisons.add(made),
  },
  writeStories: {
    names: ['options'],
    args: (draw, world) => [{ seed: seed(draw), length: draw.whole(1, 300), ...inLab(draw, world) }],
    gives: gives.string,
  },
  writePairs: {
    names: ['options'],
    args: (draw) => {
      const task = draw.of(PAIR_TASK);
      const length = ['reversal', 'sorting'].includes(task) ? draw.some({ length: () => draw.whole(1, 12) }) : {};
      return [
        { task, seed: seed(draw), count: draw.whole(1, 9), ...length, ...draw.some({ from: () => draw.whole(0, 99) }) },
      ];
    },
    gives: gives.listOf(pair),
  },
  parsePairs: {
    names: ['text'],
    args: (draw) => [
      textPairs(draw)
        .map(({ source, target }) => `${source}\t${target}`)
        .join('\n'),
    ],
    gives: gives.listOf(pair),
  },
  pairTokenizer: { names: ['pairs'], args: (draw) => [textPairs(draw)], gives: tokenizer, keep: keepTokenizer },
  encodePairs: {
    names: ['options'],
    args: (draw, world) => [{ pairs: textPairs(draw), tokenizer: world.tokenizers.of(draw) }],
    gives: gives.record({
      pairs: gives.record({ source: gives.listOf(gives.tokenIds), target: gives.listOf(gives.tokenIds) }),
      sourceLength: gives.whole,
      contextLength: gives.whole,
      startToken: gives.whole,
      endToken: gives.whole,
    }),
  },
  randomMarkovChain: {
    names: ['options'],
    args: (draw) => [
      { states: draw.whole(2, 9), seed: seed(draw), ...draw.some({ concentration: () => draw.of([1e-3, 1, 1e6]) }) },
    ],
    gives: gives.matrix,
  },
  sampleMarkovChain: {
    names: ['options'],
    args: (draw, world) => [
      { transition: transition(draw), length: draw.whole(1, 99), seed: seed(draw), ...inLab(draw, world) },
    ],
    gives: gives.tokenIds,
  },
  markovBounds: {
    names: ['transition'],
    args: (draw) => [transition(draw)],
    gives: (value, where) => bounds(value, where) ?? gives.record({ stationary: gives.floats })(value, where),
  },
  createTrainer: {
    names: ['options'],
    args: (draw, world) => [trainerOptions(draw, world)],
    gives: trainer,
    keep: keepTrainer,
  },
  loadTrainer: {
    names: ['bytes'],
    args: (draw, world) => [
      world.trainerFiles.length === 0 ? LLAMA2C.tied.slice() : draw.of(world.trainerFiles).slice(),
    ],
    gives: trainer,
    keep: keepTrainer,
  },
  loadModel: {
    names: ['bytes', 'options'],
    args: (draw, world) => [draw.of([LLAMA2C.tied, LLAMA2C.untied]).slice(), modelOptions(draw, world)],
    gives: trainer,
    keep: keepTrainer,
  },
  estimateMemory: {
    names: ['model', 'training'],
    args: (draw) => {
      const some = draw.odds(0.2) ? encoderDecoder(draw, draw.whole(3, 99)) : model(draw, draw.whole(2, 99));
      return [some, training(draw, some.kind === 'direct-path' && draw.odds(0.4))];
    },
    gives: gives.record({
      bytes: gives.whole,
      parts: gives.listOf(gives.record({ name: gives.string, bytes: gives.whole })),
    }),
  },
  countParameters: {
    names: ['architecture', 'tying'],
    args: (draw) => withMaybe(draw, countedArchitecture(draw), () => draw.of(TABLE_TYING)),
    gives: gives.record({ tensors: gives.listOf(gives.record({ count: gives.number })), stored: gives.number }),
  },
  countCompute: {
    names: ['architecture', 'batch'],
    args: (draw) => {
      const some = architecture(draw);
      return [some, batch(draw, some)];
    },
    gives: gives.record({ macs, flop: macs, headShare: gives.anyNumber, heads: gives.listOf(gives.record({ macs })) }),
  },
  adviseTying: {
    names: ['architecture', 'context'],
    args: (draw) => withMaybe(draw, countedArchitecture(draw), () => context(draw)),
    gives: gives.record({ sentence: gives.string, reasons: gives.listOf(gives.record({ sentence: gives.string })) }),
  },
  knownModels: {
    names: [],
    args: () => [],
    gives: gives.listOf(gives.record({ id: gives.string, name: gives.string })),
  },
  decodeElements: {
    names: ['type', 'bytes', 'elements'],
    args: (draw) => {
      const type = draw.of(ELEMENT_TYPES);
      const blocks = draw.whole(0, 3);
      const bytes = Uint8Array.from({ length: blocks * blockOf(type).bytes }, () => draw.whole(0, 255));
      return [type, bytes, blocks * blockOf(type).elements];
    },
    gives: gives.floats,
  },
  importConfig: {
    names: ['config'],
    args: (draw) => {
      const made = config(draw);
      return [draw.odds(0.5) ? made : JSON.stringify(made)];
    },
    gives: gives.record({ tying: gives.nullOr(gives.string), assumptions: gives.listOf(gives.string) }),
  },
  dispose: { names: [], args: () => [], gives: gives.nothing },
};
