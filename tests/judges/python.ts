/** Files that a script in Python writes for the tests of a `describe`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { expectsPython, pythonWith } from '../../tools/setup/judges.mjs';

export function filesByPython(what: Parameters<typeof pythonWith>[0], title: string) {
  const found = pythonWith(what);
  const isThere = 'python' in found;
  return {
    python: isThere ? found.python : '',
    isSkipped: !isThere && !expectsPython(),
    title: isThere ? title : `${found.without}, so that it writes no files:`,
    /** Has them written before the tests, and removed after them; returns their folder, which is the script's first argument. */
    written(script: string, ...words: string[]): string {
      const folder = mkdtempSync(join(tmpdir(), `tied-${what}-`));
      beforeAll(() => {
        if (!isThere) throw new Error(found.without);
        const ended = spawnSync(found.python, ['-', folder, ...words], { input: script, encoding: 'utf8' });
        if (ended.status !== 0) throw new Error(ended.stderr);
      }, 180_000);
      afterAll(() => rmSync(folder, { recursive: true }));
      return folder;
    },
  };
}
