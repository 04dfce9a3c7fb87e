/** The keys and values of a model and its tokenizer in a GGUF file, for `openCheckpoint`, and for llama.cpp if it knows the architecture. */
import type { GgufField } from './gguf-header.js';
import { tokenizerFields } from './gguf-tokenizer-fields.js';
import type { AnyModel } from '../../model/model-options.js';

/** The llama.cpp architectures that a model of ours may have; 'own' otherwise. */
export type GgufArchitecture = 'gpt2' | 'llama' | 'own';

/** Options that both have, in any of their values or in those below. A model with another one is of neither. */
const OF_BOTH: ReadonlySet<string> = new Set<keyof AnyModel>([
  ...([
    'kind',
    'vocabSize',
    'dModel',
    'tying',
    'embeddingScale',
    'outputBias',
    'initStd',
    'nLayers',
    'nHeads',
  ] as const),
  ...(['nKeyValueHeads', 'contextLength', 'dFeedForward', 'norm', 'normEpsilon', 'positions', 'rotaryBase'] as const),
  ...(['feedForward', 'finalNorm', 'biases', 'dropout', 'head'] as const),
]);

export function ggufArchitecture(model: AnyModel): GgufArchitecture {
  const { kind, norm, biases, positions, feedForward, finalNorm, nHeads, nKeyValueHeads, embeddingScale } = model;
  const isPlain = embeddingScale === 'none' && model.outputBias === false && finalNorm === true;
  const isKnown = Object.entries(model).every(([name, value]) => value === undefined || OF_BOTH.has(name));
  // A sampled head is used in training only.
  const isFull = model.head === undefined || model.head.kind === 'sampled';
  if (kind !== 'transformer' || !isPlain || !isKnown || !isFull || (model.tying !== 'tied' && model.tying !== 'untied'))
    return 'own';
  if (norm === 'layer-norm' && biases === 'all' && positions === 'learned' && feedForward === 'gelu')
    return nKeyValueHeads === nHeads ? 'gpt2' : 'own';
  return norm === 'rms-norm' && biases === 'none' && positions === 'rotary' && feedForward === 'swiglu'
    ? 'llama'
    : 'own';
}

const OWN_ARCHITECTURE = 'tied-embeddings';

const u32 = (value: number): GgufField => ({ type: 'u32', value });
const f32 = (value: number): GgufField => ({ type: 'f32', value });
const string = (value: string): GgufField => ({ type: 'string', value });

/** `model`: with its current tying. */
export function ggufFields(
  model: AnyModel,
  type: 'F32' | 'F16',
  savedTokenizer: Uint8Array | null,
): Map<string, GgufField> {
  const architecture = ggufArchitecture(model);
  const name = architecture === 'own' ? OWN_ARCHITECTURE : architecture;
  const fields = new Map<string, GgufField>([
    ['general.architecture', string(name)],
    ['general.file_type', u32(type === 'F16' ? 1 : 0)],
    // The complete configuration, exact; floats in the other keys have only 32 bits.
    ['tied-embeddings.config', string(JSON.stringify(model))],
  ]);
  if (architecture !== 'own') {
    const { vocabSize, contextLength, dModel, nLayers, dFeedForward, nHeads, nKeyValueHeads } =
      model as Required<AnyModel>;
    const epsilon = f32(model.normEpsilon!);
    const sizes: Record<string, GgufField> = {
      vocab_size: u32(vocabSize),
      context_length: u32(contextLength),
      embedding_length: u32(dModel),
      block_count: u32(nLayers),
      feed_forward_length: u32(dFeedForward),
      'attention.head_count': u32(nHeads),
      'attention.head_count_kv': u32(nKeyValueHeads),
      ...(architecture === 'gpt2'
        ? { 'attention.layer_norm_epsilon': epsilon }
        : {
            'attention.layer_norm_rms_epsilon': epsilon,
            'rope.dimension_count': u32(dModel / nHeads),
            'rope.freq_base': f32(model.rotaryBase!),
          }),
    };
    for (const [key, field] of Object.entries(sizes)) fields.set(`${name}.${key}`, field);
  }
  for (const [key, field] of tokenizerFields(savedTokenizer, model.vocabSize)) fields.set(key, field);
  return fields;
}
