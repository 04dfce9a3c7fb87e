// custom-elements.json compared with the running classes, the sources and the files of the package.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elementNames } from '../../tools/build/dist.mjs';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

interface Named {
  name: string;
  description?: string;
  type?: { text: string };
  default?: string;
}
interface Declaration extends Named {
  kind: string;
  customElement: boolean;
  tagName: string;
  attributes: (Named & { fieldName: string })[];
  members: (Named & { kind: string; attribute?: string; reflects?: boolean })[];
  events: Named[];
  slots: Named[];
  cssParts: Named[];
  cssProperties: Named[];
}
interface Module {
  kind: string;
  path: string;
  declarations: [Declaration];
  exports: { kind: string; name: string; declaration: { name: string; module: string } }[];
}
interface Live {
  attributes: string[];
  properties: [name: string, attribute: string | false, reflects: boolean, value: string | null][];
  registered: boolean;
  styles: string;
}

let packed: PackedPackage;
let manifest: { schemaVersion: string; modules: Module[] };
let live: Record<string, Live>;
beforeAll(() => {
  packed = packPackage();
  const folder = join(packed.folder, 'node_modules/tied-embeddings');
  const { customElements } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    customElements: string;
  };
  manifest = JSON.parse(readFileSync(join(folder, customElements), 'utf8')) as typeof manifest;
  // Lit defines a registry in Node.
  const source = `const answer = {};
    for (const name of ${JSON.stringify(elementNames())}) {
      const [element] = Object.values(await import('tied-embeddings/elements/' + name));
      const instance = new element();
      const text = (value) => (typeof value === 'string' ? "'" + value + "'" : (JSON.stringify(value) ?? null));
      const states = [...element.elementProperties].filter(([, { state }]) => !state);
      answer[name] = {
        attributes: element.observedAttributes,
        properties: states.map(([name, { attribute, reflect }]) => [name, attribute, reflect === true, text(instance[name])]),
        registered: customElements.get('tied-' + name) === element,
        styles: element.elementStyles.map(({ cssText }) => cssText).join(''),
      };
    }
    console.log(JSON.stringify(answer));`;
  writeFileSync(join(packed.folder, 'user.mjs'), source);
  const options = { cwd: packed.folder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  live = JSON.parse(execFileSync(process.execPath, ['user.mjs'], options)) as typeof live;
});
afterAll(() => packed.remove());

const moduleOf = (name: string) => manifest.modules.find(({ path }) => path === `dist/elements/${name}.js`)!;
const names = (entries: readonly Named[]) => entries.map(({ name }) => name).sort();
const sorted = (found: Iterable<string>) => [...new Set(found)].sort();

/** The sources of an element and of shared code, by folder. */
const sourcesIn = (folder: string): string =>
  readdirSync(join(root, 'web/elements', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'web/elements', folder, path), 'utf8'))
    .join('\n');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

test('the manifest describes every element of the package, and no other', () => {
  expect(manifest.schemaVersion).toBe('1.0.0');
  expect(manifest.modules.map(({ path }) => path)).toEqual(elementNames().map((name) => `dist/elements/${name}.js`));
  for (const { path } of manifest.modules) expect(packed.files).toContain(path);
});

describe.each(elementNames())('the manifest of %s', (name) => {
  test('names the class and the tag that the module registers', () => {
    const { kind, path, declarations, exports } = moduleOf(name);
    const [{ name: className, ...declaration }] = declarations;
    expect(live[name]!.registered).toBe(true);
    expect([kind, declaration.kind, declaration.customElement]).toEqual(['javascript-module', 'class', true]);
    expect(declaration.tagName).toBe(`tied-${name}`);
    expect(declaration.description).toContain(`<tied-${name}`);
    const reference = { name: className, module: path };
    expect(exports).toEqual([
      { kind: 'js', name: className, declaration: reference },
      { kind: 'custom-element-definition', name: `tied-${name}`, declaration: reference },
    ]);
  });

  test('has the attributes and properties of the running class, with their defaults', () => {
    const [{ attributes, members }] = moduleOf(name).declarations;
    expect(attributes.map((attribute) => attribute.name)).toEqual(live[name]!.attributes);
    for (const [property, attribute, reflects, value] of live[name]!.properties) {
      const member = members.find((one) => one.name === property);
      expect(member, property).toMatchObject({ kind: 'field', type: { text: expect.stringMatching(/./) as string } });
      expect(member!.type!.text, property).not.toMatch(/\bany\b/);
      expect(member!.default ?? null, property).toBe(value);
      if (attribute === false) continue;
      expect(member, property).toMatchObject({ attribute, reflects });
      expect(attributes.find((one) => one.name === attribute)).toMatchObject({
        fieldName: property,
        type: member!.type,
      });
    }
  });

  test('has the events that reach outside the element', () => {
    const text = sourcesIn(name) + sourcesIn('shared');
    const leaving = matches(text, /new CustomEvent\('([\w-]+)', \{[^}]*\bcomposed: true/g);
    const [{ events }] = moduleOf(name).declarations;
    expect(names(events)).toEqual(sorted(leaving));
    for (const { description, type } of events) {
      expect(description).toMatch(/\.$/);
      expect(type?.text).toMatch(/^CustomEvent/);
    }
  });

  test('has the slots, parts and custom properties of templates and styles', () => {
    const text = sourcesIn(name) + sourcesIn('shared');
    const [{ slots, cssParts, cssProperties }] = moduleOf(name).declarations;
    expect(names(slots)).toEqual(sorted(matches(text, /<slot(?: name="([^"]+)")?/g).map((slot) => slot ?? '')));
    const inside = ['line', 'box', 'stage']; // of inner elements, which no page can reach
    const parts = matches(text, /\bpart="([\w-]+)"/g).filter((part) => !inside.includes(part));
    expect(names(cssParts)).toEqual(sorted(parts));
    expect(names(cssProperties)).toEqual(sorted(matches(live[name]!.styles, /var\((--tied-[\w-]+),/g)));
    for (const { name: property, default: value } of cssProperties) {
      expect(live[name]!.styles, property).toContain(`var(${property}, ${value})`);
    }
  });
});
