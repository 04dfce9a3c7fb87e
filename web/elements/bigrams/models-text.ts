import type { Lab } from '../../core/types.js';
import { openModels } from '../shared/saved-models.js';

/** What handed-over models were trained on, as far as their file has it. */
export async function textOfModels(lab: Lab, bytes: Uint8Array): Promise<string> {
  const { content, tokenizer, dispose } = await openModels(lab, bytes, () => [], '');
  try {
    return content.text === null ? '' : await tokenizer.decode(content.text.training);
  } finally {
    dispose();
  }
}
