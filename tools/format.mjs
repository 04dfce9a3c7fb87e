// npm run format: rewrites all sources in the project's format.
import { root } from './lib/root.mjs';
import { cppFiles } from './lib/files.mjs';
import { run } from './lib/run.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { toolchain } from './setup/paths.mjs';
import { join } from 'node:path';

async function format() {
  const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
  await runSteps([
    { title: 'clang-format', run: () => run(toolchain().clangFormat, ['-i', ...cppFiles()], { log: 'format' }) },
    { title: 'Prettier', run: () => run(process.execPath, [prettier, '--write', '.'], { log: 'prettier' }) },
  ]);
}

await program(format, { options: [] });
