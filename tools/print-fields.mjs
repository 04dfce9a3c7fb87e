// npm run fields: writes web/core/generated/fields.ts, the C++ tables of options for JavaScript. A test of the core compares
// the file with what it would be.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildPreset } from './build/cmake.mjs';
import { root } from './lib/root.mjs';
import { writeIfChanged } from './lib/stamps.mjs';
import { program } from './lib/steps.mjs';

await program(async () => {
  const folder = await buildPreset('native-release', ['print_fields']);
  writeIfChanged(join(root, 'web/core/generated/fields.ts'), execFileSync(join(folder, 'cpp/fields/print_fields')));
});
