// What a run of the fuzzer counts as in the suite: one test for each verb or reader.

/** { passed, failed, skipped, notes }. `table`, `faults`: as pool.mjs gives them. */
export function testsOf(kind, table, faults) {
  const result = { passed: 0, failed: 0, skipped: 0, notes: [] };
  const noted = faults.map(({ verb, message, count, replay }) => `${verb} (${count} times) ${message}\n  ${replay}`);
  result.notes.push(...noted);
  const wrong = new Set(faults.map(({ verb }) => verb));
  for (const [verb, { calls, returned }] of Object.entries(table)) {
    // Where nothing ever comes back, the calls are no longer those of the grammar.
    if (returned === 0) result.notes.push(`${kind}: ${verb} was called ${calls} times and never returned`);
    result[returned === 0 || wrong.has(verb) ? 'failed' : 'passed']++;
    wrong.delete(verb);
  }
  // Known computations that changed, threads that died.
  result.failed += wrong.size;
  return result;
}
