// The classic script tied-embeddings.global.js and its parts in global/: what esbuild bundles as modules with shared chunks, each
// turned into a function of a registry. esbuild has no chunks for classic scripts, and only classic scripts load from a disk.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';

/** Everything that is loaded with a module, itself included. */
function closureOf(outputs, start) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: to, kind, external } of outputs[path].imports) {
      if (kind === 'import-statement' && !external) visit(to);
    }
  };
  visit(start);
  return found;
}

const isFigure = (path) => /\.define-[A-Z0-9]{8}\.js$/.test(path);

/** From this number of figures on, what they share is in the file that all figures load. */
const manyFigures = 9;
/** A smaller module is repeated in the file of each part that needs it, unless those parts have a common file anyway: that costs less than a request. It still runs once. */
const smallModule = 5200;
/** From this number of parts on, a common file of half that size is worth its request. */
const manyParts = 5;

/**
 * The files of the modules that are not in the entry's own, by the part that needs them: what many figures share is in one file, what
 * figures share with other parts in another, what one part alone needs in its own. Thus a figure needs three or four requests.
 */
function filesOf(outputs, entry) {
  const inEntry = closureOf(outputs, entry);
  const starts = new Set(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ kind, external }) => kind === 'dynamic-import' && !external).map(({ path }) => path),
    ),
  );
  const usedBy = new Map();
  for (const start of starts) {
    for (const path of closureOf(outputs, start)) {
      if (!inEntry.has(path)) usedBy.set(path, [...(usedBy.get(path) ?? []), start]);
    }
  }
  const nameOf = (path) => basename(path, '.js').replace(/(\.define)?-[A-Z0-9]{8}$/, '');
  // What the entry loads besides figures: the API.
  const ofEntry = outputs[entry].imports.map(({ path }) => path);
  const ofApi = new Set(ofEntry.filter((path) => starts.has(path) && !isFigure(path)));
  const together = (users) => `${users.map(nameOf).sort().join('-')}.js`;
  const isSmall = (path) => outputs[path].bytes < smallModule / (usedBy.get(path).length < manyParts ? 1 : 2);
  const shared = [...usedBy].filter(([path, users]) => users.length > 1 && !isSmall(path)).map(([, users]) => users);
  const filesFor = (path, users) => {
    const names = users.map((user) => `${nameOf(user)}.js`);
    const api = users.filter((user) => ofApi.has(user));
    if (users.some(isFigure) && api.length > 0) return names.map(() => 'common.js');
    if (users.length > 2 && api.length === ofApi.size) return names.map(() => 'api.js');
    if (users.filter(isFigure).length >= manyFigures) return names.map(() => 'figures.js');
    if (names.length === 1 || !isSmall(path)) return names.map(() => together(users));
    const commonOf = (user) => shared.find((some) => some.includes(user) && some.every((one) => users.includes(one)));
    return users.map((user) => together(commonOf(user) ?? [user]));
  };
  const files = new Map([...usedBy].map(([path, users]) => [path, new Map(filesFor(path, users).map((file, i) => [users[i], file]))]));
  return { inEntry, starts, files };
}

/** What esbuild puts before each module for its exports; the registry has it once. */
const helpers = ['__defProp', '__getOwnPropDesc', '__getOwnPropNames', '__hasOwnProp', '__export', '__copyProps', '__toCommonJS'];
const helper = new RegExp(`^var (${helpers.join('|')})\\s*=`);

/**
 * A module as a property of the registry: `name: function (module, require, scriptParts, __export) { … }`.
 * @param {{ path: string, text: string, imports: { path: string, kind: string, external?: boolean }[] }} output
 */
async function partOf({ path, text, imports }) {
  let count = 0;
  const loading = text.replaceAll(/\bimport\("\.\/([\w.-]+)"\)/g, (_, name) => {
    count++;
    return `scriptParts.load("${name}")`;
  });
  const expected = imports.filter(({ kind }) => kind === 'dynamic-import').length;
  if (count !== expected) throw new Error(`${path} has ${expected} imports on demand, of which ${count} were found`);
  // Names are short already; so the helpers are found by theirs.
  const { code } = await transform(loading, { format: 'cjs', target: 'es2022', legalComments: 'none' });
  const [prelude, ...others] = code.split('module.exports = __toCommonJS(');
  if (others.length > 1) throw new Error(`${path} has more exports than esbuild's`);
  const unhelped = withoutHelpers(prelude, path);
  const whole = others.length === 0 ? unhelped : `${unhelped}module.exports = (${others[0]}`;
  const { code: small } = await transform(whole, { minifyWhitespace: true, minifySyntax: true, target: 'es2022', format: undefined });
  const body = small.trimEnd().replaceAll('require("./', 'require("');
  return `${JSON.stringify(basename(path))}:function(module,require,scriptParts,__export){${body}\n}`;
}

