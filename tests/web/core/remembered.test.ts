/** A model card reuses what was just measured with the same weights and text, and measures everything else. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadCore, type ModelCard, type Trainer } from '../../../web/index.js';
import { reportGradient } from '../../../web/core/diagnostics/gradient-report.js';
import { layerAblation } from '../../../web/core/diagnostics/layer-ablation.js';
import { readLayers } from '../../../web/core/diagnostics/logit-lens.js';
import { lossesByFrequency } from '../../../web/core/diagnostics/loss-by-frequency.js';
import { smallTrainer, stream, VOCAB_SIZE } from './small-transformers.js';

// The card's calls; verbs call those of their own file.
vi.mock('../../../web/core/diagnostics/gradient-report.js', { spy: true });
vi.mock('../../../web/core/diagnostics/layer-ablation.js', { spy: true });
vi.mock('../../../web/core/diagnostics/logit-lens.js', { spy: true });
vi.mock('../../../web/core/diagnostics/loss-by-frequency.js', { spy: true });

const core = await loadCore({ modules: ['diagnostics', 'readout'] });
const tokenIds = stream(core);
const text = tokenIds.slice(0, 300);
const counts = Uint32Array.from({ length: VOCAB_SIZE }, (_, token) => token + 1);

const runs = { layerAblation, lossesByFrequency, readLayers, reportGradient };
let trainer: Trainer;

const measured = (): string[] =>
  Object.entries(runs).flatMap(([name, run]) => (vi.mocked(run).mock.calls.length > 0 ? [name] : []));

beforeEach(() => {
  trainer = smallTrainer(core, tokenIds, 'untied');
  trainer.run(20);
  vi.clearAllMocks();
});
afterEach(() => trainer.dispose());

const card = (options: object = {}): ModelCard => trainer.modelCard({ tokenIds: text, counts, ...options });

function measureAll(): void {
  trainer.logitLens(text);
  trainer.ablateLayers(text);
  trainer.gradientReport(text);
  trainer.lossByFrequency(text, { counts });
  vi.clearAllMocks();
}

test('a card after the verbs is the same, and repeats none of their measurements', () => {
  const before = card();
  expect(measured()).toEqual(Object.keys(runs));
  measureAll();
  expect(card()).toEqual(before);
  expect(measured()).toEqual([]);
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
  expect(measured()).toEqual(Object.keys(runs));
  const fresh = core.loadTrainer(trainer.save());
  expect(fresh.modelCard({ tokenIds: text, counts, ...options }).data.layers).toEqual(found.data.layers);
  fresh.dispose();
});

test('with other counts, only the losses by frequency are measured', () => {
  measureAll();
  card({ counts: undefined });
  expect(measured()).toEqual(['lossesByFrequency']);
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
