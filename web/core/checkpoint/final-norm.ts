/** The weight of the final norm, where a file has one by a known name. */
import { isOfAPart, partsOf } from './families.js';
import { isDecoded } from './stored-types.js';
import type { StoredTensor } from './tensors.js';

/** How names end, without `.weight`: our own files and llama2.c; GGUF; Llama, Qwen, Mistral; GPT-2, Falcon, BLOOM; GPT-NeoX, Phi, OPT, T5; Mamba; RWKV. */
const NAMES = [
  'final_norm',
  'rms_final_weight',
  'output_norm',
  'model.norm',
  'norm',
  'ln_f',
  'final_layer_norm',
  'final_layernorm',
  'norm_f',
  'ln_out',
];
const IS_FINAL = new RegExp(`(?:^|[./])(?:${NAMES.map((name) => name.replaceAll('.', '\\.')).join('|')})$`);

export interface FinalNorm {
  readonly tensor: StoredTensor;
  /** Whether it is a LayerNorm, which also takes the mean away and adds a bias. */
  readonly hasBias: boolean;
}

/** None where several have such a name: an encoder's and a decoder's. */
export function findFinalNorm(tensors: ReadonlyMap<string, StoredTensor>, cols: number): FinalNorm | null {
  const found: StoredTensor[] = [];
  for (const tensor of tensors.values()) {
    const { name, shape, dtype } = tensor;
    if (shape.length !== 1 || shape[0] !== cols || !isDecoded(dtype) || name.endsWith('.bias')) continue;
    const { stem } = partsOf(name);
    if (IS_FINAL.test(stem) && !isOfAPart(stem)) found.push(tensor);
  }
  if (found.length !== 1) return null;
  const [tensor] = found as [StoredTensor];
  return { tensor, hasBias: tensors.has(tensor.name.replace(/weight$/, 'bias')) && tensor.name.endsWith('weight') };
}
