/** The directory at the end of a ZIP archive, with or without its 64-bit form. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
import type { TiedError } from '../../runtime/errors.js';
import { pause } from '../../runtime/pause.js';
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
  readonly entries: ZipEntries;
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
  return { entries: await ZipEntries.read(directory, entries, at, wrong), end: at };
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

/** Entries without a pause. */
const AT_ONCE = 20_000;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** Half a million entries take the bytes of the directory and a few numbers each: an entry is made when it is asked for. */
class ZipEntries implements Iterable<ZipEntry> {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Where each entry begins. */
  readonly #starts: Int32Array;
  /** By a hash of the name, the number of the entry, from 1 on; 0: none. */
  readonly #numbers: Int32Array;

  private constructor(bytes: Uint8Array, count: number) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#starts = new Int32Array(count);
    let places = 8;
    while (places < 2 * count) places *= 2;
    this.#numbers = new Int32Array(places);
  }

  /** Checks each entry. `end`: where the directory begins. */
  static async read(
    bytes: Uint8Array,
    count: number,
    end: number,
    wrong: (problem: string) => TiedError,
  ): Promise<ZipEntries> {
    const made = new ZipEntries(bytes, count);
    let at = 0;
    for (let number = 0; number < count; number++) {
      at = made.#add(number, at, end, wrong);
      if (number % AT_ONCE === AT_ONCE - 1) await pause();
    }
    return made;
  }

  get(name: string): ZipEntry | undefined {
    const bytes = bytesOf(name);
    const number = this.#numbers[this.#placeOf(bytes, 0, bytes.length)]!;
    const at = this.#starts[number - 1];
    return at === undefined ? undefined : this.#entryAt(at, this.#numbersOf(at)!, name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *[Symbol.iterator](): Iterator<ZipEntry> {
    for (const at of this.#starts) yield this.#entryAt(at, this.#numbersOf(at)!);
  }

  /** Names that end in no digit. Those of storages do, of which there may be half a million. */
  otherNames(): string[] {
    const names: string[] = [];
    for (const at of this.#starts) {
      const last = this.#bytes[at + ENTRY_BYTES + this.#view.getUint16(at + 28, true) - 1]!;
      if (last < 0x30 || last > 0x39) names.push(this.#nameAt(at));
    }
    return names;
  }

  /** Where the next entry begins. */
  #add(number: number, at: number, end: number, wrong: (problem: string) => TiedError): number {
    const [bytes, view, count] = [this.#bytes, this.#view, this.#starts.length];
    const damaged = (): TiedError => wrong(`entry ${number} of its directory is damaged; expected ${count} entries`);
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) throw damaged();
    const nameBytes = view.getUint16(at + 28, true);
    const nameAt = at + ENTRY_BYTES;
    const next = nameAt + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > bytes.length) throw damaged();
    const called = (): string => `'${this.#nameAt(at).slice(0, 80)}'`;
    const numbers = this.#numbersOf(at);
    if (numbers === null) throw damaged();
    const [size, stored, header] = numbers;
    if (header + LOCAL_BYTES + nameBytes + stored > end)
      throw wrong(`${called()} ends after byte ${end}, where the directory begins; expected it before`);
    if (view.getUint16(at + 10, true) === 0 && stored !== size)
      throw wrong(`${called()} has ${stored} bytes of ${size}; expected all of them, as it is not compressed`);
    const place = this.#placeOf(bytes, nameAt, nameBytes);
    if (this.#numbers[place] !== 0) throw wrong(`${called()} is in its directory twice; expected each name once`);
    this.#starts[number] = at;
    this.#numbers[place] = number + 1;
    return next;
  }

  #nameAt(at: number): string {
    const from = at + ENTRY_BYTES;
    return DECODER.decode(this.#bytes.subarray(from, from + this.#view.getUint16(at + 28, true)));
  }

  #entryAt(at: number, [size, stored, header]: Sizes, name = this.#nameAt(at)): ZipEntry {
    const view = this.#view;
    const [method, flags] = [view.getUint16(at + 10, true), view.getUint16(at + 8, true)];
    return { name, method, isEncrypted: (flags & 1) === 1, size, stored, header };
  }

  /** Where the number of the entry of this name is, or would be: FNV-1a, and then the next place that is free. */
  #placeOf(name: Uint8Array, from: number, length: number): number {
    let hash = 0x811c_9dc5;
    for (let i = from; i < from + length; i++) hash = Math.imul(hash ^ name[i]!, 0x0100_0193);
    const last = this.#numbers.length - 1;
    let place = (hash ^ (hash >>> 15)) & last;
    for (;;) {
      const number = this.#numbers[place]!;
      if (number === 0 || this.#isNameOf(this.#starts[number - 1]!, name, from, length)) return place;
      place = (place + 1) & last;
    }
  }

  #isNameOf(at: number, name: Uint8Array, from: number, length: number): boolean {
    if (this.#view.getUint16(at + 28, true) !== length) return false;
    const own = at + ENTRY_BYTES;
    for (let i = 0; i < length; i++) if (this.#bytes[own + i] !== name[from + i]) return false;
    return true;
  }

  #numbersOf(at: number): Sizes | null {
    const view = this.#view;
    const extraAt = at + ENTRY_BYTES + view.getUint16(at + 28, true);
    return wholeNumbers(view, at, extraAt, extraAt + view.getUint16(at + 30, true));
  }
}

/** As ENCODER.encode, which takes longer for the short names of storages. */
function bytesOf(name: string): Uint8Array {
  const bytes = new Uint8Array(name.length);
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 127) return ENCODER.encode(name);
    bytes[i] = code;
  }
  return bytes;
}

/** The size, the size as it is stored, and where it begins. */
type Sizes = readonly [size: number, stored: number, header: number];

/** Those that need 64 bits are in an extra field, in this order. */
function wholeNumbers(view: DataView, at: number, extraAt: number, extraEnd: number): Sizes | null {
  const numbers: Sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  if (!numbers.includes(ELSEWHERE)) return numbers;
  for (let from = extraAt; from + 4 <= extraEnd;) {
    const length = view.getUint16(from + 2, true);
    if (view.getUint16(from, true) === 1) {
      let next = from + 4;
      const end = Math.min(next + length, extraEnd);
      const found = numbers.map((number) => {
        if (number !== ELSEWHERE) return number;
        next += 8;
        return next <= end ? numberOf(view.getBigUint64(next - 8, true)) : null;
      });
      return found.includes(null) ? null : (found as unknown as Sizes);
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
