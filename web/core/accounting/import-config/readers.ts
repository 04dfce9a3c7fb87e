/** Helpers shared by the readers of each `model_type`. */
import type { Architecture } from '../types.js';
import type { Fields } from './fields.js';

export type Reader = (fields: Fields) => Architecture;

/** The number of heads, which must divide the width because no head width is given. */
export function readHeads(fields: Fields, dModel: number, ...names: string[]): number {
  const nHeads = fields.size(...names);
  if (dModel % nHeads !== 0) throw fields.wrong(names[0]!, `a divisor of the width, ${dModel}`);
  return nHeads;
}

/** Fields of the sizes that every reader reads, where they are not `hidden_size`, `num_hidden_layers` and `num_attention_heads`. */
interface SizeNames {
  readonly width?: readonly string[];
  readonly layers?: readonly string[];
  readonly heads?: readonly string[];
}

/** The sizes that every reader reads. */
export function readSizes(
  fields: Fields,
  { width = ['hidden_size'], layers = ['num_hidden_layers'], heads = ['num_attention_heads'] }: SizeNames = {},
): { vocabSize: number; dModel: number; nLayers: number; nHeads: number } {
  const dModel = fields.size(...width);
  return {
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count(...layers),
    nHeads: readHeads(fields, dModel, ...heads),
  };
}

/** The number of key and value heads; by default `otherwise`, or one per query head. */
export function readKeyValueHeads(fields: Fields, nHeads: number, otherwise: number | null): number {
  const name = 'num_key_value_heads';
  if (!fields.has(name) && otherwise !== null) {
    fields.assume(`${name} is absent: ${otherwise}, as version 4 of transformers has it for this model_type.`);
  }
  const nKeyValueHeads = fields.sizeOr((fields.has(name) ? null : otherwise) ?? nHeads, name);
  if (nHeads % nKeyValueHeads !== 0) throw fields.wrong(name, `a divisor of the heads, ${nHeads}`);
  return nKeyValueHeads;
}
