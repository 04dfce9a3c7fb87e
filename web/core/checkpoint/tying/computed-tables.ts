/** Tables that PyTorch computes each time a model runs, from tensors under the name of their module: the file holds those, and not the table. */
import type { TensorDirectory } from '../tensors.js';

/** What its parts are called, which one no other way has, and the function that stores the table in their place. */
const WAYS: readonly (readonly [part: RegExp, own: string, undo: string])[] = [
  [/[.]weight_(?:orig|mask)$/, '.weight_mask', 'prune.remove'],
  [/[.]weight_(?:orig|u|v)$/, '.weight_u', 'remove_spectral_norm'],
  [/[.]weight_[gv]$/, '.weight_g', 'remove_weight_norm'],
  [/[.]parametrizations[.]weight[.][\w.]+$/, '', 'parametrize.remove_parametrizations'],
];

export interface ComputedTable {
  readonly name: string;
  /** The tensors of the file that it is computed from. */
  readonly parts: readonly string[];
  /** A function of torch.nn.utils. */
  readonly undo: string;
}

/** `found`: what could be the table. Null if any of it does not belong to one that is computed. */
export function computedTable(found: readonly string[], tensors: TensorDirectory['tensors']): ComputedTable | null {
  for (const [part, own, undo] of WAYS) {
    const module = found[0]?.replace(part, '');
    const isPart = (name: string): boolean => part.test(name) && name.replace(part, '') === module;
    if (module === undefined || !found.every(isPart) || (own !== '' && !tensors.has(module + own))) continue;
    return { name: `${module}.weight`, parts: [...tensors.keys()].filter(isPart), undo };
  }
  return null;
}
