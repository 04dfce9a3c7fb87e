/** Verbs that read the same text share its forward passes, and nothing of weights that have changed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadCore, type Trainer } from '../../../web/index.js';
import { ReadSequences } from '../../../web/core/read-sequences.js';
import { SMALL, smallTrainer, stream } from './small-transformers.js';

const core = await loadCore({ modules: ['readout'] });
const tokenIds = stream(core);
const text = tokenIds.slice(0, 300);

let trainer: Trainer & { stateBlock(ids: Uint32Array): Float32Array };
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

test('states and losses of a text are computed once', () => {
  const states = vi.spyOn(trainer, 'stateBlock');
  const logits = vi.spyOn(trainer, 'logits');
  const first = readAll(trainer);
  const predictions = text.length - 1;
  // The reading of layers has one token more than there are predictions: its last sequence is another one.
  expect(states).toHaveBeenCalledTimes(Math.ceil(text.length / SMALL.contextLength) + 1);
  expect(logits).toHaveBeenCalledTimes(Math.ceil(predictions / SMALL.contextLength));
  states.mockClear();
  logits.mockClear();
  expect(readAll(trainer)).toEqual(first);
  expect(states).not.toHaveBeenCalled();
  expect(logits).not.toHaveBeenCalled();
});

test.each<[string, () => unknown]>([
  ['a step', () => trainer.run(1)],
  ['a rewind', () => trainer.rewind(10)],
  ['an edit', () => trainer.setMatrix('embedding', trainer.matrix('unembedding'))],
])('after %s the results are those of a trainer that has read nothing', (_, change) => {
  const before = readAll(trainer);
  change();
  const after = readAll(trainer);
  expect(after).not.toEqual(before);
  const fresh = core.loadTrainer(trainer.save());
  expect(readAll(fresh)).toEqual(after);
  fresh.dispose();
});

test('what is kept goes by its kind and its ids; what does not fit is computed each time', () => {
  const sequences = new ReadSequences(12);
  const compute = vi.fn(() => new Float32Array(3));
  const asked = [
    ['states', [Uint32Array.of(1, 2)]],
    ['losses', [Uint32Array.of(1, 2)]],
    ['states', [Uint32Array.of(12)]],
    ['states', [Uint32Array.of(1), Uint32Array.of(2)]],
  ] as const;
  const kept = asked.map(([what, ids]) => sequences.find(what, ids, compute));
  expect(compute).toHaveBeenCalledTimes(4);
  expect(new Set(kept).size).toBe(4);
  asked.forEach(([what, ids], i) => expect(sequences.find(what, ids, compute)).toBe(kept[i]));
  expect(compute).toHaveBeenCalledTimes(4);
  const further = (): Float32Array => sequences.find('states', [Uint32Array.of(3)], compute);
  expect(further()).not.toBe(further());
  sequences.forget();
  expect(further()).toBe(further());
  expect(compute).toHaveBeenCalledTimes(7);
});
