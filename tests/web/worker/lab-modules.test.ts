// Modules that a lab fetches when first needed, wherever the lab runs.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLab, loadCore, type Core, type Lab } from '../../../web/index.js';
import * as slim from '../../../web/slim.js';
import { TOY_CHAIN, TOY_COUNTS } from '../core/support.js';
import { rejection } from './lab-tests.js';
import { fakeWorkerClass, workerScript } from './node-worker.js';

const GPT2 = { family: 'gpt-2', vocabSize: 50257, dModel: 768, nLayers: 12 } as const;
const STORY = { seed: 1, length: 200 };
const TOY = {
  model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
  training: { learningRate: 0.05, seed: 1 },
  bigramCounts: TOY_COUNTS,
} as const;

/** The fetched files, in order; `change` may delay a file or replace it. */
function serve(change: (file: string, bytes: Uint8Array<ArrayBuffer>) => BodyInit | Promise<BodyInit> = (_, b) => b) {
  const fetched: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    const file = String(address).split('/').at(-1)!;
    fetched.push(file);
    const bytes = new Uint8Array(readFileSync(new URL(`../../../web/wasm/${file}`, import.meta.url)));
    return new Response(await change(file, bytes), { headers: { 'Content-Type': 'application/wasm' } });
  });
  return fetched;
}
const open = (options: slim.LabOptions = {}): Promise<Lab> =>
  slim.createLab({ wasmUrl: 'http://localhost/core.wasm', ...options });

afterEach(() => vi.restoreAllMocks());

