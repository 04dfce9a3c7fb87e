// The user's files: one that cannot be read or written ends the command with a line that names it.
import {
  accessSync,
  closeSync,
  copyFileSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { exitCodes, Refusal } from './exit-codes.mjs';

/** Meanings of the system's error codes that users are likely to meet. */
const meanings = {
  ENOENT: 'there is no such file',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EEXIST: 'a file has that name',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

/** @param {{ code?: string, message: string }} error */
export function reasonOf({ code, message }) {
  if (code === undefined) return message;
  return code in meanings ? `${code}, ${meanings[code]}` : code;
}

/** What cannot be looked at is no folder; whoever opens it says why. @param {string} path */
export function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Refuses a place that cannot be written to before the work is done that it is for. @param {string} file */
export function checkWritable(file) {
  let folder;
  try {
    // Missing folders are made when the file is written.
    folder = dirname(resolve(placeOf(file)));
    while (!existsSync(folder)) folder = dirname(folder);
    accessSync(folder, constants.W_OK);
    if (!isFolder(folder)) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/**
 * Where a file's bytes go: through its links, which stay. Whatever is no file is refused: renaming would put a file in the place of a device or a
 * pipe, for every program of the machine.
 * @param {string} file
 */
function placeOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return file;
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (!found.isFile()) throw new Error('it is a device or a pipe; expected a file, or a name that nothing has');
  return realpathSync(file);
}

/** As `mkdir -p`. Node's own never returns where the system forbids folders by saying that there are none, as in /proc. @param {string} folder */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was faster.
    if (!isFolder(folder)) throw error;
  }
}

function cannotWrite(file, error) {
  // Its folder was there, or has just been made, or could not be.
  const reason = error.code === 'ENOENT' ? 'ENOENT, no file can be made there' : reasonOf(error);
  return new Refusal(`${file} cannot be written: ${reason}`, exitCodes.cannotWrite);
}

/** The name of standard input. */
export const stdin = '-';
const descriptorOfStdin = 0;

/** @param {string} file `-`: standard input. @returns {Uint8Array} */
export function readBytes(file) {
  let bytes;
  try {
    bytes = readFileSync(file === stdin ? descriptorOfStdin : file);
  } catch (error) {
    throw new Refusal(`${nameOf(file)} cannot be read: ${reasonOf(error)}`);
  }
  if (bytes.length === 0) throw new Refusal(`${nameOf(file)} is empty`);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** In messages. @param {string} file */
export const nameOf = (file) => (file === stdin ? 'standard input' : file);

/** @param {string} file `-`: standard input. */
export function readText(file) {
  const bytes = readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const [first, second] = bytes;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
      throw new Refusal(`${nameOf(file)} is UTF-16; expected UTF-8, which editors can save it as`);
    throw new Refusal(`${nameOf(file)} is not UTF-8: byte ${firstWrongByte(bytes)} does not begin a character`);
  }
}

/** The first position at which the bytes and their decoded text differ. */
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
    throw new Refusal(`${file} is not JSON: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}

/** Errors of file systems that cannot rename, such as those on top of object stores. */
const cannotRename = ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV'];

/** Characters written at a time. */
const chunk = 2 ** 16;

/** What a file is to contain: all of it, or its lines one after another. @typedef {string | Uint8Array | Iterable<string>} Content */

/** @param {string} file @param {Content} content */
function writeThrough(file, content) {
  const descriptor = openSync(file, 'w');
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(descriptor, content);
    else writeLines(descriptor, content);
    // Without this, a machine that crashes may leave an empty file under the final name.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** @param {number} descriptor @param {Iterable<string>} lines */
function writeLines(descriptor, lines) {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < chunk) continue;
    writeFileSync(descriptor, text);
    text = '';
  }
  writeFileSync(descriptor, text);
}

/**
 * Writes under another name first, so a file is either complete or absent. If renaming is not possible, it is written in place and may be cut
 * off, which is why results record their length.
 * @param {string} file @param {Content} content
 */
export function writeWhole(file, content) {
  let partial;
  try {
    const place = placeOf(file);
    partial = partialOf(place);
    makeFolder(dirname(place));
    writeThrough(partial, content);
    try {
      renameSync(partial, place);
    } catch (error) {
      if (!cannotRename.includes(error.code)) throw error;
      writeThrough(place, content);
      rmSync(partial, { force: true });
    }
  } catch (error) {
    if (partial !== undefined && existsSync(partial)) rmSync(partial, { force: true });
    throw cannotWrite(file, error);
  }
}

/**
 * The same for a file that `write` writes to a stream, so that no memory holds all of it. What else it fails with is passed on.
 * @param {string} file @param {(to: WritableStream<Uint8Array>) => Promise<unknown>} write
 */
export async function writeInParts(file, write) {
  let partial;
  try {
    const place = placeOf(file);
    partial = partialOf(place);
    makeFolder(dirname(place));
    const descriptor = openSync(partial, 'w');
    try {
      await write(new WritableStream({ write: (part) => writeFileSync(descriptor, part) }));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      renameSync(partial, place);
    } catch (error) {
      if (!cannotRename.includes(error.code)) throw error;
      copyFileSync(partial, place);
      rmSync(partial, { force: true });
    }
  } catch (error) {
    if (partial !== undefined && existsSync(partial)) rmSync(partial, { force: true });
    throw error.syscall === undefined && partial !== undefined ? error : cannotWrite(file, error);
  }
}

/** @param {string} file */
const partialOf = (file) => join(dirname(file), `.${basename(file)}.${hostname()}.${process.pid}`);
