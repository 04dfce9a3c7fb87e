import { describe, expect, test, vi } from 'vitest';
import { createLab, loadCore, type Core } from '../../../web/index.js';
import { LOADED_WITH_CORE } from '../../../web/core/runtime/modules.js';
import { disposeSymbol } from '../../../web/core/runtime/symbols.js';
import { expectError, matrixOf } from './support.js';

const SQUARE = matrixOf([
  [1, 2],
  [3, 4],
]);
const IDS = Uint32Array.from({ length: 1000 }, (_, i) => (i * i) % 101);

function trainerOf(core: Core, vocabSize = 101) {
  return core.createTrainer({
    model: { kind: 'direct-path', vocabSize, dModel: 16, tying: 'untied' },
    training: { learningRate: 0.01, batchSize: 64, seed: 1 },
    tokenIds: IDS,
  });
}

describe('handles', () => {
  test('refuse calls once disposed of; disposing again does nothing', async () => {
    const core = await loadCore();
    const trainer = trainerOf(core);
    const tokenizer = core.trainTokenizer('abc', { kind: 'character' });
    for (const handle of [trainer, tokenizer]) {
      handle.dispose();
      handle.dispose();
    }
    expectError(() => trainer.run(1), 'disposed', /^the trainer has been disposed of/);
    expectError(() => trainer.parameters(), 'disposed', /^the trainer has been disposed of/);
    expectError(() => trainer.step, 'disposed', /^the trainer has been disposed of/);
    expectError(() => tokenizer.encode('a'), 'disposed', /^the tokenizer has been disposed of/);
    expect(core.symmetry(SQUARE).maxDifference).toBe(1);
  });

  test('are disposed of together with their core', async () => {
    const core = await loadCore();
    const trainer = trainerOf(core);
    core.dispose();
    core.dispose();
    expectError(() => core.symmetry(SQUARE), 'disposed', /^the core has been disposed of/);
    expectError(() => trainer.run(1), 'disposed', /^the core has been disposed of/);
    expectError(() => trainer.run(0), 'disposed', /^the core has been disposed of/);
    // Verbs that need none of its modules.
    expectError(() => core.knownModels(), 'disposed', /^the core has been disposed of/);
    expectError(() => core.importConfig('{}'), 'disposed', /^the core has been disposed of/);
    expectError(() => core.parsePairs('a\tb'), 'disposed', /^the core has been disposed of/);
    const file = new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']);
    const withFiles = await loadCore({ modules: ['checkpoint'] });
    withFiles.dispose();
    await expect(withFiles.openCheckpoint(file)).rejects.toMatchObject({ code: 'disposed' });
    const lab = await createLab();
    lab.dispose();
    await expect(lab.openCheckpoint(file)).rejects.toMatchObject({ code: 'disposed' });
    expectError(() => trainer.parameters(), 'disposed', /^the core has been disposed of/);
    trainer.dispose();
  });

  test('are disposed of at the end of a `using` block', async () => {
    const core = await loadCore();
    const trainer = trainerOf(core);
    trainer[disposeSymbol]();
    expectError(() => trainer.run(1), 'disposed', /disposed/);
    core[disposeSymbol]();
    expectError(() => core.symmetry(SQUARE), 'disposed', /disposed/);
  });

  test('of one core are independent of another core', async () => {
    const [one, other] = await Promise.all([loadCore(), loadCore()]);
    const trainer = trainerOf(one);
    other.dispose();
    expect(trainer.run(1)).toHaveLength(1);
  });
});

/** A core, and the bytes of memory that it has allocated so far, observed where it is instantiated. */
async function coreWithMemory(): Promise<{ core: Core; bytes: () => number }> {
  const instantiate = vi.spyOn(WebAssembly, 'instantiate');
  const core = await loadCore();
  const instances = (await Promise.all(instantiate.mock.results.map(({ value }) => value as unknown))) as never[];
  instantiate.mockRestore();
  const memories = instances.flatMap(({ exports }: WebAssembly.Instance) =>
    Object.values(exports).filter((item) => item instanceof WebAssembly.Memory),
  );
  // A part has the memory of its module.
  expect(memories).toHaveLength(instances.length - LOADED_WITH_CORE.length);
  return { core, bytes: () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) };
}

