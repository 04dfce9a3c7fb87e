// Reads the public API as data: every export of the main entry, with its declaration and doc comment.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../lib/root.mjs';

/**
 * @typedef {{ text: string, params: { name: string, text: string }[], returns: string, throws: string[], examples: string[] }} Doc
 * @typedef {{ name: string, signature: string, doc: Doc, isVerb: boolean }} Member
 * @typedef {{ name: string, kind: string, file: string, signature: string, doc: Doc, members: Member[] }} Entry
 */

const parse = (file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);

const textOf = (comment) => (ts.getTextOfJSDocComment(comment) ?? '').trim();

/** The code in the fence of an @example. */
const codeOf = (comment) => /```ts\n([\s\S]*?)\n```/.exec(comment)?.[1] ?? comment;

/** @returns {Doc} */
function docOf(node) {
  const doc = { text: '', params: [], returns: '', throws: [], examples: [] };
  for (const part of ts.getJSDocCommentsAndTags(node)) {
    if (ts.isJSDoc(part)) doc.text = textOf(part.comment);
  }
  for (const tag of ts.getJSDocTags(node)) {
    // The parser reads braces in a @throws tag as a type.
    const text = textOf(tag.comment).replace(/\s+/g, (space) =>
      space.includes('\n') && tag.tagName.text !== 'example' ? ' ' : space,
    );
    if (ts.isJSDocParameterTag(tag)) doc.params.push({ name: tag.name.getText(), text: text.replace(/^-\s*/, '') });
    else if (ts.isJSDocReturnTag(tag)) doc.returns = text;
    else if (ts.isJSDocThrowsTag(tag)) doc.throws.push(text);
    else if (tag.tagName.text === 'example') doc.examples.push(codeOf(text));
  }
  return doc;
}

/** The source text, without the comment before it. */
const sourceOf = (node) => node.getSourceFile().text.slice(node.getStart(undefined, false), node.getEnd());

/** A declaration up to its body. */
function headOf(node) {
  const source = sourceOf(node).replace(/^export /, '');
  if (ts.isFunctionDeclaration(node))
    return source
      .slice(0, node.body.getStart() - node.getEnd())
      .trim()
      .replace(/^async /, '');
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
    return source.slice(0, source.indexOf('{')).trim();
  return source.replace(/;$/, '');
}

/** Whether a member is callable. */
const isVerb = (member) => ts.isMethodSignature(member) || ts.isMethodDeclaration(member);

function membersOf(node) {
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) return [];
  const named = node.members.filter((member) => member.name !== undefined && !ts.isComputedPropertyName(member.name));
  const members = [];
  for (const member of named) {
    const [name, signature] = [member.name.getText(), sourceOf(member).replace(/[;,]$/, '')];
    const overload = members.find((earlier) => earlier.name === name);
    const doc = docOf(member);
    if (overload === undefined) members.push({ name, signature, doc, isVerb: isVerb(member) });
    else {
      // Overloads are one verb: all signatures, and the comments combined.
      overload.signature += `\n${signature}`;
      overload.doc = {
        text: [overload.doc.text, doc.text].filter((text) => text !== '').join('\n\n'),
        params: [...overload.doc.params, ...doc.params],
        returns: overload.doc.returns || doc.returns,
        throws: [...overload.doc.throws, ...doc.throws],
        examples: [...overload.doc.examples, ...doc.examples],
      };
    }
  }
  return members;
}

function kindOf(node) {
  if (ts.isFunctionDeclaration(node)) return 'function';
  if (ts.isClassDeclaration(node)) return 'class';
  return ts.isInterfaceDeclaration(node) ? 'interface' : 'type';
}

const isDeclaration = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/**
 * Entries that a file exports, in source order; re-exports are read from their files.
 *
 * @param {string} file
 * @param {(name: string) => boolean} wanted
 * @returns {Entry[]}
 */
function exportsOf(file, wanted = () => true) {
  const found = [];
  for (const node of parse(file).statements) {
    if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const from = join(dirname(file), node.moduleSpecifier.text.replace(/\.js$/, '.ts'));
      const names =
        node.exportClause && ts.isNamedExports(node.exportClause)
          ? node.exportClause.elements.map(({ name }) => name.text)
          : null;
      found.push(...exportsOf(from, (name) => wanted(name) && (names?.includes(name) ?? true)));
    } else if (isDeclaration(node) && isExported(node) && wanted(node.name.text)) {
      const declared = { name: node.name.text, kind: kindOf(node), file: file.slice(root.length + 1) };
      found.push({ ...declared, signature: headOf(node), doc: docOf(node), members: membersOf(node) });
    }
  }
  return found;
}

/** Every export of the main entry. */
export const readApi = () => exportsOf(join(root, 'web/index.ts'));

/**
 * Every function and method of `entries`, by its name in the reference.
 *
 * @param {Entry[]} entries
 * @returns {{ name: string, doc: Doc }[]}
 */
export const verbsOf = (entries) =>
  entries.flatMap((entry) => [
    ...(entry.kind === 'function' ? [{ name: entry.name, doc: entry.doc }] : []),
    ...entry.members.filter((member) => member.isVerb).map(({ name, doc }) => ({ name: `${entry.name}.${name}`, doc })),
  ]);
