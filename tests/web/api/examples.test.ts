// Every public verb documents its errors and has an example; the examples type-check, run, and return what they claim.
// Its processes read: nothing
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { checkShown, exampleModule, withChecks } from '../../../tools/api/examples.mjs';
import { readApi, verbsOf } from '../../../tools/api/read-api.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { createLab, isSupported, loadCore, TiedError } from '../../../web/index.js';
import { ERROR_CODES } from '../../../web/core/runtime/errors.js';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';

const entries = readApi();
const verbs = verbsOf(entries).filter(({ name }) => !name.endsWith('.dispose') && !name.startsWith('TiedError.'));
const folder = join(root, 'build/api-examples');
const source = exampleModule(verbs, { entry: '../../web/index.js' });

type Examples = Record<string, () => Promise<void>>;

async function runnable(core: Awaited<ReturnType<typeof loadCore>>): Promise<Examples> {
  const body = source
    .replace(/^import .*\n/, '')
    .replace('export const examples', 'const examples')
    .replace(/export const used.*\n/, '');
  const { code } = await transform(body, { loader: 'ts', target: 'es2022' });
  const names = { createLab, isSupported, loadCore, TiedError };
  // The examples come from the project itself.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function(...Object.keys(names), `${code}; return examples;`) as (
    ...values: unknown[]
  ) => (of: typeof core, show: typeof checkShown) => Examples;
  return make(...Object.values(names))(core, checkShown);
}

describe('the public API', () => {
  it.each(verbs.map((verb) => [verb.name, verb.doc] as const))(
    '%s documents what it does, what it throws and how to use it',
    (_, doc) => {
      expect(doc.text.length).toBeGreaterThan(10);
      const codes = doc.throws.flatMap((text) => [...text.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code));
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) expect(ERROR_CODES).toContain(code);
      expect(doc.examples.length).toBeGreaterThan(0);
      // An example shows a result.
      for (const example of doc.examples) expect(withChecks(example)).toContain('show(');
    },
  );

  it('has examples that type-check', { timeout: 240_000 }, () => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'examples.ts');
    writeFileSync(file, source);
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: object };
    };
    // Not the whole configuration, for which TypeScript would list every folder of the project.
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const program = ts.createProgram([file, join(root, 'web/core/wasm-files.d.ts')], {
      ...options,
      noEmit: true,
      incremental: false,
    });
    const problems = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(
        ({ messageText, start = 0 }) =>
          `${ts.flattenDiagnosticMessageText(messageText, ' ')} at: ${source.slice(start, start + 60)}`,
      );
    expect(problems).toEqual([]);
  });

  it('has examples that return what they claim', { timeout: 120_000 }, async () => {
    const core = await loadCore({ modules: OPTIONAL_MODULES });
    const failures: string[] = [];
    for (const [name, example] of Object.entries(await runnable(core))) {
      await example().catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
    }
    core.dispose();
    expect(failures).toEqual([]);
  });
});

describe('an example whose expected value differs from its result', () => {
  it('fails', () => {
    expect(withChecks('f(1); // → 2\n[1,\n2];\n// → [1, 2]')).toContain('show(f(1), "2");');
    expect(() => {
      checkShown(1.2345, '1.23');
    }).not.toThrow();
    expect(() => {
      checkShown(1.245, '1.23');
    }).toThrow(/says 1\.23/);
    expect(() => {
      checkShown(Float32Array.of(1, 2), '[1, 3]');
    }).toThrow(/\[1,2\]/);
  });
});
