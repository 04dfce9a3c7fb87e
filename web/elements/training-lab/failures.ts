import { TextError } from './text.js';
import { FileError } from '../shared/text-file.js';
import type { TrainingLabStrings } from './training-lab.strings.js';

/** The lab could not be had, and the reader has been told already. */
export class NoLabError extends Error {
  constructor() {
    super('There is no lab.');
    this.name = 'NoLabError';
  }
}

/** What went wrong, in a sentence that says what to do; null where nothing need be said. */
export function failureText(error: unknown, { problems }: TrainingLabStrings, step = 0): string | null {
  if (error instanceof NoLabError) return null;
  if (error instanceof FileError) return problems.files[error.problem](error.fileName);
  if (error instanceof TextError) {
    if (error.problem === 'empty-text') return problems.emptyText;
    if (error.problem === 'too-short') return problems.tooShort(error.detail, String(error.needed));
    return problems.oneToken(error.detail);
  }
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'cancelled') return null;
  if (code === 'not-finite') return problems.diverged(String(step));
  return problems.failed(error instanceof Error ? error.message : String(error));
}
