/** The `config.json` of a model, as GPT2Config and LlamaConfig of transformers read it. What differs from their defaults is always written. */
import { endOfText } from '../../text/token-spelling.js';
import type { AnyModel } from '../../model/model-options.js';
import type { SavedTokenizer } from '../../text/saved-tokenizer.js';

/** `model`: with its current tying. */
export function transformersConfig(
  model: AnyModel,
  architecture: 'gpt2' | 'llama',
  tokenizer: SavedTokenizer | null,
): string {
  const isTied = model.tying === 'tied';
  const config = {
    architectures: [architecture === 'gpt2' ? 'GPT2LMHeadModel' : 'LlamaForCausalLM'],
    model_type: architecture,
    vocab_size: model.vocabSize,
    ...(architecture === 'gpt2' ? ofGpt2(model) : ofLlama(model)),
    ...endsOf(tokenizer),
    tie_word_embeddings: isTied,
    torch_dtype: 'float32',
    // Without a class, that of the architecture is taken, which may bring rules of its own.
    tokenizer_class: 'PreTrainedTokenizerFast',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function ofGpt2({ dModel, nLayers, nHeads, contextLength, dFeedForward, normEpsilon, dropout = 0 }: AnyModel): object {
  return {
    n_positions: contextLength,
    n_embd: dModel,
    n_layer: nLayers,
    n_head: nHeads,
    n_inner: dFeedForward,
    activation_function: 'gelu_new',
    layer_norm_epsilon: normEpsilon,
    resid_pdrop: dropout,
    embd_pdrop: dropout,
    attn_pdrop: dropout,
  };
}

function ofLlama(model: AnyModel): object {
  const { dModel, nLayers, nHeads, nKeyValueHeads, contextLength, dFeedForward, normEpsilon, rotaryBase } = model;
  return {
    hidden_size: dModel,
    intermediate_size: dFeedForward,
    num_hidden_layers: nLayers,
    num_attention_heads: nHeads,
    num_key_value_heads: nKeyValueHeads,
    head_dim: dModel / nHeads!,
    hidden_act: 'silu',
    max_position_embeddings: contextLength,
    rms_norm_eps: normEpsilon,
    rope_theta: rotaryBase,
    attention_bias: false,
    mlp_bias: false,
  };
}

/** The defaults of both classes are ids of their own vocabularies. */
function endsOf(tokenizer: SavedTokenizer | null): object {
  if (tokenizer?.kind === 'llama2c') return { bos_token_id: 1, eos_token_id: 2 };
  const end = tokenizer?.kind === 'gpt2' ? endOfText(tokenizer) : -1;
  return { bos_token_id: end < 0 ? null : end, eos_token_id: end < 0 ? null : end };
}
