/**
 * The first Phi (`mixformer-sequential`) numbers everything as a layer: `layers.0.wte` reads tokens, and `linear` of the last layer, after its
 * own norm, predicts them.
 */
import { plainParts, type Place } from './families.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

const MODULE = /^((?:.*[./])?layers[./])(\d+)[./](wte|linear)(?:[./](.*))?$/;

/** Where its tables are, like `placeOf`; null for all other names, and in all other files. */
export function placeInSequence(
  name: string,
  side: 'input' | 'output',
  tensors: TensorDirectory['tensors'],
): Place | null {
  if (!/[./](?:wte|linear)(?:[./]|$)/.test(name)) return null;
  const [, layers, number, module, rest] = MODULE.exec(name) ?? [];
  if (layers === undefined || module !== (side === 'input' ? 'wte' : 'linear')) return null;
  if (!tensors.has(`${layers}0.wte.weight`) || (side === 'input' && number !== '0')) return null;
  const role = `layers.${number}.${module}`;
  const before = plainParts(layers).slice(0, -2);
  return { role, before, rest: rest === undefined ? [] : rest.split(/[./]/) };
}

/** The weight of its final norm, given the name of its input table. */
export function normOfSequence(
  tensors: ReadonlyMap<string, StoredTensor>,
  inputName: string,
): StoredTensor | undefined {
  const [, layers] = /^(.*layers[./])0[./]wte[./]weight$/.exec(inputName) ?? [];
  if (layers === undefined) return undefined;
  const head = [...tensors.keys()].find(
    (name) => name.startsWith(layers) && /^\d+\.linear\.weight$/.test(name.slice(layers.length)),
  );
  return head === undefined ? undefined : tensors.get(head.replace(/linear\.weight$/, 'ln.weight'));
}
