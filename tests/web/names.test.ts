// Names in the code against the words to avoid of docs/notation.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '../../tools/lib/files.mjs';
import { root } from '../../tools/lib/root.mjs';

/** The words to avoid in names: those printed as code in the third column. */
function wordsToAvoid(notation: string): string[] {
  const table = notation.slice(notation.indexOf('| write | for | not |')).split('\n\n')[0]!;
  return table.split('\n').flatMap((row) => {
    const [, not = ''] = /\|([^|]*)\|$/.exec(row) ?? [];
    return [...not.matchAll(/`(\w+)`/g)].map(([, word]) => word!);
  });
}

/** Texts, comments and regular expressions are no names. What templates insert is left out, too. */
const TOKENS =
  /R"\(.*?\)"|\/\*.*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[\s(,=:[!&|?])\/(?![\s*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*|([A-Za-z_]\w*)/gs;
const namesOf = (text: string): string[] => [...text.matchAll(TOKENS)].flatMap(([, name]) => name ?? []);
const partsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase());

/** Short words are compared whole: `tell` is not in `intelligible`, and not in `tellurium`. */
const isPart = (word: string, part: string): boolean => part === word || (word.length > 4 && part.startsWith(word));

function found(text: string, words: readonly string[]): string[] {
  const wrong = namesOf(text).filter((name) => partsOf(name).some((part) => words.some((word) => isPart(word, part))));
  return [...new Set(wrong)];
}

const notation = readFileSync(join(root, 'docs/notation.md'), 'utf8');

test.each(['cpp', 'web', 'command', 'tools', 'bench'])('no name in %s has a word to avoid', (folder) => {
  const words = wordsToAvoid(notation);
  const files = projectFiles(folder, /\.(cpp|h|ts|mjs)$/);
  expect(files.length).toBeGreaterThan(20);
  const wrong = files.flatMap((path) =>
    found(readFileSync(join(root, path), 'utf8'), words).map((name) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('in web, a job is one model of an experiment, and what a long verb does is work', () => {
  const files = projectFiles('web', /\.ts$/).filter((path) => !/experiment/.test(path));
  expect(files.length).toBeGreaterThan(500);
  const named = files.flatMap((path) => found(readFileSync(join(root, path), 'utf8'), ['job', 'jobs']));
  expect(named).toEqual([]);
});

test('in web, reading is the role of a table or what a lens finds, and no pair is one of tables', () => {
  const files = projectFiles('web', /\.ts$/).filter((path) => !/^web\/core\/generated\//.test(path));
  expect(files.length).toBeGreaterThan(500);
  const named = files.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /^(?:export )?(?:\w+ )*(?:class|interface|type|function|const) (\w+)/gm,
      ),
    ]
      .map(([, name]) => name!)
      .filter((name) => {
        const is = (word: string): boolean => partsOf(name).some((part) => part.startsWith(word));
        return is('reading') || (is('pair') && is('table'));
      }),
  );
  expect([...new Set(named)]).toEqual(['LensReading']);
});

test('the words are read from the glossary, and found as parts of names only', () => {
  const words = wordsToAvoid(notation);
  expect(words).toEqual(expect.arrayContaining(['factorise', 'tell', 'told']));
  // The first two columns of a row are what to write.
  expect(words).not.toContain('favours');
  expect(found('const told = /would tell|[/] tells/g; half / told / 2', ['tell', 'told'])).toEqual(['told']);
  const text =
    'isFactorised; kTold_; tell_all; toldest; \'told\'; // told\n/* centre */ `told ${told}` R"(told)"; axisCentre';
  expect(found(text, ['factorise', 'told', 'tell', 'centre'])).toEqual([
    'isFactorised',
    'kTold_',
    'tell_all',
    'axisCentre',
  ]);
});
