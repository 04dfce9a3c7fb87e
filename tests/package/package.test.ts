import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALWAYS_LOADED, baselineFiles, relaxedFiles, stemOf } from '../../tools/lib/modules.mjs';
import { relaxedArguments } from '../../tools/lib/relaxed-simd.mjs';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

const elements = [
  'alignment',
  'direct-path',
  'experiment',
  'gradient-ledger',
  'heads',
  'hidden-states',
  'lens',
  'seq2seq',
  'symmetry-explorer',
  'bigrams',
  'parameter-calculator',
  'training-lab',
  'checkpoint',
  'compute-calculator',
  'model-table',
  'advisor',
  'parameter-map',
];

/** The quick set packs the package without its relaxed build, unless it is there from an earlier run. */
const isBaseline =
  process.env.BASELINE_ONLY === '1' && !existsSync(join(root, 'dist', relaxedFiles[0] ?? 'core-relaxed.wasm'));
const files = isBaseline ? baselineFiles : [...baselineFiles, ...relaxedFiles];

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

/** Runs a module in the user's folder with Node and optional arguments, and returns its output. */
function runInNode(source: string, args: readonly string[] = []): string {
  const file = join(packed.folder, 'user.mjs');
  writeFileSync(file, source);
  return execFileSync(process.execPath, [...args, file], { cwd: packed.folder, encoding: 'utf8' }).trim();
}

