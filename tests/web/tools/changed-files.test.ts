// Its processes read: nothing
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedFiles } from '../../../tools/test/changed-files.mjs';
import { asCommitted, sinceLastCommit } from '../../../tools/test/last-commit.mjs';

let base: string;
const write = (name: string, text: string): void => writeFileSync(join(base, name), text);
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'changed-'));
  for (const name of ['a', 'b', 'settings']) write(name, name);
});
afterEach(() => rmSync(base, { recursive: true }));

const found = (paths: string[]) => changedFiles('some-check', paths, ['settings'], { base, memory: base });

test('all files count as changed until the check has passed, then those that differ, are new or are missing', () => {
  expect(found(['a', 'b']).changed).toEqual(['a', 'b']);
  expect(found(['a', 'b']).changed).toEqual(['a', 'b']);
  found(['a', 'b']).passed();
  expect(found(['a', 'b'])).toMatchObject({ changed: [], gone: [] });
  write('b', 'other');
  write('c', 'new');
  expect(found(['b', 'c'])).toMatchObject({ changed: ['b', 'c'], gone: ['a'] });
  expect(found(['b', 'c']).changed).toEqual(['b', 'c']);
});

test('files that change while the check runs count as changed afterwards', () => {
  const running = found(['a']);
  write('a', 'during');
  running.passed();
  expect(found(['a']).changed).toEqual(['a']);
});

test('all files count as changed if the settings change', () => {
  found(['a', 'b']).passed();
  write('settings', 'stricter');
  expect(found(['a', 'b']).changed).toEqual(['a', 'b']);
});

describe('where nothing has passed yet, the last commit counts', () => {
  const git = (...words: string[]): void => {
    const settings = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...settings, ...words], { cwd: base, encoding: 'utf8' });
    expect(stderr + String(status)).toMatch(/0$/);
  };
  beforeEach(() => {
    mkdirSync(join(base, 'in'));
    for (const name of ['in/c.ts', 'in/d.ts', 'in/e.md']) write(name, name);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
  });

  test('with files that are edited, new or gone since, of the kinds that the check reads', () => {
    expect(found(['a', 'b', 'in/c.ts', 'in/d.ts'])).toMatchObject({ changed: [], gone: [], isProved: false });
    write('b', 'other');
    write('in/new file.ts', '');
    rmSync(join(base, 'in/d.ts'));
    rmSync(join(base, 'in/e.md'));
    expect(sinceLastCommit(base)).toMatchObject({
      edited: ['b'],
      added: ['in/new file.ts'],
      gone: ['in/d.ts', 'in/e.md'],
    });
    const now = found(['a', 'b', 'in/c.ts', 'in/new file.ts']);
    expect(now).toMatchObject({ changed: ['b', 'in/new file.ts'], gone: ['in/d.ts'] });
  });

  test('and is no proof, before or after a check of what has changed; a check of everything is', () => {
    write('b', 'other');
    found(['a', 'b']).passed({ left: ['some tests'] });
    expect(found(['a', 'b'])).toMatchObject({ changed: [], isProved: false, left: ['some tests'] });
    found(['a', 'b']).passed({ all: true });
    expect(found(['a', 'b'])).toMatchObject({ changed: [], isProved: true, left: [] });
  });

  test('but not if settings differ from it, nor where it says nothing of the project', () => {
    write('settings', 'stricter');
    expect(found(['a', 'b']).changed).toEqual(['a', 'b']);
    const inner = join(base, 'in');
    expect(sinceLastCommit(inner)).toBeUndefined();
    expect(changedFiles('some-check', ['c.ts'], [], { base: inner, memory: inner }).changed).toEqual(['c.ts']);
  });

  test('a file that is staged to be removed and is there still is edited, one that is moved is gone and new', () => {
    git('rm', '--quiet', '--cached', 'a');
    git('mv', 'b', 'in/b');
    expect(sinceLastCommit(base)).toMatchObject({ edited: ['a'], added: ['in/b'], gone: ['b'] });
    const hashes = { a: '1', 'in/b': '2', settings: '3' };
    expect(asCommitted(hashes, sinceLastCommit(base)!)).toMatchObject({
      a: 'as committed',
      b: 'as committed',
      settings: '3',
    });
    expect(asCommitted(hashes, sinceLastCommit(base)!)).not.toHaveProperty('in/b');
  });
});
