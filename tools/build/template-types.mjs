// Types of the elements for templates and event listeners, from custom-elements.json: dist/react.d.ts and others, and overloads
// of addEventListener in the elements' own declarations. The manifest has names; types are looked up in the classes.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files that declare the exported names of an element's folder: class, events and details. */
function declarationsOf(folder, tagName) {
  const found = new Map();
  const own = join(folder, 'types/elements', tagName.replace('tied-', ''));
  for (const path of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
    const file = join(own, path);
    if (!path.endsWith('.d.ts')) continue;
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^export (?:declare )?(?:class|interface|type) (\w+)/gm)) {
      found.set(name, file);
    }
  }
  return found;
}

const modulePath = (from, file) => `./${relative(from, file).replaceAll('\\', '/').replace(/\.d\.ts$/, '.js')}`.replace('./../', '../');
const quoted = (name) => (/^[a-zA-Z]\w*$/.test(name) ? name : `'${name}'`);

/** The detail of an event, as in `CustomEvent<AdvisorChange>`. */
function detailOf({ name, type }) {
  const [, detail] = /^CustomEvent<(\w+)>$/.exec(type?.text ?? '') ?? [];
  if (detail === undefined) throw new Error(`${name} has no CustomEvent with a named detail`);
  return detail;
}

/** Listeners of an element's own events get the event's type, whether the element was found by its tag or made by its class. */
function overloadsOf(name, events) {
  const map = `${name}Events`;
  const method = (verb, options) => [
    `    ${verb}<Name extends keyof ${map}>(type: Name, listener: (this: ${name}, event: ${map}[Name]) => unknown, options?: ${options}): void;`,
    `    ${verb}(type: string, listener: EventListenerOrEventListenerObject, options?: ${options}): void;`,
  ];
  return {
    map: [
      `/** The events of an element, by name. */`,
      `export interface ${map} extends HTMLElementEventMap {`,
      ...events.map((event) => `    '${event.name}': CustomEvent<${detailOf(event)}>;`),
      `}\n`,
    ].join('\n'),
    methods: [
      ...method('addEventListener', 'boolean | AddEventListenerOptions'),
      ...method('removeEventListener', 'boolean | EventListenerOptions'),
    ].join('\n'),
  };
}

function typeListeners({ name, events }, declared) {
  const file = declared.get(name);
  const { map, methods } = overloadsOf(name, events);
  const own = new RegExp(`^export declare class ${name} extends [^{]+\\{\\n`, 'm');
  const text = readFileSync(file, 'utf8');
  if (!own.test(text)) throw new Error(`${file} declares no class ${name}`);
  const imports = events
    .map(detailOf)
    .filter((detail) => declared.get(detail) !== file)
    .map((detail) => `import type { ${detail} } from '${modulePath(join(file, '..'), declared.get(detail))}';\n`);
  const known = imports.filter((line) => !new RegExp(`import .*\\b${/\{ (\w+)/.exec(line)[1]}\\b`).test(text));
  writeFileSync(file, known.join('') + text.replace(own, (start) => `${map}${start}${methods}\n`));
}

const shared = `
/** What an attribute of a property with this type may be in a template: also its text. */
type Attribute<Value> =
  | Extract<Value, string | number | boolean | null | undefined>
  | (Extract<Value, number> extends never ? never : \`\${number}\`)
  | (Extract<Value, boolean> extends never ? never : '' | 'true' | 'false')
  | (Exclude<Value, string | number | boolean | null | undefined> extends never ? never : string);

/**
 * Attributes by their names in HTML, as texts or values of their properties; \`Names\` has the property of each. A template that sets a
 * property of the same name may also set it to a list or an object.
 */
export type Attributes<Element, Names> = {
  [Name in keyof Names]?: Names[Name] extends keyof Element
    ? Attribute<Element[Names[Name]]> | (Names[Name] extends Name ? Element[Names[Name]] : never)
    : never;
};

/** Properties, for templates that set them. */
export type Properties<Element, Names extends keyof Element> = { [Name in Names]?: Element[Name] | undefined };

/** A listener for each of an element's own events, such as \`ontied-change\` with the prefix 'on'. */
export type Listeners<Events, Prefix extends string> = {
  [Name in Exclude<keyof Events, keyof HTMLElementEventMap> & string as \`\${Prefix}\${Name}\`]?: (event: Events[Name]) => void;
};
`;

/** One entry of the table of elements. */
function figureOf({ tagName, name, attributes, members }) {
  const properties = members.filter(({ kind, readonly }) => kind === 'field' && !readonly).map((member) => member.name);
  const attributeNames = new Set(attributes.map((one) => one.name));
  const names = attributes.filter(({ fieldName }) => fieldName).map((one) => `${quoted(one.name)}: '${one.fieldName}'`);
  return `  '${tagName}': {
    element: ${name};
    events: ${name}Events;
    attributes: Attributes<${name}, { ${names.join('; ')} }>;
    properties: Properties<${name}, ${properties.filter((one) => !attributeNames.has(one)).map((one) => `'${one}'`).join(' | ')}>;
  };\n`;
}

