// Its processes read: tests/web/command/offered.zsh
// What the zsh script offers in a zsh that has sourced it, if zsh is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zshScript } from '../../../command/completion-zsh.mjs';
import { allFlags } from '../../../command/declare.mjs';
import { verbs } from '../../../command/verbs.mjs';
import { newShelf, otherVerbs, type Shelf } from './shell.js';

const there = spawnSync('zsh', ['--version']).status === 0;

describe.skipIf(!there)(there ? 'zsh completes' : 'zsh is not installed, so its completion is not tried:', () => {
  let shelf: Shelf;
  let ours: string;
  let others: string;
  beforeAll(() => {
    shelf = newShelf();
    ours = shelf.written(zshScript(verbs));
    others = shelf.written(zshScript(otherVerbs));
  });
  afterAll(() => {
    shelf.remove();
  });

  /** What Tab offers after the line, sorted; zsh may offer a folder in two groups. */
  function offered(line: string, script = ours): string[] {
    const said = execFileSync('zsh', ['-f', join(import.meta.dirname, 'offered.zsh'), script, line], {
      cwd: shelf.folder,
      encoding: 'utf8',
    });
    return [...new Set(said.trim().split('\n'))].filter((word) => word !== '').sort();
  }

  test('with a script without syntax errors', () => {
    for (const script of [ours, others]) execFileSync('zsh', ['-n', script]);
  });

  test('verbs and their second words', () => {
    expect(offered('tied-embeddings ')).toEqual([...new Set(verbs.map(({ name }) => name.split(' ')[0]))].sort());
    expect(offered('tied-embeddings experiment ')).toEqual(['collect', 'expand', 'run']);
    expect(offered('tied-embeddings -')).toEqual(['--help', '--version']);
  });

  test.each(verbs.map((verb) => [verb.name, verb] as const))('every flag of %s, and no other', (name, verb) => {
    const flags = Object.keys(allFlags(verb)).map((flag) => `--${flag}`);
    expect(offered(`tied-embeddings ${name} --`)).toEqual(flags.sort());
  });

  test('flags that are not given yet, values of a choice, files and folders', () => {
    expect(offered('tied-embeddings count --json --precision mixed --js')).toEqual([]);
    expect(offered('tied-embeddings count --precision ')).toEqual(['bfloat16', 'float32', 'mixed']);
    expect(offered('tied-embeddings count --precision=b')).toEqual(['bfloat16']);
    expect(offered('tied-embeddings check --worst ')).toEqual([]);
    expect(offered('tied-embeddings experiment run ')).toEqual(['claim.json', String.raw`my\ tables`]);
    expect(offered('tied-embeddings experiment collect x --out ')).toEqual([String.raw`my\ tables`]);
  });

  test('arguments of npx', () => {
    expect(offered('npx --yes tied-embeddings@0.2.0 experiment r')).toEqual(['run']);
    expect(offered('npx another cl')).toEqual(['claim.json']);
  });

  test('verbs of any list, whatever their help texts contain', () => {
    expect(offered('tied-embeddings ', others)).toEqual(['bake', 'oven']);
    expect(offered('tied-embeddings oven light ', others)).toEqual(['off', 'on']);
    expect(offered('tied-embeddings bake a ', others)).toEqual(['long', 'round']);
    expect(offered('tied-embeddings bake -', others)).toEqual(['--help', '--hot', '--to']);
  });
});
