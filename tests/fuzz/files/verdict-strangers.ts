/** Files in which something is called anything, or belongs to another model: no verdict may overlook it. */
import { fileOf, utf8, type TensorParts } from '../../web/checkpoint/checkpoint-files.js';
import type { Draw } from '../draw.js';
import { FAMILIES, type Family } from './verdict-families.js';
import {
  body,
  CLASS,
  filesOf,
  plain,
  sizesOf,
  stranger,
  type Tensors,
  withoutNorm,
  word,
  wrapped,
  type VerdictSample,
} from './verdict-tensors.js';

/** Words in names that say what a module is, and that anybody may use for something else. */
const MODULES = [
  'head',
  'lm_head',
  'output',
  'decoder',
  'proj',
  'classifier',
  'score',
  'reward',
  'pos',
  'norm',
  'image',
  'mtp',
  'mask',
  'segment',
  'dense',
  'linear',
  'vocab',
  'token',
  'rope',
  'lang_emb',
] as const;
const LAYERS = ['layers.#', 'layer', 'layer_#', 'blocks.#', 'block', 'h.#', 'stage.#', 'cells.#', '#'] as const;

/** A name with the words that rules look for, in any order. */
function misleading(draw: Draw): string {
  const part = (): string => draw.list(draw.whole(1, 2), () => draw.of(MODULES)).join('_');
  const layer = draw.of(LAYERS).replace('#', String(draw.whole(0, 2)));
  return draw.of([
    part(),
    `${part()}.${layer}`,
    `${layer}.${part()}`,
    `${part()}_${layer}`,
    `${part()}.${part()}`,
    `model.${part()}`,
  ]);
}

/** Llama with one table and something else, called anything, that no verdict may overlook. */
export function beside(draw: Draw): VerdictSample {
  const [llama] = FAMILIES as [Family];
  const sizes = sizesOf(draw);
  const { V, d } = sizes;
  const stack = (prefix: string): Tensors => wrapped(body(draw, llama, sizes), prefix);
  const table: Tensors = { 'model.embed_tokens.weight': plain(draw, V, d) };
  const name = misleading(draw);
  const ending = draw.of(['.weight', '.kernel', '']);
  const config = draw.of([null, CLASS, { architectures: ['LlamaForCausalLM'], model_type: 'llama' }]);
  const made = (about: string, tensors: Tensors, truth: boolean | null, of: object | null = config): VerdictSample => ({
    files: filesOf(draw, tensors, of),
    ...{ truth, mustTell: false, about: `Llama: ${about}` },
  });
  const unnamed = (tensor: TensorParts): Tensors => ({ [`${name}${ending}`]: tensor });
  return draw.of<() => VerdictSample>([
    () => made(`an output called ${name}`, { ...table, ...stack(''), ...unnamed(plain(draw, V, d)) }, false),
    () => made(`a turned output called ${name}`, { ...table, ...stack(''), ...unnamed(plain(draw, d, V)) }, false),
    () =>
      made(
        `a turned output for other tokens called ${name}`,
        { ...table, ...stack(''), ...unnamed(plain(draw, d, V + draw.whole(1, 9))) },
        false,
      ),
    () =>
      made(
        `a classifier called ${name}`,
        {
          ...table,
          ...stack(''),
          ...unnamed(draw.odds(0.5) ? plain(draw, draw.whole(1, 3), d) : plain(draw, d, draw.whole(1, 3))),
        },
        null,
      ),
    () =>
      made(
        'a map after an encoder',
        { ...table, ...stack(''), [`${stranger(draw)}.weight`]: plain(draw, d, d) },
        null,
        null,
      ),
    () =>
      made(
        'a reranker with a head of a language model',
        { ...table, ...stack(''), 'lm_head.weight': plain(draw, V, d), 'score.weight': plain(draw, 1, d) },
        null,
        null,
      ),
    () =>
      made(
        'an input through a map',
        {
          ...stack(''),
          'lm_head.weight': plain(draw, V, d),
          [`${stranger(draw)}.weight`]: draw.odds(0.5)
            ? plain(draw, d, draw.whole(2, 30))
            : plain(draw, draw.whole(2, 30), d),
        },
        null,
      ),
    () => made('a part of another model', { ...wrapped({ ...table, ...stack('') }, `${word(draw)}.`) }, null, null),
    () =>
      made('an unknown class', { ...table, ...stack('') }, null, { architectures: [`${word(draw)}For${word(draw)}`] }),
    () => made('the first of several stages', { ...table, ...body(draw, withoutNorm(llama), sizes) }, null),
    () => made('some of the layers', { ...table, ...stack('') }, null, { ...CLASS, num_hidden_layers: 12 }),
    () =>
      made(
        'a student and a teacher',
        {
          ...wrapped({ ...table, ...stack('') }, 'student.'),
          ...wrapped(stack(''), 'teacher.'),
          'teacher.lm_head.weight': draw.odds(0.3) ? table['model.embed_tokens.weight']! : plain(draw, V, d),
        },
        null,
        null,
      ),
    () =>
      made(
        'a thinker and a talker',
        {
          ...wrapped({ ...table, ...stack('') }, 'thinker.'),
          ...wrapped({ ...table, ...stack('') }, 'talker.'),
          'thinker.lm_head.weight': plain(draw, V, d),
        },
        null,
      ),
    () => ({
      files: [
        ...filesOf(draw, { ...table, ...stack('') }, config),
        fileOf(
          'modules.json',
          utf8(
            JSON.stringify([
              { type: 'sentence_transformers.models.Transformer' },
              { type: 'sentence_transformers.models.Pooling' },
            ]),
          ),
        ),
      ],
      ...{ truth: null, mustTell: false, about: 'Llama: vectors of texts' },
    }),
    () => {
      const alias = draw.of([
        'model.mtp.lm_head.weight',
        'vision.head.weight',
        'aux.head.weight',
        'model.layers.0.shared_head.head.weight',
      ]);
      return {
        files: filesOf(draw, { ...table, ...stack(''), [`${stranger(draw)}.weight`]: plain(draw, V, d) }, config, {
          metadata: { [alias]: 'model.embed_tokens.weight' },
        }),
        ...{ truth: false, mustTell: false, about: 'Llama: an alias of another module' },
      };
    },
  ])();
}
