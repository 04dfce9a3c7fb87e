/**
 * The files of one model in a folder. A folder of a model also has other copies of it, notes and pictures, and a folder
 * of models has several.
 */

/** A file, and where in the folder it is: 'model/onnx/model.onnx'. */
export interface FolderFile {
  readonly file: File;
  readonly path: string;
}

/** More files than any model has: a folder of everything is not read through. */
const mostFiles = 20_000;

/** Files that say something about a model besides its weights. */
const besideWeights =
  /^(?:config|modules|tokenizer|tokenizer_config|vocab|encoder|params|generation_config)\.json$|^(?:merges|vocab)\.txt$|^vocab\.bpe$|^(?:tokenizer|tok\d+)\.bin$/i;
/** Not weights: states of optimizers and of training. */
const ofTraining = /^(?:optimizer|scheduler|scaler|rng_state|training_args|trainer_state|random_states)\b/i;

/** Kinds of weights, the best first: a folder often has the same model in several. */
const kinds: readonly RegExp[] = [
  /\.safetensors(?:\.index\.json)?$/i,
  /\.gguf$/i,
  /^(?:pytorch_model|consolidated|model|flax_model).*\.(?:bin|pth?)(?:\.index\.json)?$/i,
  /\.(?:pth?|ckpt|bin|npz?|vec|onnx)$/i,
];

const depthOf = ({ path }: FolderFile): number => path.split('/').length;
const folderOf = ({ path }: FolderFile): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The common start of the names of a model's parts and of their index. */
const stemOf = (name: string): string =>
  name.replace(/(?:-\d{5}-of-\d{5})?\.(?:safetensors|gguf|bin|pth?|index)\b.*$/i, '');

export interface FolderModel {
  readonly files: readonly File[];
  /** Paths of other weights in the folder. */
  readonly others: readonly string[];
}

/** The weights of one model that are the nearest to the top, in the best format, and what belongs to them. Null: there are none. */
export function modelInFolder(all: readonly FolderFile[]): FolderModel | null {
  const weights = all.filter(
    ({ file: { name } }) =>
      kinds.some((kind) => kind.test(name)) && !besideWeights.test(name) && !ofTraining.test(name),
  );
  const [first] = [...weights].sort(
    (one, other) =>
      depthOf(one) - depthOf(other) ||
      rankOf(one) - rankOf(other) ||
      folderOf(one).localeCompare(folderOf(other), 'en', { numeric: true }) ||
      one.file.name.localeCompare(other.file.name, 'en', { numeric: true }),
  );
  if (first === undefined) return null;
  const isHere = (one: FolderFile): boolean => folderOf(one) === folderOf(first);
  const isOfModel = (one: FolderFile): boolean =>
    isHere(one) && rankOf(one) === rankOf(first) && stemOf(one.file.name) === stemOf(first.file.name);
  const own = weights.filter(isOfModel);
  const beside = all.filter((one) => isHere(one) && besideWeights.test(one.file.name));
  return {
    files: [...own, ...beside].map(({ file }) => file),
    others: weights.filter((one) => !own.includes(one)).map(({ path }) => path),
  };
}

const rankOf = ({ file: { name } }: FolderFile): number => kinds.findIndex((kind) => kind.test(name));

/** The files that a reader has chosen as a folder. */
export const chosenFolder = (files: Iterable<File>): FolderFile[] =>
  Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name }));

/** The folders among what was dropped; to be asked before the event ends. */
export function droppedFolders({ items }: DataTransfer): FileSystemDirectoryEntry[] {
  const entries = Array.from(items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  return entries.filter((entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true);
}

/** All files in a dropped folder, and in the folders in it. */
export async function filesInFolder(folder: FileSystemDirectoryEntry): Promise<FolderFile[]> {
  const found: FolderFile[] = [];
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined && found.length < mostFiles; next = waiting.shift()) {
    for (const entry of await entriesOf(next)) {
      if (entry.isDirectory) waiting.push(entry as FileSystemDirectoryEntry);
      else found.push({ file: await fileOf(entry as FileSystemFileEntry), path: entry.fullPath.replace(/^\//, '') });
    }
  }
  return found;
}

/** A reader returns a folder's entries in parts, and an empty part at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0 || all.length > mostFiles) return all;
    all.push(...part);
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));
