// The direct path of transformers against numpy: tests/reference/path_reference.py.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import {
  loadCore,
  type Core,
  type DirectPathReport,
  type LayerAblation,
  type ModelConfig,
  type Trainer,
} from '../../../web/index.js';
import { rowsOf } from './support.js';

type Stages<T> = Record<keyof DirectPathReport['paths'], T | null>;
interface Reference {
  text: number[];
  other: number[];
  rows: number[];
  bigrams: DirectPathReport['bigrams'];
  chance: Pick<DirectPathReport['chance'], 'loss' | 'correlation'>;
  models: {
    model: ModelConfig;
    logits: Stages<number[][]>;
    paths: Stages<DirectPathReport['chance']>;
    whole: DirectPathReport['model'];
    ablation: Omit<LayerAblation['layers'][number], 'loss'>[];
    /** The head's input for the first sequence [tokens][d]. */
    last: number[][];
  }[];
}

const reference = JSON.parse(readFileSync(join(root, 'tests/reference/path_reference.json'), 'utf8')) as Reference;
const text = Uint32Array.from(reference.text);
const bigramsOf = Uint32Array.from(reference.other);

/**
 * Measures and logits (up to 5) are computed in single precision here and in double there; the largest differences are 5e-8 and 4e-7.
 * Counts, and values computed from counts, agree to the rounding of doubles.
 */
const TOLERANCE = 2e-7;
const LOGIT_TOLERANCE = 2e-6;
const COUNT_TOLERANCE = 1e-12;

/** `unit` of the script. */
function unit(name: string, index: number): number {
  let x = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) x = Math.imul(x ^ byte, 0x01000193);
  x += Math.imul(index + 1, 2654435761);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  x ^= x >>> 16;
  return (x >>> 20) / 2048 - 1;
}

/** `weight` of the script. */
function weight(name: string, index: number, cols: number): number {
  const number = unit(name, index);
  if (name.endsWith('norm.weight')) return 1 + 0.25 * number;
  if (name === 'between') return (Math.floor(index / cols) === index % cols ? 1 : 0) + 0.125 * number;
  return (name.endsWith('bias') ? 0.25 : 0.5) * number;
}

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

function withWeights(model: ModelConfig): Trainer {
  const training = { learningRate: 0.01, batchSize: 1, seed: 1 };
  const trainer = core.createTrainer({ model, training, tokenIds: text });
  for (const { name, tiedTo } of trainer.parameters()) {
    if (tiedTo !== null) continue;
    const { rows, cols, data } = trainer.matrix(name);
    trainer.setMatrix(name, { rows, cols, data: data.map((_, i) => weight(name, i, cols)) });
  }
  return trainer;
}

const near = (found: number, expected: number, tolerance: number): void =>
  expect(Math.abs(found - expected), `${String(found)} beside ${String(expected)}`).toBeLessThan(tolerance);

const STAGES = [
  ['embeddings', {}],
  ['finalNorm', { finalNorm: true }],
  ['mlp0', { finalNorm: true, mlp0: true }],
] as const;

describe.each(reference.models)(
  'the direct path agrees with numpy: $model',
  ({ model, logits, paths, whole, ablation, last }) => {
    test('logits', () => {
      const trainer = withWeights(model);
      for (const [name, stage] of STAGES) {
        const expected = logits[name];
        if (expected === null) continue;
        const found = rowsOf(trainer.directPath(stage));
        reference.rows.forEach((token, row) =>
          found[token]!.forEach((logit, i) => near(logit, expected[row]![i]!, LOGIT_TOLERANCE)),
        );
      }
    });

    test('directPathReport', () => {
      const report = withWeights(model).directPathReport(text, { bigramsOf });
      for (const [name] of STAGES) {
        const found = report.paths[name];
        const expected = paths[name];
        expect(found === null).toBe(expected === null);
        if (found === null || expected === null) continue;
        for (const measure of ['asymmetry', 'loss', 'correlation'] as const) {
          near(found[measure], expected[measure], TOLERANCE);
        }
        for (const share of ['selfPrediction', 'breaking'] as const)
          near(found[share], expected[share], COUNT_TOLERANCE);
      }
      near(report.model.loss, whole.loss, TOLERANCE);
      near(report.model.correlation, whole.correlation, TOLERANCE);
    });

    test('the loss without each layer, and the input of the head', () => {
      const trainer = withWeights(model);
      const { loss, layers } = trainer.ablateLayers(text);
      near(loss, whole.loss, TOLERANCE);
      expect(layers).toHaveLength(ablation.length);
      layers.forEach(({ increase, standardError }, layer) => {
        near(increase, ablation[layer]!.increase, TOLERANCE);
        near(standardError, ablation[layer]!.standardError, TOLERANCE);
      });
      const states = trainer.hiddenStates(text.slice(0, last.length), { finalNorm: true });
      rowsOf(states.at(-1)!).forEach((state, i) => state.forEach((x, k) => near(x, last[i]![k]!, LOGIT_TOLERANCE)));
    });
  },
);

test('measures of the text alone agree with numpy', () => {
  const { bigrams, chance } = withWeights(reference.models[0]!.model).directPathReport(text, { bigramsOf });
  for (const fact of ['selfPrediction', 'breaking', 'loss'] as const) {
    near(bigrams[fact], reference.bigrams[fact], COUNT_TOLERANCE);
  }
  for (const fact of ['loss', 'correlation'] as const) near(chance[fact], reference.chance[fact], COUNT_TOLERANCE);
});
