/** Which errors count as results. */
import { TiedError } from '../runtime/errors.js';

/** Errors that neither a model nor a measure has caused. */
const ENDS_ALL: readonly string[] = ['cancelled', 'disposed', 'stopped', 'unsupported'];

/** Whether an error is due to the model, its text or its sizes; the experiment then continues without it. */
export const isOfModel = (error: unknown): error is TiedError =>
  error instanceof TiedError && !ENDS_ALL.includes(error.code);