/** Each framework's declarations; what an element accepts is written as it is in that framework's templates. */
const frameworks = {
  react: `import type { HTMLAttributes, Key, Ref } from 'react';
type Own<Tag extends keyof Figures> = Figures[Tag]['attributes'] & Figures[Tag]['properties'] & Listeners<Figures[Tag]['events'], 'on'>;
export type FigureProps<Tag extends keyof Figures> = Own<Tag> &
  Omit<HTMLAttributes<Figures[Tag]['element']>, keyof Own<Tag>> & { key?: Key | null | undefined; ref?: Ref<Figures[Tag]['element']> | undefined; class?: string | undefined };
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends FigureTags {}
  }
}`,
  preact: `import type { ClassAttributes, HTMLAttributes } from 'preact';
type Own<Tag extends keyof Figures> = Figures[Tag]['attributes'] & Figures[Tag]['properties'] & Listeners<Figures[Tag]['events'], 'on'>;
export type FigureProps<Tag extends keyof Figures> = Own<Tag> &
  Omit<HTMLAttributes<Figures[Tag]['element']>, keyof Own<Tag>> & ClassAttributes<Figures[Tag]['element']>;
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends FigureTags {}
  }
}`,
  solid: `import type { JSX } from 'solid-js';
type Own<Tag extends keyof Figures> = Figures[Tag]['attributes'] &
  { [Name in keyof Figures[Tag]['properties'] as \`prop:\${Name & string}\`]: Figures[Tag]['properties'][Name] } &
  Listeners<Figures[Tag]['events'], 'on:'>;
export type FigureProps<Tag extends keyof Figures> = Own<Tag> & Omit<JSX.HTMLAttributes<Figures[Tag]['element']>, keyof Own<Tag>>;
declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends FigureTags {}
  }
}`,
  vue: `import type { HTMLAttributes, ReservedProps } from 'vue';
type Camel<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\` ? \`\${First}\${Capitalize<Camel<Rest>>}\` : Name;
// Vue looks attributes up by their names in camel case.
type Named<Tag extends keyof Figures> = { [Name in keyof Figures[Tag]['attributes'] & string as Camel<Name>]?: Figures[Tag]['attributes'][Name] };
type Own<Tag extends keyof Figures> = Named<Tag> & Omit<Figures[Tag]['properties'], keyof Named<Tag>> & {
  [Name in keyof Listeners<Figures[Tag]['events'], ''> as \`on\${Capitalize<Camel<Name & string>>}\`]?: Listeners<Figures[Tag]['events'], ''>[Name];
};
export type FigureProps<Tag extends keyof Figures> = Own<Tag> & Omit<HTMLAttributes & ReservedProps, keyof Own<Tag>>;
declare module 'vue' {
  interface GlobalComponents extends FigureComponents {}
}`,
  svelte: `import type { HTMLAttributes } from 'svelte/elements';
type Own<Tag extends keyof Figures> = Figures[Tag]['attributes'] & Figures[Tag]['properties'] &
  Listeners<Figures[Tag]['events'], 'on'> & Listeners<Figures[Tag]['events'], 'on:'>;
export type FigureProps<Tag extends keyof Figures> = Own<Tag> & Omit<HTMLAttributes<Figures[Tag]['element']>, keyof Own<Tag>>;
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends FigureTags {}
}`,
};

/** Adds to `folder`, which has the manifest and the declarations of the elements. */
export function writeTemplateTypes(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'custom-elements.json'), 'utf8'));
  const figures = manifest.modules.flatMap(({ declarations }) => declarations).filter(({ customElement }) => customElement);
  const declared = new Map(figures.map(({ tagName }) => [tagName, declarationsOf(folder, tagName)]));
  const place = (tagName, name) => modulePath(folder, declared.get(tagName).get(name));
  for (const figure of figures) typeListeners(figure, declared.get(figure.tagName));

  // Each entry exports the types of its events' details.
  const exported = figures.map(({ tagName, name, events }) => {
    const from = new Map([[place(tagName, name), [`${name}Events`]]]);
    for (const detail of events.map(detailOf)) from.set(place(tagName, detail), [...(from.get(place(tagName, detail)) ?? []), detail]);
    const lines = (prefix) => [...from].map(([file, names]) => `export type { ${names.join(', ')} } from '${file.replace('./', prefix)}';\n`).join('');
    const entry = join(folder, 'elements', `${tagName.replace('tied-', '')}.d.ts`);
    writeFileSync(entry, readFileSync(entry, 'utf8') + lines('../'));
    return lines('./');
  });
  const all = join(folder, 'elements.d.ts');
  writeFileSync(all, readFileSync(all, 'utf8') + exported.join(''));

  const imports = figures.map(({ tagName, name }) => `import type { ${name}, ${name}Events } from '${place(tagName, name)}';\n`);
  const table = `/** What each element accepts and dispatches, by its tag. */\nexport interface Figures {\n${figures.map(figureOf).join('')}}\n`;
  writeFileSync(join(folder, 'types/figures.d.ts'), imports.join('').replaceAll("'./types/", "'./") + shared + table);
  for (const [framework, text] of Object.entries(frameworks)) {
    const tags = figures.map(({ tagName }) => `  '${tagName}': FigureProps<'${tagName}'>;\n`).join('');
    const components = figures.map(({ tagName, name }) => `  '${tagName}': new () => { $props: FigureProps<'${tagName}'> };\n  Tied${name}: new () => { $props: FigureProps<'${tagName}'> };\n`).join('');
    const named = framework === 'vue' ? `interface FigureComponents {\n${components}}\n` : `interface FigureTags {\n${tags}}\n`;
    const file = `// Types of the elements in templates.\nimport type { Figures, Listeners } from './types/figures.js';\n${text}\n${named}`;
    writeFileSync(join(folder, `${framework}.d.ts`), file);
  }
  // The types alone: importing one of these does nothing.
  writeFileSync(join(folder, 'types-only.js'), 'export {};\n');
}
