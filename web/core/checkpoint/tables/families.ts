/**
 * The names that model families give their two tables, without `.weight`. A prefix before one of these names does not matter.
 * Mostly from gguf-py/gguf/tensor_mapping.py of llama.cpp.
 */

const INPUT_NAMES = [
  'embedding', // Our own files; Mamba, and many models that people write to learn.
  'token_embd', // GGUF.
  // Llama, Mistral, Qwen, Gemma, OLMo 2, SmolLM, Phi, StableLM, DeepSeek on the Hub, Nemotron; with a prefix, multimodal models that read images.
  'embed_tokens',
  'tok_embeddings', // Llama's own files, Mistral's, InternLM2, llama2.c, ModernBERT.
  // GPT-2, GPT-J, Qwen 1, MPT, DBRX, nanoGPT, nanochat; OLMo 1, LLaDA; the old Phi.
  ...['wte', 'transformer.embd.wte'],
  ...['word_embeddings', 'word_embedding', 'tokens_embed'], // BLOOM, Falcon, ChatGLM, BERT, BailingMoE; XLNet; GPT.
  'embed_in', // GPT-NeoX, Pythia.
  'shared', // T5, BART.
  ...['backbone.embeddings', 'rwkv.embeddings', 'model.embeddings'], // Mamba, RWKV.
  ...['transformer.embeddings', 'emb'], // XLM.
  'in_out_embed', // Grok.
  'embedding_layer', // StripedHyena.
  ...['lut', 'input_emb'], // The annotated Transformer; PyTorch's own example.
  // OpenELM; CLIP's text part; models that people write to learn.
  ...['token_embeddings', 'token_embedding', 'token_embedding_table', 'tok_embedding', 'tok_emb'],
  ...['token_emb', 'tok_embed', 'token_embed'],
  'embed', // DeepSeek's own files.
  'embed.W_E', // TransformerLens.
  'embedder.input_embedding', // Gemma's own files.
  ...['embedder', 'embeddings', 'transformer.w'], // Gemma in PyTorch; OLMo-core; CTRL.
  ...['emb_luts.0', 'Wemb', 'decoder_Wemb'], // OpenNMT-py; Marian.
] as const;

const OUTPUT_NAMES = [
  'unembedding',
  ...['lm_head', 'lm_head.linear', 'lm_head.decoder'], // Most models; the old Phi; RoBERTa, ESM-2.
  'lm_head.w_out', // OLMo-core.
  'lm_head.out_proj', // T5Gemma.
  'output', // Llama's own files, Mistral's, InternLM2, llama2.c, GGUF.
  'embed_out', // GPT-NeoX, Pythia.
  'transformer.ff_out', // OLMo 1, LLaDA.
  ...['head', 'out_head', 'output_head'], // RWKV, DeepSeek's own files, models that people write to learn.
  ...['output_layer', 'output_layer.linear', 'word_embeddings_for_head'], // ChatGLM; SEDD, MDLM; Persimmon.
  // BERT; DistilBERT; ELECTRA's generator; ModernBERT; XLM; XLNet.
  ...['predictions.decoder', 'vocab_projector', 'generator_lm_head', 'decoder', 'head.decoder', 'pred_layer.proj'],
  'lm_loss',
  ...['proj_out', 'output_projection'], // Whisper; fairseq.
  ...['unembed.W_U', 'unembed'], // TransformerLens.
  ...['logits_dense', 'token_embedding.reverse_embeddings'], // T5X, MaxText; Keras.
  ...['generator.0', 'decoder_ff_logit_out_W', 'decoder_ff_logit_out_Wt'], // OpenNMT-py; Marian.
  'sequence_head.3', // ESM C.
  // Models that people write to learn.
  ...['to_logits', 'generator.proj', 'projection_layer', 'projection_layer.proj', 'fc_out'],
] as const;

/** Names that other modules have as well: such a matrix is a table only if its shape says so too. */
const GENERIC: ReadonlySet<string> = new Set([
  ...['embedding', 'embed', 'emb', 'shared', 'output', 'head', 'decoder', 'head.decoder', 'proj_out', 'unembed'],
  ...['output_head', 'output_projection', 'to_logits', 'generator.proj', 'token_embedding', 'embedder', 'embeddings'],
  ...['embedding_layer', 'lut', 'input_emb', 'projection_layer', 'projection_layer.proj', 'fc_out', 'generator.0'],
]);

export const isGeneric = (role: string): boolean => GENERIC.has(role);