describe('memory', () => {
  test('does not grow over two hundred trainers in sequence', { timeout: 60_000 }, async () => {
    const { core, bytes } = await coreWithMemory();
    const comeAndGo = (): void => {
      const tokenizer = core.trainTokenizer('the cat sat on the mat', { kind: 'bpe', vocabSize: 260 });
      const trainer = trainerOf(core, 400);
      trainer.run(1);
      trainer.save();
      trainer.gradient();
      trainer.dispose();
      tokenizer.dispose();
    };
    comeAndGo();
    comeAndGo();
    const before = bytes();
    for (let i = 0; i < 200; i++) comeAndGo();
    expect(bytes()).toBe(before);
  });

  test(
    'does not grow over two hundred transformers that are run, cancelled, rewound and saved',
    { timeout: 60_000 },
    async () => {
      const { core, bytes } = await coreWithMemory();
      const text = 'the cat sat on the mat. '.repeat(20);
      const tokenizer = core.trainTokenizer(text, { kind: 'character' });
      const comeAndGo = (i: number): void => {
        const trainer = core.createTrainer({
          model: {
            kind: 'transformer',
            vocabSize: tokenizer.vocabSize,
            dModel: 16,
            nHeads: 2,
            nLayers: 2,
            contextLength: 16,
            tying: i % 2 === 0 ? 'tied' : { untieAtStep: 3 },
          },
          training: { learningRate: 0.01, batchSize: 2, seed: i },
          tokenIds: tokenizer.encode(text),
          tokenizer,
        });
        const controller = new AbortController();
        const options = { signal: controller.signal, onProgress: () => trainer.step >= 4 && controller.abort() };
        expectError(() => trainer.run(50, options), 'cancelled', /after 4 of 50/);
        trainer.rewind(2);
        trainer.evaluate();
        trainer.hiddenStates(Uint32Array.of(1, 2, 3));
        trainer.attention(Uint32Array.of(1, 2, 3));
        const stop = { prompt: 'the', tokens: 30, signal: controller.signal };
        expectError(() => trainer.generate(stop), 'cancelled', /after 0 of 30/);
        trainer.generate({ prompt: 'the', tokens: 20, seed: i });
        const loaded = core.loadTrainer(trainer.save());
        loaded.toSafetensors();
        loaded.tokenizer()!.dispose();
        loaded.dispose();
        trainer.dispose();
      };
      for (let i = 0; i < 4; i++) comeAndGo(i);
      const before = bytes();
      for (let i = 0; i < 200; i++) comeAndGo(i);
      expect(bytes()).toBe(before);
    },
  );

  test('is not allocated for refused calls', async () => {
    const { core, bytes } = await coreWithMemory();
    const before = bytes();
    expectError(() => core.bigrams(IDS, 2 ** 31), 'out-of-memory', /vocabSize is 2147483648; expected/);
    expectError(
      () => trainerOf(core, 50_000_000),
      'out-of-memory',
      /^model\.vocabSize is 50000000 .*; expected at most/,
    );
    expect(bytes()).toBe(before);
  });

  test('may move between calls without affecting returned values', async () => {
    const { core, bytes } = await coreWithMemory();
    const path = core.directPath({ embedding: SQUARE });
    const copy = path.data.slice();
    const before = bytes();
    const large = core.directPath({ embedding: { rows: 3000, cols: 1, data: new Float32Array(3000).fill(1) } });
    expect(bytes()).toBeGreaterThan(before);
    expect(large.data.every((entry) => entry === 1)).toBe(true);
    expect(path.data).toEqual(copy);
  });

  test('that the browser refuses is an error, after which the core still works', async () => {
    const { core } = await coreWithMemory();
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new RangeError('no more');
    });
    expectError(
      () => core.directPath({ embedding: { rows: 5000, cols: 1, data: new Float32Array(5000) } }),
      'out-of-memory',
      /expected/,
    );
    expectError(() => trainerOf(core, 200_000), 'out-of-memory', /expected|does not fit/);
    expectError(
      () => core.trainTokenizer('x'.repeat(50_000_000), { kind: 'character' }),
      'out-of-memory',
      /does not fit/,
    );
    grow.mockRestore();
    expect(core.symmetry(SQUARE).maxDifference).toBe(1);
    const path = core.directPath({ embedding: { rows: 5000, cols: 1, data: new Float32Array(5000) } });
    expect(path.rows).toBe(5000);
  });
});
