/** The directory at the end of a ZIP archive, with or without its 64-bit form. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
import type { TiedError } from '../runtime/errors.js';
import { badFile, type ByteSource } from './source.js';

export interface ZipEntry {
  readonly name: string;
  /** 0: its bytes are stored as they are. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly size: number;
  /** Its bytes in the archive: `size` if they are not compressed. */
  readonly stored: number;
  /** Where its own header begins, after which come its bytes. */
  readonly header: number;
}

export interface ZipDirectory {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** Where the directory begins: all data end before it. */
  readonly end: number;
}

const END = 0x0605_4b50;
const END_BYTES = 22;
const END_64 = 0x0606_4b50;
const END_64_BYTES = 56;
const LOCATOR = 0x0706_4b50;
const LOCATOR_BYTES = 20;
const ENTRY = 0x0201_4b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x0403_4b50;
const LOCAL_BYTES = 30;
/** The end may be followed by a comment. */
const TAIL_BYTES = END_BYTES + 65_535 + LOCATOR_BYTES;
const MOST_BYTES = 2 ** 27;
const MOST_ENTRIES = 2 ** 20;
/** What a field of 32 bits says if the number is in the 64-bit form. */
const ELSEWHERE = 0xffff_ffff;

export async function readZipDirectory(source: ByteSource, signal?: AbortSignal): Promise<ZipDirectory> {
  const { name: file, size } = source;
  const wrong = (problem: string): TiedError => badFile(file, problem);
  if (size === null) throw wrong('its size is not known; expected a server that reports it, or the file itself');
  const tailBytes = Math.min(size, TAIL_BYTES);
  const tailAt = size - tailBytes;
  const tail = await source.read(tailAt, tailBytes, signal);
  const view = viewOf(tail);
  const last = endIn(view);
  if (last === null)
    throw wrong('it begins as a ZIP archive, but has no directory at its end; expected all of it: it may be cut off');
  let [entries, bytes, at] = [view.getUint16(last + 10, true), view.getUint32(last + 12, true), view.getUint32(last + 16, true)]; // prettier-ignore
  let until = tailAt + last;
  const locator = last - LOCATOR_BYTES;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR) {
    const where = numberOf(view.getBigUint64(locator + 8, true));
    if (where === null || where + END_64_BYTES > tailAt + locator)
      throw wrong('its 64-bit directory would begin after the end; expected it before');
    const end = viewOf(await source.read(where, END_64_BYTES, signal));
    const numbers = [32, 40, 48].map((field) => numberOf(end.getBigUint64(field, true)));
    if (end.getUint32(0, true) !== END_64 || numbers.includes(null))
      throw wrong('its 64-bit directory is damaged; expected the number of its entries and where they begin');
    [entries, bytes, at] = numbers as [number, number, number];
    until = where;
  }
  if (at + bytes > until || entries * ENTRY_BYTES > bytes)
    throw wrong(`its directory of ${entries} entries and ${bytes} bytes at ${at} is not within the file; expected it before ${until}`); // prettier-ignore
  if (bytes > MOST_BYTES || entries > MOST_ENTRIES)
    throw wrong(`its directory has ${entries} entries and ${bytes} bytes; expected at most ${MOST_ENTRIES} and ${MOST_BYTES}`); // prettier-ignore
  const directory = at >= tailAt ? tail.subarray(at - tailAt, at - tailAt + bytes) : await source.read(at, bytes, signal); // prettier-ignore
  return { entries: entriesOf(directory, entries, at, wrong), end: at };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Null if it is larger than any file. */
function numberOf(value: bigint): number | null {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** The last record whose comment ends where the file does. */
function endIn(view: DataView): number | null {
  for (let at = view.byteLength - END_BYTES; at >= 0; at--)
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength)
      return at;
  return null;
}

function entriesOf(
  bytes: Uint8Array,
  count: number,
  end: number,
  wrong: (problem: string) => TiedError,
): Map<string, ZipEntry> {
  const view = viewOf(bytes);
  const entries = new Map<string, ZipEntry>();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let at = 0;
  for (let number = 0; number < count; number++) {
    const damaged = (): TiedError => wrong(`entry ${number} of its directory is damaged; expected ${count} entries`);
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) throw damaged();
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [number, number, number]; // prettier-ignore
    const nameAt = at + ENTRY_BYTES;
    const next = nameAt + nameBytes + extraBytes + commentBytes;
    if (next > bytes.length) throw damaged();
    const name = decoder.decode(bytes.subarray(nameAt, nameAt + nameBytes));
    const called = `'${name.slice(0, 80)}'`;
    const method = view.getUint16(at + 10, true);
    const extra = new DataView(bytes.buffer, bytes.byteOffset + nameAt + nameBytes, extraBytes);
    const [size, stored, header] = wholeNumbers(view, at, extra) ?? [];
    if (size === undefined || stored === undefined || header === undefined) throw damaged();
    if (header + LOCAL_BYTES + nameBytes + stored > end)
      throw wrong(`${called} ends after byte ${end}, where the directory begins; expected it before`);
    if (method === 0 && stored !== size)
      throw wrong(`${called} has ${stored} bytes of ${size}; expected all of them, as it is not compressed`);
    if (entries.has(name)) throw wrong(`${called} is in its directory twice; expected each name once`);
    entries.set(name, { name, method, isEncrypted: (view.getUint16(at + 8, true) & 1) === 1, size, stored, header });
    at = next;
  }
  return entries;
}

/** The size, the size as it is stored, and where it begins; those that need 64 bits are in an extra field, in this order. */
function wholeNumbers(view: DataView, at: number, extra: DataView): readonly number[] | null {
  const numbers = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  if (!numbers.includes(ELSEWHERE)) return numbers;
  for (let from = 0; from + 4 <= extra.byteLength;) {
    const length = extra.getUint16(from + 2, true);
    if (extra.getUint16(from, true) === 1) {
      let next = from + 4;
      const end = Math.min(next + length, extra.byteLength);
      const found = numbers.map((number) => {
        if (number !== ELSEWHERE) return number;
        next += 8;
        return next <= end ? numberOf(extra.getBigUint64(next - 8, true)) : null;
      });
      return found.includes(null) ? null : (found as number[]);
    }
    from += 4 + length;
  }
  return numbers;
}

/** Where the bytes of an entry begin: after its own header, whose length the directory does not say. */
export async function dataOf(
  file: Pick<ByteSource, 'read' | 'name'>,
  { name, header, stored, method, isEncrypted }: ZipEntry,
  end: number,
  signal?: AbortSignal,
  methods: readonly number[] = [0],
): Promise<number> {
  const wrong = (problem: string): TiedError => badFile(file.name, `'${name.slice(0, 80)}' ${problem}`);
  if (!methods.includes(method) || isEncrypted)
    throw wrong(
      methods.length === 1
        ? `is ${isEncrypted ? 'encrypted' : 'compressed'}; expected it stored as it is, as torch.save does`
        : `is ${isEncrypted ? 'encrypted' : `compressed by method ${method}`}; expected it stored as it is, or deflated (8)`,
    );
  const local = viewOf(await file.read(header, LOCAL_BYTES, signal));
  const at = header + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  if (local.getUint32(0, true) !== LOCAL || local.getUint16(8, true) !== method || at + stored > end)
    throw wrong(`has no header at byte ${header}; expected one that says the same as the directory`);
  return at;
}
