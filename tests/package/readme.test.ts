// Every block of README, run as a user runs it, in a folder with the packed package. SQL is in tests/judges, markup in tests/browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../web/index.js';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Contents of the fenced blocks of a language, in order. */
function blocks(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...readme.matchAll(pattern)].map(([, text]) => text ?? '');
}

/** The line on which a part of README ends. */
const lastLineOf = (part: string): number =>
  readme.slice(0, readme.indexOf(part)).split('\n').length + part.split('\n').length - 1;

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

describe('the readme', () => {
  test('has only blocks of languages that are run', () => {
    const languages = new Set([...readme.matchAll(/^```(\w*)$/gm)].map(([, language]) => language));
    languages.delete('');
    expect([...languages].sort()).toEqual(['html', 'js', 'sh', 'sql', 'text', 'ts']);
  });

  test('has snippets that print the documented output when run in order with the packed package', () => {
    expect(blocks('js')).toHaveLength(2);
    const file = join(packed.folder, 'readme.mjs');
    writeFileSync(file, blocks('js').join(''));
    const printed = execFileSync(process.execPath, [file], { cwd: packed.folder, encoding: 'utf8' });
    expect(printed).toBe(blocks('text').join(''));
  }, 400_000);

  test('has a program in TypeScript that compiles strictly, and trains', async () => {
    const [source = ''] = blocks('ts');
    const file = join(packed.folder, 'readme.ts');
    writeFileSync(file, source);
    mkdirSync(join(packed.folder, 'node_modules/@types'), { recursive: true });
    symlinkSync(join(root, 'node_modules/@types/node'), join(packed.folder, 'node_modules/@types/node'));
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
      ...{ target: 'ES2022', module: 'NodeNext', types: ['node'], lib: ['ES2023', 'DOM'] },
    };
    writeFileSync(join(packed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['readme.ts'] }));
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', '.'], { cwd: packed.folder, encoding: 'utf8' });
    const outfile = join(packed.folder, 'readme-ts.mjs');
    await build({ entryPoints: [file], outfile, platform: 'node', format: 'esm', packages: 'external', bundle: true });
    const lines = execFileSync(process.execPath, [outfile], { cwd: packed.folder, encoding: 'utf8' })
      .trim()
      .split('\n');
    const [steps, first, second] = lines.at(-2)!.split(' ').map(Number);
    expect(steps).toBe(100);
    expect(first).toBeLessThan(4);
    expect(second).toBeLessThan(4);
    expect(Number(lines.at(-1))).toBeGreaterThan(10_000);
  }, 400_000);

  test('has commands that run', async () => {
    const [install, commands = ''] = blocks('sh');
    expect(install).toBe('npm install tied-embeddings\n');
    const core = await loadCore();
    writeFileSync(join(packed.folder, 'book.txt'), core.writeStories({ seed: 1, length: 30_000 }));
    const bin = join(packed.folder, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(packed.folder, 'node_modules/tied-embeddings/dist/command.js'), join(bin, 'tied-embeddings'));
    const lines = commands.trim().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      expect(line).toMatch(/^npx tied-embeddings /);
      const printed = execFileSync('sh', ['-ec', line.replace(/^npx /, 'node_modules/.bin/')], {
        cwd: packed.folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(printed, line).not.toBe('');
    }
  }, 400_000);

  test('begins with the installation, and reaches both set-ups and the printed output by line 30', () => {
    expect(lastLineOf(blocks('sh')[0]!)).toBeLessThan(10);
    expect(lastLineOf('`npm start` does all set-up and serves the article')).toBeLessThanOrEqual(30);
    expect(lastLineOf('`npm test` does all set-up and passes')).toBeLessThanOrEqual(30);
    expect(lastLineOf(blocks('text')[0]!)).toBeLessThanOrEqual(30);
  });

  test('links only to what is in the package, and to headings that are there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const path of links)
      expect(
        packed.files.some((file) => file === path || file.startsWith(`${path}/`)),
        path,
      ).toBe(true);
  });

  test('shows a picture smaller than 100 KB', () => {
    const picture = /!\[[^\]]+\]\(([^)]+\.webp)\)/.exec(readme)?.[1];
    expect(readFileSync(join(root, picture ?? '')).length).toBeLessThan(100_000);
  });

  test('names every element once in its table', () => {
    const manifest = JSON.parse(
      readFileSync(join(packed.folder, 'node_modules/tied-embeddings/dist/custom-elements.json'), 'utf8'),
    ) as { modules: { declarations?: { tagName?: string }[] }[] };
    const tags = manifest.modules.flatMap(({ declarations = [] }) =>
      declarations.flatMap(({ tagName }) => tagName ?? []),
    );
    const named = [...readme.matchAll(/^\| `<([\w-]+)>` \|/gm)].map(([, tag]) => tag!);
    // Parts of other figures, such as charts, are not for pages.
    expect(named).toHaveLength(17);
    expect(tags).toEqual(expect.arrayContaining(named));
  });

  test('says what a page downloads', async () => {
    /** Bytes of a script and what it imports at once, minified and gzipped, as one file. */
    const gzipped = async (source: string, splitting = true): Promise<number> => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: source, resolveDir: packed.folder },
        ...{ bundle: true, minify: true, format: 'esm', splitting, write: false, metafile: true },
        ...{ outdir: packed.folder, platform: 'browser', logLevel: 'silent', external: ['node:*'] },
      });
      const found = new Set<string>();
      const visit = (name: string): void => {
        if (found.has(name) || !(name in metafile.outputs)) return;
        found.add(name);
        for (const { path, kind } of metafile.outputs[name]!.imports) if (kind === 'import-statement') visit(path);
      };
      visit(Object.keys(metafile.outputs).find((name) => metafile.outputs[name]!.entryPoint === '<stdin>')!);
      return outputFiles
        .filter(({ path }) => [...found].some((name) => path.endsWith(name.split('/').at(-1)!)))
        .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
    };
    const file = (name: string): number =>
      gzipSync(readFileSync(join(packed.folder, 'node_modules/tied-embeddings/dist', name)), { level: 9 }).length;
    const small = "export { isSupported, TiedError } from 'tied-embeddings';";
    const limits = [...readme.matchAll(/^\| (`[^|]+) \| (\d+) KB/gm)].map(
      ([, what, limit]) => [what!, Number(limit)] as const,
    );
    const found: Record<string, number> = {
      '`isSupported` or `TiedError`': await gzipped(small, false),
      '`createLab`': await gzipped("export { createLab } from 'tied-embeddings';"),
      '`createLab` of `tied-embeddings/slim`': await gzipped("export { createLab } from 'tied-embeddings/slim';"),
      '`tied-embeddings/elements/symmetry-explorer`': await gzipped(
        "import 'tied-embeddings/elements/symmetry-explorer';",
      ),
      '`tied-embeddings.global.js`': file('tied-embeddings.global.js'),
      '`tied-embeddings.standalone.js`': file('tied-embeddings.standalone.js'),
    };
    expect(limits.map(([what]) => what)).toEqual(Object.keys(found));
    const split = Number(/(\d+) KB from esbuild with `splitting`/.exec(readme)?.[1]);
    for (const [what, bytes, limit] of [
      ...limits.map(([what, limit]) => [what, found[what]!, limit] as const),
      ['with splitting', await gzipped(small), split] as const,
    ]) {
      expect(bytes / 1000, what).toBeLessThan(limit);
      // Not so much less that the number would mislead.
      expect(bytes / 1000, what).toBeGreaterThan(0.6 * limit);
    }
  });
});
