/** The two forms of files of torch.save: a ZIP archive and, before version 1.6, pickles with the storages after them. */
import type { TiedError } from '../../../runtime/errors.js';
import { badFile, type ByteSource } from '../../bytes/source.js';
import { buildersOf } from './builders.js';
import { PickleCutOff, unpickle, type Builders } from './machine.js';
import { StorageSource, type FindStorage } from './storage-source.js';
import { PyDict, PyList, Storages, type PyStorage, type PyValue } from './values.js';
import { dataOf, readZipDirectory, type ZipDirectory, type ZipEntry } from '../../bytes/zip-directory.js';

export interface Pickled {
  /** Of the file. */
  readonly name: string;
  readonly value: PyValue;
  /** The bytes of a storage that the value names. */
  readonly sourceOf: (storage: PyStorage) => ByteSource;
}

/** Half a million tensors take a hundred. */
const LARGEST_PICKLE = 2 ** 27;

const bytesOf = ({ elements, type }: PyStorage): number => elements * type.bytes;

const cutOff = (wrong: Wrong): TiedError => wrong('its pickle has no end; expected all of it: the file may be cut off');

type Wrong = (problem: string) => TiedError;

// ---------------------------------------------------------------- the ZIP archive

/** `head`: the first bytes, which are not read again. */
export async function readZip(source: ByteSource, head: Uint8Array, signal?: AbortSignal): Promise<Pickled> {
  const wrong: Wrong = (problem) => badFile(source.name, problem);
  const zip = await readZipDirectory(source, signal);
  const folder = folderOf(zip, wrong);
  const ahead: Pick<ByteSource, 'read' | 'name'> = {
    name: source.name,
    read: (from, length, until) =>
      from + length <= head.length
        ? Promise.resolve(head.subarray(from, from + length))
        : source.read(from, length, until),
  };
  const contents = async (entry: ZipEntry): Promise<Uint8Array> =>
    ahead.read(await dataOf(ahead, entry, zip.end, signal), entry.size, signal);
  const order = zip.entries.get(`${folder}/byteorder`);
  if (order !== undefined && order.size < 16 && (await contents(order))[0] === 0x62)
    throw wrong('its numbers are big-endian; expected little-endian ones');
  const pickle = zip.entries.get(`${folder}/data.pkl`)!;
  if (pickle.size > LARGEST_PICKLE)
    throw wrong(`its pickle has ${pickle.size} bytes; expected at most ${LARGEST_PICKLE}`);
  const storages = new Storages();
  const value = await whole(await contents(pickle), buildersOf(wrong, storages));
  const find: FindStorage = async (key, until) =>
    dataOf(source, zip.entries.get(`${folder}/data/${key}`)!, zip.end, until);
  return { name: source.name, value, sourceOf };

  function sourceOf({ key, whole: storage }: PyStorage): ByteSource {
    if (storage.source !== null) return storage.source;
    const entry = zip.entries.get(`${folder}/data/${key}`);
    if (entry === undefined) throw wrong(`it has no storage '${key.slice(0, 40)}', which its pickle names; expected all of them`); // prettier-ignore
    if (entry.size !== bytesOf(storage))
      throw wrong(`storage '${key.slice(0, 40)}' has ${entry.size} bytes; expected ${bytesOf(storage)}, as its pickle says`); // prettier-ignore
    return (storage.source = new StorageSource(source, entry.size, key, find));
  }
}

/** All is in one folder, whatever it is called. */
function folderOf({ entries }: ZipDirectory, wrong: Wrong): string {
  const names = entries.otherNames();
  const folders = names.flatMap((name) => /^([^/]+)\/data\.pkl$/.exec(name)?.[1] ?? []);
  const [folder] = folders;
  if (folder === undefined || folders.length > 1)
    throw wrong(`it is a ZIP archive with ${folders.length} pickles of torch.save (data.pkl); expected one`);
  if (!entries.has(`${folder}/data.pkl`)) throw wrong('the name of its folder is not UTF-8; expected UTF-8');
  if (entries.has(`${folder}/constants.pkl`) || names.some((name) => name.startsWith(`${folder}/code/`)))
    throw wrong('it is a program of TorchScript (torch.jit.save); expected the weights, from torch.save(model.state_dict())'); // prettier-ignore
  return folder;
}

// ---------------------------------------------------------------- a pickle alone

/** What pickle.dump writes of arrays of NumPy. */
export async function readPlain(source: ByteSource, signal?: AbortSignal): Promise<Pickled> {
  const { name, size } = source;
  const wrong: Wrong = (problem) => badFile(name, problem);
  if (size === null || size > LARGEST_PICKLE)
    throw wrong(`it is a pickle of ${size ?? 'an unknown number of'} bytes; expected at most ${LARGEST_PICKLE}, or its arrays as .npz`); // prettier-ignore
  const sourceOf = (): never => {
    throw wrong('it is a pickle that refers to other parts of a file; expected all of it');
  };
  const builders = { ...buildersOf(wrong, new Storages()), persistent: sourceOf };
  return { name, value: await whole(await source.read(0, size, signal), builders), sourceOf };
}

