/**
 * Engines round the elementary functions of JavaScript differently, so that what is recorded, saved or linked uses those of
 * web/core/runtime/elementary.ts. Other files may use JavaScript's for what is only drawn or said.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles } from '../../tools/lib/files.mjs';
import { root } from '../../tools/lib/root.mjs';

/** Functions of Math that IEEE 754 and the language define to the last bit. */
const exact = new Set(
  ['abs', 'ceil', 'clz32', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc', 'random'].concat([
    'E',
    'LN10',
    'LN2',
    'LOG10E',
    'LOG2E',
    'PI',
    'SQRT1_2',
    'SQRT2',
  ]),
);

/** Files that may use the others, and why. */
const allowed: Record<string, string> = {
  'web/elements/advisor/advisor.ts': 'rounds numbers for a sentence',
  'web/elements/bigrams/cycle-list.ts': 'bits of a cycle, shown with few digits',
  'web/elements/checkpoint/refusal.ts': 'the unit of a size in a sentence',
  'web/elements/heads/scatter.ts': 'ticks of an axis',
  'web/elements/model-table/savings-chart.ts': 'distances on the screen',
  'web/elements/parameter-map/drawing.ts': 'lengths of bars on the screen, and ticks of their axis',
  'web/elements/shared/number-field.ts': 'where a slider is; a link has the number that the reader sees',
  'web/elements/shared/vector-plane-view.ts': 'distances on the screen',
  'web/elements/training-lab/history.ts': 'which steps of a curve are drawn',
  'web/elements/training-lab/transformer/views/charts.ts': 'the domain of an axis',
  'command/style.mjs': 'the unit of a size in a sentence',
};

interface Use {
  path: string;
  what: string;
}

function isPowerOfTwo({ left, right }: ts.BinaryExpression): boolean {
  const exponent = ts.isPrefixUnaryExpression(right) ? right.operand : right;
  return ts.isNumericLiteral(left) && left.text === '2' && ts.isNumericLiteral(exponent);
}

/** Uses of functions of Math whose last bits differ, and of powers whose value is not written out. */
function usesIn(path: string, text: string): Use[] {
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isPower =
        kind === ts.SyntaxKind.AsteriskAsteriskToken || kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken;
      const isWhole = ts.isBigIntLiteral(node.left) && ts.isBigIntLiteral(node.right);
      if (isPower && !isWhole && !isPowerOfTwo(node)) uses.push({ path, what: node.getText(file) });
    }
    if (ts.isIdentifier(node) && node.text === 'Math') {
      const { parent } = node;
      const isMember = ts.isPropertyAccessExpression(parent) && parent.expression === node;
      // Also what takes Math as a whole, or a member of it by a computed name.
      if (!isMember) uses.push({ path, what: parent.getText(file) });
      else if (!exact.has(parent.name.text)) uses.push({ path, what: parent.getText(file) });
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  visit(file);
  return uses;
}

const paths = ['web/core', 'web/worker', 'web/elements', 'command'].flatMap((folder) =>
  projectFiles(folder, /\.(ts|mjs)$/),
);
const uses = paths.flatMap((path) => usesIn(path, readFileSync(join(root, path), 'utf8')));

test('what is recorded, saved or linked uses no function whose last bits depend on the engine', () => {
  expect(paths.length).toBeGreaterThan(400);
  expect(uses.filter(({ path }) => allowed[path] === undefined)).toEqual([]);
});

test('every exception is needed', () => {
  expect(Object.keys(allowed).filter((path) => !uses.some((use) => use.path === path))).toEqual([]);
});

test.each([
  'Math.exp(1)',
  'const { log } = Math;',
  "Math['log'](2)",
  'Object.getOwnPropertyNames(Math)',
  'globalThis.Math.pow(2, x)',
  'x ** 2',
  '2 ** x',
  'x **= 2',
  '10 ** -3',
  '2 ** 0.5'.replace('0.5', 'half'),
])('finds %s', (text) => {
  expect(usesIn('a.ts', text)).toHaveLength(1);
});

test.each(['Math.sqrt(x)', 'Math.max(1, Math.PI)', '2 ** 32', '2 ** -24', '10n ** 36n', 'log(x)'])(
  'allows %s',
  (text) => {
    expect(usesIn('a.ts', text)).toEqual([]);
  },
);
