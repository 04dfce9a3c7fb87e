/** Counts of random models of every kind against closed forms, so every field is known to have its effect. */
import { beforeAll, expect, test } from 'vitest';
import {
  loadCore,
  type Architecture,
  type CompleteArchitecture,
  type Core,
  type ParameterGroup,
  type TableTying,
} from '../../../web/index.js';
import { TABLE_TYING } from '../../../web/core/generated/words.js';
import { ARCHITECTURE_FIELDS } from '../../../web/core/generated/fields.js';
import { SIZED_FAMILIES } from '../../../web/core/accounting/model-families.js';
import { Chance, given } from './chance.js';

const MODELS = 600;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** Sizes that usually all differ, so swapped fields are noticed. */
function randomModel(chance: Chance): { architecture: Architecture; tying: TableTying } {
  const stack = chance.of(ARCHITECTURE_FIELDS.stack.words);
  const both = stack === 'encoder-decoder';
  const nKeyValueHeads = chance.whole(1, 4);
  const nLayers = chance.whole(0, 9);
  const dModel = chance.whole(16, 90);
  const experts = chance.maybe(chance.whole(0, 1)) === 1;
  const nExperts = experts ? chance.whole(1, 11) : 0;
  const nDenseLayers = experts ? chance.whole(0, nLayers) : 0;
  const vocabSize = chance.whole(1, 300);
  const differs = chance.whole(0, 9) === 0;
  const norm = chance.of(ARCHITECTURE_FIELDS.norm.words);
  const flag = (): boolean | undefined => chance.maybe(chance.of([true, false]));
  const architecture = given({
    family: chance.of(SIZED_FAMILIES),
    stack,
    vocabSize,
    outputVocabSize: differs ? vocabSize + 1 : chance.maybe(vocabSize),
    dModel,
    nLayers,
    nEncoderLayers: both ? chance.maybe(chance.whole(0, 9)) : undefined,
    nHeads: nKeyValueHeads * chance.whole(1, 5),
    nKeyValueHeads,
    dHead: chance.whole(1, 40),
    dFeedForward: chance.maybe(chance.whole(1, 200)),
    feedForward: chance.maybe(chance.of(ARCHITECTURE_FIELDS.feedForward.words)),
    nExperts,
    nActiveExperts: experts ? chance.maybe(chance.whole(1, nExperts)) : undefined,
    nSharedExperts: experts ? chance.maybe(chance.whole(0, 3)) : undefined,
    nDenseLayers: experts ? nDenseLayers : undefined,
    dDenseFeedForward: nDenseLayers > 0 ? chance.maybe(chance.whole(1, 100)) : undefined,
    positions: chance.maybe(chance.of(ARCHITECTURE_FIELDS.positions.words)),
    contextLength: chance.maybe(chance.whole(1, 70)),
    relativeBuckets: chance.maybe(chance.whole(1, 50)),
    nSegments: chance.maybe(chance.whole(0, 3)),
    norm,
    normBiases: norm === 'layer-norm' ? flag() : undefined,
    normsPerLayer: chance.maybe(chance.whole(1, 4)),
    queryKeyNorm: chance.maybe(chance.of(ARCHITECTURE_FIELDS.queryKeyNorm.words)),
    embeddingNorm: flag(),
    finalNorm: flag(),
    biases: chance.maybe(chance.of(ARCHITECTURE_FIELDS.biases.words)),
    fusedQueryKeyValue: flag(),
    headTransform: flag(),
    outputBias: flag(),
    lowRank: chance.maybe(chance.whole(1, dModel)),
    tableRank: chance.maybe(chance.whole(0, dModel)),
  }) as Architecture;
  const possible = TABLE_TYING.filter(
    (tying) =>
      (both || !['tied-inputs', 'tied-decoder'].includes(tying)) &&
      (!differs || tying === 'untied') &&
      (!architecture.tableRank || !['tied-linear', 'tied-mlp', 'tied-low-rank'].includes(tying)),
  );
  return { architecture, tying: chance.of(possible) };
}

interface Counts {
  groups: Record<ParameterGroup, number>;
  active: number;
}

