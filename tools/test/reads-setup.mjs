// A setup file of the unit tests: writes what each test file reads into the folder READS_FOLDER, if that is set.
import { writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { afterAll, expect } from 'vitest';
import { root } from '../lib/root.mjs';
import { recordReads } from './reads.mjs';

const folder = process.env.READS_FOLDER;
if (folder !== undefined) {
  const { reads, stop } = recordReads();
  // The first of these hooks runs last.
  afterAll(() => {
    // Files may share the modules that this replaces: `npm test`.
    stop();
    const test = relative(root, expect.getState().testPath).split(sep).join('/');
    const { files, folders, ...others } = reads;
    const record = { test, files: [...files].sort(), folders: [...folders].sort(), ...others };
    writeFileSync(join(folder, `${test.replaceAll('/', '-')}.json`), JSON.stringify(record));
  });
}
