/** The weight of the final norm, if the file has one under a known name. */
import { isOfAPart, partsOf } from './families.js';
import { normOfSequence } from './sequential-phi.js';
import { isDecoded } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';

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
  /** The bias of a LayerNorm, which also subtracts the mean. */
  readonly biasTensor: StoredTensor | null;
}

const firstPart = (name: string): string => name.split(/[./]/, 1)[0]!;

/** If there are several, the one whose name begins like the table's; none if that does not leave exactly one. */
export function findFinalNorm(
  tensors: ReadonlyMap<string, StoredTensor>,
  cols: number,
  tableName: string,
): FinalNorm | null {
  const found: StoredTensor[] = [];
  for (const tensor of tensors.values()) {
    const { name, shape, dtype } = tensor;
    if (shape.length !== 1 || shape[0] !== cols || !isDecoded(dtype) || name.endsWith('.bias')) continue;
    const { stem } = partsOf(name);
    if (IS_FINAL.test(stem) && !isOfAPart(stem)) found.push(tensor);
  }
  const own = normOfSequence(tensors, tableName);
  if (own !== undefined) found.push(own);
  const near = found.length > 1 ? found.filter(({ name }) => firstPart(name) === firstPart(tableName)) : found;
  if (near.length !== 1) return null;
  const [tensor] = near as [StoredTensor];
  const bias = tensor.name.endsWith('weight') ? tensors.get(tensor.name.replace(/weight$/, 'bias')) : undefined;
  const isBias = bias !== undefined && bias.shape.length === 1 && bias.shape[0] === cols && isDecoded(bias.dtype);
  return { tensor, biasTensor: isBias ? bias : null };
}
