// Its processes read: nothing
// What the bash script offers in a bash that has sourced it.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bashScript } from '../../../command/completion-bash.mjs';
import { allFlags } from '../../../command/declare.mjs';
import { verbs } from '../../../command/verbs.mjs';
import { newShelf, otherVerbs, type Shelf } from './shell.js';

let shelf: Shelf;
let ours: string;
let others: string;
beforeAll(() => {
  shelf = newShelf();
  ours = shelf.written(bashScript(verbs));
  others = shelf.written(bashScript(otherVerbs));
});
afterAll(() => {
  shelf.remove();
});

/** The completions for the last of the words, split as by bash; `PATH` has no programs. */
function offered(words: readonly string[], { script = ours, at = words.length - 1 } = {}): string[] {
  const call = 'PATH=; source "$1"; shift; COMP_CWORD=$1; shift; COMP_WORDS=("$@"); _tied_embeddings';
  const show = 'for reply in "${COMPREPLY[@]}"; do echo "$reply"; done';
  const said = execFileSync(
    'bash',
    ['--norc', '--noprofile', '-c', `${call}; ${show}`, 'bash', script, String(at), ...words],
    { cwd: shelf.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return said.split('\n').slice(0, -1);
}
const behind = (...words: string[]): string[] => offered(['tied-embeddings', ...words]);
const files = ['claim.json', 'my tables'];

describe('bash completes', () => {
  test('verbs', () => {
    expect(behind('')).toEqual([...new Set(verbs.map(({ name }) => name.split(' ')[0]))]);
    expect(behind('exp')).toEqual(['experiment']);
    expect(behind('-')).toEqual(['--help', '--version']);
    expect(behind('wrong', '')).toEqual([]);
  });

  test('second words', () => {
    expect(behind('experiment', '')).toEqual(['run', 'expand', 'collect']);
    expect(behind('experiment', 'e')).toEqual(['expand']);
  });

  test.each(verbs.map((verb) => [verb.name, verb] as const))('every flag of %s, and no other', (name, verb) => {
    expect(behind(...name.split(' '), '--')).toEqual(Object.keys(allFlags(verb)).map((flag) => `--${flag}`));
  });

  test.each(
    verbs.flatMap(({ name, flags }) =>
      Object.entries(flags).flatMap(([flag, { of }]) => (of === undefined ? [] : [[name, `--${flag}`, of] as const])),
    ),
  )('of %s the values of %s', (name, flag, of) => {
    expect(behind(...name.split(' '), flag, '')).toEqual(of);
  });

  test('flags that are not given yet, before or after the cursor', () => {
    const all = behind('check', 'a', '');
    expect(all).toContain('--worst');
    const left = all.filter((flag) => !['--worst', '--json', '--text'].includes(flag));
    expect(behind('check', 'a', '--worst', '3', '--text', '=', 'b', '--json', '')).toEqual(left);
    expect(offered(['tied-embeddings', 'check', '--', '--worst', '3', '--json', '--text', 'b'], { at: 2 })).toEqual(
      left,
    );
  });

  test('values of a choice with this prefix, also after =, at which bash splits the flag', () => {
    expect(behind('count', '--precision', 'b')).toEqual(['bfloat16']);
    expect(behind('count', '--precision', '=')).toEqual(['float32', 'bfloat16', 'mixed']);
    expect(behind('count', '--precision', '=', 'm')).toEqual(['mixed']);
    expect(behind('count', '--precision=m')).toEqual(['--precision=mixed']);
    expect(behind('count', '--precision', '"m')).toEqual(['mixed']);
    expect(behind('completion', '')).toEqual(['bash', 'zsh']);
  });

  test('files and folders, each where expected', () => {
    expect(behind('experiment', 'run', '').sort()).toEqual(files);
    expect(behind('experiment', 'run', 'cl')).toEqual(['claim.json']);
    expect(behind('check', 'x', '--text', '../here/c')).toEqual(['../here/claim.json']);
    expect(behind('experiment', 'collect', 'x', '--out', '')).toEqual(['my tables']);
    expect(behind('check', 'x', '>', 'c')).toEqual(['claim.json']);
    expect(behind('check', '--', '--')).toEqual([]);
  });

  test('nothing for values that only the user knows', () => {
    expect(behind('check', '--worst', '')).toEqual([]);
    expect(behind('experiment', 'run', 'a', '--jobs', '')).toEqual([]);
    expect(behind('experiment', 'run', 'a', 'c')).toEqual([]);
  });

  test('files for a repeatable operand once something is typed', () => {
    expect(behind('check', 'a.gguf', 'no-such-')).toEqual([]);
    expect(behind('check', 'a.gguf', 'packa')).toEqual(behind('check', 'packa'));
    expect(behind('count', 'config.json', 'packa')).toEqual([]);
  });

  test('a URL as a single operand', () => {
    expect(behind('check', 'https', ':', '//example.org/a', '')).toContain('--worst');
  });

  test('arguments of npx', () => {
    expect(offered(['npx', 'tied-embeddings', 'exp'])).toEqual(['experiment']);
    expect(offered(['npx', '--yes', 'tied-embeddings', '@', '0.2.0', 'experiment', 'r'])).toEqual(['run']);
    expect(offered(['npx', 'another', ''])).toEqual([]);
  });

  test('verbs of any list', () => {
    const script = others;
    const words = (...last: string[]): string[] => offered(['tied-embeddings', ...last], { script });
    expect(words('')).toEqual(['bake', 'oven']);
    expect(words('oven', 'light', '')).toEqual(['on', 'off']);
    expect(words('oven', 'light', 'off', '')).toEqual(['--help']);
    expect(words('bake', 'a', '')).toEqual(['round', 'long']);
    expect(words('bake', 'a', '-')).toEqual(['--to', '--hot', '--help']);
    expect(words('bake', '--to', '')).toEqual(['my tables']);
  });
});

test('values of choices contain no space, since the script’s tables are split at spaces', () => {
  const of = verbs.flatMap(({ flags, operands }) =>
    [...Object.values(flags), ...operands].flatMap((one) => one.of ?? []),
  );
  expect(of.length).toBeGreaterThan(20);
  expect(of.filter((word) => !/^[\w.-]+$/.test(word))).toEqual([]);
});

test('in an interactive bash at once, and keeps an existing completion of npx', () => {
  const shown = (before: string): string =>
    execFileSync('bash', ['--norc', '--noprofile', '-c', `${before}; source "$1"; complete -p`, 'bash', ours], {
      encoding: 'utf8',
    });
  expect(shown(':')).toContain('complete -F _tied_embeddings tied-embeddings\n');
  expect(shown(':')).toContain('-F _tied_embeddings npx\n');
  expect(shown('complete -W mine npx')).toMatch(/^complete -W 'mine' npx$/m);
});
