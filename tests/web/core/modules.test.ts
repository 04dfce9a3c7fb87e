import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_MODULES, OPTIONAL_MODULES, type OptionalModule } from '../../../web/core/runtime/modules.js';
import { CORE_VERBS, modulesOfVerb } from '../../../web/core/api/core-verbs.js';
import { TRAINER_VERBS } from '../../../web/core/training/trainer-verbs.js';
import * as main from '../../../web/index.js';
import * as slim from '../../../web/slim.js';
import { expectError, matrixOf } from './support.js';
import { wasmFile } from './bound-verbs.js';
import { rejection } from '../worker/lab-tests.js';

const WASM = new URL('../../../web/wasm/core.wasm', import.meta.url);
const GPT2 = { family: 'gpt-2', vocabSize: 50257, dModel: 768, nLayers: 12 } as const;
const STORY = { seed: 1, length: 200 };
const SQUARE = matrixOf([[1]]);
const TABLE = matrixOf([
  [1, 2],
  [3, 5],
  [-1, 4],
  [2, 0],
]);

const IDS = Uint32Array.of(0, 1, 2, 3, 2);
const smallTransformer = (core: main.Core): main.Trainer =>
  core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize: 4, dModel: 2, tying: 'tied' },
      ...{ nLayers: 1, nHeads: 1, contextLength: 4 },
    },
    training: { learningRate: 0.1, batchSize: 1, seed: 1 },
    tokenIds: IDS,
  });

/** A call of each verb that needs an optional module. */
const calls: Readonly<Record<string, (core: main.Core) => unknown>> = {
  countParameters: (core) => core.countParameters(GPT2),
  countCompute: (core) => core.countCompute(GPT2, { sequences: 1, tokens: 8 }),
  adviseTying: (core) => core.adviseTying(GPT2),
  align: (core) => core.align(TABLE, TABLE, { method: 'linear', holdOut: 0 }),
  neighbors: (core) => core.neighbors(TABLE, 0, { k: 1 }),
  neighborOverlap: (core) => core.neighborOverlap(TABLE, TABLE, { k: 1 }),
  spectralDistance: (core) => core.spectralDistance(TABLE, TABLE, { k: 1, dimensions: 1 }),
  kolmogorovCycles: (core) => core.kolmogorovCycles({ rows: 1, cols: 1, data: Float32Array.of(1) }),
  tiedFloor: (core) => core.tiedFloor({ rows: 2, cols: 2, data: Float32Array.of(1, 2, 3, 4) }),
  recoverTable: (core) => core.recoverTable({ rows: 2, cols: 2, data: Float32Array.of(1, 2, 3, 4) }),
  spectrum: (core) => core.spectrum(TABLE),
  cka: (core) => core.cka(TABLE, TABLE),
  isotropy: (core) => core.isotropy(TABLE),
  normFrequency: (core) => core.normFrequency(TABLE, Uint32Array.of(1, 2, 3, 4)),
  decomposeHidden: (core) => core.decomposeHidden(TABLE, TABLE, Uint32Array.of(0, 1, 2, 3)),
  'trainer.logitLens': (core) => smallTransformer(core).logitLens(IDS),
  'trainer.trainTunedLens': (core) => smallTransformer(core).trainTunedLens({ tokenIds: IDS, steps: 1 }),
  'trainer.gradientReport': (core) => smallTransformer(core).gradientReport(IDS),
  'trainer.lossByFrequency': (core) => smallTransformer(core).lossByFrequency(IDS),
  'trainer.selfTransitions': (core) => smallTransformer(core).selfTransitions(IDS),
  'trainer.calibration': (core) => smallTransformer(core).calibration(IDS),
  'trainer.ablateLayers': (core) => smallTransformer(core).ablateLayers(IDS),
  'trainer.directPath': (core) => smallTransformer(core).directPath(),
  'trainer.directPathReport': (core) => smallTransformer(core).directPathReport(IDS),
  'trainer.modelCard': (core) => smallTransformer(core).modelCard({ tokenIds: IDS }),
  decodeElements: (core) => core.decodeElements('F8_E5M2', Uint8Array.of(0x3c), 1),
  writeStories: (core) => core.writeStories(STORY),
  writePairs: (core) => core.writePairs({ task: 'plurals', seed: 1, count: 1 }),
};

const needing = (names: readonly string[], of: 'core' | 'trainer', prefix = '') =>
  names.flatMap((name) =>
    modulesOfVerb(name, of).flatMap((module) =>
      (OPTIONAL_MODULES as readonly string[]).includes(module)
        ? [{ module: module as OptionalModule, verb: `${prefix}${name}` }]
        : [],
    ),
  );
