// The memory of large models: what the engine has given a core, beside what was estimated.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadCore, type ModelConfig, type TrainingConfig } from '../../../web/index.js';

const memories = new Set<WebAssembly.Memory>();
beforeEach(() => {
  memories.clear();
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  vi.spyOn(WebAssembly, 'instantiate').mockImplementation((async (module: WebAssembly.Module, imports: object) => {
    const made = (await instantiate(module, imports as WebAssembly.Imports)) as unknown;
    const { exports } =
      made instanceof WebAssembly.Instance ? made : (made as { instance: WebAssembly.Instance }).instance;
    for (const value of Object.values(exports)) if (value instanceof WebAssembly.Memory) memories.add(value);
    return made;
  }) as unknown as typeof WebAssembly.instantiate);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const megabytes = (bytes: number): number => bytes / 1e6;
const heap = (): number => megabytes([...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0));

const model = (tying: 'tied' | 'untied', nLayers: number): ModelConfig => ({
  kind: 'transformer',
  vocabSize: 8192,
  dModel: 256,
  tying,
  nLayers,
  nHeads: 8,
  contextLength: 128,
});
const training: TrainingConfig = { learningRate: 1e-3, batchSize: 4, seed: 1 };
const tokenIds = Uint32Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 8192);

describe('a width of 256 with 8,192 tokens', () => {
  test.each([
    ['tied', 4, 138],
    ['untied', 4, 172],
    ['tied', 6, 179],
    ['untied', 6, 213],
  ] as const)('%s, %d layers: takes the %d MB that are estimated', async (tying, layers, expected) => {
    const core = await loadCore();
    const empty = heap();
    expect(empty).toBeGreaterThan(0);
    const { bytes, parts } = core.estimateMemory(model(tying, layers), training);
    expect(megabytes(bytes)).toBeCloseTo(expected, -1);
    expect(parts.find(({ name }) => name === 'snapshots')).toMatchObject({ bytes: 0 });
    const trainer = core.createTrainer({ model: model(tying, layers), training, tokenIds });
    trainer.run(1);
    // The core starts with a heap of 16 MiB, of which it uses little.
    const grown = heap() - empty;
    expect(grown).toBeGreaterThan(megabytes(bytes) - 16);
    expect(grown).toBeLessThan(megabytes(bytes));
    // Files are put together outside the core.
    trainer.save();
    expect(heap() - empty).toBe(grown);
    trainer.dispose();
  });
});
