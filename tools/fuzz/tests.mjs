// Converts a run of the fuzzer to test results: one test per verb or reader.

/** Characters of a script in the report of a run: a file of bytes would push all other failures out of a log. */
const LONGEST_SCRIPT = 8000;

/**
 * A fault with the command that repeats its call and, if it could be made simpler, a script that can be pasted, of at most `longest` characters.
 * @param {{ verb: string, message: string, count: number, replay: string, script?: string }} fault
 */
export function noteOf({ verb, message, count, replay, script }, longest = Infinity) {
  const isLong = script !== undefined && script.length > longest;
  const printed = isLong ? `(a script of ${script.length} characters: the command prints it)` : script;
  const simplest = printed === undefined ? '' : `\n\n${printed.replaceAll(/^/gm, '    ')}`;
  return `${verb} (${count} times) ${message}\n  ${replay}${simplest}`;
}

/**
 * { passed, failed, skipped, notes }. `table`, `faults`: as returned by pool.mjs. With `areMany` calls, a verb that refused all of
 * its own is a fault: the grammar no longer fits it.
 */
export function testsOf(kind, table, faults, { areMany = true } = {}) {
  const result = { passed: 0, failed: 0, skipped: 0, notes: [] };
  result.notes.push(...faults.map((fault) => noteOf(fault, LONGEST_SCRIPT)));
  const wrong = new Set(faults.map(({ verb }) => verb));
  for (const [verb, { calls, returned }] of Object.entries(table)) {
    const neverReturns = areMany && returned === 0;
    if (neverReturns) result.notes.push(`${kind}: ${verb} was called ${calls} times and never returned`);
    result[neverReturns || wrong.has(verb) ? 'failed' : 'passed']++;
    wrong.delete(verb);
  }
  // Changed results of known computations, and threads that died.
  result.failed += wrong.size;
  return result;
}
