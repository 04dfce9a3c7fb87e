// check --expect: whether a file is tied as expected, as an exit code for CI.
import { exitCodes } from './exit-codes.mjs';
import { complain } from './style.mjs';

/**
 * Says on stderr which files are not as expected. What is not known is not as expected either.
 * @param {'tied' | 'untied' | undefined} expected @param {readonly { file: string, tying: { tied: boolean | null, reason: string } }[]} results
 */
export function exitCodeOf(expected, results) {
  if (expected === undefined) return exitCodes.done;
  const others = results.filter(({ tying }) => tying.tied !== (expected === 'tied'));
  for (const { file, tying } of others) {
    const found = tying.tied === null ? 'there is no verdict' : `it is ${tying.tied ? 'tied' : 'untied'}`;
    const reason = tying.reason.replaceAll(/\s*\n\s*/g, ' ');
    complain(`${file}: expected ${expected}, but ${found}: ${reason}`);
  }
  return others.length === 0 ? exitCodes.done : exitCodes.unexpected;
}
