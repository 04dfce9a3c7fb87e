import type { BigramTable } from '../../../web/core/text/bigram-table.js';
import type { Matrix, ParameterInfo, Tokenizer, Trainer } from '../../../web/index.js';
import type { Draw } from '../draw.js';
import * as gives from '../shapes.js';
import { listening, signal } from './listening.js';
import { pairsFor } from './models.js';
import { READOUT_VERBS } from './readout-verbs.js';
import { ids, matrix, seed, text } from './values.js';
import type { World } from '../world.js';
import type { Verbs } from './verb.js';

/** Ids of one sequence of the trainer. */
function sequence(draw: Draw, { model }: Trainer): Uint32Array {
  return ids(draw, model.vocabSize, 1, model.contextLength ?? 6);
}

/** A parameter of the trainer; until it has listed them, one that every model has. */
function parameter(draw: Draw, world: World, on: Trainer): Pick<ParameterInfo, 'name' | 'shape'> {
  const { vocabSize, dModel } = on.model;
  const usual = { name: draw.of(['embedding', 'unembedding']), shape: [vocabSize, dModel] };
  return draw.of(world.parameters.get(on) ?? [usual]);
}

function nextTokens(draw: Draw, { model: { vocabSize } }: Trainer): object {
  return { from: ids(draw, vocabSize, 1, 5), ...draw.some({ to: () => ids(draw, vocabSize, 1, 5) }, 0.5) };
}

function pairBatch(draw: Draw, { model }: Trainer): object {
  const { kind, vocabSize, contextLength = 1 } = model;
  const sequenceLength = draw.whole(1, contextLength);
  const inputs = ids(draw, vocabSize, 2 * sequenceLength, 2 * sequenceLength);
  const targets = inputs.map(() => draw.whole(0, vocabSize - 1));
  return { inputs, targets, ...(kind === 'transformer' ? { sequenceLength } : {}) };
}

/** For an encoder-decoder; other models refuse it. */
function pairs(draw: Draw, { model }: Trainer): object {
  const { vocabSize, sourceLength = 4, contextLength = 4 } = model;
  return pairsFor(draw, { vocabSize: Math.max(3, vocabSize), sourceLength, contextLength: Math.max(2, contextLength) });
}

function onePair(draw: Draw, on: Trainer): { source: unknown; target: unknown } {
  const { vocabSize, sourceLength = 4, contextLength = 4 } = on.model;
  const source = draw.odds(0.2) ? text(draw, 1, 6) : ids(draw, vocabSize, 1, sourceLength);
  return { source, target: draw.odds(0.2) ? text(draw, 0, 4) : ids(draw, vocabSize, 0, contextLength - 1) };
}

function prompt(draw: Draw, { model }: Trainer): unknown {
  return draw.odds(0.2) ? text(draw, 1, 9) : ids(draw, model.vocabSize, 1, 12);
}

/** Options that long verbs have only in a lab. */
export const inLab = (draw: Draw, { core }: World): object =>
  'mode' in core && draw.odds(0.4) ? listening(draw, 'onProgress') : {};
const maybeInLab = (draw: Draw, world: World): object[] => {
  const options = inLab(draw, world);
  return Object.keys(options).length === 0 ? [] : [options];
};

const heads = gives.listOf(gives.record({ layer: gives.whole, head: gives.whole, weights: gives.matrix }));
const ledger = { input: gives.matrix, output: gives.matrix, total: gives.matrix, inputRows: gives.whole };
const stepRecord = gives.record({ step: gives.whole, loss: gives.number, tokensPerSecond: gives.number });

