import { isPart, type SortedFile } from '../checkpoint-files.js';

const isModel = ({ role }: SortedFile): boolean => role === 'tensors' || role === 'llama2c';
/**
 * The common start of the names of a model's parts: 'model' of model-00001-of-00002.gguf and of
 * model.safetensors.index.json.
 */
const stemOf = ({ file }: SortedFile): string =>
  isPart({ file, role: 'tensors' })
    ? file.name.replace(/(?:-\d{5}-of-\d{5})?\.(?:safetensors|gguf|index)\b.*$/i, '')
    : file.name;

/**
 * Splits the files of several models, such as steps of one training run, into one group per model, in the order of
 * their names. Each group also gets the files that belong to no single model. Files of one model are one group.
 */
export function modelsIn(files: readonly SortedFile[]): SortedFile[][] {
  const shared = files.filter((one) => !isModel(one));
  const groups = new Map<string, SortedFile[]>();
  for (const one of files.filter(isModel)) groups.set(stemOf(one), [...(groups.get(stemOf(one)) ?? []), one]);
  const names = [...groups.keys()].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  // An index lists its parts, whatever they are called.
  if (names.length < 2 || files.some(({ file }) => /\.index\.json$/i.test(file.name))) return [[...files]];
  return names.map((name) => [...groups.get(name)!, ...shared]);
}
