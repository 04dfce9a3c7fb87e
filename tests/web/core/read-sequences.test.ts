/** Verbs that read the same text share its forward passes, but nothing computed with other weights. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadCore, type Trainer, type TrainingConfig, type TransformerConfig, type Tying } from '../../../web/index.js';
import { ReadSequences } from '../../../web/core/diagnostics/read-sequences.js';
import type { ReadTokens } from '../../../web/core/diagnostics/readout.js';
import { SMALL, smallTrainer, stream } from './small-transformers.js';

const core = await loadCore({ modules: ['readout', 'models'] });
const tokenIds = stream(core);
const text = tokenIds.slice(0, 300);

interface Reading {
  readonly tokens: ReadTokens;
  readonly relaxed: boolean;
  readonly sequences: ReadSequences;
}
let trainer: Trainer & Reading;
beforeEach(() => {
  trainer = smallTrainer(core, tokenIds, 'untied') as typeof trainer;
  trainer.run(20);
});
afterEach(() => trainer.dispose());

const readAll = (of: Trainer): unknown => [
  of.logitLens(text),
  of.gradientReport(text),
  of.lossByFrequency(text),
  of.ablateLayers(text),
  of.directPathReport(text),
];

// Readings of layers use one token more than there are predictions, so their last sequence differs.
const SEQUENCES = Math.ceil(text.length / SMALL.contextLength) + 1;

test('states of a text are computed once, and losses are derived from them', () => {
  const states = vi.spyOn(trainer.tokens, 'stateBlock');
  const logits = vi.spyOn(trainer, 'logits');
  const first = readAll(trainer);
  expect(states).toHaveBeenCalledTimes(SEQUENCES);
  expect(logits).not.toHaveBeenCalled();
  states.mockClear();
  expect(readAll(trainer)).toEqual(first);
  expect(states).not.toHaveBeenCalled();
});

const MODELS: Record<string, [Tying, Partial<TransformerConfig>?, Partial<TrainingConfig>?]> = {
  'a tied table': ['tied'],
  'layer norms and biases': ['untied', { norm: 'layer-norm', biases: 'all' }],
  'a linear map': ['tied-linear'],
  'no final norm': ['untied', { finalNorm: false }],
  'a correction of low rank': ['tied-low-rank'],
  'label smoothing': ['tied', {}, { labelSmoothing: 0.1 }],
  'a temperature': ['tied', {}, { temperature: 2 }],
  'a sampled head': ['tied', { head: { kind: 'sampled', samples: 4, proposal: 'log-uniform' } }],
};
/** Models whose head is not a product of the last state with the rows of one table, or rounds differently. */
const FROM_LOGITS = ['a correction of low rank', 'label smoothing', 'a temperature', 'a sampled head'];

test.each(Object.keys(MODELS))('losses of a model with %s equal those from its own logits, to the bit', (name) => {
  const [tying, model = {}, training = {}] = MODELS[name]!;
  const read = smallTrainer(core, tokenIds, tying, { model, training }) as typeof trainer;
  read.run(20);
  const losses = (): unknown => [read.lossByFrequency(text), read.ablateLayers(text)];
  const logits = vi.spyOn(read, 'logits');
  const found = losses();
  if (FROM_LOGITS.includes(name)) expect(logits).toHaveBeenCalled();
  else expect(logits).not.toHaveBeenCalled();
  // As in the relaxed build.
  read.sequences.forget();
  vi.spyOn(read, 'relaxed', 'get').mockReturnValue(true);
  logits.mockClear();
  expect(losses()).toEqual(found);
  expect(logits).toHaveBeenCalledTimes(Math.ceil((text.length - 1) / SMALL.contextLength));
  read.dispose();
});

test('hidden states of a text that was already read are not computed again, and have the same bits', () => {
  const sequence = text.slice(0, SMALL.contextLength);
  const fresh = [trainer.hiddenStates(sequence), trainer.hiddenStates(sequence, { finalNorm: true })];
  trainer.setMatrix('embedding', trainer.matrix('embedding'));
  trainer.logitLens(text);
  const states = vi.spyOn(trainer.tokens, 'stateBlock');
  const kept = [trainer.hiddenStates(sequence), trainer.hiddenStates(sequence, { finalNorm: true })];
  expect(kept).toEqual(fresh);
  expect(kept.map((list) => list.length)).toEqual([SMALL.nLayers + 1, SMALL.nLayers + 2]);
  expect(states).not.toHaveBeenCalled();
  // The caller gets copies.
  kept[1]!.at(-1)!.data.fill(0);
  expect(trainer.hiddenStates(sequence, { finalNorm: true })).toEqual(fresh[1]);
});

test.each<[string, () => unknown]>([
  ['a step', () => trainer.run(1)],
  ['a rewind', () => trainer.rewind(10)],
  ['an edit', () => trainer.setMatrix('embedding', trainer.matrix('unembedding'))],
])('after %s, results equal those of a trainer that has read nothing', (_, change) => {
  const before = readAll(trainer);
  change();
  const after = readAll(trainer);
  expect(after).not.toEqual(before);
  const fresh = core.loadTrainer(trainer.save());
  expect(readAll(fresh)).toEqual(after);
  fresh.dispose();
});

const ids = (...list: number[]): Uint32Array[] => [Uint32Array.from(list)];

test('cached values are identified by kind and ids', () => {
  const sequences = new ReadSequences(12);
  const compute = vi.fn(() => new Float32Array(3));
  const asked = [
    ['states', ids(1, 2)],
    ['losses', ids(1, 2)],
    ['states', ids(12)],
    ['states', [...ids(1), ...ids(2)]],
  ] as const;
  const kept = asked.map(([what, sequence]) => sequences.find(what, sequence, compute));
  expect(compute).toHaveBeenCalledTimes(4);
  expect(new Set(kept).size).toBe(4);
  asked.forEach(([what, sequence], i) => expect(sequences.find(what, sequence, compute)).toBe(kept[i]));
  expect(compute).toHaveBeenCalledTimes(4);
  sequences.forget();
  expect(kept).not.toContain(sequences.find('states', ids(12), compute));
});

describe('when the capacity is used up', () => {
  let sequences: ReadSequences;
  /** Reads these sequences, and returns those that had to be computed. */
  const read = (...asked: number[]): number[] => {
    const computed: number[] = [];
    sequences.begin();
    for (const id of asked) {
      sequences.find('states', ids(id), () => {
        computed.push(id);
        return new Float32Array(id >= 100 ? id : 3);
      });
    }
    return computed;
  };
  beforeEach(() => (sequences = new ReadSequences(12)));

  test('a second text replaces the first', () => {
    expect(read(1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
    expect(read(5, 6, 7, 8)).toEqual([5, 6, 7, 8]);
    expect(read(5, 6, 7, 8)).toEqual([]);
    expect(read(1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
  });

  test('the least recently used sequence is discarded first', () => {
    read(1, 2, 3, 4);
    read(2, 1);
    expect(read(5, 6)).toEqual([5, 6]);
    expect(read(1, 2, 5, 6)).toEqual([]);
    expect(read(3)).toEqual([3]);
  });

  test('the beginning of a text that does not fit stays cached', () => {
    expect(read(1, 2, 3, 4, 5, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(read(1, 2, 3, 4, 5, 6)).toEqual([5, 6]);
    expect(read(1, 2, 3, 4, 5, 6)).toEqual([5, 6]);
  });

  test('a sequence that exceeds the capacity by itself is not cached', () => {
    read(1, 2, 3, 4);
    expect(read(100)).toEqual([100]);
    expect(read(1, 2, 3, 4, 100)).toEqual([100]);
  });
});
