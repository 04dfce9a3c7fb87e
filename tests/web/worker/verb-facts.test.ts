import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserOptions, smaller } from '../../../tools/build/dist.mjs';
import { root } from '../../../tools/lib/root.mjs';
import * as facts from '../../../web/worker/verb-facts.values.js';

const bundle = (entry: string) =>
  build({
    ...browserOptions,
    entryPoints: { entry: join(root, entry) },
    outdir: join(root, 'build/verb-facts'),
    splitting: true,
    metafile: true,
    write: false,
    plugins: [...browserOptions.plugins!, ...smaller],
  });

test('a bundle holds what a page needs of the verbs as data, equal to what the declarations say', async () => {
  const { outputFiles } = await bundle('web/worker/verb-facts.values.ts');
  const [file] = outputFiles;
  expect(Object.keys(facts.LONG_VERBS.core)).toContain('openCorpus');
  const script = `data:text/javascript;base64,${Buffer.from(file!.contents).toString('base64')}`;
  const built = (await import(/* @vite-ignore */ script)) as object;
  expect({ ...built }).toEqual(JSON.parse(JSON.stringify({ ...facts })));
  expect(file!.contents.length).toBeLessThan(6000);
});

test('a page with workers loads neither the code of a core nor the glue of its wasm', async () => {
  const {
    metafile: { outputs },
  } = await bundle('web/worker/lab-slim.ts');
  const loadedBy = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const { path, kind } of outputs[name]!.imports) if (kind === 'import-statement') loadedBy(path, seen);
    return seen;
  };
  const inputsOf = (part: string): string[] => {
    const start = Object.keys(outputs).find((name) => outputs[name]!.entryPoint === part);
    return [...loadedBy(start!)].flatMap((name) => Object.keys(outputs[name]!.inputs));
  };
  const heavy = ['web/core/core.ts', 'web/core/training/trainer.ts', 'web/wasm/core.mjs', 'web/worker/host.ts'];
  expect(inputsOf('web/worker/same-thread-backend.ts')).toEqual(expect.arrayContaining(heavy));
  const page = inputsOf('web/worker/lab-slim.ts');
  expect(page).toContain('web/worker/lab-client.ts');
  expect(page.filter((input) => heavy.includes(input))).toEqual([]);
});
