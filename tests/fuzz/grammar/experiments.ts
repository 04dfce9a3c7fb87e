/** Valid experiments that take milliseconds, and valid command-line arguments. */
import type { Verb as CommandVerb } from '../../../command/declare.mjs';
import type { Draw } from '../draw.js';
import * as gives from '../shapes.js';
import { seed } from './values.js';

const text = (draw: Draw): object =>
  draw.of([
    () => ({ string: 'ab cd ab cd ef '.repeat(draw.whole(2, 9)) }),
    () => ({ stories: { seed: seed(draw), length: draw.whole(100, 300) } }),
    () => ({ markov: { states: draw.whole(2, 5), length: draw.whole(40, 99), seed: seed(draw) } }),
  ])();

/** A second text, which has no characters that a tokenizer of the first might not know. */
const then = (draw: Draw, first: object): object => ({
  text: first,
  afterSteps: 1,
  ...draw.some({ training: () => ({ learningRate: 0.2 }) }),
});

const pairs = (draw: Draw): object =>
  draw.of([
    () => ({ list: draw.list(draw.whole(2, 6), (i) => ({ source: `a${i}`, target: 'ba' })) }),
    () => ({ task: 'sorting', seed: seed(draw), count: draw.whole(2, 12), length: draw.whole(1, 4) }),
    () => ({ task: draw.of(['numbers', 'plurals']), seed: seed(draw), count: draw.whole(2, 12) }),
  ])();

const when = (draw: Draw): object =>
  draw.of([{}, { every: 2 }, { every: 1, until: 2 }, { at: 'start' }, { at: ['start', 'end'] }, { at: 1 }]);

/** Options that only some models have. */
const head = (draw: Draw): object =>
  draw.of([
    { kind: 'full' },
    { kind: 'sampled', samples: 2 },
    { kind: 'clustered', clusters: 2 },
    { kind: 'culled', kept: 2 },
    { kind: 'adaptive', cutoffs: [1] },
  ]);

function transformer(draw: Draw): object {
  const basic = { kind: 'transformer', dModel: 4, nLayers: 1, nHeads: draw.of([1, 2]), contextLength: 4 };
  return {
    ...basic,
    ...draw.of([() => ({}), () => ({ head: head(draw) }), () => ({ tableRank: draw.whole(1, 4) })])(),
    ...draw.some({ ngrams: () => ({ order: draw.of([2, 3]), rows: draw.whole(1, 9) }) }, 0.2),
  };
}

const layered = (draw: Draw): object[] => [
  ...(draw.odds(0.3)
    ? [{ metric: 'hidden-states', norm: draw.of(['after', 'before']), targets: draw.of(['predicted', 'next']) }]
    : []),
  ...(draw.odds(0.2) ? [{ metric: 'logit-lens', layers: draw.of<unknown>(['all', 0, [0, 1]]) }] : []),
  ...(draw.odds(0.1)
    ? [{ metric: 'tuned-lens', steps: 2, tokensPerStep: 8, learningRate: 0.01, seed: seed(draw) }]
    : []),
];

/** An experiment of a few models and steps. */
export const spec = (draw: Draw): object => (draw.odds(0.25) ? pairSpec(draw) : textSpec(draw));

function pairSpec(draw: Draw): object {
  const tables = ['embedding', 'unembedding', 'encoder-embedding'];
  const between = [`one.${draw.of(tables)}`, `three.${draw.of(tables)}`];
  return {
    name: 'fuzzed',
    pairs: pairs(draw),
    ...draw.some({ validation: () => draw.of([0, 0.2, 0.5]) }),
    model: { dModel: 4, nHeads: draw.of([1, 2]), nEncoderLayers: 1, nDecoderLayers: 1 },
    training: { steps: draw.whole(2, 4), learningRate: 0.1, batchSize: 2 },
    arms: { one: { model: { tying: 'all' } }, three: { model: { tying: draw.of(['none', 'decoder']) } } },
    seeds: [1],
    measure: [
      { metric: 'loss', ...when(draw) },
      ...(draw.odds(0.5) ? [{ metric: 'translation', pairs: draw.whole(1, 4) }] : []),
      ...(draw.odds(0.5) ? [{ metric: 'role-gradients', ...when(draw) }] : []),
      ...(draw.odds(0.5) ? [{ metric: 'role-shares', every: 1 }] : []),
      ...(draw.odds(0.5) ? [{ metric: 'spectrum', table: draw.of(tables) }] : []),
      ...(draw.odds(0.3) ? [{ metric: 'start-cosine', table: draw.of(tables), ...when(draw) }] : []),
      ...(draw.odds(0.3) ? [{ metric: 'alignment', method: 'identity', between }] : []),
    ],
    ...draw.some({ claims: () => [{ id: 'one', says: 'loss(one) - loss(three) > 0 in every seed' }] }, 0.5),
  };
}

