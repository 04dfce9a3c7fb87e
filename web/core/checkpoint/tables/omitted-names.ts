/** Tables that a file stores under another name: writers of safetensors record each omitted name in the metadata, with the one that was kept. */
import { isOf, isOfAPart, isTableItself, placeOf } from './families.js';
import type { TableSide } from './table-candidates.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

type Named = Pick<TensorDirectory, 'metadata' | 'tensors'>;

/** Whether a name is that of a table in this role, not of a module within one. */
export function namesTable(name: string, side: TableSide): boolean {
  const place = placeOf(name, side);
  return place !== null && isTableItself(place.rest);
}

/** Omitted names of tables in this role, each with the tensor that was kept. */
export function omittedTables({ metadata, tensors }: Named, side: TableSide): (readonly [string, StoredTensor])[] {
  return [...metadata].flatMap(([name, kept]) => {
    const tensor = tensors.has(name) ? undefined : tensors.get(kept);
    return tensor !== undefined && !isOfAPart(name) && namesTable(name, side) ? [[name, tensor] as const] : [];
  });
}

/** Whether the decoder reads the table that predicts, of which the file has the output's name alone. */
export const decoderReadsOutput = (directory: Named): boolean =>
  omittedTables(directory, 'input').some(
    ([name, { name: kept }]) => isOf('decoder', name) && namesTable(kept, 'output'),
  );

/** The encoder's table, where the output is stored under its name, and the decoder reads another one. */
export const outputOfEncoder = (directory: Named, decoders: StoredTensor): StoredTensor | undefined =>
  omittedTables(directory, 'output').find(
    ([, kept]) => kept !== decoders && isOf('encoder', kept.name) && isOf('decoder', decoders.name),
  )?.[1];

/** Encoder-decoders that read with one table on both sides, by `model_type` of transformers. */
const SHARING =
  /^(?:(?:m|um)?t5|longt5|switch_transformers|(?:m|pl)?bart|led|mvp|pegasus(?:_x)?|bigbird_pegasus|blenderbot(?:-small)?|m2m_100|nllb-moe|prophetnet|xlm-prophetnet|marian)$/;
/** The layers of T5, which always does. */
const T5 = /(?:^|[./])decoder[./]block[./]\d+[./]layer[./]/;

/** Whether an encoder's table may not be what the decoder reads: the file has none of the decoder's own, and nothing says that they share. */
export function mayReadAnother(
  directory: Named,
  names: readonly string[],
  configuration: ReadonlyMap<string, unknown> | null,
  input: StoredTensor,
): boolean {
  if (!isOf('encoder', input.name) || !names.some((name) => isOf('decoder', name))) return false;
  // An `encoder` that is nothing but the table.
  if (!names.some((name) => name !== input.name && isOf('encoder', name))) return false;
  if (omittedTables(directory, 'input').some(([, kept]) => kept === input)) return false;
  if (names.some((name) => T5.test(name))) return false;
  const type = configuration?.get('model_type');
  const shares = configuration?.get('share_encoder_decoder_embeddings');
  return typeof type !== 'string' || !SHARING.test(type) || shares === false;
}
