import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOf, hashOfFiles, makeFolder, writeIfChanged } from '../../../tools/lib/stamps.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stamps-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fillWith = (text: string) => (partial: string) => Promise.resolve(writeFileSync(join(partial, 'a'), text));

test('a folder is built once for the same inputs, and again for other inputs', async () => {
  const target = join(folder, 'result');
  expect(await makeFolder(target, hashOf(1), fillWith('first'))).toBe(true);
  expect(await makeFolder(target, hashOf(1), fillWith('second'))).toBe(false);
  expect(readFileSync(join(target, 'a'), 'utf8')).toBe('first');
  expect(await makeFolder(target, hashOf(2), fillWith('third'))).toBe(true);
  expect(readFileSync(join(target, 'a'), 'utf8')).toBe('third');
});

test('a folder that could not be filled does not exist, and the previous one stays', async () => {
  const target = join(folder, 'result');
  const fail = () => Promise.reject(new Error('the line went down'));
  await expect(makeFolder(target, hashOf(1), fail)).rejects.toThrow('the line went down');
  expect(existsSync(target)).toBe(false);
  await makeFolder(target, hashOf(1), fillWith('whole'));
  await expect(makeFolder(target, hashOf(2), fail)).rejects.toThrow('the line went down');
  expect(readFileSync(join(target, 'a'), 'utf8')).toBe('whole');
});

test('the hash of files changes with contents, a new file and a missing file', () => {
  const paths = [folder, join(folder, 'maybe')];
  const hashes = [hashOfFiles(paths)];
  writeFileSync(join(folder, 'b'), 'one');
  hashes.push(hashOfFiles(paths));
  writeFileSync(join(folder, 'b'), 'two');
  hashes.push(hashOfFiles(paths));
  writeFileSync(join(folder, 'maybe'), '');
  hashes.push(hashOfFiles(paths));
  expect(new Set(hashes).size).toBe(4);
  expect(hashOfFiles(paths)).toBe(hashes[3]);
});

test('a file with the same content is not rewritten', () => {
  const file = join(folder, 'c');
  expect(writeIfChanged(file, 'x')).toBe(true);
  expect(writeIfChanged(file, 'x')).toBe(false);
  expect(writeIfChanged(file, 'y')).toBe(true);
});
