/** Which errors are results. */
import { TiedError } from '../errors.js';

/** What no model and no measure is at fault for. */
const ENDS_ALL: readonly string[] = ['cancelled', 'disposed', 'stopped', 'unsupported'];

/** Whether an error is due to the model, its text or its sizes: the experiment goes on without it. */
export const isOfModel = (error: unknown): error is TiedError =>
  error instanceof TiedError && !ENDS_ALL.includes(error.code);
