/**
 * The file of a stored run: its parts one after the other, then what they are, as JSON. What is written last says that the file is
 * complete, so a file that a closed page left behind is recognized.
 */
import { TiedError } from '../../../core/runtime/errors.js';
import type { RunSettings } from '../running.js';
import type { TextSource } from '../text-source.js';

export interface RunFacts {
  /** Equal for all moments of one run. */
  readonly id: string;
  /** The path of the page that has the figure. */
  readonly page: string;
  readonly model: string;
  readonly settings: RunSettings;
  readonly source: TextSource;
  readonly step: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** What is shown of the run besides its losses. */
  readonly shown: unknown;
}

export interface Part {
  readonly name: string;
  /** One after the other. */
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

interface PartPlace {
  readonly name: string;
  readonly from: number;
  readonly length: number;
}

export interface RunIndex {
  readonly facts: RunFacts;
  readonly parts: readonly PartPlace[];
}

const mark = new TextEncoder().encode('tiedrun1');
/** The length of the JSON and its checksum, then the mark. */
const endBytes = 8 + mark.length;

/** FNV-1a, 32 bits. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The bytes of a file, in pieces. */
export async function* fileOf(facts: RunFacts, parts: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const places: PartPlace[] = [];
  let from = 0;
  for await (const { name, pieces } of parts) {
    let length = 0;
    for await (const piece of pieces) {
      length += piece.length;
      yield piece;
    }
    places.push({ name, from, length });
    from += length;
  }
  const json = new TextEncoder().encode(JSON.stringify({ facts, parts: places } satisfies RunIndex));
  yield json;
  const end = new Uint8Array(endBytes);
  const view = new DataView(end.buffer);
  view.setUint32(0, json.length, true);
  view.setUint32(4, checksum(json), true);
  end.set(mark, 8);
  yield end;
}

const bytesAt = async (file: Blob, from: number, to: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(from, to).arrayBuffer());

const broken = (cause?: unknown): TiedError =>
  new TiedError('bad-file', 'a stored run is incomplete or was changed; expected a file that was written to its end', {
    cause,
  });

/** What a file has, without its parts. Rejects with 'bad-file' if it is not complete. */
export async function indexOf(file: Blob): Promise<RunIndex> {
  const end = await bytesAt(file, Math.max(0, file.size - endBytes), file.size);
  if (end.length < endBytes || !mark.every((byte, at) => end[8 + at] === byte)) throw broken();
  const view = new DataView(end.buffer);
  const last = file.size - endBytes;
  const first = last - view.getUint32(0, true);
  if (first < 0) throw broken();
  const json = await bytesAt(file, first, last);
  if (checksum(json) !== view.getUint32(4, true)) throw broken();
  const index = JSON.parse(new TextDecoder().decode(json)) as RunIndex;
  const size = index.parts.reduce((sum, { length }) => sum + length, 0);
  if (size !== first) throw broken();
  return index;
}

export async function partOf(file: Blob, { parts }: RunIndex, name: string): Promise<Uint8Array> {
  const place = parts.find((part) => part.name === name);
  if (place === undefined) throw broken();
  return bytesAt(file, place.from, place.from + place.length);
}
