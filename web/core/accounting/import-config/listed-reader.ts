/**
 * Reads files of families whose layers the fields of `Architecture` cannot describe: each family is one row that says of which pieces its
 * layers are made (listed-families.ts, encoder-families.ts).
 */
import type { Architecture } from '../types.js';
import type { Fields } from './fields.js';
import { asked, kindsOf, pieceOf, type Flag, type HasExperts, type Layer, type Piece } from './pieces.js';
import type { Reader } from './readers.js';
import { TensorList } from './tensor-list.js';

/** Where the kind of each layer is, and the piece of each kind. */
export interface Kinds {
  readonly field: string;
  /** Of files without the list. */
  readonly usual: ((fields: Fields) => (index: number) => string) | null;
  readonly pieces: Readonly<Record<string, Piece>>;
}

export interface Family {
  /** The piece that mixes tokens, of every layer or by its kind. */
  readonly mixer: Piece | Kinds;
  /** Null: what follows the mixer is a part of it. */
  readonly feedForward: Piece | null;
  readonly experts?: Piece;
  readonly hasExperts?: HasExperts;
  /** Norms as wide as the model in each layer; 2 unless stated. */
  readonly norms?: number;
  /** LayerNorm with biases; else RMSNorm. */
  readonly normBiases?: boolean;
  /** Further tensors in each layer. */
  readonly also?: Piece;
  /** Whether a norm follows the last layer; true unless stated. */
  readonly finalNorm?: false;
  /** Tensors outside the layers, but the final norm. */
  readonly around?: (layer: Layer) => void;
  readonly layers?: readonly string[];
  /** A list whose length is the number of layers in files without that number. */
  readonly layersIn?: string;
  readonly outputBias?: Flag;
  /** Rows of the input table that no output has. */
  readonly moreRows?: number;
}

/** Layers are listed one by one. */
const MOST_LAYERS = 10_000;
const LAYERS = ['num_hidden_layers', 'num_layers', 'n_layer'] as const;

function layersOf(fields: Fields, { layers = LAYERS, layersIn }: Family): number {
  const name = layers.find((each) => fields.value(each) !== null);
  const listed = name === undefined && layersIn !== undefined ? fields.value(layersIn) : null;
  const number = Array.isArray(listed) ? listed.length : fields.count(...layers);
  if (number > MOST_LAYERS) throw fields.wrong(name ?? layersIn!, `at most ${MOST_LAYERS} layers`);
  return number;
}

export function readerOf(family: Family): Reader {
  return (fields) => {
    const dModel = fields.size('hidden_size', 'd_model');
    const nLayers = layersOf(fields, family);
    const list = new TensorList();
    const norm = (name: string, size: number): void => {
      list.add('norms', `${name}.weight`, [size]);
      if (family.normBiases === true) list.add('norms', `${name}.bias`, [size]);
    };
    const at = (index: number): Layer => ({ fields, list, dModel, index, nLayers, norm });
    family.around?.(at(0));
    const mixers = mixersOf(family.mixer, fields, nLayers);
    const { norms = 2 } = family;
    const hasExperts = expertsOf(family, fields, nLayers);
    list.prefix = 'layers.*.';
    for (let i = 0; i < nLayers; i++) {
      const layer = at(i);
      mixers[i]!(layer);
      const part = hasExperts(layer) ? family.experts : family.feedForward;
      part?.(layer);
      NORM_NAMES.slice(0, norms).forEach((name) => norm(name, dModel));
      family.also?.(layer);
    }
    list.prefix = '';
    if (family.finalNorm !== false) norm('final_norm', dModel);
    return {
      family: 'listed',
      vocabSize: fields.size('vocab_size') + (family.moreRows ?? 0),
      ...(family.moreRows !== undefined && { outputVocabSize: fields.size('vocab_size') }),
      dModel,
      nLayers,
      tensors: list.tensors(),
      ...(asked(fields, family.outputBias ?? false) && { outputBias: true }),
    } satisfies Architecture;
  };
}

const NORM_NAMES = ['attention_norm', 'feed_forward_norm', 'attention_output_norm', 'feed_forward_output_norm'];

/** Version 5 of transformers lists which layers have experts; older files have a rule. */
function expertsOf({ experts, hasExperts = () => true }: Family, fields: Fields, nLayers: number): HasExperts {
  if (experts === undefined) return () => false;
  const name = 'mlp_layer_types';
  if (fields.value(name) === null) return hasExperts;
  const kinds = kindsOf(fields, nLayers, name, null);
  return ({ index }) => kinds[index] !== 'dense';
}

function mixersOf(mixer: Family['mixer'], fields: Fields, nLayers: number): readonly Piece[] {
  if (typeof mixer === 'function') return Array.from({ length: nLayers }, () => mixer);
  const { field, usual, pieces } = mixer;
  return kindsOf(fields, nLayers, field, usual && (() => usual(fields))).map((kind) => pieceOf(pieces, kind, field));
}

/** Every so many layers, the last of them, another kind. */
export const every =
  (name: string, otherwise: number, kind: string, others: string) =>
  (fields: Fields) =>
  (index: number): string =>
    (index + 1) % fields.sizeOr(otherwise, name) === 0 ? kind : others;

export const all =
  (...pieces: readonly Piece[]): Piece =>
  (layer) =>
    pieces.forEach((piece) => piece(layer));