async function whole(bytes: Uint8Array, builders: Builders): Promise<PyValue> {
  try {
    return (await unpickle(bytes, 0, builders)).value;
  } catch (error) {
    throw error instanceof PickleCutOff ? cutOff(builders.wrong) : error;
  }
}

// ---------------------------------------------------------------- the older form

const MAGIC = 0x1950_a86a_20f9_469c_fc6cn;
const PROTOCOL = 1001;
const FIRST_BYTES = 2 ** 18;

interface Old {
  readonly value: PyValue;
  readonly keys: PyValue;
  readonly end: number;
}

/** Five pickles: a number, a version, facts of the system, the value, and the keys of the storages, which follow in this order. */
export async function readOld(source: ByteSource, head: Uint8Array, signal?: AbortSignal): Promise<Pickled> {
  const wrong: Wrong = (problem) => badFile(source.name, problem);
  const { size } = source;
  if (size === null) throw wrong('its size is not known; expected a server that reports it, or the file itself');
  const storages = new Storages();
  const { value, keys, end } = await parsed();
  const places = new Map<string, number>();
  let at = end;
  for (const key of keys instanceof PyList ? keys.items : []) {
    const storage = typeof key === 'string' ? storages.get(key) : undefined;
    if (storage === undefined || places.has(storage.key))
      throw wrong('its list of storages has one that its pickle does not name, or one twice; expected each once');
    places.set(storage.key, at + COUNT_BYTES);
    at += COUNT_BYTES + bytesOf(storage);
    if (at > size)
      throw wrong(`storage '${storage.key.slice(0, 40)}' ends at byte ${at}, after the file of ${size} bytes; expected all of it: the file may be cut off`); // prettier-ignore
  }
  const find: FindStorage = async (key, until) => {
    const from = places.get(key)!;
    const { elements } = storages.get(key)!;
    const count = await source.read(from - COUNT_BYTES, COUNT_BYTES, until);
    const stored = new DataView(count.buffer, count.byteOffset).getBigInt64(0, true);
    if (stored !== BigInt(elements))
      throw wrong(`storage '${key.slice(0, 40)}' has ${stored} elements; expected ${elements}, as its pickle says`);
    return from;
  };
  return { name: source.name, value, sourceOf };

  /** Where the pickles end is not known, so more is read until they do. */
  async function parsed(): Promise<Old> {
    let bytes = head;
    for (let length = FIRST_BYTES; ; length *= 4) {
      storages.clear();
      try {
        return await pickles(bytes, buildersOf(wrong, storages));
      } catch (error) {
        if (!(error instanceof PickleCutOff)) throw error;
      }
      if (bytes.length >= Math.min(size!, LARGEST_PICKLE)) throw cutOff(wrong);
      const more = await source.read(bytes.length, Math.min(size!, length, LARGEST_PICKLE) - bytes.length, signal);
      const joined = new Uint8Array(bytes.length + more.length);
      joined.set(bytes);
      joined.set(more, bytes.length);
      bytes = joined;
    }
  }

  function sourceOf({ key, whole: storage }: PyStorage): ByteSource {
    if (!places.has(key)) throw wrong(`it has no storage '${key.slice(0, 40)}', which its pickle names; expected all of them`); // prettier-ignore
    return (storage.source ??= new StorageSource(source, bytesOf(storage), key, find));
  }
}

/** Before each storage stands how many elements it has. */
const COUNT_BYTES = 8;

async function pickles(bytes: Uint8Array, builders: Builders): Promise<Old> {
  const { wrong } = builders;
  const magic = await unpickle(bytes, 0, builders);
  if (magic.value !== MAGIC)
    throw wrong('it is a pickle that does not begin as those of torch.save do; expected torch.save(model.state_dict())'); // prettier-ignore
  const protocol = await unpickle(bytes, magic.end, builders);
  if (protocol.value !== PROTOCOL) throw wrong(`it is of another version of the older form; expected ${PROTOCOL}`);
  const system = await unpickle(bytes, protocol.end, builders);
  if (!(system.value instanceof PyDict) || system.value.get('little_endian') !== true)
    throw wrong('its numbers are not said to be little-endian; expected little-endian ones');
  const { value, end } = await unpickle(bytes, system.end, builders);
  const keys = await unpickle(bytes, end, builders);
  return { value, keys: keys.value, end: keys.end };
}