function testModules(mode: Lab['mode']): void {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  test('are fetched once, by the first call that needs them, from the folder of the core', async () => {
    const fetched = serve();
    const lab = await open();
    expect(lab.mode).toBe(mode);
    await lab.symmetry(TOY_CHAIN);
    expect((await lab.knownModels()).length).toBeGreaterThan(50);
    expect(fetched).toEqual(['core.wasm', 'analysis.wasm']);
    const [count, advice] = await Promise.all([lab.countParameters(GPT2), lab.adviseTying(GPT2)]);
    expect(count).toEqual(core.countParameters(GPT2));
    expect(advice).toEqual(core.adviseTying(GPT2));
    expect(fetched.slice(2)).toEqual(['accounting.wasm']);
    expect(await lab.writeStories(STORY)).toBe(core.writeStories(STORY));
    await lab.countParameters(GPT2);
    expect(fetched.slice(3)).toEqual(['stories.wasm']);
    lab.dispose();
  });

  test('are fetched for the verbs of trainers and of arms too', async () => {
    const fetched = serve();
    const lab = await open();
    const corpus = await lab.openCorpus('the cat sat on the mat. '.repeat(8), { tokenizer: { kind: 'character' } });
    const model = { kind: 'transformer', dModel: 4, tying: 'tied', nLayers: 1, nHeads: 1, contextLength: 8 } as const;
    const training = { learningRate: 0.01, batchSize: 2 };
    const comparison = await lab.compare(corpus, { arms: { a: { model, training } }, seed: 1 });
    const ids = Uint32Array.of(1, 2, 3, 4);
    const { layers } = await comparison.arm('a').logitLens(ids);
    expect(layers.map(({ perToken }) => perToken.length)).toEqual([4, 4]);
    expect(fetched.slice(2)).toEqual(['readout.wasm']);
    let told = 0;
    const lens = await comparison
      .arm('a')
      .trainTunedLens({ tokenIds: ids, steps: 3, onProgress: (done) => (told = done) });
    expect(told).toBe(1);
    expect((await comparison.arm('a').logitLens(ids, { lens })).layers).toHaveLength(2);
    const cancelled = comparison.arm('a').trainTunedLens({ tokenIds: ids, signal: AbortSignal.abort() });
    expect((await rejection(cancelled)).code).toBe('cancelled');
    lab.dispose();
  });

  test('do not change the order of the calls of a trainer', async () => {
    const fetched = serve();
    const [lab, other] = [await open(), core.createTrainer(TOY)];
    const trainer = await lab.createTrainer(TOY);
    const early = new AbortController();
    const zeros = { rows: 3, cols: 2, data: new Float32Array(6) };
    // No verb that takes slices: `dispose` ends a run at its next one.
    const [before, after, cancelled] = [
      trainer.save(),
      trainer.setMatrix('embedding', zeros),
      rejection(trainer.save({ signal: early.signal })),
    ];
    early.abort();
    const last = trainer.save();
    trainer.dispose();
    expect(await before).toEqual(other.save());
    await after;
    other.setMatrix('embedding', zeros);
    expect(await last).toEqual(other.save());
    expect((await cancelled).code).toBe('cancelled');
    const loaded = await lab.loadTrainer(await last);
    expect((await loaded.matrix('embedding')).data).toEqual(zeros.data);
    expect(fetched.slice(2)).toEqual(['files.wasm']);
    lab.dispose();
  });

  test('are not fetched for what the module of a trainer contains', async () => {
    const fetched = serve();
    const lab = await open();
    const model = { ...TOY.model, head: { kind: 'sampled', samples: 2 } } as const;
    const tokenIds = Uint32Array.of(0, 1, 2, 0, 2, 1);
    const trainer = await lab.createTrainer({ model, training: { ...TOY.training, batchSize: 2 }, tokenIds });
    await trainer.toSafetensors();
    const bytes = await trainer.save();
    const loaded = await lab.loadTrainer(bytes);
    expect(await loaded.save()).toEqual(bytes);
    expect(fetched.slice(2)).toEqual(['models.wasm']);
    // A trainer of the core still needs its part.
    await (await lab.createTrainer(TOY)).save();
    expect(fetched.slice(3)).toEqual(['files.wasm']);
    lab.dispose();
  });

  test('are all fetched for a verb that needs several, also in an arm', async () => {
    const fetched = serve();
    const lab = await open();
    const corpus = await lab.openCorpus('the cat sat on the mat. '.repeat(8), { tokenizer: { kind: 'character' } });
    const model = { kind: 'transformer', dModel: 4, tying: 'tied', nLayers: 1, nHeads: 1, contextLength: 8 } as const;
    const training = { learningRate: 0.01, batchSize: 2 };
    const tokenIds = Uint32Array.from({ length: 40 }, (_, i) => (i * i) % 9);
    const trainer = await lab.createTrainer({
      model: { ...model, vocabSize: corpus.vocabSize },
      training: { ...training, seed: 1 },
      tokenIds: await corpus.tokenIds(),
      tokenizer: corpus.tokenizer!,
    });
    const told: number[] = [];
    const card = await trainer.modelCard({ tokenIds, onProgress: (done) => told.push(done) });
    expect(fetched.slice(2).sort()).toEqual(['diagnostics.wasm', 'readout.wasm']);
    expect(told.at(-1)).toBe(1);
    const cancelled = trainer.modelCard({ tokenIds, signal: AbortSignal.abort() });
    expect((await rejection(cancelled)).message).toMatch(/^the model card was cancelled/);
    // The arm begins with the same weights.
    const comparison = await lab.compare(corpus, { arms: { a: { model, training } }, seed: 1 });
    expect(await comparison.arm('a').modelCard({ tokenIds })).toEqual(card);
    const everything = await loadCore({ modules: ['diagnostics', 'readout'] });
    expect(everything.loadTrainer(await trainer.save()).modelCard({ tokenIds })).toEqual(card);
    lab.dispose();
  });

  test('are available at once if requested', async () => {
    const fetched = serve();
    const lab = await open({ modules: ['stories', 'stories'] });
    expect(fetched.sort()).toEqual(['analysis.wasm', 'core.wasm', 'stories.wasm']);
    expect(await lab.writeStories(STORY)).toBe(core.writeStories(STORY));
    expect(fetched).toHaveLength(3);
    lab.dispose();
  });

  test('are fetched again by the next call after a failure, and the lab continues meanwhile', async () => {
    let working = false;
    const fetched = serve((file, bytes) => {
      if (file === 'accounting.wasm' && !working) throw new TypeError('the line is dead');
      return bytes;
    });
    const lab = await open();
    const both = [rejection(lab.countParameters(GPT2)), rejection(lab.adviseTying(GPT2))];
    for (const { code, message } of await Promise.all(both)) {
      expect(code).toBe('bad-file');
      expect(message).toBe(
        'the file at http://localhost/accounting.wasm could not be fetched; options.accountingUrl should be the URL of accounting.wasm',
      );
    }
    expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
    working = true;
    expect(await lab.countParameters(GPT2)).toEqual(core.countParameters(GPT2));
    expect(fetched.slice(2)).toEqual(['accounting.wasm', 'accounting.wasm']);
    lab.dispose();
  });

  test('are refused if the file is another module', async () => {
    const file = new URL('../../../web/wasm/stories.wasm', import.meta.url);
    const lab = await createLab({ accountingUrl: file });
    for (let call = 0; call < 2; call++) {
      const error = await rejection(lab.countParameters(GPT2));
      expect([error.code, error.message]).toEqual([
        'bad-file',
        'the core could not be started; expected the accounting.wasm of this same version',
      ]);
    }
    expect(await lab.writeStories(STORY)).toBe(core.writeStories(STORY));
    lab.dispose();
  });

  test('are no longer waited for once the lab has been disposed of', async () => {
    let asked!: () => void;
    const fetching = new Promise<void>((resolve) => (asked = resolve));
    serve((file, bytes) => {
      if (file !== 'accounting.wasm') return bytes;
      asked();
      return new Promise(() => undefined);
    });
    const lab = await open();
    const counted = rejection(lab.countParameters(GPT2));
    await fetching;
    lab.dispose();
    expect((await counted).code).toBe('disposed');
  });

  test('are compiled once for all labs of a page', async () => {
    const first = await createLab();
    await first.countParameters(GPT2);
    const compile = vi.spyOn(WebAssembly, 'compile');
    const second = await createLab();
    expect(await second.countParameters(GPT2)).toEqual(core.countParameters(GPT2));
    expect(compile).not.toHaveBeenCalled();
    first.dispose();
    second.dispose();
  });

  test('have their arguments copied before they are fetched', async () => {
    const lab = await createLab();
    const model = { ...GPT2, dModel: 768 as number };
    const counted = lab.countParameters(model);
    model.dModel = 1;
    expect(await counted).toEqual(core.countParameters(GPT2));
    lab.dispose();
  });
}

describe('the modules of a lab on the same thread', () => testModules('same-thread'));

describe('the modules of a lab in a worker', () => {
  beforeAll(async () => {
    vi.stubGlobal('Worker', fakeWorkerClass(await workerScript()));
  });
  afterAll(() => vi.unstubAllGlobals());

  testModules('worker');
});
