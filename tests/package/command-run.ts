// The command of the packed package, in a user's folder.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PackedPackage } from './packed.js';

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export const scriptOf = (packed: PackedPackage): string =>
  join(packed.folder, 'node_modules/tied-embeddings/dist/command.js');

export function runCommand(
  packed: PackedPackage,
  words: readonly string[],
  {
    cwd = packed.folder,
    environment = {},
    limitMs = 240_000,
  }: { cwd?: string; environment?: Record<string, string>; limitMs?: number } = {},
): Ended {
  const began = performance.now();
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [scriptOf(packed), ...words], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    maxBuffer: 2 ** 28,
    timeout: limitMs,
  });
  if (signal !== null) throw new Error(killedMessage(words, signal, performance.now() - began, stdout, stderr));
  return { status, stdout, stderr };
}

/** A command that was killed, by its limit here or by the machine, says what it had got to. */
function killedMessage(words: readonly string[], signal: string, ms: number, stdout: string, stderr: string): string {
  const got = stdout.trim() === '' ? 'nothing' : `${stdout.length} characters that end with ${stdout.slice(-200)}`;
  return `${words.join(' ')}: ended by ${signal} after ${(ms / 1000).toFixed(1)} s; stdout got ${got}; stderr: ${stderr}`;
}

/** Runs while this process continues, with a server that the command calls. */
export function startCommand(packed: PackedPackage, words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [scriptOf(packed), ...words], { cwd: packed.folder });
  const ended: Ended = { status: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
  return new Promise((resolve) => child.on('close', (status) => resolve({ ...ended, status })));
}

/** Expects an invalid call: code 64, a one-line message, and nothing on stdout. */
export function expectRefused({ status, stdout, stderr }: Ended, named: RegExp): void {
  expect(stderr).toMatch(named);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/^tied-embeddings: /);
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
}
