// custom-elements.json: a description of the elements for editors and other tools, in the schema of the Custom Elements Manifest.
// Attributes and defaults come from the running classes, types and comments from the package's declarations, events, slots and
// parts from the tags @fires, @slot and @csspart of the classes' comments, custom properties from their style sheets.
import { writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const schemaVersion = '1.0.0';

const commentOf = (symbol, checker) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();

/** A property's type. Choices are spelled out, so an editor can offer them; long types are left as they were declared. */
function typeText(property, checker) {
  const type = checker.getTypeOfSymbol(property);
  const none = ts.TypeFlags.Undefined | ts.TypeFlags.Null;
  const parts = type.isUnion() ? type.types : [type];
  if (parts.every((part) => part.isStringLiteral() || part.flags & none)) {
    const choices = parts.filter((part) => part.isStringLiteral()).map(({ value }) => `'${value}'`);
    return [...choices, ...parts.filter((part) => part.flags & none).map((part) => checker.typeToString(part))].join(' | ');
  }
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  const declared = property.declarations?.[0]?.type?.getText();
  return text.length > 200 && declared ? declared : text;
}

/** The class and what it extends, Lit's own class last. */
function lineage(type, checker) {
  const bases = type.isClassOrInterface() ? checker.getBaseTypes(type) : type.isIntersection() ? type.types : [];
  const own = type.symbol?.flags & ts.SymbolFlags.Class ? [type] : [];
  return [...own, ...bases.flatMap((base) => lineage(base.target ?? base, checker))];
}

const isPublic = (symbol) =>
  (symbol.declarations ?? []).every(
    (declaration) =>
      !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) &&
      !(declaration.name && ts.isPrivateIdentifier(declaration.name)),
  );

/** Entries of a tag, from `{Type} name - description`; if several classes have a name, the nearest class's entry. */
function tagged(tag, classes, checker) {
  const found = new Map();
  for (const { symbol } of classes) {
    for (const { name, text } of symbol.getJsDocTags(checker)) {
      if (name !== tag) continue;
      const [, type, subject = '', description] =
        /^(?:\{(.+?)\}\s*)?([\w-]+)?\s*-\s+([^]+)$/.exec(ts.displayPartsToString(text)) ?? [];
      if (description === undefined) throw new Error(`@${tag} of ${symbol.name} has no description`);
      if (found.has(subject)) continue;
      const entry = { name: subject, ...(type && { type: { text: type } }) };
      found.set(subject, { ...entry, description: description.replaceAll(/\s+/g, ' ').trim() });
    }
  }
  return [...found.values()];
}

/** Custom properties of the page that a style sheet reads, with their fallbacks. */
function customPropertiesIn(css) {
  const found = new Map();
  for (const { 0: start, 1: name, index } of css.matchAll(/var\((--tied-[\w-]+),\s*/g)) {
    let end = index + start.length;
    for (let depth = 1; depth > 0; end++) depth += { '(': 1, ')': -1 }[css[end]] ?? 0;
    // A later rule refines an earlier one.
    found.set(name, css.slice(index + start.length, end - 1));
  }
  return [...found].map(([name, value]) => ({ name, default: value }));
}

const defaultText = (value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** What a setting expects, in the words of its error messages: "a whole number from 1 to 12". */
function expectation(setting, element) {
  const text = setting?.expected(element.texts, element) ?? '';
  return text === '' ? '' : `Expected: ${text}.`;
}

function describe({ name, constructor, type, checker }) {
  const classes = lineage(type, checker);
  const lit = classes.find(({ symbol }) => symbol.name === 'LitElement');
  const inherited = new Set(checker.getPropertiesOfType(lit).map((property) => property.name));
  const ours = classes.slice(0, classes.indexOf(lit));
  const element = new constructor();
  const members = checker
    .getPropertiesOfType(type)
    .filter((property) => !inherited.has(property.name) && isPublic(property))
    .map((property) => {
      const text = typeText(property, checker);
      const description = commentOf(property, checker);
      const common = { name: property.name, ...(description && { description }) };
      if (property.flags & ts.SymbolFlags.Method) return { kind: 'method', ...common, type: { text } };
      const declared = constructor.elementProperties.get(property.name);
      const value = declared && defaultText(element[property.name]);
      const hasSetter = !(property.flags & ts.SymbolFlags.GetAccessor) || property.flags & ts.SymbolFlags.SetAccessor;
      return {
        kind: 'field',
        ...common,
        type: { text },
        ...(value !== undefined && { default: value }),
        ...(!hasSetter && { readonly: true }),
        ...(declared && declared.attribute !== false && { attribute: declared.attribute, reflects: declared.reflect === true }),
      };
    });
  const attributes = constructor.observedAttributes.map((attribute) => {
    const field = members.find((member) => member.attribute === attribute);
    if (field === undefined) throw new Error(`${name}: the attribute ${attribute} belongs to no public property`);
    const { setting } = constructor.elementProperties.get(field.name);
    const description = [field.description, expectation(setting, element)].filter(Boolean).join(' ');
    return {
      name: attribute,
      ...(description && { description }),
      type: field.type,
      ...(field.default !== undefined && { default: field.default }),
      fieldName: field.name,
    };
  });
  return {
    kind: 'class',
    customElement: true,
    name: type.symbol.name,
    tagName: `tied-${name}`,
    description: commentOf(type.symbol, checker),
    superclass: { name: 'LitElement', package: 'lit' },
    attributes,
    members,
    events: tagged('fires', ours, checker),
    slots: tagged('slot', ours, checker),
    cssParts: tagged('csspart', ours, checker),
    cssProperties: customPropertiesIn(constructor.elementStyles.map(({ cssText }) => cssText).join('\n')),
  };
}

/** Writes custom-elements.json into `folder`, which contains the built package's elements and their declarations. */
export async function writeElementsManifest(folder, names) {
  const declarations = names.map((name) => join(folder, 'elements', `${name}.d.ts`));
  const program = ts.createProgram(declarations, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const modules = [];
  for (const [index, name] of names.entries()) {
    const exported = await import(pathToFileURL(join(folder, 'elements', `${name}.js`)).href);
    const [className, constructor] = Object.entries(exported).find(([, value]) => value?.elementProperties) ?? [];
    if (className === undefined) throw new Error(`elements/${name}.js exports no element`);
    const file = checker.getSymbolAtLocation(program.getSourceFile(declarations[index].split(sep).join('/')));
    const symbol = checker.getExportsOfModule(file).find((one) => one.name === className);
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const path = `dist/elements/${name}.js`;
    const declaration = describe({ name, constructor, type: checker.getDeclaredTypeOfSymbol(declared), checker });
    modules.push({
      kind: 'javascript-module',
      path,
      declarations: [declaration],
      exports: [
        { kind: 'js', name: className, declaration: { name: className, module: path } },
        { kind: 'custom-element-definition', name: declaration.tagName, declaration: { name: className, module: path } },
      ],
    });
  }
  writeFileSync(join(folder, 'custom-elements.json'), `${JSON.stringify({ schemaVersion, modules })}\n`);
}
