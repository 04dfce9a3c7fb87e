/**
 * The names that model families give their two tables, without `.weight`. A prefix before one of these names does not matter.
 * Mostly from gguf-py/gguf/tensor_mapping.py of llama.cpp.
 */

export const INPUT_NAMES = [
  // Our own files.
  'embedding',
  // GGUF.
  'token_embd',
  // Llama, Mistral, Qwen, Gemma, OLMo 2, SmolLM, Phi, StableLM, DeepSeek, Nemotron; with a prefix, multimodal models that read
  // images.
  'embed_tokens',
  // Llama's own files, Mistral's, InternLM2, llama2.c.
  'tok_embeddings',
  // GPT-2, GPT-J, Qwen 1, MPT, DBRX; OLMo 1, LLaDA; the old Phi.
  'wte',
  'transformer.embd.wte',
  // BLOOM, Falcon, ChatGLM, BERT.
  'word_embeddings',
  // GPT-NeoX, Pythia.
  'embed_in',
  // T5, BART.
  'shared',
  // Mamba.
  'backbone.embeddings',
  'backbone.embedding',
  // RWKV.
  'rwkv.embeddings',
  'model.embeddings',
  'emb',
  // Grok.
  'in_out_embed',
] as const;

export const OUTPUT_NAMES = [
  'unembedding',
  // Most models; the old Phi.
  'lm_head',
  'lm_head.linear',
  // Llama's own files, Mistral's, InternLM2, llama2.c, GGUF.
  'output',
  // GPT-NeoX, Pythia.
  'embed_out',
  // OLMo 1, LLaDA.
  'transformer.ff_out',
  // RWKV.
  'head',
  // ChatGLM.
  'output_layer',
  // BERT.
  'predictions.decoder',
] as const;

const KNOWN = [...INPUT_NAMES, ...OUTPUT_NAMES].map((name) => name.replaceAll('.', '\\.')).join('|');
const MAY_BE_A_TABLE = new RegExp(`(?:^|[./])(?:${KNOWN})(?:[./_]|$)`);

/** A fast first check of a name: there may be a hundred thousand. */
export const mayBeATable = (name: string): boolean => MAY_BE_A_TABLE.test(name);

/** Tables that are never the model's own: those inside a layer, copies for multi-token prediction, and those for images and sound. */
export const isOfAPart = (stem: string): boolean =>
  /(?:^|[./])(?:layers?|blocks?|blk|h|mtp\w*|vision\w*|visual|audio\w*|image\w*)[./_]/.test(stem) ||
  /(?:^|[./])(?:vision|audio|image)\w*[./]/.test(stem);

/** In models whose shared table has this name, these are copies of it. */
export const isCopyOfShared = (stem: string): boolean => /(?:^|\.)(?:encoder|decoder)\.embed_tokens$/.test(stem);

/** Endings that mark a table as packed, and how messages describe it. */
const PACKED: readonly (readonly [ending: RegExp, what: string])[] = [
  [/[._](?:qweight|qzeros|g_idx)$/, 'packed by GPTQ or AWQ'],
  [/\.(?:weight\.)?(?:absmax|quant_map|nested_absmax|nested_quant_map|quant_state\.[\w.]+)$/, 'packed by bitsandbytes'],
  [/\.(?:weight\.)?(?:SCB|weight_format)$/, 'packed by bitsandbytes'],
  [
    /\.(?:weight_scale(?:_inv|_2)?|input_scale|weight_packed|weight_shape|\w*zero_point)$/,
    'stored with scales of its own',
  ],
  [/\.(?:scales|biases)$/, 'packed by MLX, GPTQ or AWQ'],
];

export interface NameParts {
  /** The name without `.weight` or the ending of a packed table. */
  readonly stem: string;
  readonly packed: string | null;
}

export function partsOf(name: string): NameParts {
  for (const [ending, what] of PACKED) {
    const at = name.search(ending);
    if (at > 0) return { stem: name.slice(0, at), packed: what };
  }
  return { stem: name.replace(/[./]weight$/, ''), packed: null };
}
