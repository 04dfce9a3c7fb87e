// Shared by all kinds of links: reading the link, and reporting the result.
import { exitCodes, Refusal } from './exit-codes.mjs';

/**
 * Turns a RangeError, which says what is wrong with the link, into a refusal.
 * @template Linked @param {string} name @param {() => Linked} read @returns {Linked}
 */
export function readLink(name, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(`the link to '${name}' cannot be repeated: ${error.message}`);
    throw error;
  }
}

/** Writes typed arrays as lists, and numbers that are not finite, which JSON cannot represent, as null. */
const plainArrays = (_, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {never} */ (value)) : value);

/**
 * Writes the result, as JSON or in words.
 * @template {object} Found
 * @param {{ attributes: ReadonlyMap<string, string>, version: string, simd: string, found: Found, files: readonly string[], json: unknown }} reported `files`: a PyTorch script and the file that it reads, or none.
 * @param {(result: Found & { version: string, engine: string, files: readonly string[] }) => string} inWords
 */
export function printResult({ attributes, version, simd, found, files, json }, inWords) {
  const result = {
    link: Object.fromEntries(attributes),
    version,
    engine: `wasm-${simd}`,
    ...found,
    ...(files.length > 0 ? { files } : {}),
  };
  process.stdout.write(json === true ? `${JSON.stringify(result, plainArrays)}\n` : inWords({ ...result, files }));
  return exitCodes.done;
}

/** How to run the script. @param {readonly string[]} files @returns {string[]} */
export const scriptWords = (files) =>
  files.length === 0 ? [] : [`Wrote ${files.join(' and ')}; run python3 ${files[0]}\n`];
