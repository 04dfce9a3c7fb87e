// Declarations without what users of the package cannot name: private and protected members, and what only those need.
import ts from 'typescript';

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/** Constructors stay, because a class without one can be constructed. */
const isHiddenMember = (member) =>
  !ts.isConstructorDeclaration(member) &&
  ((ts.getCombinedModifierFlags(member) & HIDDEN) !== 0 || (member.name && ts.isPrivateIdentifier(member.name)));

/** Statements that declare names for this file alone. */
const isLocal = (statement) =>
  (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) &&
  !(ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export);

/** The names of an import, each with its node; null for one that is for its side effects. */
function namesOf({ importClause }) {
  if (!importClause) return null;
  const { name, namedBindings } = importClause;
  const named = namedBindings && ts.isNamedImports(namedBindings) ? [...namedBindings.elements] : [namedBindings];
  return [name && importClause, ...named].filter((node) => node !== undefined).map((node) => ({ node, name: node.name.text }));
}

const replaceAll = (text, edits) =>
  [...edits].sort((a, b) => b.from - a.from).reduce((all, { from, to, by }) => all.slice(0, from) + by + all.slice(to), text);

/** How often each identifier stands in the file, outside of imports. */
function usesIn(file) {
  const uses = new Map();
  const visit = (node) => {
    if (ts.isIdentifier(node)) uses.set(node.text, (uses.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) if (!ts.isImportDeclaration(statement)) visit(statement);
  return uses;
}

/** What to remove next: members first, then whatever is used no more. */
function editsOf(file) {
  const cut = (node) => ({ from: node.getFullStart(), to: node.getEnd(), by: '' });
  const hidden = file.statements.filter(ts.isClassDeclaration).flatMap(({ members }) => members.filter(isHiddenMember));
  if (hidden.length > 0) return hidden.map(cut);
  const uses = usesIn(file);
  const edits = file.statements.filter((one) => isLocal(one) && uses.get(one.name.text) === 1).map(cut);
  for (const statement of file.statements.filter(ts.isImportDeclaration)) {
    const names = namesOf(statement);
    const kept = names?.filter(({ name }) => uses.has(name));
    if (names === null || kept.length === names.length) continue;
    if (kept.length === 0) edits.push(cut(statement));
    else if (kept.every(({ node }) => ts.isImportSpecifier(node))) {
      const list = statement.importClause.namedBindings;
      edits.push({ from: list.getStart(), to: list.getEnd(), by: `{ ${kept.map(({ node }) => node.getText()).join(', ')} }` });
    }
  }
  return edits;
}

/** @param {string} text - the content of a declaration file @returns {string} */
export function publicDeclarations(text) {
  for (;;) {
    const edits = editsOf(ts.createSourceFile('one.d.ts', text, ts.ScriptTarget.ES2022, true));
    if (edits.length === 0) return text.trimStart();
    text = replaceAll(text, edits);
  }
}
