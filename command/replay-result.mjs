// What all kinds of links share: how one is read, and how what was found of it is said.
import { exitCodes, Refusal } from './exit-codes.mjs';

/** A RangeError says what is wrong with the link. @template Linked @param {string} name @param {() => Linked} read @returns {Linked} */
export function readLink(name, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(`the link to '${name}' cannot be repeated: ${error.message}`);
    throw error;
  }
}

/** Typed arrays as lists; a number that is not finite, which JSON has no word for, as null. */
const plainArrays = (_, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {never} */ (value)) : value);

/**
 * Writes what was found, as JSON or in words.
 * @template {object} Found
 * @param {{ attributes: ReadonlyMap<string, string>, version: string, simd: string, found: Found, files: readonly string[], json: unknown }} told `files`: a script for PyTorch and what it reads, or none.
 * @param {(result: Found & { version: string, engine: string, files: readonly string[] }) => string} inWords
 */
export function tellResult({ attributes, version, simd, found, files, json }, inWords) {
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
  files.length === 0 ? [] : [`${files.join(' and ')} are written; it takes python3 ${files[0]}\n`];
