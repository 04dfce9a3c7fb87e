// Files of the reader: what cannot be read or written ends the command with a line that names the file.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { exitCodes, Refusal } from './exit-codes.mjs';

/** What a code of the system means, for those that users meet. */
const meanings = {
  ENOENT: 'there is no such file',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is no directory',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk can only be read',
};

/** @param {{ code?: string, message: string }} error */
export function reasonOf({ code, message }) {
  if (code === undefined) return message;
  return code in meanings ? `${code}, ${meanings[code]}` : code;
}

/** @param {string} file @returns {Uint8Array} */
export function readBytes(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${reasonOf(error)}`);
  }
  if (bytes.length === 0) throw new Refusal(`${file} is empty`);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** @param {string} file */
export function readText(file) {
  const bytes = readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file} is no UTF-8: byte ${firstWrongByte(bytes)} begins no character`);
  }
}

/** Where the bytes and what is left of them as a text part. */
function firstWrongByte(bytes) {
  const again = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const at = bytes.findIndex((byte, i) => byte !== again[i]);
  return at < 0 ? bytes.length : at;
}

/** @param {string} file */
export function readJson(file) {
  const text = readText(file);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Refusal(`${file} is no JSON: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}

/** Errors of file systems that cannot rename, such as those over object stores. */
const cannotRename = ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV'];

/** @param {string} file @param {string | Uint8Array} content */
function writeThrough(file, content) {
  const descriptor = openSync(file, 'w');
  try {
    writeFileSync(descriptor, content);
    // Else a machine that stops may leave a file of the right name and no content.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Under another name first: a file is whole or it is not there. Where nothing can be renamed, it is written in place and may be found cut off,
 * so results say how long they are.
 * @param {string} file @param {string | Uint8Array} content
 */
export function writeWhole(file, content) {
  const partial = join(dirname(file), `.${basename(file)}.${hostname()}.${process.pid}`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeThrough(partial, content);
    try {
      renameSync(partial, file);
    } catch (error) {
      if (!cannotRename.includes(error.code)) throw error;
      writeThrough(file, content);
      rmSync(partial, { force: true });
    }
  } catch (error) {
    if (existsSync(partial)) rmSync(partial, { force: true });
    throw new Refusal(`${file} cannot be written: ${reasonOf(error)}`, exitCodes.cannotWrite);
  }
}
