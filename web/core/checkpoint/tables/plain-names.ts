/**
 * Names that people give to the two tables of models that they write to learn, such as `emb` and `fc`. Each is also a name of anything, so they count only
 * together: two matrices of one shape, longer than wide, outside all layers, with no third of that shape and none that leads back, beside no published name.
 */
import { isOfIntegers } from '../elements/stored-types.js';
import { areOneStorage, type StoredTensor, type TensorDirectory } from '../tensors.js';
import { isOfAPart, isTableItself, plainParts } from './families.js';
import { isPosition } from './table-candidates.js';

const EMBEDDING = 'emb(?:ed|eds|edding|eddings)?';
const INPUT = new RegExp(
  `^(?:(?:word|char|token|tok|text|vocab|input|in|u|cente?r|tgt|trg|target|dec|decoder)_?)?${EMBEDDING}(?:_(?:layer|table))?$|^${EMBEDDING}[.](?:tok|token|tokens|word|words)$|^i_?vectors$`,
);
const OUTPUT = new RegExp(
  `^(?:out|output|outputs|fc|fc_?\\d|fc_out|linear|linear_?\\d|dense|proj|projection|generator|final|logits?|predict(?:ion|or)?|h2o|decoder_out|o_?vectors|hidden2\\w+)$|^(?:final|out|output|vocab|linear|logits?|to|lm|token|language_model)_(?:layer|linear|proj|projection|dense|fc|out|output|head|vocab|logits?)(?:_proj)?$|^(?:out|output|context|v)_?${EMBEDDING}$|^(?:lm_)?head$`,
);
/** What a whole model or its decoder is called. */
const AROUND = /^(?:model|net|network|lm|gpt|rnn|lstm|gru|transformer|language_model|seq2seq|decoder|dec|de)$/;
/** An encoder's own table stands beside those of the decoder. */
const OF_ENCODER = new RegExp(`^(?:src|source|enc|encoder)_?${EMBEDDING}|^(?:encoder|enc|en)[.]`);

/** A module in a sequence has a number: `head.1`. */
const moduleOf = (name: string): string[] => {
  const parts = plainParts(name).slice(0, -1);
  return /^\d$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
};

function hasName(name: string, known: RegExp): boolean {
  const parts = moduleOf(name);
  return [1, 2].some(
    (length) =>
      parts.length >= length &&
      known.test(parts.slice(-length).join('.')) &&
      parts.slice(0, -length).every((part) => AROUND.test(part)),
  );
}

const isMatrix = ({ name, shape, dtype }: StoredTensor): boolean =>
  shape.length === 2 &&
  shape[0] !== shape[1] &&
  !isOfAPart(name) &&
  isTableItself(plainParts(name).slice(-1)) &&
  !isOfIntegers(dtype) &&
  !isPosition(name);

/** `input`, `output`: the one that a listed name tells, if any. Null if there are no such two, or more. */
export function plainPair(
  tensors: TensorDirectory['tensors'],
  input: StoredTensor | null,
  output: StoredTensor | null,
): { readonly input: StoredTensor; readonly output: StoredTensor } | null {
  const known = input ?? output;
  const isOfKnown = ({ shape }: StoredTensor): boolean =>
    known === null || (shape.includes(known.shape[0]!) && shape.includes(known.shape[1]!));
  const matrices = [...tensors.values()].filter((one) => isOfKnown(one) && isMatrix(one));
  const reads = input === null ? matrices.filter(({ name }) => hasName(name, INPUT)) : [input];
  const writes = output === null ? matrices.filter(({ name }) => hasName(name, OUTPUT)) : [output];
  const [one, other] = [reads[0], writes[0]];
  if (reads.length !== 1 || writes.length !== 1 || one === other) return null;
  const [rows = 0, cols = 0] = one!.shape;
  if (rows < cols || other!.shape.join() !== one!.shape.join()) return null;
  const isThird = (tensor: StoredTensor): boolean =>
    ![one!, other!].some((table) => tensor === table || areOneStorage(tensor, table)) &&
    tensor.shape.includes(rows) &&
    tensor.shape.includes(cols) &&
    !OF_ENCODER.test(moduleOf(tensor.name).join('.'));
  return matrices.some(isThird) ? null : { input: one!, output: other! };
}
