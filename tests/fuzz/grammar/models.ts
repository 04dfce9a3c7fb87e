/** Valid options of models and their training, small enough for steps of well under a millisecond. */
import {
  ENCODER_DECODER_DEFAULTS,
  MODEL_DEFAULTS,
  MODEL_FIELDS,
  SCHEDULES,
  TRAINING_DEFAULTS,
  TRAINING_FIELDS,
} from '../../../web/core/generated/fields.js';
import { TYING_CONDITION } from '../../../web/core/generated/words.js';
import { nestedOptions } from '../../../web/core/model/option-codec.js';
import type { Draw } from '../draw.js';
import { some, type Options } from './fields.js';
import { seed } from './values.js';

/** Options of models that depend on others, or decide how long a step takes. */
const MODEL_BY_HAND = [
  ...['kind', 'vocabSize', 'dModel', 'tying', 'encoderTable', 'lowRank', 'tableRank', 'positions'],
  ...['nLayers', 'nEncoderLayers', 'nHeads', 'nKeyValueHeads', 'contextLength', 'sourceLength'],
  ...['startToken', 'endToken', 'objective', 'maskRate'],
];
const TRAINING_BY_HAND = [
  ...['optimizer', 'decay', 'totalSteps', 'learningRate', 'batchSize', 'shards', 'seed', 'initSeed'],
];

const others = (draw: Draw, given: Readonly<Options>): Options =>
  some(draw, MODEL_FIELDS, given, MODEL_BY_HAND, { ...MODEL_DEFAULTS, ...ENCODER_DECODER_DEFAULTS });

/** Pairs whose targets contain neither the first token nor the second. */
export function encoderDecoder(draw: Draw, vocabSize: number): Options {
  const nHeads = draw.of([1, 2]);
  const kind = 'encoder-decoder';
  const { nLayers, contextLength, ...layers } = transformer(draw, nHeads);
  const tables = () => ({ tables: draw.of([['encoder-input', 'decoder-input'], ['output', 'encoder-input'], ['decoder-input', 'output', 'encoder-input']]) }); // prettier-ignore
  return {
    kind,
    vocabSize,
    dModel: nHeads * draw.of([2, 4]),
    tying: draw.odds(0.5) ? draw.of(['all', 'decoder', 'none']) : tables(),
    ...layers,
    nEncoderLayers: nLayers,
    nDecoderLayers: draw.whole(1, 2),
    contextLength: (contextLength as number) + 1,
    sourceLength: draw.whole(1, 6),
    ...(draw.odds(0.2) ? { startToken: 1, endToken: 0 } : {}),
    ...others(draw, { kind, ...layers }),
  };
}

/** Pairs that such a model can read. */
export function pairsFor(draw: Draw, model: Readonly<Options>, count = draw.whole(1, 6)): Options {
  const { vocabSize, sourceLength, contextLength } = model as Record<string, number>;
  const list = (lowest: number, most: number): Uint32Array[] =>
    draw.list(count, () => Uint32Array.from({ length: draw.whole(1, most) }, () => draw.whole(lowest, vocabSize! - 1)));
  return { source: list(0, sourceLength!), target: list(2, contextLength! - 1) };
}

export function model(draw: Draw, vocabSize: number): Options {
  const kind = draw.of(['direct-path', 'transformer']);
  const direct = kind === 'direct-path';
  const tyings: unknown[] = ['tied', 'untied', 'tied-linear', direct ? 'tied-mlp' : 'tied-low-rank'];
  if (draw.odds(0.4)) {
    const [step, met] = [() => draw.whole(1, 6), () => condition(draw)];
    const changes = [{ untieAtStep: step() }, { tieAtStep: step() }, { untieWhen: met() }, { tieWhen: met() }];
    // In a list, changes alternate and their steps increase.
    const [first, second] = [draw.whole(1, 3), draw.whole(4, 7)];
    const again = { tieWhen: met() };
    const lists = [
      [{ untieAtStep: first }, draw.odds(0.5) ? { tieAtStep: second } : again, { untieAtStep: 8 }],
      [{ tieWhen: met() }, { untieAtStep: second }],
    ];
    tyings.splice(0, 4, ...changes, draw.of(lists));
  }
  const tying = draw.of(tyings);
  const nHeads = direct ? 1 : draw.of([1, 2, 4]);
  const dModel = direct ? draw.whole(1, 6) : nHeads * draw.of([2, 4]);
  const layers = direct ? {} : transformer(draw, nHeads);
  const options: Options = { kind, vocabSize, dModel, tying, ...layers, ...others(draw, { kind, tying, ...layers }) };
  if (tying === 'tied-low-rank') Object.assign(options, draw.some({ lowRank: () => draw.whole(1, dModel) }));
  // Not for training on a table of pairs, which the caller may choose for a direct path.
  if (!direct && tying !== 'tied-low-rank' && draw.odds(0.3)) options['head'] = head(draw, vocabSize, dModel, tying);
  if ((tying === 'tied' || tying === 'untied') && draw.odds(0.2)) {
    const { kind: headKind } = (options['head'] ?? {}) as Options;
    if (headKind !== 'adaptive') options['tableRank'] = draw.whole(1, dModel);
  }
  if (!direct && draw.odds(0.25)) {
    const heads = draw.of([undefined, 1, 2, dModel]);
    const places = draw.of([undefined, 'input', 'every-layer']);
    options['ngrams'] = {
      ...{ order: draw.whole(2, 4), rows: draw.of([1, 7, 40]) },
      ...(heads ? { heads } : {}),
      ...(places ? { places } : {}),
    };
  }
  // The shared table has to be as wide as values.
  const isNarrower = (options['nKeyValueHeads'] ?? nHeads) !== nHeads || 'tableRank' in options;
  if (options['valueEmbeddings'] === 'tied' && isNarrower) options['valueEmbeddings'] = 'own';
  const readsRows = ['head', 'tableRank', 'ngrams', 'valueEmbeddings'].some((name) => name in options);
  if (!direct && !readsRows && draw.odds(0.3)) {
    const objective = draw.of(MODEL_FIELDS.objective.words);
    Object.assign(
      options,
      { objective },
      objective === 'masked' ? draw.some({ maskRate: () => draw.of([1e-9, 0.15, 0.5, 1]) }) : {},
    );
  }
  return options;
}

