/** Settings in a Hugging Face `config.json`, for GPT-2 and Llama. Defaults are those of the classes in transformers 4. */
import { fieldsOf } from '../formats/safetensors-index.js';
import { SaidFields, type Says } from './model-says.js';

const FILE = 'config.json';
/** Classes whose files have these names and this architecture. Mistral is Llama with a window. */
const TYPES = { 'gpt-2': ['gpt2'], llama: ['llama', 'mistral'] } as const;

export function saysOfConfig(
  architecture: keyof typeof TYPES,
  fields: ReadonlyMap<string, unknown>,
  notes: string[],
): Says {
  const said = new SaidFields(FILE, fields);
  const types: readonly string[] = TYPES[architecture];
  const expected = `${types.map((type) => `'${type}'`).join(' or ')}, as its tensors are named`;
  if (!types.includes(said.get('model_type') as string)) throw said.foreign('model_type', expected);
  said.only('quantization_config', 'none');
  said.only('is_encoder_decoder', 'false', false);
  said.only('add_cross_attention', 'false', false);
  said.sizes({ vocabSize: 'vocab_size' });
  if (architecture === 'gpt-2') ofGpt2(said, notes);
  else ofLlama(said, notes);
  return said.says;
}

function ofGpt2(said: SaidFields, notes: string[]): void {
  said.sizes({
    dModel: 'n_embd',
    nLayers: 'n_layer',
    nHeads: 'n_head',
    contextLength: 'n_positions',
    dFeedForward: 'n_inner',
  });
  said.positive('normEpsilon', 'layer_norm_epsilon');
  // All of these are the tanh approximation.
  said.means('feedForward', 'activation_function', { gelu_new: 'gelu', gelu_pytorch_tanh: 'gelu', gelu_fast: 'gelu' });
  said.only('scale_attn_weights', 'true', true);
  said.only('scale_attn_by_inverse_layer_idx', 'false', false);
  said.otherwise('normEpsilon', 1e-5, 'the default of its class', notes);
  said.otherwise('feedForward', 'gelu', 'the default of its class', notes);
}

function ofLlama(said: SaidFields, notes: string[]): void {
  said.sizes({
    dModel: 'hidden_size',
    nLayers: 'num_hidden_layers',
    nHeads: 'num_attention_heads',
    nKeyValueHeads: 'num_key_value_heads',
    contextLength: 'max_position_embeddings',
    dFeedForward: 'intermediate_size',
  });
  said.positive('normEpsilon', 'rms_norm_eps');
  said.positive('rotaryBase', 'rope_theta');
  said.means('feedForward', 'hidden_act', { silu: 'swiglu', swish: 'swiglu' });
  said.only('attention_bias', 'false', false);
  said.only('mlp_bias', 'false', false);
  said.only('partial_rotary_factor', '1', 1);
  const [heads, width] = [said.says.get('nHeads')?.value, said.says.get('dModel')?.value];
  if (typeof heads === 'number' && typeof width === 'number')
    said.only('head_dim', `${width / heads}, the width divided by the heads`, width / heads);
  checkWindow(said);
  checkRotary(said);
  const isMistral = said.get('model_type') === 'mistral';
  const why = 'the default of its class';
  // Mistral's default does not suit every model.
  if (!isMistral && !said.says.has('nKeyValueHeads') && typeof heads === 'number')
    said.otherwise('nKeyValueHeads', heads, 'as many as query heads', notes);
  said.otherwise('normEpsilon', 1e-6, why, notes);
  said.otherwise('rotaryBase', 10_000, why, notes);
  said.otherwise('feedForward', 'swiglu', why, notes);
}

/** A window as long as the context has no effect. */
function checkWindow(said: SaidFields): void {
  const window = said.get('sliding_window');
  const context = said.says.get('contextLength')?.value;
  if (window === undefined || said.get('use_sliding_window') === false) return;
  if (typeof window !== 'number' || typeof context !== 'number' || window < context)
    throw said.foreign('sliding_window', `none, or at least the context of ${context ?? 'the model'}`);
}

/** Newer files store the rotary base in an object together with its scaling. */
function checkRotary(said: SaidFields): void {
  for (const field of ['rope_scaling', 'rope_parameters']) {
    if (said.get(field) === undefined) continue;
    const inner = new SaidFields(`${FILE}, ${field}`, fieldsOf(said.get(field)));
    for (const type of ['rope_type', 'type']) inner.only(type, "'default'", 'default');
    inner.only('factor', '1', 1);
    inner.only('partial_rotary_factor', '1', 1);
    inner.positive('rotaryBase', 'rope_theta');
    const base = inner.says.get('rotaryBase');
    if (base) said.says.set('rotaryBase', base);
    else if (field === 'rope_scaling' && inner.get('rope_type') === undefined && inner.get('type') === undefined)
      throw said.foreign(field, 'none');
  }
}
