/** Checks what a server sent: whether it is the requested range, and what it is if not. */
import { TiedError } from '../../runtime/errors.js';
import { badFile } from './source.js';

/** The part of a file in a response with status 206. */
export interface Part {
  /** Null if the server does not let the page see it. */
  readonly size: number | null;
  readonly from: number;
}

export const unreachable = (name: string, problem: string, cause?: unknown): TiedError =>
  new TiedError('unreachable', `${name}: ${problem}`, cause === undefined ? undefined : { cause });

/** Checks the response to a request for bytes `from` to `to`, inclusive. Null: it is the whole file. */
export function partOf(name: string, response: Response, from: number, to: number): Part | null {
  checkStatus(name, response);
  if (/^text\/html/i.test(response.headers.get('content-type') ?? '')) throw webPage(name);
  checkEncoding(name, response);
  if (response.status === 200) return null;
  if (response.status !== 206) throw unreachable(name, `the server answers ${response.status}; expected 200 or 206`);
  const type = response.headers.get('content-type') ?? '';
  if (/^multipart\/byteranges/i.test(type)) throw badFile(name, 'the server sent several ranges; expected one');
  const range = response.headers.get('content-range');
  if (range === null) return { size: null, from };
  const found = /^bytes\s+(\d+)-(\d+)\/(\d+|\*)$/i.exec(range.trim());
  const [first, last, size] = [found?.[1], found?.[2], found?.[3]];
  if (Number(first) !== from || !(Number(last) <= to) || Number(last) < from)
    throw badFile(name, `the server sent '${range.slice(0, 80)}'; expected bytes ${from}-${to}`);
  if (size === '*') return { size: null, from };
  if (!Number.isSafeInteger(Number(size)) || Number(size) <= Number(last))
    throw badFile(name, `the server reports a file of ${size} bytes, but sent byte ${last}`);
  return { size: Number(size), from };
}

function checkStatus(name: string, { status, type }: Response): void {
  if (type === 'opaque' || type === 'opaqueredirect')
    throw unreachable(name, 'the server does not let other pages read it (CORS); download the file and choose it');
  if (status < 400) return;
  const words: Readonly<Record<number, string>> = {
    401: 'the file needs an account; download it and choose the file',
    403: 'the file needs an account, or the link has expired; download it and choose the file',
    404: 'there is no such file',
    410: 'the file no longer exists',
    416: 'the file is empty, or shorter than it was',
    429: 'the server is refusing further requests for now',
  };
  const problem = words[status] ?? (status >= 500 ? 'the server has an error' : 'the server refuses the request');
  const message = `${problem} (status ${status})`;
  throw status === 416 ? badFile(name, message) : unreachable(name, message);
}

/** Ranges of a compressed response are not ranges of the file. */
function checkEncoding(name: string, { headers }: Response): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw badFile(
      name,
      `the server compresses it (${encoding.slice(0, 20)}), so no part of it can be read; download the file and choose it`,
    );
}

/** The number of bytes that the response states; null if it does not. */
export function lengthOf({ headers }: Response): number | null {
  const text = headers.get('content-length');
  const length = text === null || !/^\d+$/.test(text.trim()) ? NaN : Number(text);
  return Number.isSafeInteger(length) ? length : null;
}

/** Refuses the beginning of a web page or a pointer, which servers send in place of a file. */
export function checkBeginning(name: string, bytes: Uint8Array): void {
  const text = String.fromCharCode(...bytes.subarray(0, 200)).trimStart();
  if (text.startsWith('version https://git-lfs'))
    throw badFile(
      name,
      `it is a Git LFS pointer, which stands for the real file${pointedSize(text)}; expected the file itself`,
    );
  if (/^(<!doctype html|<html|<head)/i.test(text)) throw webPage(name);
  if (/^<\?xml[^>]*>\s*<Error>/i.test(text)) throw unreachable(name, 'the storage behind the link refuses the request');
}

const webPage = (name: string): TiedError =>
  badFile(name, 'it is a web page; expected the file itself, not a page about it');

function pointedSize(text: string): string {
  const size = /\nsize (\d{1,15})/.exec(text)?.[1];
  return size === undefined ? '' : ` of ${size} bytes`;
}

/** A version that changes with the file, and must be the same in all responses. Null if the server does not let the page see one. */
export function versionOf({ headers }: Response): string | null {
  return headers.get('etag') ?? headers.get('last-modified');
}
