// The state of a run and other files that come in parts: complete or absent, whatever fails.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as FileSystem from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeInParts } from '../../../command/files.mjs';
import { RunState } from '../../../command/run-state.mjs';
import type { LabTrainer } from '../../../web/index.js';

const rename = vi.hoisted(() => ({ fails: false }));
vi.mock('node:fs', async (original) => {
  const found = await original<typeof FileSystem>();
  return {
    ...found,
    renameSync(from: string, to: string) {
      if (rename.fails) throw Object.assign(new Error('cannot rename'), { code: 'EXDEV', syscall: 'rename' });
      found.renameSync(from, to);
    },
  };
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tied-state-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Saved = Pick<LabTrainer, 'save'>;
/** A trainer whose file consists of these parts; a failure in place of one ends it. */
const saving = (...parts: (Uint8Array | Error)[]): Saved =>
  ({
    async save({ to }: { to: WritableStream<Uint8Array> }) {
      const writer = to.getWriter();
      try {
        for (const part of parts) {
          if (part instanceof Error) throw part;
          await writer.write(part);
        }
      } finally {
        writer.releaseLock();
      }
    },
  }) as unknown as Saved;

describe('the state of a run', () => {
  test('is read as it was written, and replaced as a whole', async () => {
    const file = join(folder, 'deep', 'run.state');
    await new RunState(file, 'one').write(saving(Uint8Array.of(1, 10, 2), Uint8Array.of(10, 3)), { step: 7 });
    expect(new RunState(file, 'one').read()).toEqual({ model: Uint8Array.of(1, 10, 2, 10, 3), facts: { step: 7 } });
    await new RunState(file, 'one').write(saving(Uint8Array.of(4)), { step: 8 });
    expect(new RunState(file, 'one').read()).toEqual({ model: Uint8Array.of(4), facts: { step: 8 } });
    expect(() => new RunState(file, 'other').read()).toThrow(/belongs to another run/);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['run.state']);
  });

  test('stays as it was if the trainer cannot be saved, and nothing else is left', async () => {
    const file = join(folder, 'kept.state');
    const state = new RunState(file, 'one');
    await state.write(saving(Uint8Array.of(5)), {});
    const failure = new Error('the worker stopped');
    await expect(state.write(saving(Uint8Array.of(6), failure), {})).rejects.toBe(failure);
    expect(state.read().model).toEqual(Uint8Array.of(5));
    expect(readdirSync(folder).filter((name) => name.includes('kept'))).toEqual(['kept.state']);
  });
});

describe('a file in parts', () => {
  const write = (to: WritableStream<Uint8Array>): Promise<unknown> =>
    saving(Uint8Array.of(1), Uint8Array.of(2)).save({ to } as never);

  test('is copied where files cannot be renamed', async () => {
    const file = join(folder, 'copied');
    rename.fails = true;
    await writeInParts(file, write).finally(() => (rename.fails = false));
    expect(new Uint8Array(readFileSync(file))).toEqual(Uint8Array.of(1, 2));
    expect(readdirSync(folder).filter((name) => name.includes('copied'))).toEqual(['copied']);
  });

  test('that cannot be written is named with the reason', async () => {
    writeFileSync(join(folder, 'plain'), '');
    const file = join(folder, 'plain', 'file');
    await expect(writeInParts(file, write)).rejects.toThrow(`${file} cannot be written: `);
    // Of a part, not of the opening.
    const full = Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' });
    const other = join(folder, 'full');
    await expect(writeInParts(other, () => Promise.reject(full))).rejects.toThrow(
      `${other} cannot be written: ENOSPC, the disk is full`,
    );
    expect(readdirSync(folder).filter((name) => name.includes('full'))).toEqual([]);
  });
});
