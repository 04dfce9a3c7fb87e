/** The keys and values of a model and its tokenizer in a GGUF file, for `openCheckpoint`, and for llama.cpp if it knows the architecture. */
import type { GgufField } from './gguf-header.js';
import { CHARACTERS } from './gpt2-tokenizer.js';
import { readSavedTokenizer, type SavedTokenizer } from './saved-tokenizer.js';
import type { AnyModel } from './model-options.js';

/** The llama.cpp architectures that a model of ours may have; 'own' otherwise. */
export type GgufArchitecture = 'gpt2' | 'llama' | 'own';

export function ggufArchitecture(model: AnyModel): GgufArchitecture {
  const { kind, norm, biases, positions, feedForward, finalNorm, nHeads, nKeyValueHeads, embeddingScale } = model;
  const isPlain = embeddingScale === 'none' && model.outputBias === false && finalNorm === true;
  const areWhole = model.tableRank === undefined && model.ngrams === undefined;
  // A sampled head is used in training only.
  const isFull = model.head === undefined || model.head.kind === 'sampled';
  if (
    kind !== 'transformer' ||
    !isPlain ||
    !areWhole ||
    !isFull ||
    (model.tying !== 'tied' && model.tying !== 'untied')
  )
    return 'own';
  if (norm === 'layer-norm' && biases === 'all' && positions === 'learned' && feedForward === 'gelu')
    return nKeyValueHeads === nHeads ? 'gpt2' : 'own';
  return norm === 'rms-norm' && biases === 'none' && positions === 'rotary' && feedForward === 'swiglu'
    ? 'llama'
    : 'own';
}

export const OWN_ARCHITECTURE = 'tied-embeddings';

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
  for (const [key, field] of tokenizerFields(savedTokenizer)) fields.set(`tokenizer.ggml.${key}`, field);
  return fields;
}

/** Kinds of tokens, as in llama.h. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
const FIRST_BYTE = 3;
const BYTES = 256;

function tokenizerFields(saved: Uint8Array | null): [string, GgufField][] {
  // A model without token strings.
  if (saved === null) return [['model', string('none')]];
  const tokenizer = readSavedTokenizer(saved);
  const { tokens, merges, scores, kind } = tokenizer;
  if (scores !== null) return scored(tokenizer, scores);
  const holds = tokens.filter(({ length }) => length === 1).length;
  if (merges === null || holds < BYTES)
    return [
      ['model', string('none')],
      ['tokens', { type: 'strings', value: tokens }],
    ];
  const spelled = tokens.map(byCharacters);
  return [
    ['model', string('gpt2')],
    ['pre', string('gpt-2')],
    ['tokens', { type: 'strings', value: spelled.map((token, id) => (isMade(tokenizer, id) ? token : tokens[id]!)) }],
    ['token_type', { type: 'i32s', value: tokens.map((_, id) => (isMade(tokenizer, id) ? NORMAL : CONTROL)) }],
    ['merges', { type: 'strings', value: merges.map(([left, right]) => `${spelled[left]} ${spelled[right]}`) }],
    // Tokenizers learned here have no token that begins or ends a text.
    ...(kind === 'gpt2' ? [] : [['add_bos_token', { type: 'bool', value: false }] as [string, GgufField]]),
  ];
}

const made = new WeakMap<SavedTokenizer, Set<string>>();

/** Whether the token is a byte or the result of a merge; others, such as <|endoftext|>, are not part of a text. */
function isMade(tokenizer: SavedTokenizer, id: number): boolean {
  const token = tokenizer.tokens[id]!;
  let known = made.get(tokenizer);
  if (!known) {
    const all = tokenizer.merges!.map(
      ([left, right]) => tokenizer.tokens[left]!.join() + ',' + tokenizer.tokens[right]!.join(),
    );
    made.set(tokenizer, (known = new Set(all)));
  }
  return token.length === 1 || known.has(token.join());
}

const byCharacters = (token: Uint8Array): string => Array.from(token, (byte) => CHARACTERS[byte]).join('');

/** SentencePiece's, as llama.cpp calls it: a space is U+2581. */
function scored({ tokens }: SavedTokenizer, scores: Float32Array): [string, GgufField][] {
  const names = ['<unk>', '<s>', '</s>'];
  const kindOf = (id: number): number =>
    id === 0 ? UNKNOWN : id < FIRST_BYTE ? CONTROL : id < FIRST_BYTE + BYTES ? BYTE : NORMAL;
  const spelled = tokens.map((token, id) =>
    id < FIRST_BYTE ? names[id]! : new TextDecoder().decode(token).replaceAll(' ', '\u2581'),
  );
  return [
    ['model', string('llama')],
    ['tokens', { type: 'strings', value: spelled }],
    ['scores', { type: 'f32s', value: scores }],
    ['token_type', { type: 'i32s', value: tokens.map((_, id) => kindOf(id)) }],
    ['unknown_token_id', u32(0)],
    ['bos_token_id', u32(1)],
    ['eos_token_id', u32(2)],
    ['add_bos_token', { type: 'bool', value: true }],
    ['add_eos_token', { type: 'bool', value: false }],
    ['add_space_prefix', { type: 'bool', value: true }],
  ];
}
