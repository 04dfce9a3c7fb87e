/** The language models in a file that has several: a thinker and a talker, or one for text and one for sound. */
import { isGeneric, isInLayer, isOfAPart, placeOf, plainParts } from './families.js';
import { isPosition } from './table-candidates.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

export interface Stack {
  /** The parts of names that its table and its layers share. */
  readonly prefix: readonly string[];
  /** Its input table, or one of them. */
  readonly table: StoredTensor;
}

/** Encoders, copies that training keeps, and what reads questions about pictures. */
const NO_MODEL = /encoder$|^(?:model_)?ema\w*$|qformer/;

/** All with an input table, and layers or a head. Encoders have no head for tokens. */
export function stacksOf({ tensors, names = tensors.keys() }: TensorDirectory): readonly Stack[] {
  const found = new Map<string, Stack>();
  for (const [name, tensor] of tensors) {
    const place = placeOf(name, 'input');
    if (place === null || isGeneric(place.role) || tensor.shape.length !== 2) continue;
    if (isOfAPart([...place.before, place.role].join('.')) || isPosition(name)) continue;
    const prefix = place.before.filter((part, i) => i < place.before.length - 1 || !/^emb/.test(part));
    if (!prefix.some((part) => NO_MODEL.test(part)))
      found.set(prefix.join('.'), found.get(prefix.join('.')) ?? { prefix, table: tensor });
  }
  if (found.size < 2) return [...found.values()];
  const whole = new Set<string>();
  const prefixes = [...found.keys()].sort((one, other) => other.length - one.length);
  for (const name of names) {
    const plain = plainParts(name);
    if (plain.some((part) => NO_MODEL.test(part))) continue;
    const path = plain.join('.');
    // A head may be beside the module that has the layers.
    const own = isInLayer(name)
      ? prefixes.find((prefix) => prefix === '' || path.startsWith(`${prefix}.`))
      : HEAD.test(name) && prefixes.find((prefix) => prefix.split('.').length > 1 && plain[0] === prefix.split('.')[0]);
    if (typeof own === 'string') whole.add(own);
  }
  return [...found].filter(([prefix]) => whole.has(prefix)).map(([, stack]) => stack);
}

const HEAD = /(?:^|[._])heads?[./]/;

/** Number of parts with which both begin. */
function commonParts(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((part, i) => part !== other[i]);
  return at < 0 ? Math.min(one.length, other.length) : at;
}

/** The stack that a table belongs to: of all stacks, the one with which it shares most of its prefix; null if that is not one. */
export function stackOf(stacks: readonly Stack[], before: readonly string[]): Stack | null {
  const most = stacks.reduce((so, { prefix }) => Math.max(so, commonParts(prefix, before)), 0);
  const [one, ...more] = stacks.filter(({ prefix }) => commonParts(prefix, before) === most);
  return one === undefined || more.length > 0 ? null : one;
}
