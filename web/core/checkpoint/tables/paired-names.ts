/**
 * Names that mean tables only together: PyTorch's own example of a language model, and the recurrent models after it, read with `encoder` and write with `decoder`.
 * Alone these are names of anything.
 */
import { plainParts, type Place } from './families.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

const ENCODER = /^((?:.*[./])?)encoder[./]weight$/;
/** Of modules in a sequence, the first reads, and the second writes. */
const otherModule = (before: string): string => before.replace(/(^|[./])0([./])$/, '$11$2');

/** Where an input table is that has such a name, like `placeOf`; null for all other names. */
export function placeInPair(name: string, side: 'input' | 'output', tensors: TensorDirectory['tensors']): Place | null {
  if (side === 'output' || !name.endsWith('encoder.weight')) return null;
  const [, before] = ENCODER.exec(name) ?? [];
  // An encoder of something else than tokens adds a bias, and its decoder has the shape turned.
  if (before === undefined || tensors.has(`${before}encoder.bias`)) return null;
  const output = [before, otherModule(before)].map((one) => tensors.get(`${one}decoder.weight`)).find(isThere);
  const { shape } = tensors.get(name)!;
  if (output?.shape.join() !== shape.join() || shape.length !== 2 || shape[0]! <= shape[1]!) return null;
  return { role: 'encoder', before: plainParts(before).slice(0, -1), rest: ['weight'] };
}

const isThere = (tensor: StoredTensor | undefined): tensor is StoredTensor => tensor !== undefined;
