import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

/** Runs a module in the user's folder with bare Node; what it prints. */
function runInNode(source: string): string {
  const file = join(packed.folder, 'user.mjs');
  writeFileSync(file, source);
  return execFileSync(process.execPath, [file], { cwd: packed.folder, encoding: 'utf8' }).trim();
}

function targets(): string[] {
  return Object.values(packed.manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
}

describe('the packed package', () => {
  test('holds everything that its exports name', () => {
    for (const target of targets().filter((target) => !target.includes('*'))) {
      expect(packed.files, target).toContain(target.replace('./', ''));
    }
    for (const name of ['symmetry-explorer', 'parameter-calculator', 'training-lab']) {
      expect(packed.files).toContain(`dist/elements/${name}.js`);
      expect(packed.files).toContain(`dist/elements/${name}.d.ts`);
    }
  });

  test('holds the license and the readme, and no sources, tests or tools', () => {
    expect(packed.files).toContain('LICENSE');
    expect(packed.files).toContain('README.md');
    const others = packed.files.filter(
      (path) => !/^(dist\/|LICENSE$|README\.md$|CHANGELOG\.md$|package\.json$)/.test(path),
    );
    expect(others).toEqual([]);
    expect(packed.files.filter((path) => /\.(cpp|h|map|tsbuildinfo)$|(^|\/)\.stamp$/.test(path))).toEqual([]);
  });

  test('says whose work is bundled in it, with the licences', () => {
    const notices = readFileSync(join(packed.folder, 'node_modules/tied-embeddings/dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of ['Eigen', 'xsimd', 'birpc', 'd3-scale', 'lit-html', '@lit/reactive-element']) {
      expect(notices, name).toContain(`\n${name} `);
    }
  });

  test('depends on Lit alone', () => {
    expect(Object.keys(packed.manifest.dependencies ?? {})).toEqual(['lit']);
  });

  test.each(['tied-embeddings', 'slim', 'worker'])('imports in %s nothing but its own files', async (entry) => {
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
    console.log(JSON.stringify({ entry: path.data[1].toFixed(3), symmetric, maxDifference, code }));`;

  const expected = JSON.stringify({ entry: '1.250', symmetric: true, maxDifference: 0, code: 'shape-mismatch' });

  test('the main entry computes', () => {
    expect(runInNode(use('tied-embeddings'))).toBe(expected);
  });

  test('the slim entry computes with core.wasm from beside it', () => {
    expect(runInNode(use('tied-embeddings/slim'))).toBe(expected);
  });

  test.each(['tied-embeddings', 'tied-embeddings/slim'])('importing %s adds nothing to the global object', (entry) => {
    const source = `
      const before = new Set(Reflect.ownKeys(globalThis));
      await import('${entry}');
      console.log(JSON.stringify(Reflect.ownKeys(globalThis).filter((key) => !before.has(key)).map(String)));`;
    expect(runInNode(source)).toBe('[]');
  });
});

describe('for others', () => {
  test('esbuild bundles a page that trains and one that shows an element', async () => {
    const contents = `
      import { createLab } from 'tied-embeddings';
      import 'tied-embeddings/elements/parameter-calculator';
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

  test.each(['Bundler', 'NodeNext'])('its types compile strictly under module resolution %s', (moduleResolution) => {
    writeFileSync(
      join(packed.folder, 'user.ts'),
      `import { createLab, isSupported, loadCore, TiedError, type Core, type Matrix } from 'tied-embeddings';
      import * as slim from 'tied-embeddings/slim';
      import type {} from 'tied-embeddings/elements';
      const matrix: Matrix = { rows: 1, cols: 1, data: new Float32Array(1) };
      export async function use(): Promise<number> {
        const core: Core = await loadCore();
        const same: Core = await slim.loadCore();
        const lab = await createLab();
        if (!isSupported().supported) throw new TiedError('unsupported', 'no SIMD');
        const there: Matrix = await lab.directPath({ embedding: matrix });
        return core.symmetry(there).asymmetry + same.symmetry(there).norm;
      }
      // @ts-expect-error rows must be a number
      export const wrong: Matrix = { rows: '1', cols: 1, data: new Float32Array(1) };
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