function targets(): string[] {
  return Object.values(packed.manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
}

describe('the packed package', () => {
  test('contains everything that its exports name', () => {
    for (const target of targets().filter((target) => !target.includes('*'))) {
      expect(packed.files, target).toContain(target.replace('./', ''));
    }
    for (const file of files) expect(packed.files).toContain(`dist/${file}`);
    for (const name of elements) {
      expect(packed.files).toContain(`dist/elements/${name}.js`);
      expect(packed.files).toContain(`dist/elements/${name}.d.ts`);
    }
  });

  test('contains the license and the readme, but no sources, tests or tools', () => {
    expect(packed.files).toContain('LICENSE');
    expect(packed.files).toContain('README.md');
    const others = packed.files.filter((path) => !/^(dist\/|docs\/|LICENSE$|README\.md$|package\.json$)/.test(path));
    expect(others).toEqual([]);
    expect(packed.files.filter((path) => /\.(cpp|h|tsbuildinfo)$|(?<!\.d)\.ts$|(^|\/)\.stamp$/.test(path))).toEqual([]);
  });

  test('credits bundled third-party work with its licenses', () => {
    const notices = readFileSync(join(packed.folder, 'node_modules/tied-embeddings/dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of ['Eigen', 'xsimd', 'birpc', 'd3-scale', 'lit-html', '@lit/reactive-element']) {
      expect(notices, name).toContain(`\n${name} `);
    }
  });

  test('depends only on Lit', () => {
    expect(Object.keys(packed.manifest.dependencies ?? {})).toEqual(['lit']);
  });

  test.each(['tied-embeddings', 'slim', 'worker'])('imports only its own files in %s', async (entry) => {
    const result = await build({
      entryPoints: [join(packed.folder, `node_modules/tied-embeddings/dist/${entry}.js`)],
      absWorkingDir: join(packed.folder, 'node_modules'),
      bundle: true,
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const others = Object.keys(result.metafile.inputs).filter((path) => !path.startsWith('tied-embeddings/dist/'));
    expect(others).toEqual([]);
  });
});

describe('in bare Node', () => {
  const use = (entry: string) => `
    import { loadCore, TiedError } from '${entry}';
    const core = await loadCore();
    const embedding = { rows: 3, cols: 2, data: new Float32Array([1, 0.5, 0.8, 0.9, 0.3, 1.2]) };
    const path = core.directPath({ embedding });
    const { symmetric, maxDifference } = core.symmetry(path);
    let code;
    try {
      core.directPath({ embedding: { ...embedding, rows: 4 } });
    } catch (error) {
      code = error instanceof TiedError ? error.code : 'not a TiedError';
    }
    let square;
    try {
      core.symmetry(core.trainTokenizer('ab', { kind: 'character' }));
    } catch (error) {
      [square] = error.message.split(';');
    }
    console.log(JSON.stringify({ entry: path.data[1].toFixed(3), symmetric, maxDifference, code, square }));`;

  const expected = JSON.stringify({
    entry: '1.250',
    symmetric: true,
    maxDifference: 0,
    code: 'shape-mismatch',
    // By its kind, never by its class name, which a user's bundler may shorten.
    square: 'square is an object',
  });

  test('the main entry works', () => {
    expect(runInNode(use('tied-embeddings'))).toBe(expected);
  });

  test('the slim entry works with the core.wasm beside it', () => {
    expect(runInNode(use('tied-embeddings/slim'))).toBe(expected);
  });

  const useRelaxed = (entry: string) => `
    import { createLab, isSupported, loadCore } from '${entry}';
    const answer = [];
    for (const load of [loadCore, createLab]) {
      try {
        const loaded = await load({ simd: 'relaxed' });
        const path = await loaded.directPath({ embedding: { rows: 1, cols: 1, data: Float32Array.of(3) } });
        answer.push(loaded.simd + ' ' + path.data[0]);
        loaded.dispose();
      } catch (error) {
        answer.push(error.code);
      }
    }
    console.log([isSupported({ simd: 'relaxed' }).supported, (await loadCore()).simd, ...answer].join());`;

  test.skipIf(isBaseline).each(['tied-embeddings', 'tied-embeddings/slim'])(
    '%s has the relaxed build, for versions of Node that support it',
    (entry) => {
      expect(runInNode(useRelaxed(entry), relaxedArguments)).toBe('true,simd128,relaxed 9,relaxed 9');
      // Without its flag, Node 20 is an engine without relaxed SIMD.
      const bare =
        relaxedArguments.length > 0 ? 'false,simd128,unsupported,unsupported' : 'true,simd128,relaxed 9,relaxed 9';
      expect(runInNode(useRelaxed(entry))).toBe(bare);
    },
  );

  test.each(['tied-embeddings', 'tied-embeddings/slim'])(
    '%s counts the parameters of GPT-2, in a core and in a lab',
    (entry) => {
      const source = `
      import { createLab, loadCore } from '${entry}';
      const gpt2 = { family: 'gpt-2', vocabSize: 50257, dModel: 768, nLayers: 12 };
      const lab = await createLab();
      const there = await lab.countParameters(gpt2);
      lab.dispose();
      console.log((await loadCore()).countParameters(gpt2).stored, there.saved);`;
      expect(runInNode(source)).toBe('124439808 38597376');
    },
  );

  test.each(['tied-embeddings', 'tied-embeddings/slim'])('importing %s adds nothing to the global object', (entry) => {
    const source = `
      const before = new Set(Reflect.ownKeys(globalThis));
      await import('${entry}');
      console.log(JSON.stringify(Reflect.ownKeys(globalThis).filter((key) => !before.has(key)).map(String)));`;
    expect(runInNode(source)).toBe('[]');
  });

  test.each(['tied-embeddings', 'tied-embeddings/slim'])('%s trains ten steps of a transformer', (entry) => {
    const source = `
      import { createLab, loadCore } from '${entry}';
      const options = {
        model: { kind: 'transformer', vocabSize: 11, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 8, tying: 'tied' },
        training: { learningRate: 0.01, batchSize: 4, seed: 1 },
        tokenIds: Uint32Array.from({ length: 400 }, (_, i) => (i * i) % 11),
      };
      const writing = { prompt: new Uint32Array([1, 4, 9]), tokens: 5, temperature: 0 };
      const core = await loadCore();
      const trainer = core.createTrainer(options);
      const losses = trainer.run(10).map(({ loss }) => loss);
      const written = trainer.generate(writing).tokenIds;
      const lab = await createLab();
      const far = await lab.createTrainer(options);
      const sameLosses = (await far.run(10)).every(({ loss }, i) => loss === losses[i]);
      const sameTokens = (await far.generate(writing)).tokenIds.join() === written.join();
      lab.dispose();
      const next = core.loadTrainer(trainer.save()).run(1)[0].loss === trainer.run(1)[0].loss;
      const file = trainer.toSafetensors();
      const header = new TextDecoder().decode(file.subarray(8, 8 + Number(new DataView(file.buffer).getBigUint64(0, true))));
      const names = Object.keys(JSON.parse(header));
      console.log(JSON.stringify({
        learns: losses[9] < losses[0],
        written: written.length,
        sameLosses,
        sameTokens,
        next,
        tables: names.filter((name) => name.endsWith('embedding')),
      }));`;
    const expected = {
      learns: true,
      written: 5,
      sameLosses: true,
      sameTokens: true,
      next: true,
      tables: ['embedding'],
    };
    expect(JSON.parse(runInNode(source))).toEqual(expected);
  });

  test.each(['tied-embeddings/global', 'tied-embeddings/standalone'])('%s says that it is for pages', (entry) => {
    expect(runInNode(`await import('${entry}').catch(({ message }) => console.log(message));`)).toBe(
      "tied-embeddings/global is a script for web pages: it needs a document. In Node, import 'tied-embeddings' instead.",
    );
  });

  test('importing the elements adds only what Lit itself adds, and ends', () => {
    const source = `
      await import('lit');
      const before = new Set(Reflect.ownKeys(globalThis));
      const added = [];
      for (const name of ${JSON.stringify(elements)}) {
        const [element] = Object.values(await import('tied-embeddings/elements/' + name));
        if (typeof element !== 'function') added.push(name + ' has no class');
      }
      added.push(...Reflect.ownKeys(globalThis).filter((key) => !before.has(key)).map(String));
      console.log(JSON.stringify(added));`;
    expect(runInNode(source)).toBe('[]');
  });
});

describe('with bundlers and compilers', () => {
  test('esbuild bundles a page that trains and a page that shows an element', async () => {
    const contents = `
      import { createLab } from 'tied-embeddings';
      import 'tied-embeddings/elements/checkpoint';
      import 'tied-embeddings/elements/training-lab';
      document.title = String(createLab);`;
    const result = await build({
      stdin: { contents, resolveDir: packed.folder },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });
    expect(result.errors).toEqual([]);
    expect(result.warnings).toEqual([]);
  });

  test('a bundler emits optional parts as separate files: modules, and the relaxed build', async () => {
    const result = await build({
      stdin: { contents: "export { createLab, loadCore } from 'tied-embeddings';", resolveDir: packed.folder },
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: join(packed.folder, 'bundled'),
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const outputs = Object.values(result.metafile.outputs);
    const bytes = /([\w-]+)-bytes[-\w]*\.js$/;
    const apart = outputs
      .map(({ inputs }) => Object.keys(inputs))
      .filter((inputs) => inputs.some((path) => bytes.test(path)));
    const all = files.map(stemOf);
    const expected = all.filter((name) => !(ALWAYS_LOADED as readonly string[]).includes(name));
    expect(apart.map((inputs) => inputs.map((path) => bytes.exec(path)![1]))).toEqual(
      expect.arrayContaining(expected.map((name) => [name])),
    );
    expect(apart).toHaveLength(expected.length);
    const imports = outputs.flatMap(({ imports }) => imports).filter(({ path }) => bytes.test(path));
    expect(imports.map(({ kind }) => kind)).toEqual(expected.map(() => 'dynamic-import'));
  });

  test.each(['Bundler', 'NodeNext'])('its types compile strictly under module resolution %s', (moduleResolution) => {
    writeFileSync(
      join(packed.folder, 'user.ts'),
      `import { createLab, isSupported, loadCore, TiedError, type Core, type Lab, type Matrix } from 'tied-embeddings';
      import type { LabTokenizer, ModelConfig, Simd, StepRecord, Trainer, TrainingConfig, TransformerConfig } from 'tied-embeddings';
      import type { Architecture, ComputeCount, CountedTensor, ImportedModel, KnownModel, ParameterCount, TyingAdvice } from 'tied-embeddings';
      import * as slim from 'tied-embeddings/slim';
      import type {} from 'tied-embeddings/elements';
      const matrix: Matrix = { rows: 1, cols: 1, data: new Float32Array(1) };
      export async function use(): Promise<number> {
        const core: Core = await loadCore();
        const same: Core = await slim.loadCore();
        const lab = await createLab();
        const simd: Simd = isSupported({ simd: 'relaxed' }).supported ? 'relaxed' : 'simd128';
        const faster: Simd = (await loadCore({ simd })).simd ?? (await createLab({ simd })).simd;
        if (!isSupported().supported || faster !== simd) throw new TiedError('unsupported', 'no SIMD');
        const there: Matrix = await lab.directPath({ embedding: matrix });
        return core.symmetry(there).asymmetry + same.symmetry(there).norm;
      }
      const gpt: TransformerConfig = {
        kind: 'transformer', vocabSize: 512, dModel: 64, nLayers: 4, nHeads: 4, nKeyValueHeads: 2, contextLength: 64,
        tying: { untieAtStep: 500 }, embeddingScale: 'sqrt-d-model', positions: 'rotary', norm: 'layer-norm',
        feedForward: 'swiglu', biases: 'all', dropout: 0.1,
      };
      const training: TrainingConfig = {
        learningRate: 0.003, batchSize: 16, gradientAccumulation: 2, seed: 1,
        inputGradientScale: [[0, 5], [100, 1]], learningRateMultipliers: { embedding: 0.5 },
      };
      export function train(core: Core, text: string, file: Uint8Array): number {
        using tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 512, alphabet: 'text' });
        using trainer: Trainer = core.createTrainer({ model: gpt, training, tokenIds: tokenizer.encode(text), tokenizer });
        const [first]: (StepRecord | undefined)[] = trainer.run(10);
        const { bitsPerByte }: { bitsPerByte: number | null } = trainer.evaluate();
        const written: string | null = trainer.generate({ prompt: 'Once', tokens: 10, topK: 5 }).text;
        const states: Matrix[] = trainer.hiddenStates(tokenizer.encode('Once'));
        using loaded = core.loadModel(file, { format: 'llama2c', tokenizer: core.loadTokenizer(file, { format: 'llama2c' }) });
        const heads: number = loaded.attention(new Uint32Array([1])).length + loaded.toSafetensors().length;
        const planned: number = core.estimateMemory({ ...gpt, tying: 'tied-low-rank', lowRank: 4 }, training).bytes;
        return (first?.inputPositionShare ?? 0) + (bitsPerByte ?? 0) + (written?.length ?? 0) + states.length + heads + planned;
      }
      export async function trainElsewhere(lab: Lab, text: string, signal: AbortSignal): Promise<string | null> {
        const tokenizer: LabTokenizer = await lab.trainTokenizer(text, { kind: 'word' });
        const model: ModelConfig = { kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 64, tying: { tieAtStep: 9 } };
        const trainer = await lab.createTrainer({ model, training, tokenIds: await tokenizer.encode(text), tokenizer });
        await trainer.run(10, { signal, onProgress: (share: number, { gradientCosine }) => share + gradientCosine });
        const onTokens = (ids: Uint32Array, more: string | null): number => ids.length + (more?.length ?? 0);
        return (await trainer.generate({ prompt: 'Once', tokens: 10, temperature: 0.8, onTokens, signal })).text;
      }
      export async function account(core: Core, lab: Lab): Promise<number> {
        const model: Architecture = { family: 'llama', vocabSize: 32000, dModel: 4096, nLayers: 32, nKeyValueHeads: 8 };
        const count: ParameterCount = core.countParameters(model, 'untied');
        const [tensor]: (CountedTensor | undefined)[] = (await lab.countParameters(count.architecture)).tensors;
        const compute: ComputeCount = await lab.countCompute(model, { sequences: 4, tokens: 128, precision: 'mixed' });
        const advice: TyingAdvice = core.adviseTying(model, { startsFrom: 'untied', parameterBudget: 7e9 });
        const { architecture }: ImportedModel = await lab.importConfig({ model_type: 'gpt2' });
        const ties: boolean = core.knownModels().some(({ tying }: KnownModel) => tying === 'tied');
        return count.stored + (tensor?.count ?? 0) + compute.macs.total + Number(ties) + advice.reasons.length + architecture.nLayers;
      }
      // @ts-expect-error rows must be a number
      export const wrong: Matrix = { rows: '1', cols: 1, data: new Float32Array(1) };
      // @ts-expect-error a direct path has no layers
      export const wrongLayers: ModelConfig = { kind: 'direct-path', vocabSize: 2, dModel: 2, tying: 'tied', nLayers: 2 };
      // @ts-expect-error a schedule either splits or joins
      export const wrongTying: ModelConfig = { kind: 'transformer', vocabSize: 2, dModel: 2, tying: { untieAt: 3 } };
      // @ts-expect-error there are two builds
      export const wrongBuild = () => loadCore({ simd: 'fma' });
      // @ts-expect-error there is no such family
      export const wrongFamily: Architecture = { family: 'gpt2', vocabSize: 2, dModel: 2, nLayers: 1 };
      // @ts-expect-error there is no such model
      export const wrongKind: ModelConfig = { kind: 'recurrent', vocabSize: 2, dModel: 2, tying: 'tied' };
      `,
    );
    const options = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        lib: ['ES2022', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
        module: moduleResolution === 'NodeNext' ? 'NodeNext' : 'ESNext',
        moduleResolution,
        types: [],
      },
      files: ['user.ts'],
    };
    writeFileSync(join(packed.folder, 'tsconfig.json'), JSON.stringify(options));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    let output = '';
    try {
      execFileSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: packed.folder, encoding: 'utf8' });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output).toBe('');
  });
});
