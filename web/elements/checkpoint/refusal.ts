import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { TiedError, type TableCandidate } from '../../core/runtime/errors.js';
import { isSupported } from '../../core/runtime/support.js';
import { codeOf } from '../shared/error-code.js';
import { ModelsFileError } from '../shared/models-file-error.js';
import { CheckpointFileError } from './checkpoint-files.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { nameOfUrl, type Wanted } from './opening.js';

/** Why a model was not opened, and what the reader can do about it. */
export interface Refusal {
  readonly sentence: string;
  /** The core's words, for authors of such files; null if the sentence already contains them. */
  readonly technical: string | null;
  readonly wanted: Wanted | null;
  /** Matrices to choose the tables from. */
  readonly tables: readonly TableCandidate[];
  /** A download that needs the reader's consent, in bytes; `bytes` is null if not known. */
  readonly wholeFile: { readonly bytes: number | null } | null;
  readonly canRetry: boolean;
}

/** The largest file that is downloaded whole. */
const largestWhole = 2 ** 30;

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** 272,000,000 -> "272 MB", with units of 1,000. */
export function bytesInWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1000 ** power)} ${units[power] ?? ''}`;
}

export const nameOf = ({ place }: Wanted, texts: CheckpointStrings): string => {
  if (place.kind === 'url') return nameOfUrl(place.url);
  if (place.kind === 'page') return texts.pageModels[place.model];
  const model = place.files.find(({ role }) => role === 'tensors' || role === 'llama2c') ?? place.files[0];
  return model?.file.name ?? '';
};

export function refusalOf(error: unknown, wanted: Wanted | null, texts: CheckpointStrings): Refusal | null {
  const refusal = (sentence: string, more: Partial<Refusal> = {}): Refusal => ({
    sentence,
    technical: null,
    wanted,
    tables: [],
    wholeFile: null,
    canRetry: false,
    ...more,
  });
  if (error instanceof CheckpointFileError) {
    const { cause } = error;
    return refusal(sentenceOf(error, texts), { technical: cause instanceof Error ? cause.message : null });
  }
  if (error instanceof ModelsFileError) return refusal(error.message, { canRetry: true });
  if (!(error instanceof TiedError) || wanted === null) return null;
  const { code, message, details } = error;
  const name = nameOf(wanted, texts);
  const reason = reasonOf(message, wanted);
  if (details.tables !== undefined) {
    return refusal(texts.chooseTables(name), { technical: message, tables: details.tables });
  }
  if (details.wholeFile !== undefined) {
    const { bytes } = details.wholeFile;
    const size = bytes === null ? texts.unknownSize : bytesInWords(bytes);
    if (bytes !== null && bytes > largestWhole) return refusal(texts.wholeTooLarge(name, size), { technical: message });
    return refusal(texts.wholeOnly(name, size), { technical: message, wholeFile: details.wholeFile });
  }
  if (code === 'unreachable') return refusal(texts.unreachable(name, reason), { canRetry: true });
  if (code === 'invalid-argument' && message.includes('several models')) {
    return refusal(texts.severalModels, { technical: message });
  }
  if (code === 'bad-file') return refusal(texts.badFile(name, reason));
  if (code === 'unsupported' || code === 'invalid-argument' || code === 'shape-mismatch') {
    return refusal(texts.notOpened(name, reason));
  }
  return null;
}

/** What the figure says if a measurement fails; null if the failure is the figure's own, such as a lab that has stopped. */
export function problemOf(
  error: unknown,
  texts: CheckpointStrings,
  sentence: (reason: string) => string,
): string | null {
  if (error instanceof CheckpointFileError) return sentenceOf(error, texts);
  const code = codeOf(error);
  // A table that cannot be decoded is also 'unsupported', but does not prevent the figure from running.
  const isFigures = code === 'unsupported' && !isSupported().supported;
  return code === 'cancelled' || isFigures || typeof code !== 'string' ? null : sentence((error as Error).message);
}

/** The core's words without the file's name, which the sentence already has. */
export function reasonOf(message: string, { place }: Wanted): string {
  const names =
    place.kind === 'files' ? place.files.map(({ file }) => file.name) : [new URL(place.url, document.baseURI).href];
  const name = [...names, 'model.bin', 'tokenizer.bin'].find((one) => message.startsWith(`${one}: `));
  return name === undefined ? message : message.slice(name.length + 2);
}

function sentenceOf({ problem, fileName }: CheckpointFileError, texts: CheckpointStrings): string {
  switch (problem.what) {
    case 'unreadable':
      return texts.unreadable(fileName);
    case 'foreign':
      return texts.foreign(fileName, problem.kind);
    case 'cut-short':
      return texts.cutShort(fileName, formatWhole(problem.bytes), formatWhole(problem.expected));
    case 'too-long':
      return texts.tooLong(fileName, formatWhole(problem.bytes), formatWhole(problem.expected));
    case 'broken-weights':
      return texts.brokenWeights(fileName);
    case 'broken-tokenizer':
      return texts.brokenTokenizer(fileName);
    case 'unknown':
      return texts.unknownFile(fileName);
  }
}
