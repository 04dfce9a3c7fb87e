// The fast loop does not repeat what passed on the very same files.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../lib/files.mjs';
import { root } from '../lib/root.mjs';
import { hashOf, hashOfFiles, writeIfChanged } from '../lib/stamps.mjs';

/** All files of the project, with the modules in web/wasm/ and the data that some tests read from beside it. */
export const everything = () => [...projectFiles('.', /./), 'web/wasm', '../shared/data'];

/**
 * The phase, but for its work where all that it reads (`inputs()`: files and folders, relative to `base`) is as it was when
 * it last passed: then with the counts of that time. What failed is done again in any case.
 */
export function unlessUnchanged({ title, run }, inputs, { base = root, memory = join(root, 'build', 'passed') } = {}) {
  const file = join(memory, `${title.replaceAll(/\W+/g, '-')}.json`);
  return {
    title,
    run: async () => {
      const files = hashOfFiles(inputs().map((path) => join(base, path)));
      const hash = hashOf(title, process.version, files);
      const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
      if (last?.hash === hash) return { ...last.counts, notes: [] };
      rmSync(file, { force: true });
      const result = await run();
      const { passed, failed, skipped } = result;
      // Files that were changed meanwhile have another hash than this one.
      if (failed === 0) writeIfChanged(file, JSON.stringify({ hash, counts: { passed, failed, skipped } }));
      return result;
    },
  };
}
