// The elements in templates of frameworks, and their events without one: what is right compiles, and what is wrong does not.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { installBundlers } from './bundlers/builders.js';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
let modules: string;
beforeAll(async () => {
  modules = await installBundlers();
  packed = packPackage();
  const own = join(packed.folder, 'node_modules');
  for (const name of [
    'react',
    'preact',
    'solid-js',
    'vue',
    '@vue',
    'svelte',
    '@types',
    'csstype',
    'typescript',
    'seroval',
    'seroval-plugins',
  ]) {
    symlinkSync(join(modules, name), join(own, name));
  }
  for (const name of ['lit-element', 'lit-html', '@lit'])
    symlinkSync(join(root, 'node_modules', name), join(own, name));
}, 600_000);
afterAll(() => packed.remove());

/** The output of a checker for a project with these files; '' if it finds nothing. */
function check(
  script: string,
  files: Record<string, string>,
  options: object = {},
  more: readonly string[] = [],
): string {
  const project = join(packed.folder, 'project');
  mkdirSync(project, { recursive: true });
  const config = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', types: [] },
      ...{ lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'], skipLibCheck: true, jsx: 'preserve' },
      ...options,
    },
    vueCompilerOptions: { strictTemplates: true },
    files: Object.keys(files),
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  try {
    execFileSync(process.execPath, [join(modules, script), ...(more.length > 0 ? more : ['-p', project])], {
      cwd: packed.folder,
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const tsc = 'typescript/bin/tsc';

const withReact = `import type {} from 'tied-embeddings/react';
import { useRef } from 'react';
import type { SymmetryExplorer } from 'tied-embeddings/elements/symmetry-explorer';
import type { AdvisorChange } from 'tied-embeddings/elements/advisor';
export function Post() {
  const explorer = useRef<SymmetryExplorer>(null);
  const verdict = (change: AdvisorChange): string => change.advice.sentence;
  return (
    <main>
      <tied-symmetry-explorer ref={explorer} mode="untied" tokens="New, York" embedding="1 0; 0 1" className="wide" heading-level={2} strings={{ title: 'Ours' }} ontied-change={(event) => event.detail.symmetric} />
      <tied-advisor model="gpt2" n-layers="24" nHeads={12} ontied-change={(event) => verdict(event.detail)}>Instead</tied-advisor>
      <tied-training-lab key="lab" text-source="a-year-in-new-york" model-choice="" ontied-step={({ detail }) => detail.step} />
      <tied-model-table ontied-model={(event) => event.detail.model.id} />
      {/* @ts-expect-error no such mode */}
      <tied-symmetry-explorer mode="tide" />
      {/* @ts-expect-error no number */}
      <tied-advisor n-layers="many" />
      {/* @ts-expect-error the detail has no such field */}
      <tied-advisor ontied-change={(event) => event.detail.advise} />
      {/* @ts-expect-error no such element */}
      <tied-advisors />
    </main>
  );
}
`;

test('React 19 knows every element, its attributes and the details of its events', () => {
  expect(check(tsc, { 'post.tsx': withReact }, { jsx: 'react-jsx' })).toBe('');
});

test('Preact does', () => {
  const withPreact = withReact
    .replace('tied-embeddings/react', 'tied-embeddings/preact')
    .replace("from 'react'", "from 'preact/hooks'")
    .replace('className', 'class');
  expect(check(tsc, { 'post.tsx': withPreact }, { jsx: 'react-jsx', jsxImportSource: 'preact' })).toBe('');
});

test('Solid does', () => {
  const source = `import type {} from 'tied-embeddings/solid';
export const Post = () => (
  <main>
    <tied-symmetry-explorer mode="untied" class="wide" heading-level={2} prop:strings={{ title: 'Ours' }} on:tied-change={(event) => event.detail.symmetric} />
    <tied-advisor model="gpt2" n-layers="24" prop:nHeads={12} on:tied-change={(event) => event.detail.advice.sentence}>Instead</tied-advisor>
    {/* @ts-expect-error no such mode */}
    <tied-symmetry-explorer mode="tide" />
    {/* @ts-expect-error the detail has no such field */}
    <tied-advisor on:tied-change={(event) => event.detail.advise} />
  </main>
);
`;
  expect(check(tsc, { 'post.tsx': source }, { jsxImportSource: 'solid-js' })).toBe('');
});

test('Vue does, with strict templates', () => {
  const right = `<script setup lang="ts">
import type {} from 'tied-embeddings/vue';
import type { AdvisorChange } from 'tied-embeddings/elements/advisor';
const said = (event: CustomEvent<AdvisorChange>): string => event.detail.advice.sentence;
</script>
<template>
  <tied-symmetry-explorer mode="untied" :heading-level="2" class="wide" @tied-change="(event) => event.detail.symmetric" />
  <tied-advisor model="gpt2" n-layers="24" :n-heads="12" @tied-change="said">Instead</tied-advisor>
</template>
`;
  const wrong = `<script setup lang="ts">
import type {} from 'tied-embeddings/vue';
</script>
<template>
  <tied-symmetry-explorer mode="tide" />
  <tied-advisor @tied-change="(event) => event.detail.advise" />
  <tied-advisors />
</template>
`;
  const vueTsc = 'vue-tsc/bin/vue-tsc.js';
  expect(check(vueTsc, { 'Right.vue': right })).toBe('');
  const refused = check(vueTsc, { 'Wrong.vue': wrong });
  expect(refused.match(/error TS\d+/g)).toEqual(['error TS2322', 'error TS2551', 'error TS2339']);
  expect(refused).toMatch(/"tide"[^]*'advise'[^]*'tied-advisors'/);
});

test('Svelte does', () => {
  const right = `<script lang="ts">
  import type {} from 'tied-embeddings/svelte';
  import type { AdvisorChange } from 'tied-embeddings/elements/advisor';
  const said = (event: CustomEvent<AdvisorChange>): string => event.detail.advice.sentence;
</script>
<tied-symmetry-explorer mode="untied" heading-level={2} class="wide" ontied-change={(event) => event.detail.symmetric}></tied-symmetry-explorer>
<tied-advisor model="gpt2" n-layers="24" ontied-change={said}>Instead</tied-advisor>
`;
  const wrong = `<script lang="ts">
  import type {} from 'tied-embeddings/svelte';
</script>
<tied-symmetry-explorer mode="tide"></tied-symmetry-explorer>
<tied-advisor ontied-change={(event) => event.detail.advise}></tied-advisor>
`;
  const svelteCheck = (files: Record<string, string>): string => {
    const project = join(packed.folder, 'project');
    const args = ['--workspace', project, '--tsconfig', join(project, 'tsconfig.json'), '--output', 'machine'];
    return check('svelte-check/bin/svelte-check', files, { verbatimModuleSyntax: true }, args);
  };
  expect(svelteCheck({ 'Right.svelte': right })).toBe('');
  const refused = svelteCheck({ 'Wrong.svelte': wrong });
  expect(refused).toMatch(/"Wrong\.svelte"[^]*tide[^]*'advise'/);
  expect(refused).toMatch(/COMPLETED \d+ FILES 2 ERRORS/);
});

test('without a framework, listeners get the details of events', () => {
  const source = `import 'tied-embeddings/elements';
import { Advisor, type AdvisorChange, type SymmetryExplorerChange } from 'tied-embeddings/elements';
const found = document.querySelector('tied-symmetry-explorer')!;
found.addEventListener('tied-change', (event) => { const change: SymmetryExplorerChange = event.detail; void change; });
found.addEventListener('click', (event) => event.clientX);
found.addEventListener('other', (event) => event.type);
const listener = (event: CustomEvent<AdvisorChange>): void => void event.detail.advice;
const made = new Advisor();
made.addEventListener('tied-change', listener);
made.removeEventListener('tied-change', listener);
// @ts-expect-error no such field
made.addEventListener('tied-change', (event) => event.detail.advise);
const generic: HTMLElement = made;
generic.addEventListener('tied-change', (event) => event.type);
`;
  expect(check(tsc, { 'page.ts': source }, { skipLibCheck: false })).toBe('');
});
