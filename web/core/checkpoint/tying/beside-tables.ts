/** Tensors beside a table in its own module that may scale it: what a table of few bits stands for depends on them. */
import { isDecoded } from '../elements/stored-types.js';
import { isQuantized } from '../elements/stored-blocks.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

/** What follows the name of a module, or of its table, in the name of a tensor that belongs to it. */
const OWN = /^(?:[./:][^./:]+|[._]\w*(?:scale|zero|min|max|absmax|shift|offset|quant)\w*)$/i;
const BIAS = /^[./:](?:bias|b_[EU]|b)$/i;

/** Whether its type is made for scales beside it: floats of 8 bits or fewer, and blocks. */
const isNarrow = ({ dtype }: StoredTensor): boolean =>
  /^F[468](?:_|$)/.test(dtype) || !isDecoded(dtype) || isQuantized(dtype);

/** By what follows the name of the module. Nothing for types that need no scale. */
export function besideTable(table: StoredTensor, tensors: TensorDirectory['tensors']): Map<string, StoredTensor> {
  const found = new Map<string, StoredTensor>();
  if (!isNarrow(table)) return found;
  const module = table.name.replace(/[./:](?:weight|kernel|embedding)$/, '');
  for (const tensor of tensors.values()) {
    const { name } = tensor;
    if (tensor === table || !name.startsWith(module)) continue;
    const own = name.slice(module.length);
    const ofTable = name.startsWith(table.name) ? name.slice(table.name.length) : null;
    if (BIAS.test(own) || !(OWN.test(own) || (ofTable !== null && OWN.test(ofTable)))) continue;
    found.set(own, tensor);
  }
  return found;
}
