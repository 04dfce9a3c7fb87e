import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releaseLock, takeLock } from '../../../tools/lib/lock.mjs';

const dead = '1-dead';
const isRunning = (pid: number): boolean => pid !== 1;
let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tied-lock-'));
  folder = join(parent, 'lock');
});
afterEach(() => rmSync(parent, { recursive: true }));

test('a lock has one owner until it is released', () => {
  expect(takeLock(folder, '2-first', isRunning)).toBe(true);
  expect(takeLock(folder, '3-second', isRunning)).toBe(false);
  releaseLock(folder, '3-second');
  expect(takeLock(folder, '3-second', isRunning)).toBe(false);
  releaseLock(folder, '2-first');
  expect(takeLock(folder, '3-second', isRunning)).toBe(true);
  expect(readdirSync(parent)).toEqual(['lock']);
});

test('a dead owner’s lock can be acquired', () => {
  takeLock(folder, dead, isRunning);
  expect(takeLock(folder, '2-next', isRunning)).toBe(true);
  expect(readdirSync(folder)).toEqual(['2-next']);
});

test('finding a dead owner’s lock does not remove the lock of a quicker process', () => {
  takeLock(folder, dead, isRunning);
  let taken = false;
  const slow = takeLock(folder, '2-slow', (pid) => {
    taken ||= takeLock(folder, '3-quick', isRunning);
    return isRunning(pid);
  });
  expect(taken).toBe(true);
  expect(slow).toBe(false);
  expect(existsSync(join(folder, '3-quick'))).toBe(true);
});
