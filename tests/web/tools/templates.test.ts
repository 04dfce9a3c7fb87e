// Its processes read: nothing
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { filesAffected, templateArguments, templatesAffected } from '../../../tools/test/templates.mjs';

test('a property that an element lacks and a value of another type are errors, and a correct template has none', () => {
  // Inside the project, so Lit's types are found.
  const folder = mkdtempSync(join(root, 'build/templates-'));
  const write = (name: string, template: string): string => {
    const file = join(folder, name);
    writeFileSync(file, `import { html } from 'lit';\nexport const view = (count: number) => html\`${template}\`;\n`);
    return file;
  };
  const wrong = write('wrong.ts', '<input .valeu=${String(count)} ?disabled=${count}>');
  const right = write('right.ts', '<input .value=${String(count)} ?disabled=${count > 1} @input=${() => undefined}>');
  // Both together, since reading the types takes seconds.
  const { status, stdout } = spawnSync(process.execPath, templateArguments(wrong, right), {
    cwd: root,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(status).not.toBe(0);
  expect(stdout).toContain('wrong.ts');
  expect(stdout).toContain('valeu');
  expect(stdout).toContain('boolean');
  expect(stdout).not.toContain('right.ts');
});

test('a change affects the files that import it, and of these the templates of those that have some', () => {
  const texts: Record<string, string> = {
    'web/a.ts': 'export const a = 1;',
    'web/elements/b.ts': "import type { A } from '../a.js'; html`<b></b>`;",
    'web/elements/c.ts': "export * from './b.js';",
    'web/elements/d.ts': "let d: import('./b.js').B; html``;",
    'tools/e.mjs': "import './f.mjs';",
    'tools/f.mjs': '',
  };
  const paths = Object.keys(texts);
  const read = (path: string): string => texts[path]!;
  const affected = (...changed: string[]): string[] => filesAffected(paths, changed, { read });
  expect(affected('web/a.ts')).toEqual(['web/a.ts', 'web/elements/b.ts']);
  expect(affected('web/elements/b.ts')).toEqual(['web/elements/b.ts', 'web/elements/c.ts', 'web/elements/d.ts']);
  expect(affected('tools/f.mjs')).toEqual(['tools/e.mjs', 'tools/f.mjs']);
  expect(affected('web/gone.ts')).toEqual([]);
  expect(templatesAffected(paths, ['web/elements/b.ts'], { read })).toEqual(['web/elements/b.ts', 'web/elements/d.ts']);
  expect(templatesAffected(paths, ['web/a.ts'], { read })).toEqual(['web/elements/b.ts']);
});
