// Readable modules, and source maps that lead from every script back to the sources.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elementNames } from '../../tools/build/dist.mjs';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
let dist: string;
let scripts: string[];
beforeAll(() => {
  packed = packPackage();
  dist = join(packed.folder, 'node_modules/tied-embeddings/dist');
  const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  scripts = paths.map((path) => path.replaceAll('\\', '/')).filter((path) => path.endsWith('.js'));
});
afterAll(() => packed.remove());

const read = (path: string) => readFileSync(join(dist, path), 'utf8');
const mapOf = (script: string) => JSON.parse(read(`${script}.map`)) as SourceMapPayload;
/** The project file that a map names. */
const projectFile = (script: string, source: string) => posix.join('dist', posix.dirname(script), source);

/** Scripts without code: a list of exports, base64 data, a text. */
const withoutMap = /^(elements|worker-source|[a-z]+-relaxed-bytes)\.js$/;
/** Scripts that a browser loads directly. */
const minified = ['worker.js', 'tied-embeddings.global.js', 'experiment-report.js'];

/** The source, line and name for the first match of `pattern` in a script. */
function originOf(script: string, pattern: RegExp): { file: string; text: string } {
  const before = read(script).slice(0, read(script).search(pattern)).split('\n');
  const entry = new SourceMap(mapOf(script)).findEntry(before.length - 1, before.at(-1)!.length);
  if (!('originalSource' in entry)) throw new Error(`${script} maps ${String(pattern)} to nothing`);
  const file = projectFile(script, entry.originalSource);
  return { file, text: readFileSync(join(root, file), 'utf8').split('\n')[entry.originalLine]! };
}

describe('the source maps of the package', () => {
  test('exist for every script with code, and are named by it', () => {
    const mapped = scripts.filter((path) => !withoutMap.test(path));
    expect(mapped).toEqual(expect.arrayContaining(['tied-embeddings.js', 'slim.js', ...minified]));
    for (const script of mapped) {
      expect(
        read(script)
          .trimEnd()
          .endsWith(`\n//# sourceMappingURL=${posix.basename(script)}.map`),
        script,
      ).toBe(true);
      expect(existsSync(join(dist, `${script}.map`)), script).toBe(true);
    }
    // A worker that is started from its text has no folder with a map.
    for (const script of scripts.filter((path) => withoutMap.test(path))) {
      expect(read(script), script).not.toContain('sourceMappingURL=');
    }
  });

  test('name files of the project, relative to the map, and contain their text', () => {
    const named = new Set<string>();
    for (const script of scripts.filter((path) => !withoutMap.test(path))) {
      const { version, sources, sourcesContent } = mapOf(script) as SourceMapPayload & { sourcesContent: string[] };
      expect(version).toBe(3);
      expect(sourcesContent).toHaveLength(sources.length);
      for (const [index, source] of sources.entries()) {
        const file = projectFile(script, source);
        expect(source, script).toMatch(/^(\.\.\/)+(web|command|node_modules)\//);
        // The TypeScript of other packages comes from their maps.
        if (/^web\/.*\.ts$/.test(file))
          expect(sourcesContent[index], file).toBe(readFileSync(join(root, file), 'utf8'));
        named.add(file);
      }
    }
    const elements = elementNames().map((name) => `web/elements/${name}/${name}.define.ts`);
    const sources = ['web/core/core.ts', 'web/worker/lab.ts', 'web/worker/entry.ts', 'web/global.ts', ...elements];
    expect([...named]).toEqual(expect.arrayContaining(sources));
  });

  test('do not repeat base64 data', () => {
    for (const path of readdirSync(dist).filter((path) => path.endsWith('-bytes.js.map'))) {
      expect(read(path).length, path).toBeLessThan(1000);
    }
  });

  test.each([
    ['worker.js', /the worker has no core/, 'web/worker/entry.ts'],
    ['tied-embeddings.global.js', /TiedEmbeddings\b/, 'web/global.ts'],
    ['elements/advisor.js', /"tied-advisor"/, 'web/elements/advisor/advisor.define.ts'],
  ])('lead from %s to the line of the source', (script, pattern, file) => {
    const origin = originOf(script, pattern);
    expect(origin.file).toBe(file);
    expect(origin.text).toMatch(new RegExp(pattern.source.replaceAll('"', "'")));
  });

  test('give stack traces in Node the lines of the sources', () => {
    const source = `import { loadCore } from 'tied-embeddings';
      const core = await loadCore();
      try { core.trainTokenizer('ab', { kind: 'none' }); } catch (error) { console.log(error.stack); }`;
    writeFileSync(join(packed.folder, 'user.mjs'), source);
    const options = { cwd: packed.folder, encoding: 'utf8' } as const;
    const stack = execFileSync(process.execPath, ['--enable-source-maps', 'user.mjs'], options);
    const [, file, line] = /trainTokenizer .*\/tied-embeddings\/(web\/core\/\w+\.ts):(\d+)/.exec(stack) ?? [];
    expect(file, stack).toBe('web/core/core.ts');
    const lines = readFileSync(join(root, file!), 'utf8').split('\n');
    expect(lines.slice(Number(line) - 12, Number(line)).join('\n'), stack).toContain('trainTokenizer(');
  });
});

describe('the modules of the package', () => {
  const modules = () => scripts.filter((path) => !minified.includes(path) && !/^worker-source|-bytes/.test(path));

  test('have the same names as their sources', () => {
    const text = modules().map(read).join('\n');
    for (const declaration of [
      /^function createLab\(/m,
      /^function invalidArgument\(argument, value, expected\) \{$/m,
      /^(var|class) TiedError\b/m,
      /^(var|class) SymmetryExplorer\b/m,
    ]) {
      expect(declaration.test(text), String(declaration)).toBe(true);
    }
  });

  test('have one statement per line', () => {
    for (const script of modules()) {
      const lines = read(script).split('\n');
      const statements = lines.filter((line) => (line.match(/;(?=\S)/g) ?? []).length > 3);
      // Some texts, such as styles, contain semicolons.
      expect(statements.length / lines.length, script).toBeLessThan(0.02);
    }
  });

  test('are minified only if a browser loads them directly', () => {
    for (const script of minified) expect(read(script).includes('invalidArgument'), script).toBe(false);
  });
});
