// Verbs throw the codes that their doc comments list.
import { expect, it } from 'vitest';
import { readApi, verbsOf } from '../../../tools/api/read-api.mjs';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import { loadCore, TiedError, type Matrix } from '../../../web/index.js';

const documented = new Map(verbsOf(readApi()).map(({ name, doc }) => [name, doc.throws.join(' ')]));
const core = await loadCore({ modules: OPTIONAL_MODULES });
const matrix = (rows: number, cols: number, ...data: number[]): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, (_, index) => data[index] ?? 1),
});
const ids = (...values: number[]): Uint32Array => Uint32Array.from(values);
const tokenizer = core.trainTokenizer('ab', { kind: 'character' });
const pairs = core.bigrams(ids(0, 1, 0), 2);
const training = { learningRate: 0.1, seed: 1 };
const model = { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' } as const;
const trainer = core.createTrainer({ model, training, bigramCounts: pairs.counts });
const gpt2 = { family: 'gpt-2', vocabSize: 10, dModel: 8, nLayers: 1 } as const;

const wrong: [verb: string, code: string, call: () => unknown][] = [
  ['Core.directPath', 'shape-mismatch', () => core.directPath({ embedding: matrix(2, 2), unembedding: matrix(3, 2) })],
  ['Core.directPath', 'not-finite', () => core.directPath({ embedding: matrix(1, 1, NaN) })],
  ['Core.symmetry', 'shape-mismatch', () => core.symmetry(matrix(2, 3))],
  [
    'Core.solveUnembedding',
    'shape-mismatch',
    () => core.solveUnembedding({ embedding: matrix(2, 1), target: matrix(3, 3) }),
  ],
  ['Core.fitBounds', 'invalid-argument', () => core.fitBounds(matrix(2, 2), 0)],
  ['Core.bigramBounds', 'invalid-argument', () => core.bigramBounds(matrix(2, 2, -1))],
  ['Core.irreversibility', 'invalid-argument', () => core.irreversibility(matrix(2, 2, -1))],
  ['Core.irreversibility', 'shape-mismatch', () => core.irreversibility(matrix(2, 3))],
  ['Core.irreversibility', 'not-finite', () => core.irreversibility(matrix(2, 2, Infinity))],
  ['Core.irreversibility', 'cancelled', () => core.irreversibility(matrix(2, 2), { signal: AbortSignal.abort() })],
  [
    'DiagnosticVerbs.align',
    'shape-mismatch',
    () => core.align(matrix(3, 1, 1, 2, 3), matrix(2, 1, 1, 2), { method: 'linear', holdOut: 0 }),
  ],
  [
    'DiagnosticVerbs.align',
    'invalid-argument',
    () => core.align(matrix(3, 1), matrix(3, 1), { method: 'linear', holdOut: 0 }),
  ],
  ['DiagnosticVerbs.neighbors', 'invalid-argument', () => core.neighbors(matrix(2, 2), 0, { k: 2 })],
  [
    'DiagnosticVerbs.spectralDistance',
    'shape-mismatch',
    () => core.spectralDistance(matrix(4, 2), matrix(3, 2), { k: 1 }),
  ],
  ['DiagnosticVerbs.kolmogorovCycles', 'shape-mismatch', () => core.kolmogorovCycles(matrix(2, 1, 1, 2))],
  ['DiagnosticVerbs.tiedFloor', 'shape-mismatch', () => core.tiedFloor(matrix(2, 1, 1, 2))],
  ['DiagnosticVerbs.recoverTable', 'not-finite', () => core.recoverTable(matrix(2, 2, 1, NaN, 2, 3))],
  [
    'DiagnosticVerbs.neighborOverlap',
    'shape-mismatch',
    () => core.neighborOverlap(matrix(4, 2), matrix(3, 2), { k: 1 }),
  ],
  ['DiagnosticVerbs.spectrum', 'not-finite', () => core.spectrum(matrix(1, 1, NaN))],
  ['DiagnosticVerbs.cka', 'invalid-argument', () => core.cka(matrix(3, 1), matrix(3, 1))],
  ['DiagnosticVerbs.isotropy', 'invalid-argument', () => core.isotropy(matrix(1, 1, 0))],
  ['DiagnosticVerbs.normFrequency', 'shape-mismatch', () => core.normFrequency(matrix(2, 2), ids(1))],
  ['DiagnosticVerbs.decomposeHidden', 'shape-mismatch', () => core.decomposeHidden(matrix(1, 2), matrix(2, 3), ids(0))],
  ['Core.trainTokenizer', 'invalid-argument', () => core.trainTokenizer('', { kind: 'word' })],
  ['Core.loadTokenizer', 'bad-file', () => core.loadTokenizer(new Uint8Array(3), { format: 'tied-embeddings' })],
  ['Core.bigrams', 'invalid-argument', () => core.bigrams(ids(0, 5), 2)],
  [
    'Core.sampleMarkovChain',
    'invalid-argument',
    () => core.sampleMarkovChain({ transition: matrix(2, 2), length: 3, seed: 1 }),
  ],
  ['Core.markovBounds', 'shape-mismatch', () => core.markovBounds(matrix(2, 3))],
  ['Core.createTrainer', 'shape-mismatch', () => core.createTrainer({ model, training, bigramCounts: matrix(3, 3) })],
  ['Core.loadTrainer', 'bad-file', () => core.loadTrainer(new Uint8Array(3))],
  ['Core.estimateMemory', 'invalid-argument', () => core.estimateMemory({ ...model, vocabSize: 0 }, training)],
  ['Tokenizer.encode', 'invalid-argument', () => tokenizer.encode('z')],
  ['Tokenizer.decode', 'invalid-argument', () => tokenizer.decode(ids(99))],
  ['Bigrams.conditional', 'invalid-argument', () => pairs.conditional(9)],
  ['Bigrams.top', 'invalid-argument', () => pairs.top(-1)],
  ['Trainer.evaluate', 'invalid-argument', () => trainer.evaluate(ids(0))],
  ['Trainer.matrix', 'invalid-argument', () => trainer.matrix('x')],
  [
    'Trainer.setMatrix',
    'shape-mismatch',
    () => {
      trainer.setMatrix('embedding', matrix(3, 1));
    },
  ],
  ['Trainer.gradient', 'shape-mismatch', () => trainer.gradient({ inputs: ids(0, 1), targets: ids(0) })],
  ['Trainer.nextTokenLogits', 'invalid-argument', () => trainer.nextTokenLogits({ from: ids(9) })],
  ['Trainer.generate', 'invalid-argument', () => trainer.generate({ prompt: 'a', tokens: 1 })],
  [
    'Trainer.rewind',
    'invalid-argument',
    () => {
      trainer.rewind(99);
    },
  ],
  ['AccountingVerbs.countParameters', 'invalid-argument', () => core.countParameters(gpt2, 'tied-inputs')],
  ['AccountingVerbs.countCompute', 'invalid-argument', () => core.countCompute(gpt2, { sequences: 0, tokens: 1 })],
  ['AccountingVerbs.importConfig', 'bad-file', () => core.importConfig('nonsense')],
  ['AccountingVerbs.importConfig', 'unsupported', () => core.importConfig({ model_type: 'resnet' })],
  ['CheckpointVerbs.decodeElements', 'invalid-argument', () => core.decodeElements('Q8_0', new Uint8Array(34), 33)],
  [
    'CheckpointVerbs.decodeElements',
    'invalid-argument',
    () => core.decodeElements('I8' as 'F32', new Uint8Array(1), 1),
  ],
  ['CheckpointVerbs.decodeElements', 'shape-mismatch', () => core.decodeElements('F32', new Uint8Array(3), 1)],
];

it.each(wrong)('%s lists the %s that it throws', (verb, code, call) => {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TiedError);
  expect((thrown as TiedError).code).toBe(code);
  expect(documented.get(verb)).toContain(`'${code}'`);
});