/** Parts that wrappers of modules put into names. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['_orig_mod', 'module', '_fsdp_wrapped_module', '_checkpoint_wrapped_module', 'base_layer', 'original_module'],
  'token_adapter',
]);

/** The parts of a name, without those of wrappers: of compiled, distributed and adapted models. */
export function plainParts(name: string): string[] {
  const parts = name.split(/[./]/);
  const kept: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (part === 'modules_to_save') i++;
    else if (part === 'base_model' && i === 0 && parts[1] === 'model') i++;
    else if (!WRAPPERS.has(part)) kept.push(part);
  }
  return kept;
}

/** Whether an adapter has replaced the module: its own table is beside it. */
export const isReplaced = (name: string): boolean => /[./]original_module[./]/.test(name);

/** What follows the listed name of a whole table. */
export const isTableItself = (rest: readonly string[]): boolean =>
  rest.length === 0 || (rest.length === 1 && /^(?:weight|kernel|embedding_weight)$/.test(rest[0]!));

export interface Place {
  /** The listed name. */
  readonly role: string;
  /** Parts before it, and after it. */
  readonly before: readonly string[];
  readonly rest: readonly string[];
}

const split = (names: readonly string[]): readonly (readonly [name: string, parts: readonly string[]])[] =>
  names.map((name) => [name, name.split('.')] as const);
const PARTS = { input: split(INPUT_NAMES), output: split(OUTPUT_NAMES) } as const;
/** With the last word of a listed name: few names have one, and there may be half a million. */
const withLast = (names: readonly string[]): RegExp =>
  new RegExp(
    `(?:^|[./])(?:${[...new Set(names.map((name) => /[^.]+(?=(?:\.\d+)?$)/.exec(name)![0]))].join('|')})(?:[./]|$)`,
  );
const MAY_HAVE = { input: withLast(INPUT_NAMES), output: withLast(OUTPUT_NAMES) } as const;

/** Modules that have outputs and decoders of their own, which predict no tokens. */
const OTHER_HEADS =
  /^(?:cls|classifier|score|pooler|qa_outputs|reward_head|value_head|v_head|rank_head|discriminator_predictions|dense_\d)$/;

/** Where a listed name occurs in a name; of several, the one that ends last, and of those the longest. */
export function placeOf(name: string, role: 'input' | 'output'): Place | null {
  if (!MAY_HAVE[role].test(name)) return null;
  const parts = plainParts(name);
  let best: { at: number; length: number; name: string } | null = null;
  for (const [listed, wanted] of PARTS[role]) {
    for (let at = parts.length - wanted.length; at >= 0; at--) {
      if (!wanted.every((part, i) => part === parts[at + i])) continue;
      const end = at + wanted.length;
      const bestEnd = best === null ? -1 : best.at + best.length;
      if (end > bestEnd || (end === bestEnd && wanted.length > best!.length))
        best = { at, length: wanted.length, name: listed };
      break;
    }
  }
  if (best === null) return null;
  const before = parts.slice(0, best.at);
  const isOther = before.some((part) => OTHER_HEADS.test(part)) && !best.name.startsWith('predictions');
  return isOther ? null : { role: best.name, before, rest: parts.slice(best.at + best.length) };
}

const ALL_NAMES = [...new Set([...INPUT_NAMES, ...OUTPUT_NAMES])].map((name) => name.replaceAll('.', '[./]')).join('|');
const MAY_BE_A_TABLE = new RegExp(`(?:^|[./])(?:${ALL_NAMES})(?:[./_]|$)`);

/** A fast first check of a name: there may be a hundred thousand. */
export const mayBeATable = (name: string): boolean => MAY_BE_A_TABLE.test(name);

/** Not those that stand for heads: `out_layers.0`. XLM numbers its attentions and its feed-forward parts, Marian layers as `encoder_l1`. */
const LAYER =
  /(?:^|[./])(?!(?:out|output|head|logits?)_)\w*?(?:layers?|blocks?|blk|cells?)(?:_?list)?[./_]?\d+(?:[./_]|$)|(?:^|[./])(?:h|attentions|ffns)[./_]\d+(?:[./_]|$)|(?:^|[./])(?:en|de)coder_l\d+_/;
/** A layer with a common word for a name; a single matrix with such a name is none. */
const STACKED =
  /(?:^|[./])\w*(?:encoder|decoder|transformer|conformer|stack|stages?)[./_]\d+[./_](?!(?:weight|bias|kernel)$)/;
/** Layers stored as one tensor each, without numbers. */
const UNNUMBERED = /(?:^|[./])(?:layers?|blocks?|blk|h)[./]/;

/** Layers of PyTorch's recurrent modules. */
const RECURRENT = /(?:weight|bias)_(?:ih|hh)_l\d+/;

/** Whether a tensor is inside one of a model's layers. */
export const isInLayer = (name: string): boolean =>
  LAYER.test(name) || STACKED.test(name) || UNNUMBERED.test(name) || RECURRENT.test(name);

