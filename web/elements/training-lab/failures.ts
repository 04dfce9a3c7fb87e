import { codeOf } from '../shared/error-code.js';
import { TextError } from './text.js';
import type { TrainingLabStrings } from './training-lab.strings.js';

/** No lab could be opened, and the reader has already been told. */
export class NoLabError extends Error {
  constructor() {
    super('There is no lab.');
    this.name = 'NoLabError';
  }
}

/** A sentence that says what went wrong and what to do; null if there is nothing to say. */
export function failureText(error: unknown, { problems }: TrainingLabStrings, step = 0): string | null {
  if (error instanceof NoLabError) return null;
  if (error instanceof TextError) {
    if (error.problem === 'empty-text') return problems.emptyText;
    if (error.problem === 'too-short') return problems.tooShort(error.detail, String(error.needed));
    return problems.oneToken(error.detail);
  }
  const code = codeOf(error);
  if (code === 'cancelled') return null;
  if (code === 'not-finite') return problems.diverged(String(step));
  return problems.failed(error instanceof Error ? error.message : String(error));
}