/** Removes the statements that define the helpers; each begins a line, and its other lines are indented or close it. */
function withoutHelpers(code, path) {
  const kept = [];
  let inHelper = false;
  for (const line of code.split('\n')) {
    const begins = helper.test(line);
    const continues = inHelper && /^[ })]/.test(line);
    inHelper = begins || continues;
    if (!inHelper) kept.push(line);
  }
  const left = kept.join('\n');
  const others = left.match(/\b__(?!export\b)(?:to|copy|get|def|has|require)\w*/);
  if (others !== null) throw new Error(`${path} needs ${others[0]} of esbuild, which the registry lacks`);
  return left;
}

/** Defines modules as they arrive and runs each once, when it is first required. */
const registry = (files) => `
var defined = {}, running = {}, arrived = {};
function __export(target, all) {
  for (var name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true });
}
var scriptParts = {
  files: ${JSON.stringify(files)},
  has: function (file) { return file in arrived; },
  define: function (file, modules) { arrived[file] = true; Object.assign(defined, modules); },
  require: function (name) {
    var module = running[name];
    if (module === undefined) {
      module = running[name] = { exports: {} };
      defined[name](module, scriptParts.require, scriptParts, __export);
    }
    return module.exports;
  }
};`;

/** A page of any encoding reads a classic script that begins with this as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Writes `tied-embeddings.global.js`, `elements.bundle.js` and their parts in `global/` into `folder`.
 * @param {string} folder
 * @param {{ outputs: Record<string, { imports: { path: string, kind: string, external?: boolean }[] }> }} metafile
 * @param {ReadonlyMap<string, string>} texts the bundled modules by path
 * @param {string} entry
 */
export async function writeScriptParts(folder, { outputs }, texts, entry) {
  const { inEntry, starts, files } = filesOf(outputs, entry);
  const parts = new Map();
  for (const [path, text] of texts) parts.set(path, await partOf({ path, text, imports: outputs[path].imports }));
  const byFile = new Map();
  for (const [path, places] of files) {
    for (const file of new Set(places.values())) byFile.set(file, [...(byFile.get(file) ?? []), path]);
  }
  const needed = Object.fromEntries(
    [...starts].map((start) => {
      const there = [...closureOf(outputs, start)].filter((path) => !inEntry.has(path)).map((path) => files.get(path).get(start));
      return [basename(start), [...new Set(there)].sort()];
    }),
  );
  // Parts of one build find only the script of that build.
  const hash = createHash('sha256');
  for (const part of parts.values()) hash.update(part);
  const key = JSON.stringify(`tied-embeddings ${hash.digest('hex').slice(0, 16)}`);
  mkdirSync(join(folder, 'global'));
  for (const [file, paths] of byFile) {
    const modules = paths.map((path) => parts.get(path)).join(',\n');
    const text = `globalThis[Symbol.for(${key})]?.define(${JSON.stringify(file)},{${modules}});\n`;
    writeFileSync(join(folder, 'global', file), BYTE_ORDER_MARK + text);
  }
  const { code } = await transform(registry(needed), { minifyWhitespace: true, minifySyntax: true });
  const own = [...inEntry].map((path) => parts.get(path)).join(',\n');
  const start = `globalThis[Symbol.for(${key})]=scriptParts;scriptParts.define("",{${own}});scriptParts.require(${JSON.stringify(basename(entry))});`;
  const script = `(function(){${code.trim()}\n${start}})();\n`;
  writeFileSync(join(folder, 'tied-embeddings.global.js'), BYTE_ORDER_MARK + script);
  // The same as a module, which knows its address only by import.meta: one file without imports, whatever its URL is.
  const address = "globalThis[Symbol.for('tied-embeddings: address of the module')]=import.meta.url;\n";
  const names = 'TiedError,createLab,isSupported,loadCore';
  writeFileSync(join(folder, 'elements.bundle.js'), `${address}${script}export const{${names}}=globalThis.TiedEmbeddings;\n`);
}
