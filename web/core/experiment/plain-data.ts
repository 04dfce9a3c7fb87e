/** An experiment is hashed and written as JSON, including fields that every job replaces. */
import { invalidArgument } from '../runtime/errors.js';
import { isRecord, readList, readRecord } from '../runtime/validate.js';

const MOST_ELEMENTS = 10_000;
const MOST_LEVELS = 8;

/** Refuses values that JSON cannot hold. Undefined fields are left out. */
export function checkPlain(argument: string, value: unknown, levels = MOST_LEVELS): void {
  if (value === null || ['undefined', 'number', 'string', 'boolean'].includes(typeof value)) return;
  if (levels > 0) {
    const list = readList(value, 0, MOST_ELEMENTS);
    if (list !== null) {
      for (const [i, one] of list.entries()) checkPlain(`${argument}[${i}]`, one, levels - 1);
      return;
    }
    if (isRecord(value)) {
      for (const [name, one] of Object.entries(readRecord(argument, value)))
        checkPlain(`${argument}.${name}`, one, levels - 1);
      return;
    }
  }
  throw invalidArgument(argument, value, 'what a file of JSON can hold');
}