/** What training keeps of each parameter: moments, gradients. */
const OF_TRAINING = /(?:^|[./])(?:(?:max_)?exp_avg\w*|optim(?:izer)?(?:_states?)?|grads?|momentum_buffer)(?:[./]|$)/;

/** Whether it belongs to a part that reads images or sound, or that predicts further tokens, or to an optimizer. */
export const isOfOtherPart = (name: string): boolean =>
  OF_TRAINING.test(name) ||
  /(?:^|[./])(?:mtp\w*|nextn\w*|vision\w*|visual|audio\w*|image\w*|embed_(?:vision|audio))[./_]/.test(name) ||
  /(?:^|[./])(?:vision|audio|image)\w*[./]/.test(name);

/** Tables that are never the model's own: those inside a layer, copies for multi-token prediction, and those for images and sound. */
export const isOfAPart = (stem: string): boolean => isInLayer(stem) || isOfOtherPart(stem);

/** Whether a tensor belongs to a stack of this kind, and to no decoder within an encoder. */
export const isOf = (stack: 'encoder' | 'decoder', name: string): boolean =>
  name.includes(stack) &&
  plainParts(name)
    .slice(0, -1)
    .some((part) => part === stack || part.endsWith(`_${stack}`));

/** In models whose shared table has this name, these are copies of it. */
export const isCopyOfShared = (stem: string): boolean => /(?:^|\.)(?:encoder|decoder)\.embed_tokens$/.test(stem);

/** Endings that mark a table as packed, and how messages describe it. Of several in one table, the first here tells: later ones are in the files of others too. */
const PACKED: readonly (readonly [ending: RegExp, what: string])[] = [
  [/\.(?:(?:forward|backward)_hadamard_matrix|dqweight)$/, 'packed by FP-Quant'],
  [/\.(?:tlut|rcp|tp_rank)$/, 'packed by QTIP'],
  [/\.(?:trellis|suh|svh|mcg|mul1)$/, 'packed by EXL3'],
  [/\.(?:q_weight|q_scale|q_scale_max|q_groups|q_group_map|q_invperm|q_perm)$/, 'packed by EXL2'],
  [/\.(?:W_q|W_nbits)$/, 'packed by HQQ'],
  [/\.weight\._(?:data|scale|shift|zeropoint)$/, 'packed by Quanto'],
  [/\.(?:_weight_\w+|weight:\w+)$/, 'packed by torchao'],
  [/\._packed_params(?:\.\w+)*$/, 'packed by PyTorch'],
  [/\.(?:codes|codebooks)$/, 'packed by AQLM'],
  [/\.(?:(?:res_|outlier_)?(?:centroids(?:\.weight)?|indices))$/, 'packed by VPTQ'],
  [/\.(?:dense_weights|row_offsets|col_vals|in_perm)$/, 'packed by SpQR'],
  [/\.(?:tables2?)$/, 'packed by HIGGS'],
  [/\.(?:Qidxs|SU|SV|Wscale)$/, 'packed by QuIP#'],
  [/\.weight_scales$/, 'packed by EETQ'],
  [/\.(?:B|s_channel|s_group|scale_packed)$/, 'packed by Marlin or QQQ'],
  [/[._](?:qweight|qzeros|g_idx)$/, 'packed by GPTQ or AWQ'],
  [/\.(?:weight\.)?(?:absmax|quant_map|nested_absmax|nested_quant_map|quant_state\.[\w.]+)$/, 'packed by bitsandbytes'],
  [/\.(?:weight\.)?(?:SCB|weight_format)$/, 'packed by bitsandbytes'],
  [
    /\.(?:weight_scale(?:_inv|_2)?|input_scale|weight_packed|weight_shape|\w*zero_point)$/,
    'stored with scales of its own',
  ],
  [/\.(?:scales|biases)$/, 'packed by MLX, GPTQ or AWQ'],
];

/** Of two ways in which parts of one table say that it is packed, the one that tells more. */
export const moreTelling = (one: string | null, other: string): string =>
  PACKED.find(([, what]) => what === one || what === other)?.[1] ?? other;

export interface NameParts {
  /** The name without `.weight` or the ending of a packed table, and without the parts of wrappers. */
  readonly stem: string;
  readonly packed: string | null;
}

/** One search finds that most names have none of them; the ending of most finds it sooner. */
const ANY_PACKED = new RegExp(PACKED.map(([ending]) => ending.source).join('|'));

export function partsOf(name: string): NameParts {
  const isPlain = name.endsWith('.weight') && !name.endsWith('centroids.weight');
  if (!isPlain && ANY_PACKED.test(name))
    for (const [ending, what] of PACKED) {
      const at = name.search(ending);
      if (at > 0) return { stem: name.slice(0, at), packed: what };
    }
  return { stem: name.replace(/[./](?:weight|kernel)$/, ''), packed: null };
}
