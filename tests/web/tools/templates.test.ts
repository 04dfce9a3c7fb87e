import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { templateArguments } from '../../../tools/test/templates.mjs';

let folder: string;
// Within the project, so that Lit's types are found.
beforeEach(() => (folder = mkdtempSync(join(root, 'build/templates-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The problems of a template; empty if there are none. */
function complaints(template: string): string {
  const file = join(folder, 'view.ts');
  writeFileSync(file, `import { html } from 'lit';\nexport const view = (count: number) => html\`${template}\`;\n`);
  try {
    execFileSync(process.execPath, templateArguments(file), { cwd: root, encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test('a property that an element lacks and a value of another type are errors', () => {
  const found = complaints('<input .valeu=${String(count)} ?disabled=${count}>');
  expect(found).toContain('valeu');
  expect(found).toContain('boolean');
});

test('a right template is none', () => {
  expect(complaints('<input .value=${String(count)} ?disabled=${count > 1} @input=${() => undefined}>')).toBe('');
});
