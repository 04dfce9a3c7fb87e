/** A text that the reader drops, chooses or pastes. */
export interface TextFile {
  /** A file's name, or a replacement for one. */
  readonly name: string;
  readonly text: string;
}

/** The most bytes that a dropped file may have. */
export const largestFile = 10 * 1024 * 1024;

export type FileProblem = 'empty' | 'too-large' | 'binary' | 'unreadable';

export class FileError extends Error {
  constructor(
    readonly problem: FileProblem,
    readonly fileName: string,
  ) {
    super(`${fileName}: ${problem}`);
    this.name = 'FileError';
  }
}

/** How many of the first bytes are checked to tell text from other data. */
const probedBytes = 8192;

function encodingByMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** Control characters that no text file has: all below 32 but tab, line feed, form feed, carriage return and escape. */
function looksBinary(bytes: Uint8Array): boolean {
  const ordinary = new Set([9, 10, 12, 13, 27]);
  return bytes.subarray(0, probedBytes).some((byte) => byte < 32 && !ordinary.has(byte));
}

/**
 * The text of a file's bytes: UTF-8, UTF-16 if a byte order mark says so, else Windows-1252, the usual encoding of
 * older plain-text books. A zero byte or other control characters near the beginning mean that it is not text.
 */
export function decodeText(bytes: Uint8Array, fileName: string): string {
  if (bytes.length === 0) throw new FileError('empty', fileName);
  if (bytes.length > largestFile) throw new FileError('too-large', fileName);
  const marked = encodingByMark(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  if (looksBinary(bytes)) throw new FileError('binary', fileName);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads a dropped or chosen file. Rejects with a `FileError`. */
export async function readTextFile(file: File): Promise<TextFile> {
  if (file.size > largestFile) throw new FileError('too-large', file.name);
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    // A folder, or a file that is gone or may not be read.
    throw new FileError('unreadable', file.name);
  }
  const text = decodeText(bytes, file.name);
  if (text.trim() === '') throw new FileError('empty', file.name);
  return { name: file.name, text };
}
