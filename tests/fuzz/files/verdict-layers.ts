/** Whole models with a head of their own in the layers, or in a file that the index does not describe: no verdict may say tied. */
import { fileOf, safetensors, utf8, type TensorParts } from '../../web/checkpoint/checkpoint-files.js';
import type { Draw } from '../draw.js';
import { filesOf, packed, plain, stranger, type Tensors, type VerdictSample } from './verdict-tensors.js';

/** What layers are made of, and what heads are called. */
const WORDS = [
  ...['head', 'logits', 'output', 'value', 'experts', 'shared', 'embed', 'readout', 'predict', 'lm_head', 'classify'],
  ...['norm', 'adapter', 'vision', 'image', 'memory', 'router', 'kernel', 'token', 'vocab', 'unembed', 'final', 'aux'],
] as const;
const INNER = ['', '', 'self_attn.', 'mlp.', 'adapter.', 'experts.0.'] as const;

/** Llama's layers, of which a size may be the number of tokens. */
function layersOf(draw: Draw, layers: number, d: number, f: number): Tensors {
  const all: Tensors = { 'model.norm.weight': plain(draw, d) };
  for (let i = 0; i < layers; i++) {
    const add = (name: string, ...shape: number[]): void => {
      all[`model.layers.${i}.${name}.weight`] = plain(draw, ...shape);
    };
    for (const name of ['q_proj', 'k_proj', 'v_proj', 'o_proj']) add(`self_attn.${name}`, d, d);
    for (const name of ['gate_proj', 'up_proj']) add(`mlp.${name}`, f, d);
    add('mlp.down_proj', d, f);
    add('input_layernorm', d);
  }
  return all;
}

/**
 * Llama without one part of its layers, in whose place there is a head of the same name and shape. In all layers it is Llama to every
 * reader, and no model if only one has it.
 */
function inPlaceOfAPart(draw: Draw): VerdictSample {
  const [d, layers] = [draw.of([8, 12, 16]), draw.whole(2, 3)];
  const f = 4 * d;
  const [part, V] = draw.of([
    ['mlp.up_proj', f],
    ['self_attn.v_proj', d],
  ] as const);
  const isEverywhere = draw.odds(0.5);
  const rest = Object.entries(layersOf(draw, layers, d, f)).filter(
    ([name]) => !name.includes(`.${part}.`) || isEverywhere || name.includes(`.${layers - 1}.`),
  );
  return {
    files: filesOf(draw, { 'model.embed_tokens.weight': plain(draw, V, d), ...Object.fromEntries(rest) }, null),
    ...{ truth: false, mustTell: false, ...(isEverywhere ? { looksTied: true } : {}) },
    about: `Llama with a head of ${V} x ${d} as ${part} in ${isEverywhere ? 'all layers' : 'the last layer'}`,
  };
}

export function inLayers(draw: Draw): VerdictSample {
  if (draw.odds(0.05)) return inPlaceOfAPart(draw);
  const d = draw.of([8, 12, 16]);
  const f = 4 * d;
  const V = draw.of([draw.whole(33, 90), draw.whole(33, 90), f, 3 * d]);
  const layers = draw.whole(1, 3);
  const whole = { 'model.embed_tokens.weight': plain(draw, V, d), ...layersOf(draw, layers, d, f) };
  if (draw.odds(0.15)) return { files: filesOf(draw, whole, null), truth: true, mustTell: true, about: 'Llama alone' };
  const rows = draw.of([V, V, V, V + draw.whole(1, 9)]);
  const stored: TensorParts = draw.of([
    () => plain(draw, rows, d),
    () => plain(draw, d, rows),
    () => plain(draw, 1, rows, d),
    () => packed(draw, 'U8', 1, rows, d),
  ])();
  const name = `${draw.of(INNER)}${draw.odds(0.3) ? stranger(draw) : draw.list(draw.whole(1, 2), () => draw.of(WORDS)).join(draw.of(['.', '_']))}`;
  const places = draw.of([
    () => Array.from({ length: layers }, (_, i) => `layers.${i}.${name}`),
    () => [`layers.${layers - 1}.${name}`],
    () => [`layers.${layers}.${name}`],
    () => [`${name}.layers.0.attn`],
  ])();
  const ending = draw.of(['.weight', '.kernel', '']);
  const heads = Object.fromEntries(places.map((place) => [`model.${place}${ending}`, stored]));
  return {
    files: filesOf(draw, { ...whole, ...heads }, null),
    ...{
      truth: false,
      mustTell: false,
      about: `Llama with ${places.join(', ')}, ${String(stored.shape)} for ${V} x ${d}`,
    },
  };
}

/** Two files and their index, which leaves a head out, or a file that has one. */
export function unlisted(draw: Draw): VerdictSample {
  const [V, d] = [draw.whole(33, 90), 8];
  const first = { 'model.embed_tokens.weight': plain(draw, V, d) };
  const second = layersOf(draw, 2, d, 4 * d);
  const name = draw.of(['lm_head', draw.of(WORDS), stranger(draw)]);
  const hasHead = draw.odds(0.7);
  const rest = { ...second, ...(hasHead ? { [`${name}.weight`]: plain(draw, V, d) } : {}) };
  const index = {
    weight_map: Object.fromEntries([
      ...Object.keys(first).map((key) => [key, 'one.safetensors']),
      ...Object.keys(second).map((key) => [key, 'two.safetensors']),
    ]),
  };
  const isMissing = draw.odds(0.2);
  return {
    files: [
      fileOf('model.safetensors.index.json', utf8(JSON.stringify(index))),
      fileOf('one.safetensors', safetensors(first)),
      ...(isMissing ? [] : [fileOf('two.safetensors', safetensors(rest))]),
    ],
    ...{ truth: isMissing ? null : !hasHead, mustTell: !isMissing && !hasHead },
    about: `an index that leaves out ${hasHead ? name : 'nothing'}${isMissing ? ', and a file that is missing' : ''}`,
  };
}
