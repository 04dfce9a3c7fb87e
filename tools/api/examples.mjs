// Turns examples of doc comments into programs: `value; // → expected` becomes a check.

/** `[1, 2]; // → [1, 2]`, or with the arrow on a separate line below the statement. */
const shown = /^(\s*)((?:[^\n;]|\n(?!\s*\/\/))+?);\s*\n?\s*\/\/ → (.+)$/;

/**
 * The example with every `value; // → expected` as `show(value, 'expected')`.
 *
 * @param {string} code
 */
export function withChecks(code) {
  return code
    .replace(/;\n\/\/ → /g, '; // → ')
    .split('\n')
    .map((line) =>
      line.replace(shown, (_, indent, value, expected) => `${indent}show(${value}, ${JSON.stringify(expected)});`),
    )
    .join('\n');
}

/**
 * Throws unless `value` is what the example says: typed arrays are written as arrays, and numbers are compared to the
 * example's number of decimals.
 *
 * @param {unknown} value
 * @param {string} expected
 */
export function checkShown(value, expected) {
  const plain = ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value;
  const wanted = JSON.parse(expected);
  const decimals = /\.(\d+)/.exec(expected)?.[1]?.length ?? 0;
  const rounded = (_, one) =>
    typeof one === 'number' && !Number.isInteger(one)
      ? Number(one.toFixed(Math.max(decimals, 4 * Number(decimals === 0))))
      : one;
  const got = JSON.stringify(plain, rounded);
  if (got !== JSON.stringify(wanted, rounded)) throw new Error(`the example says ${expected}; the value is ${got}`);
}

/**
 * One module with all examples as named functions, which receive `core`, `show` and the exports of the main entry.
 *
 * @param {{ name: string, doc: { examples: string[] } }[]} verbs
 * @param {{ entry: string }} options - what the module imports the package's names from
 */
export function exampleModule(verbs, { entry }) {
  const functions = verbs.flatMap(({ name, doc }) =>
    doc.examples.map((code) => `  ${JSON.stringify(name)}: async () => {\n${withChecks(code)}\n  },`),
  );
  return `import { createLab, isSupported, loadCore, TiedError, type Core } from ${JSON.stringify(entry)};
export const examples = (core: Core, show: (value: unknown, expected: string) => void): Record<string, () => Promise<void>> => ({
${functions.join('\n')}
});
export const used = [createLab, isSupported, loadCore, TiedError];
`;
}