export const TRAINER_VERBS: Verbs<Trainer> = {
  run: {
    names: ['steps', 'options'],
    args: (draw) => [
      draw.whole(0, 6),
      ...(draw.odds(0.4)
        ? []
        : [
            {
              ...draw.some({ recordEvery: () => draw.whole(1, 4), columns: () => draw.odds(0.5) }, 0.5),
              ...listening(draw, 'onProgress'),
            },
          ]),
    ],
    gives: gives.either(gives.record({ step: gives.doubles, loss: gives.doubles }), gives.listOf(stepRecord)),
  },
  evaluate: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) =>
      draw.odds(0.4)
        ? []
        : [
            draw.odds(0.3) ? undefined : ids(draw, on.model.vocabSize, 2, 30),
            ...(draw.odds(0.5) ? [draw.some({ signal: () => signal(draw) }, 0.6)] : []),
          ],
    gives: gives.record({ loss: gives.number, tokens: gives.whole, bitsPerByte: gives.nullOr(gives.number) }),
  },
  parameters: {
    names: [],
    args: () => [],
    gives: gives.listOf(gives.record({ name: gives.string, count: gives.whole, shape: gives.listOf(gives.whole) })),
    keep: (world, found: ParameterInfo[], on) => world.parameters.set(on, found),
  },
  matrix: { names: ['name'], args: (draw, world, on) => [parameter(draw, world, on).name], gives: gives.matrix },
  setMatrix: {
    names: ['name', 'matrix'],
    args: (draw, world, on) => {
      const { name, shape } = parameter(draw, world, on);
      const [rows, cols] = shape.length === 1 ? [1, shape[0]!] : [shape[0]!, shape[1]!];
      return [name, matrix(draw, rows, cols)] satisfies [string, Matrix];
    },
    gives: gives.nothing,
  },
  gradient: {
    names: ['batch'],
    args: (draw, _, on) => {
      if (draw.odds(0.3)) return [];
      return [on.model.kind === 'encoder-decoder' ? pairs(draw, on) : pairBatch(draw, on)];
    },
    gives: gives.record(ledger),
  },
  nextTokenLogits: { names: ['options'], args: (draw, _, on) => [nextTokens(draw, on)], gives: gives.matrix },
  nextTokenProbabilities: { names: ['options'], args: (draw, _, on) => [nextTokens(draw, on)], gives: gives.matrix },
  logits: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [sequence(draw, on), draw.some({ withoutLayer: () => draw.whole(0, 3) })],
    gives: gives.matrix,
  },
  hiddenStates: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [sequence(draw, on), draw.some({ finalNorm: () => draw.odds(0.5) })],
    gives: gives.listOf(gives.matrix),
  },
  attention: {
    names: ['tokenIds'],
    args: (draw, _, on) => [sequence(draw, on)],
    gives: heads,
  },
  generate: {
    names: ['options'],
    args: (draw, _, on) => [
      {
        prompt: prompt(draw, on),
        tokens: draw.whole(0, 9),
        ...draw.some({
          temperature: () => draw.of([0, 0.5, 1, 1e9]),
          topK: () => draw.whole(1, 9),
          seed: () => seed(draw),
        }),
        ...listening(draw, 'onTokens'),
      },
    ],
    gives: gives.record({ tokenIds: gives.tokenIds, text: gives.nullOr(gives.string) }),
  },
  evaluatePairs: {
    names: ['pairs', 'options'],
    args: (draw, _, on) => {
      if (draw.odds(0.3)) return [];
      const options = { ...draw.some({ translate: () => draw.odds(0.5) }), ...listening(draw, 'onProgress') };
      return [draw.odds(0.3) ? undefined : pairs(draw, on), ...(draw.odds(0.5) ? [options] : [])];
    },
    gives: gives.record({ loss: gives.number, pairs: gives.whole, exactMatch: gives.nullOr(gives.number) }),
  },
  translate: {
    names: ['options'],
    args: (draw, _, on) => {
      const { contextLength = 4 } = on.model;
      return [
        {
          source: onePair(draw, on).source,
          ...draw.some({ maxTokens: () => draw.whole(1, Math.max(1, contextLength - 1)), seed: () => seed(draw) }),
          ...(draw.odds(0.4)
            ? { beams: draw.whole(1, 5) }
            : draw.some({ temperature: () => draw.of([0, 0.5, 1, 1e9]), topK: () => draw.whole(1, 9) })),
        },
      ];
    },
    gives: gives.record({ tokenIds: gives.tokenIds, logProbability: gives.number, ended: gives.boolean }),
  },
  pairLogits: { names: ['pair'], args: (draw, _, on) => [onePair(draw, on)], gives: gives.matrix },
  pairAttention: {
    names: ['pair'],
    args: (draw, _, on) => [onePair(draw, on)],
    gives: gives.record({ encoder: heads, decoder: heads, cross: heads }),
  },
  ...READOUT_VERBS,
  tokenizer: {
    names: [],
    args: () => [],
    gives: gives.nullOr(gives.record({ vocabSize: gives.whole })),
    keep: (world, made: Tokenizer | null) => made && world.tokenizers.add(made),
  },
  save: {
    names: ['options'],
    args: (draw, world) => maybeInLab(draw, world),
    gives: gives.bytes,
    keep: (world, file: Uint8Array) => world.keepFile(world.trainerFiles, file),
  },
  toSafetensors: { names: ['options'], args: (draw, world) => maybeInLab(draw, world), gives: gives.bytes },
  toGguf: {
    names: ['options'],
    args: (draw, world) =>
      draw.odds(0.3) ? [] : [{ ...draw.some({ type: () => draw.of(['F32', 'F16']) }), ...inLab(draw, world) }],
    gives: gives.bytes,
  },
  toTransformers: {
    names: ['options'],
    args: (draw, world) => maybeInLab(draw, world),
    gives: gives.record({ 'model.safetensors': gives.bytes, 'config.json': gives.bytes }),
  },
  rewind: {
    names: ['step', 'options'],
    args: (draw, _, on) => {
      if (draw.odds(0.2)) return [];
      return [draw.whole(0, on.step), ...(draw.odds(0.3) ? [listening(draw, 'onProgress')] : [])];
    },
    gives: gives.nothing,
  },
  dispose: { names: [], args: () => [], gives: gives.nothing },
};

export const TOKENIZER_VERBS: Verbs<Tokenizer> = {
  encode: {
    names: ['text', 'options'],
    args: (draw, world) => [text(draw), ...maybeInLab(draw, world)],
    gives: gives.tokenIds,
  },
  decode: { names: ['ids'], args: (draw, _, on) => [ids(draw, on.vocabSize, 0, 40)], gives: gives.string },
  save: {
    names: [],
    args: () => [],
    gives: gives.bytes,
    keep: (world, file: Uint8Array) => world.keepFile(world.tokenizerFiles, file),
  },
  dispose: { names: [], args: () => [], gives: gives.nothing },
};

export const BIGRAMS_VERBS: Verbs<BigramTable> = {
  conditional: { names: ['row'], args: (draw, _, on) => [draw.whole(0, on.counts.rows - 1)], gives: gives.floats },
  top: {
    names: ['n'],
    args: (draw) => [draw.whole(0, 9)],
    gives: gives.listOf(gives.record({ from: gives.whole, to: gives.whole, count: gives.number })),
  },
};