const verbs = [...needing(CORE_VERBS, 'core'), ...needing(TRAINER_VERBS, 'trainer', 'trainer.')];
const DEFAULT_VERBS = verbs.filter(({ module }) => DEFAULT_MODULES.includes(module)).map(({ verb }) => verb);

describe('loadCore', () => {
  test.each([main, slim])('loads only the default modules', async ({ loadCore }) => {
    expect(Object.keys(calls).sort()).toEqual([...new Set(verbs.map(({ verb }) => verb))].sort());
    const core = await loadCore({ wasmUrl: WASM });
    for (const { module, verb } of verbs) {
      if (DEFAULT_MODULES.includes(module)) expect(calls[verb]!(core)).toBeTruthy();
      else expectError(() => calls[verb]!(core), 'unsupported', /^this core was loaded without the module/);
    }
  });

  test.each(verbs)('refuses $verb without the module $module, and says what to pass', async ({ module, verb }) => {
    const [name, of] = verb.startsWith('trainer.') ? ([verb.slice(8), 'trainer'] as const) : ([verb, 'core'] as const);
    const needed = modulesOfVerb(name, of) as OptionalModule[];
    const others = [...DEFAULT_MODULES, ...needed].filter((name) => name !== module);
    for (const modules of [needed.filter((name) => name !== module), others]) {
      const all = OPTIONAL_MODULES.filter((name) => name === module || modules.includes(name));
      const listed = all.map((name) => `'${name}'`).join(', ');
      const core = await main.loadCore({ modules });
      expectError(
        () => calls[verb]!(core),
        'unsupported',
        new RegExp(`without the module '${module}', .*; pass modules: \\[${listed}\\] to loadCore$`),
      );
      expect(core.symmetry(SQUARE).symmetric).toBe(true);
      core.dispose();
      expectError(() => calls[verb]!(core), 'disposed', /disposed of/);
    }
    const core = await main.loadCore({ modules: needed });
    expect(calls[verb]!(core)).toBeTruthy();
  });

  test('fetches only the requested modules', async () => {
    const fetched: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation((address) => {
      const file = String(address).split('/').at(-1)!;
      fetched.push(file);
      return Promise.resolve(new Response(new Uint8Array(wasmFile(file))));
    });
    const filesOf = async (options: main.LoadOptions): Promise<string[]> => {
      await slim.loadCore({ wasmUrl: 'http://localhost/core.wasm', ...options });
      return fetched.splice(0).sort();
    };
    expect(await filesOf({ modules: [] })).toEqual(['analysis.wasm', 'core.wasm', 'files.wasm']);
    expect(await filesOf({ modules: ['stories'] })).toEqual([
      'analysis.wasm',
      'core.wasm',
      'files.wasm',
      'stories.wasm',
    ]);
    expect(await filesOf({})).toEqual(['accounting.wasm', 'analysis.wasm', 'core.wasm', 'files.wasm', 'stories.wasm']);
    vi.restoreAllMocks();
  });

  test('loads each module from bytes or a URL, which may change afterwards', async () => {
    const accountingBytes = new Uint8Array(readFileSync(new URL('./accounting.wasm', WASM)));
    const loading = main.loadCore({ accountingBytes, storiesUrl: new URL('./stories.wasm', WASM).href });
    accountingBytes.fill(0);
    const core = await loading;
    for (const verb of DEFAULT_VERBS) expect(calls[verb]!(core)).toBeTruthy();
    const swapped = await rejection(main.loadCore({ storiesUrl: new URL('./accounting.wasm', WASM) }));
    expect(swapped.message).toMatch(/expected the stories\.wasm of this same version/);
  });

  test.each([
    ['stories', /^options\.modules is 'stories'; expected an array of names of modules$/],
    [{ 0: 'stories', length: 1 }, /^options\.modules is an object; expected an array/],
    [
      ['storis'],
      /^options\.modules\[0\] is 'storis'; expected one of 'accounting', 'diagnostics', 'graphs', 'readout', 'checkpoint', 'stories', 'models'; did you mean 'stories'\?$/,
    ],
    [['stories', 'core'], /^options\.modules\[1\] is 'core'; expected one of/],
    [[undefined], /^options\.modules\[0\] is undefined/],
  ])('refuses invalid modules: %j', async (modules, message) => {
    for (const open of [main.loadCore, slim.loadCore, main.createLab]) {
      const error = await rejection(open({ modules: modules as never }));
      expect(error.code).toBe('invalid-argument');
      expect(error.message).toMatch(message);
    }
  });
});