function head(draw: Draw, vocabSize: number, dModel: number, tying: unknown): Options {
  const { words } = MODEL_FIELDS['head.kind'];
  const kind = draw.of(typeof tying === 'string' ? words : words.filter((word) => word !== 'adaptive'));
  switch (kind) {
    case 'sampled':
      return {
        kind,
        samples: draw.whole(1, 12),
        ...draw.some({ proposal: () => draw.of(MODEL_FIELDS['head.proposal'].words) }),
      };
    case 'adaptive': {
      const first = draw.whole(1, vocabSize - 1);
      const cutoffs = first + 1 < vocabSize && draw.odds(0.5) ? [first, draw.whole(first + 1, vocabSize - 1)] : [first];
      const divisor = draw.whole(1, Math.floor(Math.sqrt(dModel)));
      // The default of 4 needs a width of 16 for two clusters, and 4 for one.
      return {
        kind,
        cutoffs,
        ...(dModel >= 4 ** cutoffs.length ? draw.some({ divisor: () => divisor }) : { divisor }),
      };
    }
    case 'clustered':
      return { kind, clusters: draw.whole(2, vocabSize) };
    case 'culled':
      return { kind, kept: draw.odds(0.5) ? draw.whole(1, vocabSize) : Uint32Array.of(draw.whole(0, vocabSize - 1)) };
    default:
      return { kind };
  }
}

function condition(draw: Draw): Options {
  return {
    inputShare: { [draw.of(TYING_CONDITION.slice(1))]: draw.of([0, 0.1, 0.5, 0.9, 1]) },
    over: draw.whole(1, 4),
    ...draw.some({ from: () => draw.whole(0, 3) }),
  };
}

function transformer(draw: Draw, nHeads: number): Options {
  const positions = draw.of(MODEL_FIELDS.positions.words);
  return {
    nLayers: draw.whole(1, 2),
    nHeads,
    contextLength: draw.whole(1, 8),
    positions,
    ...draw.some({ nKeyValueHeads: () => (draw.odds(0.5) ? 1 : nHeads) }),
  };
}

/** Constants and schedules. */
const FACTORS: readonly unknown[] = [0, 1, 5, [[0, 1]], [[1, 0], [4, 2.5]]]; // prettier-ignore
/** A copy, so values spoiled in one call do not reach the next. */
const factors = (draw: Draw): Options =>
  structuredClone(
    nestedOptions(draw.some(Object.fromEntries(Object.keys(SCHEDULES).map((path) => [path, () => draw.of(FACTORS)])))),
  );

export function training(draw: Draw, wholeTable: boolean): Options {
  const optimizer = draw.of(TRAINING_FIELDS.optimizer.words);
  const cosine = draw.odds(0.3);
  const batchSize = draw.whole(1, 4);
  return {
    learningRate: draw.of([0.001, 0.05, 0.5]),
    seed: seed(draw),
    optimizer,
    ...(cosine ? { decay: 'cosine', totalSteps: draw.whole(5, 50) } : {}),
    ...(wholeTable ? {} : { batchSize, ...draw.some({ shards: () => draw.whole(1, batchSize) }) }),
    ...some(draw, TRAINING_FIELDS, { optimizer }, TRAINING_BY_HAND, TRAINING_DEFAULTS),
    ...factors(draw),
    ...draw.some({ initSeed: () => seed(draw) }),
  };
}
