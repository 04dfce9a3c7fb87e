// npm run fields: writes web/core/generated/, the C++ tables of options and of answers for JavaScript. A test of the core
// compares the files with what they would be.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildPreset } from './build/cmake.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';
import { program } from './lib/steps.mjs';

async function printFields() {
  const folder = await buildPreset('native-release', ['print_fields']);
  for (const file of ['fields', 'records', 'words']) {
    const text = execFileSync(join(folder, 'cpp/fields/print_fields'), [file]);
    writeIfChanged(join(root, `web/core/generated/${file}.ts`), text);
  }
}

await program(printFields, { options: [] });
