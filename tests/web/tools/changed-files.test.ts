import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedFiles } from '../../../tools/test/changed-files.mjs';

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
