// The dependency rules of docs/architecture.md; lists includes and imports that violate them.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { projectFiles } from '../../tools/lib/files.mjs';

export interface SourceFile {
  /** Relative to the project. */
  path: string;
  text: string;
}

/** What each folder of cpp/ may include, besides itself. */
const allowedIncludes: Record<string, string[]> = {
  base: [],
  linalg: ['base'],
  text: ['base', 'linalg'],
  model: ['base', 'linalg'],
  direct_path: ['base', 'linalg'],
  diagnostics: ['base', 'linalg'],
  // Counts independently, so a test can compare the counts with allocations (docs/decisions/0015-accounting-apart-from-models.md).
  accounting: ['base'],
  // Models and training are linked without text into core.wasm (docs/decisions/0008-text-with-the-analysis.md).
  checkpoint: ['base', 'linalg', 'model'],
  training: ['base', 'linalg', 'model'],
  // Prints the tables of options and of answers for web/core.
  fields: ['base', 'linalg', 'text', 'model', 'training', 'checkpoint', 'direct_path', 'diagnostics', 'accounting'],
  bindings: ['base', 'linalg', 'text', 'model', 'training', 'direct_path', 'diagnostics', 'accounting', 'checkpoint'],
};

/** Native programs may include all of the core except the bindings, and the core may include nothing of theirs. */
const programs = ['tests', 'bench'];

/** What each folder of web/ may import, besides itself. `wasm` is generated; `entry` is a file of web/ itself. */
const allowedImports: Record<string, string[]> = {
  wasm: [],
  texts: [],
  charts: [],
  core: ['wasm'],
  worker: ['core'],
  elements: ['core', 'worker', 'charts', 'texts'],
  article: ['core', 'worker', 'charts', 'texts', 'elements'],
  entry: ['core', 'worker', 'elements'],
};

/** Libraries that only one place may include. */
const exclusiveIncludes: { library: RegExp; only: RegExp; name: string }[] = [
  { name: 'xsimd', library: /^xsimd\//, only: /^cpp\/linalg\/simd\.h$/ },
  {
    name: 'Eigen',
    library: /^(Eigen|unsupported)\//,
    only: /^(cpp\/linalg\/decompositions\.(h|cpp)|bench\/eigen_svd\.cpp)$/,
  },
  { name: 'Emscripten', library: /^emscripten(\/|\.h)/, only: /^(cpp\/bindings\/|bench\/processor_time\.cpp$)/ },
];

/** The core has no dependencies, except one that a single file of a part that is fetched on demand hides from the others. */
const coreImports: { library: RegExp; only: string }[] = [
  { library: /^@noble\/hashes\//, only: 'web/core/experiment/canonical.ts' },
];

function withoutCppComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function includesOf(text: string): { include: string; bracket: string }[] {
  const found = withoutCppComments(text).matchAll(/^\s*#\s*include\s+([<"])([^>"]+)[>"]/gm);
  return [...found].map(([, bracket, include]) => ({ include: include ?? '', bracket: bracket ?? '' }));
}

function libraryProblems(path: string, include: string): string[] {
  const wrong = exclusiveIncludes.filter(({ library, only }) => library.test(include) && !only.test(path));
  return wrong.map(({ name }) => `${path} includes ${name} (${include})`);
}

function programProblems({ path, text }: SourceFile): string[] {
  return includesOf(text).flatMap(({ include }) => [
    ...libraryProblems(path, include),
    ...(include.startsWith('bindings/') ? [`${path} includes ${include}: only modules may include bindings`] : []),
  ]);
}

function cppProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  const folder = path.split('/')[1] ?? '';
  const allowed = allowedIncludes[folder];
  if (allowed === undefined) return [`${path}: folder "${folder}" has no rule; add it to tests/web/dependencies.ts`];
  for (const { include, bracket } of includesOf(text)) {
    const ofLibrary = libraryProblems(path, include);
    problems.push(...ofLibrary);
    const first = include.split('/')[0] ?? '';
    if (bracket === '"' && !include.includes('/')) {
      problems.push(`${path} includes "${include}"; includes name their folder, as in "${folder}/${include}"`);
    } else if (bracket === '"' && include.startsWith('.')) {
      problems.push(`${path} includes "${include}"; includes start at cpp/`);
    } else if (
      first in allowedIncludes ? first !== folder && !allowed.includes(first) : bracket === '"' && !ofLibrary.length
    ) {
      problems.push(`${path} includes ${include}: ${folder} may not include ${first}`);
    }
  }
  return problems;
}

/** Module names that a script imports or exports from, statically or dynamically, types included; workers by URL too. */
export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  const patterns = [
    /(?<!['"-])\bfrom\s*(['"])([^'"\n]+)\1/g,
    /\bimport\s*(['"])([^'"\n]+)\1/g,
    /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] ?? ''));
}

function webFolder(path: string): string {
  const parts = path.split('/');
  return parts.length === 2 ? 'entry' : (parts[1] ?? '');
}

function webProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  const folder = webFolder(path);
  const allowed = allowedImports[folder];
  if (allowed === undefined) return [`${path}: folder "${folder}" has no rule; add it to tests/web/dependencies.ts`];
  for (const name of importsOf(text)) {
    // Build-time code for Node (build.mjs) may import the tools; nothing else may import from outside web/.
    if (!name.startsWith('.')) {
      const hidden = coreImports.some(({ library, only }) => library.test(name) && only === path);
      if (folder === 'core' && name !== '' && !hidden && !/\.mjs$/.test(path))
        problems.push(`${path} imports ${name}: core has no dependency`);
      continue;
    }
    const target = normalize(join(dirname(path), name));
    if (!target.startsWith('web/')) {
      if (!path.endsWith('.mjs')) problems.push(`${path} imports ${target}, outside of web/`);
      continue;
    }
    const other = webFolder(target);
    if (other !== folder && !allowed.includes(other))
      problems.push(`${path} imports ${target}: ${folder} may not import ${other}`);
  }
  return problems;
}

/** Every include and import in these files that violates the rules, one per line. */
export function violations(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (file.path.startsWith('cpp/')) return cppProblems(file);
    return programs.includes(file.path.split('/')[0] ?? '') ? programProblems(file) : webProblems(file);
  });
}

/** What each script imports of these files, by path. */
function importGraph(files: SourceFile[]): Map<string, string[]> {
  const known = new Set(files.map(({ path }) => path));
  const targets = ({ path, text }: SourceFile): string[] =>
    importsOf(text)
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, '.ts'))
      .filter((target) => known.has(target));
  return new Map(files.map((file) => [file.path, targets(file)]));
}

/**
 * Groups of scripts that import each other, directly or through others, types included: the strongly connected components of
 * more than one file, by Tarjan's algorithm. Sorted.
 */
export function circles(files: SourceFile[]): string[][] {
  const graph = importGraph(files);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.size - 1);
    stack.push(path);
    for (const target of graph.get(path) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const circle = stack.splice(stack.indexOf(path));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return found.sort();
}

/** The project's own sources. */
export function sources(): SourceFile[] {
  const folders = ['cpp', ...programs];
  const paths = [
    ...folders.flatMap((folder) => projectFiles(folder, /\.(cpp|h)$/)),
    ...projectFiles('web', /\.(ts|mjs|js)$/),
  ];
  return paths.map((path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
