// A bundle contains only the imported parts of the package. esbuild represents all bundlers, since it reports
// which file each byte came from; bundlers.test.ts opens the output of the others.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePackage, elementNames } from '../../tools/build/dist.mjs';
import { baselineFiles, relaxedFiles, stemOf } from '../../tools/lib/modules.mjs';
import { relaxedArguments } from '../../tools/lib/relaxed-simd.mjs';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

/** Files of the package, relative to it, that contribute to a bundle of `contents`; files loaded later are left out. */
async function filesLeftOf(contents: string): Promise<{ files: string[]; text: string }> {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: packed.folder },
    absWorkingDir: packed.folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    outdir: 'bundled',
    external: ['lit', 'lit/*'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const files = new Set<string>();
  const visit = (path: string): void => {
    const { inputs, imports } = metafile.outputs[path]!;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) files.add(input);
    for (const { path, kind, external } of imports) if (kind === 'import-statement' && !external) visit(path);
  };
  visit('bundled/stdin.js');
  return {
    files: [...files].map((path) => relative('node_modules/tied-embeddings', path)).sort(),
    text: outputFiles.map(({ text }) => text).join(''),
  };
}

const elementFiles = (files: string[]) => files.filter((path) => path.startsWith('dist/elements/'));

describe('a bundle', () => {
  test.each(elementNames())(
    'with a bare import of elements/%s registers that element and contains no other',
    async (name) => {
      const { files, text } = await filesLeftOf(`import 'tied-embeddings/elements/${name}';`);
      expect(elementFiles(files)).toEqual([`dist/elements/${name}.js`]);
      expect(text).toContain(`"tied-${name}"`);
    },
  );

  test('with a bare import of all elements registers all of them', async () => {
    const { files } = await filesLeftOf("import 'tied-embeddings/elements';");
    expect(elementFiles(files)).toEqual(elementNames().map((name) => `dist/elements/${name}.js`));
  });

  test.each(['tied-embeddings', 'tied-embeddings/slim'])(
    'that uses only loadCore of %s has neither elements nor the other entry',
    async (entry) => {
      const source = `import { loadCore } from '${entry}'; console.log(loadCore);`;
      const { files, text } = await filesLeftOf(source);
      expect(elementFiles(files)).toEqual([]);
      expect(text).not.toMatch(/customElements|from"lit"/);
      // Only `slim` has URLs of wasm files, which bundlers would include.
      expect(/URL\("\.\/accounting\.wasm"/.test(text)).toBe(entry === 'tied-embeddings/slim');
    },
  );

  test.each(['tied-embeddings', 'tied-embeddings/slim', 'tied-embeddings/worker'])(
    'that imports %s and uses nothing of it is empty except for the worker',
    async (entry) => {
      const { files } = await filesLeftOf(`import '${entry}';`);
      expect(files).toEqual(entry === 'tied-embeddings/worker' ? ['dist/worker.js'] : []);
    },
  );

  test.each([
    ['TiedError', 1000],
    ['isSupported', 5000],
  ])('that uses only %s is smaller than %d bytes', async (name, most) => {
    const contents = `import { ${name} } from 'tied-embeddings'; console.log(${name});`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: packed.folder },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
    });
    expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(most);
  });

  test('with a class imported by name registers its element', async () => {
    const source = "import { Advisor } from 'tied-embeddings/elements'; console.log(Advisor);";
    expect((await filesLeftOf(source)).text).toContain('"tied-advisor"');
  });
});

/** The files that the scripts and declarations of a folder import or name, by how they do it. */
function filesNamedIn(dist: string): string[] {
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    // Parts of the classic script have no URL of their own: what they name is beside the script.
    .filter((path) => /\.(js|d\.ts)$/.test(path) && !path.startsWith('global'))
    .map((path) => join(dist, path));
  return scripts.flatMap((script) => {
    const text = readFileSync(script, 'utf8');
    // import and export statements, import(), import types, and new URL(..., import.meta.url)
    const found = text.matchAll(/(?:from|import|import\(|URL\()\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g);
    // Scripts imported by a declaration have declarations beside them.
    const declared = (path: string) => (script.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path);
    return [...found].map(([, path]) => declared(join(dirname(script), path!)));
  });
}

describe('the files of the package', () => {
  test('import and name only existing files', () => {
    const dist = join(packed.folder, 'node_modules/tied-embeddings/dist');
    const named = filesNamedIn(dist);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
    // The pattern above matches each kind.
    const wasm = [...baselineFiles, ...relaxedFiles];
    const relaxed = relaxedFiles.map((file) => `${stemOf(file)}-bytes.js`);
    for (const file of [...wasm, ...relaxed, 'worker.js', 'types/core/types.d.ts']) {
      expect(named).toContain(join(dist, file));
    }
  });

  test('are named by URLs that bundlers recognize', () => {
    const dist = join(packed.folder, 'node_modules/tied-embeddings/dist');
    const modules = readdirSync(dist).filter((path) => /^(slim|chunk-\w+|tied-embeddings)\.js$/.test(path));
    const found = modules.flatMap((path) => [
      // Vite looks for this text: white space between the parts, but none within import.meta.url.
      ...readFileSync(join(dist, path), 'utf8').matchAll(/new URL\(\s*"\.\/([^"\n]+)"\s*,\s*import\.meta\.url\s*\)/g),
    ]);
    const names = new Set(found.map(([, name]) => name));
    expect([...names].sort()).toEqual([...baselineFiles, ...relaxedFiles, 'worker.js'].sort());
  });

  test('are complete in a quick build as well, which has no relaxed core and says so', async () => {
    const dist = mkdtempSync(join(tmpdir(), 'tied-embeddings-quick-'));
    await bundlePackage(dist, false);
    for (const file of baselineFiles) copyFileSync(join(root, 'web/wasm', file), join(dist, file));
    const named = filesNamedIn(dist);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
    for (const file of [...baselineFiles, 'worker.js']) expect(named).toContain(join(dist, file));
    const use = (entry: string) => `
      const { createLab, loadCore } = await import(${JSON.stringify(join(dist, entry))});
      console.log((await loadCore()).simd);
      for (const load of [loadCore, createLab]) {
        await load({ simd: 'relaxed' }).catch(({ code, message }) => console.log(code, message));
      }`;
    const says =
      "unsupported this build of the package has no core-relaxed.wasm; simd: 'simd128', the default, is in every build";
    for (const entry of ['tied-embeddings.js', 'slim.js']) {
      writeFileSync(join(dist, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(dist, 'use.js'), use(entry));
      const output = execFileSync(process.execPath, [...relaxedArguments, join(dist, 'use.js')], { encoding: 'utf8' });
      expect(output.trim().split('\n'), entry).toEqual(['simd128', says, says]);
    }
    rmSync(dist, { recursive: true });
  });
});
