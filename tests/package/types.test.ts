// The declared types in projects that are not pages: for Node alone, strict about libraries, with an old compiler.
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { installBundlers } from './bundlers/builders.js';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
const compilers: Record<string, string> = {
  'TypeScript 6': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 7': join(root, 'node_modules/typescript-native/bin/tsc'),
};
beforeAll(async () => {
  compilers['TypeScript 5.0'] = join(await installBundlers(), 'typescript-5.0/bin/tsc');
  packed = packPackage();
  symlinkSync(join(root, 'node_modules/@types'), join(packed.folder, 'node_modules/@types'));
}, 600_000);
afterAll(() => packed.remove());

/** The compiler's output for a module of a project. */
function compile(compiler: string, source: string, options: object): string {
  const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', skipLibCheck: false, types: [], ...options };
  writeFileSync(join(packed.folder, 'user.ts'), source);
  writeFileSync(join(packed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
  try {
    return execFileSync(process.execPath, [compilers[compiler]!, '-p', '.'], { cwd: packed.folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const use = `
  import { createLab, loadCore, TiedError, type Lab, type LoadOptions, type Trainer } from 'tied-embeddings';
  import * as slim from 'tied-embeddings/slim';
  const bytes = new Uint8Array(8);
  const options: LoadOptions = { wasmBytes: bytes, analysisBytes: bytes.buffer as ArrayBuffer };
  export async function use(signal: AbortSignal): Promise<number> {
    const core = (await loadCore(options)) ?? (await slim.loadCore(options));
    const lab: Lab = await createLab({ workerUrl: new URL('file:///worker.js') });
    const trainer: Trainer = core.loadTrainer(bytes);
    trainer.run(1, { signal });
    trainer[Symbol.dispose]();
    lab.dispose();
    throw new TiedError('cancelled', lab.mode);
  }
  // @ts-expect-error the options are known
  export const wrong: LoadOptions = { wasmBytes: 'bytes' };`;

const ways = [
  { module: 'NodeNext', moduleResolution: 'NodeNext' },
  { module: 'ESNext', moduleResolution: 'Bundler' },
];

describe.each(['TypeScript 7', 'TypeScript 6', 'TypeScript 5.0'])('%s', (compiler) => {
  // The declarations of Node itself need a newer compiler; the DOM library has everything that our types need.
  const lib = compiler !== 'TypeScript 5.0' ? { lib: ['ES2022'], types: ['node'] } : { lib: ['ES2022', 'DOM'] };

  test.each(ways)('accepts the types under $moduleResolution without skipping library checks', (way) => {
    expect(compile(compiler, use, { ...lib, ...way })).toBe('');
  });

  test('accepts the types in projects for older engines', () => {
    const older = { target: 'ES2020', lib: ['ES2020', 'DOM'], module: 'ESNext', moduleResolution: 'Bundler' };
    expect(compile(compiler, use, older)).toBe('');
  });

  test('finds the types of every entry without support for exports', () => {
    const resolution = compiler === 'TypeScript 5.0' ? 'Node10' : 'Bundler';
    const source = `
      import { loadCore } from 'tied-embeddings/slim';
      import { Advisor } from 'tied-embeddings/elements';
      import { Checkpoint } from 'tied-embeddings/elements/checkpoint';
      import 'tied-embeddings/global';
      export const all = [loadCore, Advisor, Checkpoint, window.TiedEmbeddings.createLab];`;
    const options = { lib: ['ES2022', 'DOM', 'DOM.Iterable'], module: 'ESNext', moduleResolution: resolution };
    expect(compile(compiler, source, { ...options, skipLibCheck: true })).toBe('');
  });
});

test('trainer options have either counts or tokens, for a core and for a lab', () => {
  const source = `
    import type { Core, Lab, Matrix, ModelConfig, Tokenizer, LabTokenizer, TrainingConfig } from 'tied-embeddings';
    declare const core: Core, lab: Lab, model: ModelConfig, training: TrainingConfig, bigramCounts: Matrix;
    declare const tokenIds: Uint32Array, tokenizer: Tokenizer, far: LabTokenizer;
    core.createTrainer({ model, training, bigramCounts });
    core.createTrainer({ model, training, tokenIds, validationTokenIds: tokenIds, tokenizer });
    void lab.createTrainer({ model, training, bigramCounts });
    void lab.createTrainer({ model, training, tokenIds, tokenizer: far });
    // @ts-expect-error both
    core.createTrainer({ model, training, bigramCounts, tokenIds });
    // @ts-expect-error neither
    core.createTrainer({ model, training });
    // @ts-expect-error a table has no text
    core.createTrainer({ model, training, bigramCounts, tokenizer });
    // @ts-expect-error both, in a lab
    void lab.createTrainer({ model, training, bigramCounts, tokenIds });
    // @ts-expect-error a table has no text, in a lab
    void lab.createTrainer({ model, training, bigramCounts, tokenizer: far });
    // @ts-expect-error a tokenizer of the page
    void lab.createTrainer({ model, training, tokenIds, tokenizer });`;
  expect(
    compile('TypeScript 7', source, { lib: ['ES2022', 'DOM'], module: 'ESNext', moduleResolution: 'Bundler' }),
  ).toBe('');
});

test('files fit into blobs and hashes, and what may be absent may be undefined', () => {
  const source = `
    import type { Core, LabTrainer, RunOptions, StepColumns, StepRecord, Tokenizer, Trainer } from 'tied-embeddings';
    declare const core: Core, trainer: Trainer, far: LabTrainer, tokenizer: Tokenizer, columns: boolean;
    declare const signal: AbortSignal | undefined, onProgress: (() => void) | undefined, options: RunOptions;
    export const blob = new Blob([trainer.save(), trainer.toGguf(), tokenizer.save(), await far.toSafetensors()]);
    export const hash = await crypto.subtle.digest('SHA-256', trainer.save());
    export const records: StepRecord[] = trainer.run(1, { signal, onProgress });
    export const either: StepRecord[] | StepColumns = trainer.run(1, options);
    // @ts-expect-error they may be columns
    export const wrong: StepRecord[] = trainer.run(1, { columns });
    // @ts-expect-error they may be columns, in a lab
    export const alsoWrong: StepRecord[] = await far.run(1, { columns });
    const gpt2 = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
    core.countCompute(gpt2, { sequences: 1, tokens: 1, heads: { adaptive: { cutoffs: [2000] } } } as const);`;
  const options = { lib: ['ES2022', 'DOM'], module: 'ESNext', moduleResolution: 'Bundler' };
  expect(compile('TypeScript 7', source, { ...options, exactOptionalPropertyTypes: true })).toBe('');
});
