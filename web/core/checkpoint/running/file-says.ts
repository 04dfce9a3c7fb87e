/** Settings stated in a weight file itself: GGUF keys, and the sizes in the header of llama2.c. */
import type { GgufValue } from '../formats/gguf-values.js';
import { SaidFields, type Says } from './model-says.js';

/** The names that GGUF uses. */
const GGUF_ARCHITECTURES = { 'gpt-2': 'gpt2', llama: 'llama' } as const;
type Architecture = keyof typeof GGUF_ARCHITECTURES;

/** Keys after the architecture's name. */
const GGUF_SIZES = {
  vocabSize: 'vocab_size',
  dModel: 'embedding_length',
  nLayers: 'block_count',
  nHeads: 'attention.head_count',
  contextLength: 'context_length',
  dFeedForward: 'feed_forward_length',
  nKeyValueHeads: 'attention.head_count_kv',
} as const;

/** Keys of an architecture that do not affect the computation. */
const HARMLESS = ['tensor_data_layout'];

export function saysOfGguf(
  architecture: Architecture,
  values: ReadonlyMap<string, GgufValue>,
  file: string,
  notes: string[],
): Says {
  const name = GGUF_ARCHITECTURES[architecture];
  const said = new SaidFields(file, plain(values));
  if (said.get('general.architecture') !== name)
    throw said.foreign('general.architecture', `'${name}', as its tensors are named`);
  const key = (last: string): string => `${name}.${last}`;
  said.sizes(Object.fromEntries(Object.entries(GGUF_SIZES).map(([setting, last]) => [setting, key(last)])));
  const read: string[] = [...Object.values(GGUF_SIZES), 'attention.causal'];
  said.only(key('attention.causal'), 'true', true);
  // What llama.cpp uses for these architectures; it has no key for it.
  said.says.set('feedForward', {
    value: architecture === 'llama' ? 'swiglu' : 'gelu',
    where: 'general.architecture',
  });
  if (architecture === 'llama') read.push(...ofLlama(said, key, notes));
  else {
    said.positive('normEpsilon', key('attention.layer_norm_epsilon'));
    read.push('attention.layer_norm_epsilon');
  }
  for (const found of said.names()) {
    if (!found.startsWith(`${name}.`) || [...read, ...HARMLESS].includes(found.slice(name.length + 1))) continue;
    throw said.foreign(found, 'no such key');
  }
  return said.says;
}

/** Returns the keys that it has checked. */
function ofLlama(said: SaidFields, key: (last: string) => string, notes: string[]): string[] {
  said.positive('normEpsilon', key('attention.layer_norm_rms_epsilon'));
  said.positive('rotaryBase', key('rope.freq_base'));
  said.otherwise('rotaryBase', 10_000, 'the default of the format', notes);
  const [heads, width] = [said.says.get('nHeads')?.value, said.says.get('dModel')?.value];
  if (typeof heads === 'number' && typeof width === 'number')
    for (const size of ['rope.dimension_count', 'attention.key_length', 'attention.value_length'])
      said.only(key(size), `${width / heads}, the width divided by the heads`, width / heads);
  said.only(key('rope.scaling.type'), "'none'", 'none');
  said.only(key('rope.scaling.factor'), '1', 0, 1);
  said.only(key('rope.scale_linear'), '1', 0, 1);
  said.only(key('expert_count'), '0', 0);
  said.only(key('expert_used_count'), '0', 0);
  return [
    'attention.layer_norm_rms_epsilon',
    'rope.freq_base',
    'rope.dimension_count',
    'attention.key_length',
    'attention.value_length',
    'rope.scaling.type',
    'rope.scaling.factor',
    'rope.scale_linear',
    'expert_count',
    'expert_used_count',
  ];
}

/** 32-bit floats as the intended decimal: 1e-5 is stored as 0.0000099999997. Large integers as numbers. */
function plain(values: ReadonlyMap<string, GgufValue>): Map<string, unknown> {
  const meant = (value: GgufValue): unknown => {
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'number' || Number.isInteger(value)) return value ?? 'an array';
    const short = Number(value.toPrecision(7));
    return Math.fround(short) === value ? short : value;
  };
  return new Map([...values].map(([key, value]) => [key, meant(value)]));
}

/** The sizes in the header of llama2.c, under the names used in its code; in safetensors, as text. */
export function saysOfLlama2c(metadata: ReadonlyMap<string, string>, file: string): Says {
  const number = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);
  const said = new SaidFields(file, new Map([...metadata].map(([key, text]) => [key, number(text)])));
  said.sizes({
    vocabSize: 'vocab_size',
    dModel: 'dim',
    nLayers: 'n_layers',
    nHeads: 'n_heads',
    nKeyValueHeads: 'n_kv_heads',
    contextLength: 'max_seq_len',
    dFeedForward: 'hidden_dim',
  });
  // Constants of run.c.
  const where = 'run.c of llama2.c';
  said.says.set('normEpsilon', { value: 1e-5, where });
  said.says.set('rotaryBase', { value: 10_000, where });
  said.says.set('feedForward', { value: 'swiglu', where });
  return said.says;
}
