/** The relaxed build in an engine with relaxed SIMD; these tests run in no other engine. */
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import * as main from '../../../web/index.js';
import * as slim from '../../../web/slim.js';
import { wasmFile } from '../core/bound-verbs.js';
import { matrixOf } from '../core/support.js';
import { rejection } from '../worker/lab-tests.js';
import { fakeWorkerClass, workerScript } from '../worker/node-worker.js';

const SQUARE = matrixOf([
  [1, 2],
  [2, 1],
]);
const fileUrl = (name: string): URL => new URL(`../../../web/wasm/${name}`, import.meta.url);
const bytesOf = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(wasmFile(name));
const PLACES = { wasmUrl: fileUrl('core-relaxed.wasm') };
const BYTES = { wasmBytes: bytesOf('core-relaxed.wasm'), analysisBytes: bytesOf('analysis-relaxed.wasm') };

afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.unstubAllGlobals());

test('this engine runs the relaxed build, and support can be checked in advance', () => {
  expect(main.isSupported({ simd: 'relaxed' })).toEqual({ supported: true, reason: null });
});

describe('loadCore with simd', () => {
  test('loads the requested build, by default the baseline', async () => {
    expect((await main.loadCore()).simd).toBe('simd128');
    expect((await main.loadCore({ simd: 'simd128' })).simd).toBe('simd128');
    const relaxed = await main.loadCore({ simd: 'relaxed' });
    expect(relaxed.simd).toBe('relaxed');
    expect(relaxed.symmetry(SQUARE).symmetric).toBe(true);
    expect((await main.loadCore()).simd).toBe('simd128');
  });

  test('loads the build from bytes or a URL, with analysis-relaxed.wasm beside core-relaxed.wasm', async () => {
    for (const { loadCore } of [main, slim]) {
      for (const place of [PLACES, BYTES, { ...PLACES, analysisUrl: fileUrl('analysis-relaxed.wasm') }]) {
        const core = await loadCore({ simd: 'relaxed', ...place });
        expect(core.simd).toBe('relaxed');
        expect(core.symmetry(SQUARE).symmetric).toBe(true);
      }
    }
  });

  test('refuses modules of the other build, for either build', async () => {
    const baseline = { wasmBytes: bytesOf('core.wasm'), analysisBytes: bytesOf('analysis.wasm') };
    const wrong: [main.LoadOptions, string, string, string][] = [
      [BYTES, 'core', 'relaxed', 'simd128'],
      [{ ...baseline, analysisBytes: BYTES.analysisBytes }, 'analysis', 'relaxed', 'simd128'],
      [{ simd: 'relaxed', ...baseline }, 'core', 'simd128', 'relaxed'],
      [{ simd: 'relaxed', ...BYTES, analysisBytes: baseline.analysisBytes }, 'analysis', 'simd128', 'relaxed'],
      [{ wasmUrl: fileUrl('core-relaxed.wasm') }, 'core', 'relaxed', 'simd128'],
    ];
    for (const [options, name, found, asked] of wrong) {
      const error = await rejection(main.loadCore(options));
      expect(error.code).toBe('bad-file');
      expect(error.message).toBe(`the ${name} module is of the build '${found}'; expected '${asked}' (options.simd)`);
    }
  });

  test('names the expected file if the given one is not ours', async () => {
    const swapped = { wasmBytes: BYTES.analysisBytes, analysisBytes: BYTES.wasmBytes };
    const error = await rejection(main.loadCore({ simd: 'relaxed', ...swapped }));
    expect(error.message).toMatch(/expected the core-relaxed\.wasm of this same version/);
  });

  test('compiles each build once, however many cores are loaded', async () => {
    await Promise.all([main.loadCore(), main.loadCore({ simd: 'relaxed' })]);
    const compile = vi.spyOn(WebAssembly, 'compile');
    await Promise.all([main.loadCore({ simd: 'relaxed' }), main.loadCore(), main.loadCore({ simd: 'relaxed' })]);
    expect(compile).not.toHaveBeenCalled();
  });
});

describe('createLab with simd', () => {
  const open = async (mode: main.Lab['mode']) => {
    for (const createLab of [main.createLab, (options: main.LabOptions) => slim.createLab({ ...PLACES, ...options })]) {
      const lab = await createLab({ simd: 'relaxed' });
      expect([lab.mode, lab.simd]).toEqual([mode, 'relaxed']);
      expect((await lab.symmetry(SQUARE)).symmetric).toBe(true);
      lab.dispose();
    }
    const usual = await main.createLab();
    expect(usual.simd).toBe('simd128');
    usual.dispose();
    const error = await rejection(main.createLab(BYTES));
    expect([error.code, error.message]).toEqual([
      'bad-file',
      "the core module is of the build 'relaxed'; expected 'simd128' (options.simd)",
    ]);
  };

  test('opens a lab with that build on the same thread', () => open('same-thread'));

  test('opens a lab with that build in a worker', async () => {
    vi.stubGlobal('Worker', fakeWorkerClass(await workerScript()));
    await open('worker');
  });
});
