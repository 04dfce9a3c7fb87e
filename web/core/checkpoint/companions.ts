/** Files beside the tensors of a model: its configuration and its token strings. */
import { saidTying, type SaidTying } from '../accounting/import-config/tying-flag.js';
import { kindOfModel, predictsTokens, type KindOfModel } from './tying/kind-of-model.js';
import { fieldsOf, readJson } from './formats/safetensors-index.js';
import { badFile, type ByteSource } from './bytes/source.js';
import { fitted, readTokens, TOKEN_FILES } from './tokens/token-strings.js';

const LARGEST_CONFIG = 2 ** 24;

/** What the file says about tying, as `importConfig` reads it, and about the kind of model. */
export interface Configuration extends SaidTying {
  readonly kind: KindOfModel;
  /** Whether that kind reads and predicts tokens; null if it is not known. */
  readonly hasHead: boolean | null;
  /** All fields of the file; null if there is no file. */
  readonly fields: ReadonlyMap<string, unknown> | null;
}

export const NO_CONFIGURATION: Configuration = {
  ...{ tied: null, isStated: false, says: null, suggests: null, disagreement: null, assumption: null },
  ...{ kind: 'unknown', hasHead: null, fields: null },
};

export async function readConfiguration(source: ByteSource, signal?: AbortSignal): Promise<Configuration> {
  const read = await readJson(source, LARGEST_CONFIG, signal);
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw badFile(
      source.name,
      `it is ${Array.isArray(read) ? 'an array' : JSON.stringify(read).slice(0, 40)}; expected a JSON object`,
    );
  const fields = fieldsOf(read);
  const kind = kindOfModel(fields);
  const hasHead = predictsTokens(kind);
  // The flags are in every file; those of a model without a head mean nothing.
  if (hasHead === false) return { ...NO_CONFIGURATION, kind, hasHead, fields };
  return { ...saidTying(Object.fromEntries(fields)), kind, hasHead, fields };
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
