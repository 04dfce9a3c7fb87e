/** Files beside the tensors of a model: its configuration and its token strings. */
import { fieldsOf, readJson } from './safetensors-index.js';
import type { ByteSource } from './source.js';
import { fitted, readTokens, TOKEN_FILES } from './token-strings.js';

const LARGEST_CONFIG = 2 ** 24;

export interface Configuration {
  /** Null if the file does not say; the default differs by class, so nothing can be concluded. */
  readonly tied: boolean | null;
  /** Whether the named classes predict tokens; null if none is named. */
  readonly hasHead: boolean | null;
  /** All fields of the file; null if there is no file. */
  readonly fields: ReadonlyMap<string, unknown> | null;
}

/** Classes that predict tokens have one of these words in their name. */
const WITH_HEAD =
  /CausalLM|LMHead|ForConditionalGeneration|ForMaskedLM|ForPreTraining|DoubleHeads|ForQuestionAnswering.*LM/;

export async function readConfiguration(source: ByteSource, signal?: AbortSignal): Promise<Configuration> {
  const fields = fieldsOf(await readJson(source, LARGEST_CONFIG, signal));
  const inner = fieldsOf(fields.get('text_config'));
  const flag = fields.get('tie_word_embeddings') ?? inner.get('tie_word_embeddings');
  const classes = fields.get('architectures');
  const named = (Array.isArray(classes) ? (classes as unknown[]) : []).filter((name) => typeof name === 'string');
  return {
    tied: typeof flag === 'boolean' ? flag : null,
    hasHead: named.length === 0 ? null : named.some((name) => WITH_HEAD.test(name)),
    fields,
  };
}

/** The first known file that exists and fits the table. `notes` receives what does not fit, in words. */
export async function findTokens(
  beside: (name: string) => Promise<ByteSource | null>,
  rows: number,
  notes: string[],
  signal?: AbortSignal,
): Promise<string[] | null> {
  for (const name of TOKEN_FILES) {
    const source = await beside(name);
    if (source !== null) return fitted(await readTokens(source, rows, signal), rows, name, notes);
  }
  return null;
}
