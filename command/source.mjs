// A file or a web address, read in parts: of a checkpoint of gigabytes only the tables of tokens are wanted.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from './exit-codes.mjs';

/**
 * @typedef {object} Source
 * @property {string} name As the caller wrote it.
 * @property {number} size In bytes.
 * @property {(from: number, length: number) => Promise<Uint8Array>} read Exactly so many bytes.
 * @property {(name: string) => Promise<Source>} beside Another file of the same folder.
 * @property {() => void} close
 */

/** @param {string} place @returns {Promise<Source>} */
export const openSource = (place) => (/^https?:/i.test(place) ? openUrl(place) : Promise.resolve(openFile(place)));

/** @returns {Source} */
function openFile(name) {
  const refused = (error) => new Refusal(`${name} cannot be read: ${error.code ?? error.message}`);
  let descriptor;
  let size;
  try {
    descriptor = openSync(name, 'r');
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) throw new Error('it is a directory');
    size = facts.size;
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw refused(error);
  }
  const read = (from, length) => {
    const bytes = new Uint8Array(length);
    try {
      for (let at = 0; at < length;) {
        // One call reads at most 2 GiB.
        const count = readSync(descriptor, bytes, at, Math.min(length - at, 2 ** 30), from + at);
        if (count === 0) throw new Error(`it ends at byte ${from + at}`);
        at += count;
      }
    } catch (error) {
      throw refused(error);
    }
    return bytes;
  };
  return {
    name,
    size,
    read: (from, length) => Promise.resolve(read(from, length)),
    beside: (other) => Promise.resolve(openFile(join(dirname(name), other))),
    close: () => closeSync(descriptor),
  };
}

/** A page of the Hub shows a file; the file itself is under another address. */
const fileOfPage = (address) => address.replace(/^(https?:\/\/huggingface\.co\/.+)\/blob\//i, '$1/resolve/');

/** @returns {Promise<Source>} */
async function openUrl(name) {
  const address = fileOfPage(name);
  const first = await fetchRange(address, 0, 1);
  // A server without ranges sends it all.
  const { whole } = first;
  const read = async (from, length) => {
    const bytes =
      whole === null ? (await fetchRange(address, from, length)).bytes : whole.subarray(from, from + length);
    if (bytes.length !== length) throw new Refusal(`${name} sent ${bytes.length} bytes of ${length}`);
    return bytes;
  };
  return {
    name,
    size: first.size,
    read,
    beside: (other) => openUrl(new URL(other, address).href),
    close: () => undefined,
  };
}

async function fetchRange(address, from, length) {
  let answer;
  let bytes;
  try {
    answer = await fetch(address, { headers: { range: `bytes=${from}-${from + length - 1}` } });
    bytes = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    throw new Refusal(`${address} cannot be read: ${error.cause?.code ?? error.cause?.message ?? error.message}`);
  }
  // Of an empty file there is no first byte.
  if (answer.status === 416) return { bytes: new Uint8Array(), whole: new Uint8Array(), size: 0 };
  if (!answer.ok) throw new Refusal(`${address} cannot be read: the server answers ${answer.status}`);
  if (answer.status !== 206) return { bytes, whole: bytes, size: bytes.length };
  const size = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? NaN);
  if (!Number.isSafeInteger(size)) throw new Refusal(`${address} does not say how long it is`);
  return { bytes, whole: null, size };
}
