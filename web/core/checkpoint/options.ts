/** The arguments of `openCheckpoint`, checked and copied before the first await. */
import { bytesIn, isRevoked } from '../runtime/arrays.js';
import { isReadableBlob } from '../runtime/blob.js';
import type { CheckpointSource, OpenCheckpointOptions } from './types.js';
import { invalidArgument } from '../runtime/errors.js';
import {
  checkBoolean,
  checkFunction,
  checkOptions,
  checkPositive,
  checkSignal,
  checkString,
  checkUrl,
  readList,
} from '../runtime/validate.js';

const OPTIONS = ['tables', 'beside', 'wholeFile', 'silenceSeconds', 'onProgress', 'signal'] as const;
const LONGEST_SILENCE = 3600;
const MOST_FILES = 2000;

/** One file, files that belong together, or a URL. The bytes are the caller's own, not a copy. */
export type GivenCheckpoint =
  | { readonly bytes: Uint8Array }
  | { readonly blob: Blob }
  | { readonly blobs: readonly Blob[] }
  | { readonly url: string };

export interface CheckedOpening {
  readonly given: GivenCheckpoint;
  readonly options: OpenCheckpointOptions;
}

export const checkOpening = (source: CheckpointSource, options: OpenCheckpointOptions = {}): CheckedOpening => ({
  given: checkSource(source),
  options: checkOpenOptions(options),
});

const EXPECTED_SOURCE = 'bytes, a Blob, a list of Files, or a URL';

function checkSource(source: CheckpointSource): GivenCheckpoint {
  if (isRevoked(source)) throw invalidArgument('source', source, EXPECTED_SOURCE);
  const bytes = bytesIn(source);
  if (bytes !== null) return { bytes };
  if (isReadableBlob(source)) return { blob: source };
  const list = readList(source, 1, MOST_FILES);
  if (list !== null) {
    const wrong = list.findIndex((file) => !isReadableBlob(file));
    if (wrong >= 0) throw invalidArgument(`source[${wrong}]`, list[wrong], 'a File or a Blob');
    return { blobs: list as Blob[] };
  }
  if (Array.isArray(source)) throw invalidArgument('source', source, `1 to ${MOST_FILES} files`);
  try {
    return { url: checkUrl('source', source) };
  } catch {
    throw invalidArgument('source', source, EXPECTED_SOURCE);
  }
}

function checkOpenOptions(options: OpenCheckpointOptions): OpenCheckpointOptions {
  const given = checkOptions('options', options, OPTIONS);
  const { tables, beside, wholeFile, silenceSeconds, onProgress, signal } = given;
  if (beside !== undefined) checkBoolean('options.beside', beside);
  if (wholeFile !== undefined) checkBoolean('options.wholeFile', wholeFile);
  if (silenceSeconds !== undefined) checkPositive('options.silenceSeconds', silenceSeconds, LONGEST_SILENCE);
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  if (tables === undefined) return given;
  const { input, output } = checkOptions('options.tables', tables, ['input', 'output']);
  if (input !== undefined) checkString('options.tables.input', input);
  if (output !== undefined) checkString('options.tables.output', output);
  return {
    ...given,
    tables: { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) },
  };
}
