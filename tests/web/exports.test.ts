// Nothing is exported that no other file names: an export promises that somebody outside uses it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFiles } from '../../tools/lib/files.mjs';
import { root } from '../../tools/lib/root.mjs';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const exported = /^export (?:async )?(?:function\*?|const|let|(?:abstract )?class) ([\w$]+)/gm;
const namesIn = (text: string): Set<string> => new Set(text.match(/[\w$]+/g));

/** Values that `path` exports and no other file names. */
function unused(files: ReadonlyMap<string, string>, searched: readonly string[]): string[] {
  const words = new Map([...files].map(([path, text]) => [path, namesIn(text)]));
  const uses = new Map<string, number>();
  for (const name of [...words.values()].flatMap((set) => [...set])) uses.set(name, (uses.get(name) ?? 0) + 1);
  return searched.flatMap((path) =>
    [...files.get(path)!.matchAll(exported)]
      .filter(([, name]) => uses.get(name!) === 1)
      .map(([, name]) => `${path}: ${name}`),
  );
}

it('every exported value is named in another file', () => {
  const paths = ['web', 'command', 'tools', 'tests', 'bench', 'docs'].flatMap((folder) =>
    projectFiles(folder, /\.(m?[jt]s|md)$/),
  );
  const files = new Map(paths.map((path) => [path, read(path)]));
  // All values of the drawings are public; the generated ones are a table each.
  const searched = paths.filter((path) =>
    /^(web\/(core|elements|worker|article|texts)|command|tools)\/(?!generated)/.test(path),
  );
  expect(searched.length).toBeGreaterThan(700);
  expect(unused(files, searched)).toEqual([]);
});

it('finds one that is not', () => {
  const files = new Map([
    ['a.ts', 'export const kept = 1;\nexport function* left() {}\nconst own = left;'],
    ['b.ts', "import { kept } from './a.js';"],
  ]);
  expect(unused(files, ['a.ts'])).toEqual(['a.ts: left']);
});
