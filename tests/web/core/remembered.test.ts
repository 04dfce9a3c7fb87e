/** A model card reuses what was just measured with the same weights and text, and measures everything else. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadCore, type ModelCard, type Trainer } from '../../../web/index.js';
import { GradientReportRun } from '../../../web/core/diagnostics/gradient-report.js';
import { LayerAblationRun } from '../../../web/core/diagnostics/layer-ablation.js';
import { LensRun } from '../../../web/core/diagnostics/logit-lens.js';
import { LossByFrequencyRun } from '../../../web/core/diagnostics/loss-by-frequency.js';
import { smallTrainer, stream, VOCAB_SIZE } from './small-transformers.js';

const core = await loadCore({ modules: ['diagnostics', 'readout'] });
const tokenIds = stream(core);
const text = tokenIds.slice(0, 300);
const counts = Uint32Array.from({ length: VOCAB_SIZE }, (_, token) => token + 1);

const runs = { LensRun, LayerAblationRun, GradientReportRun, LossByFrequencyRun };
let trainer: Trainer;
let measured: Set<string>;

beforeEach(() => {
  trainer = smallTrainer(core, tokenIds, 'untied');
  trainer.run(20);
  measured = new Set();
  for (const [name, run] of Object.entries(runs)) {
    const prototype = run.prototype as unknown as { take: (parts: number) => void };
    const take = prototype.take;
    vi.spyOn(prototype, 'take').mockImplementation(function (this: typeof prototype, parts) {
      measured.add(name);
      take.call(this, parts);
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  trainer.dispose();
});

const card = (options: object = {}): ModelCard => trainer.modelCard({ tokenIds: text, counts, ...options });

function measureAll(): void {
  trainer.logitLens(text);
  trainer.ablateLayers(text);
  trainer.gradientReport(text);
  trainer.lossByFrequency(text, { counts });
  measured.clear();
}

test('a card after the verbs is the same, and repeats none of their measurements', () => {
  const before = card();
  expect([...measured].sort()).toEqual(Object.keys(runs).sort());
  measureAll();
  expect(card()).toEqual(before);
  expect([...measured]).toEqual([]);
});

test.each<[string, () => unknown, object]>([
  ['after a step', () => trainer.run(1), {}],
  ['after a rewind', () => trainer.rewind(10), {}],
  ['after an edit', () => trainer.setMatrix('embedding', trainer.matrix('unembedding')), {}],
  ['of another text', () => undefined, { tokenIds: text.slice(1) }],
])('%s, everything is measured', (_, change, options) => {
  measureAll();
  change();
  const found = card(options);
  expect([...measured].sort()).toEqual(Object.keys(runs).sort());
  const fresh = core.loadTrainer(trainer.save());
  expect(fresh.modelCard({ tokenIds: text, counts, ...options }).data.layers).toEqual(found.data.layers);
  fresh.dispose();
});

test('with other counts, only the losses by frequency are measured', () => {
  measureAll();
  card({ counts: undefined });
  expect([...measured]).toEqual(['LossByFrequencyRun']);
});

test('changing a result, or reading through a lens, does not change a card', () => {
  const before = card();
  measureAll();
  const lens = trainer.trainTunedLens({ tokenIds, steps: 2, tokensPerStep: 64 });
  trainer.logitLens(text, { lens });
  const losses = trainer.lossByFrequency(text, { counts });
  losses.loss = 7;
  losses.bands.length = 0;
  expect(card()).toEqual(before);
});
