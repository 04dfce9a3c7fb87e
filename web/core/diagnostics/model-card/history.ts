/** The input share of the gradient over training, from the records of its steps. */
import { exp, log } from '../../runtime/elementary.js';
import { cardNumber } from './numbers.js';
import { invalidArgument } from '../../runtime/errors.js';
import type { CardHistory, CardRecord, NotMeasured } from '../../types.js';
import { checkInteger, checkNumber, checkRange, isRecord, readFields, readList } from '../../runtime/validate.js';

const MAX_RECORDS = 1e6;
const MAX_POINTS = 12;
const FIELDS = ['step', 'loss', 'inputShare', 'inputPositionShare'] as const;

export interface CheckedHistory {
  /** Total number of records given. */
  records: number;
  points: CardRecord[];
}

/** Reads the records that a card shows. */
export function checkHistory(records: unknown): CheckedHistory | null {
  if (records === undefined) return null;
  const name = 'options.records';
  const list = readList(records, 1, MAX_RECORDS);
  if (list === null)
    throw invalidArgument(name, records, `an array of 1 to ${MAX_RECORDS} records, as run returns them`);
  let last = 0;
  const points = shownOf(list.length).map((index) => {
    const point = checkRecord(`${name}[${index}]`, list[index]);
    if (point.step <= last) {
      throw invalidArgument(`${name}[${index}].step`, point.step, `a step after that of a record before it, ${last}`);
    }
    last = point.step;
    return point;
  });
  return { records: list.length, points };
}

/** Indices from the first record to the last, spaced geometrically. */
function shownOf(records: number): number[] {
  if (records <= MAX_POINTS) return Array.from({ length: records }, (_, i) => i);
  const places = Array.from(
    { length: MAX_POINTS },
    (_, i) => Math.round(exp((log(records) * i) / (MAX_POINTS - 1))) - 1,
  );
  return [...new Set(places)];
}

function checkRecord(name: string, value: unknown): CardRecord {
  if (!isRecord(value)) throw invalidArgument(name, value, 'a record, as run returns it');
  const { step, loss, inputShare, inputPositionShare } = readFields(name, value, FIELDS);
  return {
    step: checkInteger(`${name}.step`, step, 1, Number.MAX_SAFE_INTEGER),
    loss: checkNumber(`${name}.loss`, loss, 'a number', () => true),
    inputShare: checkRange(`${name}.inputShare`, inputShare, 0, 1),
    inputPositionShare: checkRange(`${name}.inputPositionShare`, inputPositionShare, 0, 1),
  };
}

export function cardHistory(history: CheckedHistory | null, vocabSize: number): CardHistory | NotMeasured {
  if (history === null) return { notMeasured: 'No records of the training were given.' };
  const { records, points } = history;
  return {
    records,
    leftOut: records - points.length,
    points: points.map(({ step, loss, inputShare, inputPositionShare }) => ({
      step,
      loss: cardNumber(loss, 'nats per token', log(vocabSize)),
      inputShare: cardNumber(inputShare, 'fraction'),
      inputPositionShare: cardNumber(inputPositionShare, 'fraction'),
    })),
  };
}
