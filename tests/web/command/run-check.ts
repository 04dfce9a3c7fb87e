/** Runs `check` in this process, in a folder of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { check } from '../../../command/check.mjs';
import { readArguments } from '../../../command/declare.mjs';
import { Refusal } from '../../../command/exit-codes.mjs';

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** A folder that is removed after the tests, and a function that puts a file into it and returns its path. */
export function ownFolder(): { folder: string; put: (name: string, bytes: Uint8Array | string) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-check-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const put = (name: string, bytes: Uint8Array | string): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return file;
  };
  return { folder, put };
}

export async function runCheck(...words: string[]): Promise<Ended> {
  const ended = { code: 0, out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((ended.out += String(text))));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((ended.err += String(text))));
  try {
    ended.code = await check.run(readArguments(check, words));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ended.code = error.exitCode;
    ended.err += error.message;
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return ended;
}

/** The value of a row of the result. */
export const rowOf = ({ out }: Ended, name: string): string | undefined =>
  new RegExp(`^ +${name} {2,}(.*)$`, 'm').exec(out)?.[1];

/** Runs the command as a whole, with what it writes about refusals. */
export async function runWhole(main: (words: string[]) => Promise<number>, ...words: string[]): Promise<Ended> {
  const ended = { code: 0, out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((ended.out += String(text))));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((ended.err += String(text))));
  try {
    ended.code = await main(words);
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return ended;
}