/** Parameters from the structure of the model, without its list of tensors. */
function closedForm(a: CompleteArchitecture, tying: TableTying): Counts {
  const both = a.stack === 'encoder-decoder';
  const readers = both ? [a.vocabSize, a.outputVocabSize] : [a.vocabSize];
  const roles = [...readers, a.outputVocabSize];
  const tables = {
    untied: roles,
    'tied-inputs': [a.vocabSize, a.outputVocabSize],
    'tied-decoder': [a.vocabSize, a.outputVocabSize],
    tied: [a.vocabSize],
    'tied-linear': [a.vocabSize],
    'tied-mlp': [a.vocabSize],
    'tied-low-rank': [a.vocabSize],
  }[tying];
  const normOf = (width: number): number => (a.norm === 'none' ? 0 : a.normBiases ? 2 * width : width);
  // Norms of queries and keys can be requested in a model without other norms.
  const queryKeyNormOf = (width: number): number => (a.normBiases ? 2 * width : width);
  const linear = (out: number, into: number, bias: boolean): number => out * into + (bias ? out : 0);

  const queries = a.nHeads * a.dHead;
  const keys = a.nKeyValueHeads * a.dHead;
  const biasOf = { none: [0, 0, 0], all: [1, 1, 1], 'query-key-value': [1, 0, 0], 'feed-forward': [0, 0, 1] };
  const [reads, writes, feeds] = biasOf[a.biases].map((bias) => bias === 1) as [boolean, boolean, boolean];
  const attention = linear(queries + 2 * keys, a.dModel, reads) + linear(a.dModel, queries, writes);
  const queryKeyNorms = {
    none: 0,
    head: 2 * queryKeyNormOf(a.dHead),
    full: queryKeyNormOf(queries) + queryKeyNormOf(keys),
  };

  const feedForward = (width: number): number =>
    (a.feedForward === 'gated' ? 2 : 1) * linear(width, a.dModel, feeds) + linear(a.dModel, width, feeds);
  const expert = feedForward(a.dFeedForward);

  const counts: Counts = {
    groups: {
      tables: tables.reduce(
        (sum, rows) => sum + (a.tableRank > 0 ? (rows + a.dModel) * a.tableRank : rows * a.dModel),
        0,
      ),
      positions: 0,
      attention: 0,
      'feed-forward': 0,
      norms: 0,
      head: 0,
    },
    active: 0,
  };
  const { groups } = counts;
  let idle = 0;
  const stacks = both
    ? [
        { layers: a.nEncoderLayers, crosses: false },
        { layers: a.nLayers, crosses: true },
      ]
    : [{ layers: a.nLayers, crosses: false }];
  for (const { layers, crosses } of stacks) {
    const looks = crosses ? 2 : 1;
    groups.positions +=
      (a.positions === 'learned' ? a.contextLength * a.dModel : 0) +
      (a.positions === 'relative' ? a.relativeBuckets * a.nHeads : 0) +
      (crosses ? 0 : a.nSegments * a.dModel);
    groups.attention += layers * looks * attention;
    groups.norms += layers * looks * queryKeyNorms[a.queryKeyNorm];
    groups.norms += normOf(a.dModel) * layers * (a.normsPerLayer + (crosses ? 1 : 0));
    groups.norms += normOf(a.dModel) * (Number(a.embeddingNorm) + Number(a.finalNorm));
    const dense = a.nExperts > 0 ? Math.min(layers, a.nDenseLayers) : layers;
    const mixed = layers - dense;
    groups['feed-forward'] += dense * feedForward(a.nExperts > 0 ? a.dDenseFeedForward : a.dFeedForward);
    groups['feed-forward'] += mixed * (a.nExperts + a.nSharedExperts) * expert;
    groups['feed-forward'] += mixed * linear(a.nExperts, a.dModel, writes);
    idle += mixed * (a.nExperts - a.nActiveExperts) * expert;
  }
  const maps: Partial<Record<TableTying, number>> = {
    'tied-linear': a.dModel * a.dModel,
    'tied-mlp': linear(a.dFeedForward, a.dModel, true) + linear(a.dModel, a.dFeedForward, true),
    'tied-low-rank': (a.outputVocabSize + a.dModel) * a.lowRank,
  };
  groups.head = maps[tying] ?? 0;
  if (a.headTransform) groups.head += linear(a.dModel, a.dModel, true) + normOf(a.dModel);
  if (a.outputBias) groups.head += a.outputVocabSize;
  counts.active = Object.values(groups).reduce((sum, count) => sum + count, 0) - idle;
  return counts;
}

test(`${MODELS} random models of all kinds have as many parameters in each group as the closed forms`, () => {
  const chance = new Chance(5);
  for (let i = 0; i < MODELS; i++) {
    const { architecture, tying } = randomModel(chance);
    const count = core.countParameters(architecture, tying);
    const about = JSON.stringify({ architecture, tying });
    const { groups, active } = closedForm(count.architecture, tying);
    expect(Object.fromEntries(Object.entries(count.groups).map(([group, n]) => [group, Number(n)])), about).toEqual(
      groups,
    );
    expect(Number(count.active), about).toBe(active);
    const untied = closedForm(count.architecture, 'untied').groups;
    expect(Number(count.untied), about).toBe(Object.values(untied).reduce((sum, n) => sum + n, 0));
    expect(count.saved, about).toBe(count.untied - count.stored);
    expect(count.effective >= count.stored, about).toBe(true);
  }
});