function textSpec(draw: Draw): object {
  const source = text(draw);
  const direct = draw.odds(0.6);
  const chain = 'markov' in source;
  const model = direct ? { kind: 'direct-path', dModel: draw.whole(1, 4) } : transformer(draw);
  // Lenses and direct paths cannot be read from factorized tables, two-level heads, or heads that leave tokens without logits.
  const plain = !('head' in model || 'tableRank' in model);
  // An untied adaptive head has rows only for the most frequent tokens.
  const isNarrowed = 'head' in model && (model.head as { kind: string }).kind === 'adaptive';
  const between = ['tied.embedding', `untied.${draw.of(isNarrowed ? ['embedding'] : ['embedding', 'unembedding'])}`];
  const measures = [
    { metric: 'loss', ...when(draw) },
    ...(plain && draw.odds(0.4) ? [{ metric: 'symmetry', ...when(draw) }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'input-share', every: 1 }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'parameters' }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'neighbors', token: 1, k: 1 }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'rounded-loss', bits: draw.whole(2, 16), ...when(draw) }] : []),
    ...(plain && draw.odds(0.3) ? [{ metric: 'packed-loss', packing: draw.of(['Q8_0', 'Q4_K_M', 'F16']) }] : []),
    ...(plain && draw.odds(0.3) ? [{ metric: 'lost-table', lost: draw.of(['embedding', 'unembedding']) }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'alignment', method: draw.of(['linear', 'identity']), between }] : []),
    ...(draw.odds(0.2) ? [{ metric: 'alignment', method: 'ridge', penalty: 2, center: draw.odds(0.5), between }] : []),
    ...(draw.odds(0.2) ? [{ metric: 'cka', dimensions: 1, between }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'start-cosine', ...when(draw) }] : []),
    ...(draw.odds(0.3) ? [{ metric: 'spectrum', center: draw.odds(0.5), project: false }] : []),
    ...(plain && !direct ? layered(draw) : []),
  ];
  const moves = draw.odds(0.2);
  if (moves) measures[0] = { metric: 'loss', on: draw.of(['first', 'second']), ...when(draw) };
  return {
    name: 'fuzzed',
    text: source,
    ...(moves ? { then: then(draw, source) } : {}),
    ...(chain ? {} : { tokenizer: { kind: draw.of(['character', 'word']) } }),
    ...draw.some({ validation: () => draw.of([0.2, 0.5]), starts: () => draw.of(['shared', 'independent']) }),
    model,
    training: { steps: draw.whole(2, 4), learningRate: 0.1, ...(direct && draw.odds(0.5) ? {} : { batchSize: 2 }) },
    arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
    ...draw.some({ grid: () => ({ 'training.learningRate': [0.1, 0.2] }) }, 0.2),
    seeds: draw.list(draw.whole(1, 2), (i) => i + 1),
    measure: measures,
    ...draw.some(
      {
        claims: () => [
          { id: 'one', says: draw.of(['loss(tied) - loss(untied) > 0', 'abs(loss(tied)) < 3 in every seed']) },
          { id: 'two', says: 'loss(tied, step=0..4) > 1 and above 2 sd', words: 'In words.' },
        ],
      },
      0.5,
    ),
  };
}

export const records = gives.record({
  runs: gives.listOf(gives.record({ id: gives.string, seed: gives.whole, steps: gives.whole, seconds: gives.number })),
  metrics: gives.listOf(
    gives.record({ id: gives.string, step: gives.whole, metric: gives.string, value: gives.nullOr(gives.number) }),
  ),
  claims: gives.listOf(gives.record({ id: gives.string, verdict: gives.string, because: gives.string })),
  problems: gives.listOf(gives.record({ id: gives.string, metric: gives.string, error: gives.string })),
});

const valueOf = (draw: Draw, { kind, of = [], least = 0, most = 99 }: CommandVerb['flags'][string]): string => {
  if (kind === 'choice') return draw.of(of);
  if (kind === 'integer') return String(draw.whole(Math.max(0, least), Math.min(most, Math.max(0, least) + 5)));
  return kind === 'number' ? String(least) : 'some';
};

/** Arguments after a verb of the command. */
export function words(draw: Draw, { flags, operands }: CommandVerb): string[] {
  const flagged = Object.entries(flags)
    .filter(() => draw.odds(0.2))
    .flatMap(([name, flag]) => {
      if (flag.kind === 'switch') return [`--${name}`];
      const value = valueOf(draw, flag);
      return draw.odds(0.5) ? [`--${name}=${value}`] : [`--${name}`, value];
    });
  const given = operands.map(({ kind, of = [] }) => (kind === 'choice' ? draw.of(of) : 'file.json'));
  return draw.odds(0.5) ? [...flagged, ...given] : [...given, ...flagged];
}
